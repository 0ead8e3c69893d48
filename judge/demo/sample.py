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
    """Spring 1901 to Winter 1902, in order."""
    text = Path(__file__).with_name("sample.json").read_text(encoding="utf-8")
    return tuple(SamplePhase(**each) for each in json.loads(text))


def differences(sample: SamplePhase, run: PhaseRun, opened: Mapping[str, Any]) -> list[str]:
    """Where the judge and the book differ on a phase, a sentence each; empty when they agree.

    `run` is the phase as the judge ran it, `opened` the position with which the next one opened.
    """
    found = []
    powers = sorted({*sample.orders, *run.results["orders"]})
    for power in powers:
        expected = {
            (_plain(order), order not in sample.fail.get(power, ()))
            for order in sample.orders.get(power, ())
        }
        lines = run.results["orders"].get(power, ())
        got = {(_plain(line["order"]), bool(line["done"])) for line in lines}
        found += [
            f"{sample.phase}: {power}: the book has {_said(*order)}"
            for order in sorted(expected - got)
        ]
        found += [
            f"{sample.phase}: {power}: the judge has {_said(*order)}"
            for order in sorted(got - expected)
        ]
    dislodged = {
        (each["power"], each["unit"]): {place["id"] for place in each["retreats"]}
        for each in run.results["dislodged"]
    }
    expected_dislodged = {
        (power, unit): set(places)
        for power, units in sample.dislodged.items()
        for unit, places in units.items()
    }
    if dislodged != expected_dislodged:
        found.append(
            f"{sample.phase}: dislodged in the book {expected_dislodged}, here {dislodged}"
        )
    for what in ("units", "centers"):
        here = _sets(opened[what])
        book = _sets(getattr(sample, what))
        found += [
            f"{sample.next}: {power}: {what} in the book {sorted(book.get(power, ()))}, "
            f"here {sorted(here.get(power, ()))}"
            for power in sorted({*here, *book})
            if here.get(power, set()) != book.get(power, set())
        ]
    return found


def check(game: Game, history: Iterable[PhaseRun]) -> dict[str, list[str]]:
    """The differences of each sample phase that the game has left behind, by phase."""
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
    """An order without the coast its unit stands on, which the book leaves out."""
    return re.sub(r"^((?:[BD] )?[AF] \w+)/\w\w", r"\1", order)


def _said(order: str, done: bool) -> str:
    return f"{order} ({'succeeds' if done else 'fails'})"


def _sets(mapping: Mapping[str, Iterable[str]]) -> dict[str, set[str]]:
    return {power: {str(each) for each in values} for power, values in mapping.items() if values}
