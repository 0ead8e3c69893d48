"""What a player reads in the judge's letters, by eye: no more than stands in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from judge.rules.phase import Kind, Phase, Season
from judge.rules.position import Unit


@dataclass(frozen=True)
class Task:
    """What a letter asks of its reader.

    `choices` are the units it lists, each with the places it names for it; in an adjustment
    phase the units that can be built or must be chosen from. `count` is how many of those.
    """

    phase: Phase
    choices: dict[Unit, list[str]]
    count: int = 0
    removals: bool = False


_PHASE = re.compile(r"\b(Spring|Summer|Fall|Winter) (\d+), (movement|retreats|adjustments)\b")
_UNIT = re.compile(r"  (A|F) ([a-z]{3}(?:/[a-z]{2})?), [^:]+(?:: (.*))?$")
_PLACE = re.compile(r"\b([a-z]{3}(?:/[a-z]{2})?) [A-Z]")
_TASK = re.compile(
    r"""^(?:
        Your\s units,\s and\s where\s each\s can\s go\s in\s one\s step:
        | Your\s dislodged\s units,\s and\s where\s each\s can\s retreat:
        | You\s may\s build\s (?P<builds>\d+)\s units?\.\s What\s can\s be\s built,\s and\s where:
        | You\s have\s \d+\s more\s units?\s than\s supply\s centers:
            \s (?P<removals>\d+)\s must\s go\.\s Your\s units:
    )$""",
    re.MULTILINE | re.VERBOSE,
)


def phase_in(text: str) -> Phase | None:
    """The first phase that is named in words."""
    found = _PHASE.search(text)
    if found is None:
        return None
    season, year, kind = found.groups()
    return Phase(Season[season.upper()], int(year), Kind[kind.upper()])


def task_in(text: str) -> Task | None:
    """What the reader is asked to decide; None when he is asked nothing."""
    for mark in ("WHAT COMES NEXT", "First phase:", "is waiting for your orders"):
        if mark in text:
            text = text[text.index(mark) :]
            break
    phase, found = phase_in(text), _TASK.search(text)
    if phase is None or found is None:
        return None
    return Task(
        phase,
        dict(_units(_unfolded(text[found.end() :]))),
        count=int(found["builds"] or found["removals"] or 0),
        removals=found["removals"] is not None,
    )


def _units(lines: Iterable[str]) -> Iterator[tuple[Unit, list[str]]]:
    """The listed units up to the first paragraph that is none."""
    for line in lines:
        found = _UNIT.match(line)
        if found:
            yield Unit(found[1], found[2]), _PLACE.findall(found[3] or "")
        elif line.strip():
            return


def _unfolded(text: str) -> Iterator[str]:
    """List entries as they were before they were folded: what is indented further belongs."""
    held = ""
    for line in text.splitlines():
        if held.startswith("  ") and line.startswith("    "):
            held = f"{held} {line.strip()}"
        else:
            yield held
            held = line
    yield held
