"""The sample game of the 2023 rulebook ("Opening Moves in a Sample Game"), to play and to check.

`sample.json` has each phase's orders as the book writes them and what its commentary says of
them: which orders fail, who is dislodged and may go where, what stands where afterwards.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from judge.storage import Game, PhaseRun


@dataclass(frozen=True)
class SamplePhase:
    """One phase of the book. `fail` are the orders that fail, by power; all others succeed.

    `dislodged` gives each dislodged unit the provinces it may retreat to; `units` and `centers`
    are those with which `next` opens.
    """

    phase: str
    orders: Mapping[str, list[str]]
    fail: Mapping[str, list[str]]
    dislodged: Mapping[str, Mapping[str, list[str]]]
    units: Mapping[str, list[str]]
    centers: Mapping[str, list[str]]
    next: str


@cache
def phases() -> tuple[SamplePhase, ...]:
    """Return Spring 1901 to Winter 1902, in order."""
    text = Path(__file__).with_name("sample.json").read_text(encoding="utf-8")
    return tuple(SamplePhase(**each) for each in json.loads(text))


def differences(sample: SamplePhase, run: PhaseRun, opened: Mapping[str, Any]) -> list[str]:
    """Return where the judge and the book differ on a phase, a sentence each; empty when they
    agree.

    `run` is the phase as the judge ran it, `opened` the position with which the next one opened.
    """
    found = []
    results = run.results
    for power in sorted({*sample.orders, *results["orders"]}):
        fail = sample.fail.get(power, ())
        book = {(_plain(order), order not in fail) for order in sample.orders.get(power, ())}
        lines = results["orders"].get(power, ())
        judge = {(_plain(line["order"]), bool(line["done"])) for line in lines}
        for who, only in (("book", book - judge), ("judge", judge - book)):
            found += [
                f"{sample.phase}: {power}: the {who} has {order} "
                f"({'succeeds' if done else 'fails'})"
                for order, done in sorted(only)
            ]
    gone: dict[str, list[str]] = {}
    for each in results["dislodged"]:
        places = sorted(place["id"] for place in each["retreats"])
        gone.setdefault(each["power"], []).append(f"{each['unit']} to {places}")
    lost = {
        power: [f"{unit} to {sorted(places)}" for unit, places in units.items()]
        for power, units in sample.dislodged.items()
    }
    for what, said, told in (
        ("dislodged", lost, gone),
        ("units", sample.units, opened["units"]),
        ("centers", sample.centers, opened["centers"]),
    ):
        for power in sorted({*said, *told}):
            there, here = (sorted(map(str, each.get(power, ()))) for each in (said, told))
            if there != here:
                found.append(f"{sample.next}: {power}: {what} in the book {there}, here {here}")
    return found


def check(game: Game, history: Iterable[PhaseRun]) -> dict[str, list[str]]:
    """Return the differences of each sample phase that the game has left behind, by phase."""
    runs = {run.phase: run for run in history}
    opened = {phase: run.position for phase, run in runs.items()}
    if game.phase is not None:
        opened.setdefault(game.phase, game.position)
    return {
        sample.phase: differences(sample, runs[sample.phase], opened[sample.next])
        for sample in phases()
        if sample.phase in runs and sample.next in opened
    }


def _plain(order: str) -> str:
    """Return an order without the coast its unit stands on, which the book leaves out."""
    return re.sub(r"^((?:[BD] )?[AF] \w+)/\w\w", r"\1", order)
