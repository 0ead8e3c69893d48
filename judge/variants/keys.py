"""The keys that a variant file may have, and a file while it is read, with all that is wrong."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from judge.rules.board import Board, name_key
from judge.rules.phase import Calendar, Kind, Phase, Season

Keys: TypeAlias = Mapping[str, tuple[type, ...]]
"""The keys of a table, and the types that the value of each may have."""

_TYPES: Mapping[str, type] = {each.__name__: each for each in (str, int, bool, list, dict)}
_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
TOP, POWER, PROVINCE, UNIT, LINEUP, JOINS, COUNT = (
    {key: tuple(_TYPES[name] for name in said.split(" or ")) for key, said in table.items()}
    for table in _DATA.values()
)
NEEDED = ("title", "start", "calendar", "victory", "powers", "provinces")
OWN = ("title", "description")
"""What a file that builds on another's board says for itself."""
NUMBERS = ("position",)
"""The lists that hold numbers; all others hold texts."""


@dataclass
class VariantDraft:
    """A variant file while it is read: what it says, and everything wrong with it, a sentence each.

    Nothing stops at the first problem; the board and the calendar are there once they are read.
    """

    problems: list[str]
    data: Mapping[str, Any] = field(default_factory=dict)
    powers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    board: Board = field(default_factory=lambda: Board({}, {}, {}))
    calendar: Calendar | None = None

    def wrong(self, *problems: str) -> None:
        """Add to what is wrong."""
        self.problems += problems

    def refuse(self, where: str, checks: Iterable[tuple[object, str]]) -> None:
        """Add to what is wrong what is said of each check that is true."""
        self.problems += [f"{where}: {said}" for found, said in checks if found]

    def check_meanings(self, names: Iterable[tuple[str, str]]) -> None:
        """No name may mean two things, however it is written; each comes with whose name it is."""
        meanings: dict[str, dict[str, str]] = defaultdict(dict)
        for owner, name in names:
            meanings[name_key(name)].setdefault(owner, name)
        for owners in meanings.values():
            if len(owners) > 1:
                name = next(iter(owners.values()))
                self.wrong(f"{name!r} would mean {' and '.join(owners)}")

    def entries(self, where: str, table: object, known: Keys) -> Mapping[str, Any]:
        """Return the entries of a table that are known and of the right type; the others are
        problems."""
        if not isinstance(table, dict):
            self.wrong(f"{where} must be a table, not {table!r}")
            return {}
        good: dict[str, object] = {}
        for key, value in table.items():
            if problem := _problem(key, value, known):
                self.wrong(f"{where}: {problem}")
            else:
                good[key] = value
        return good

    def phase(self, where: str, text: str) -> Phase | None:
        """Return the phase a text names, if the calendar has it."""
        try:
            phase = Phase.read(text)
        except ValueError as error:
            self.wrong(f"{where}: {error}")
            return None
        if self.calendar is not None and not self.calendar.knows(phase):
            self.wrong(f"{where}: the calendar has no phase like {phase}")
        return phase

    def read_calendar(self) -> Phase | None:
        """Read the phases of a year, and return the first phase of the game."""
        steps: list[tuple[Season, Kind]] = []
        for step in self.data.get("calendar", "").split():
            try:
                season, kind = step
                steps.append((Season(season), Kind(kind)))
            except ValueError:
                self.wrong(f"calendar: {step!r} is not a phase like SM, FR or WA")
        if not self.data.get("calendar", "-").strip():
            self.wrong("calendar: it has no phases; a common year is SM SR FM FR WA")
        if len(set(steps)) < len(steps):
            self.wrong("calendar: a phase occurs twice")
        if not steps:
            return None
        seasons = {season.value: season for season, _ in steps}
        owning = self.data.get("ownership", "F")
        strange = [letter for letter in owning if letter not in seasons]
        self.wrong(*(f"ownership: the calendar has no season {letter!r}" for letter in strange))
        if (years := self.data.get("years", 1)) == 0:
            self.wrong("years: a cycle takes one year or more, not 0; before Christ -1")
        counted = frozenset(seasons[letter] for letter in owning if letter in seasons)
        self.calendar = Calendar(tuple(steps), counted, years)
        return self.phase("start", self.data.get("start", ""))


def _problem(key: str, value: object, known: Keys) -> str | None:
    """Return what is wrong with one entry of a table."""
    if key not in known:
        return f"there is no key {key!r}; known are {', '.join(known)}"
    misplaced = isinstance(value, bool) and bool not in known[key]
    if not isinstance(value, known[key]) or misplaced:
        return f"{key} cannot be {value!r}"
    if not isinstance(value, list):
        return None
    if key in NUMBERS:
        good = [type(item) in (int, float) for item in value] == [True, True]
        return None if good else f"{key} must be two numbers, not {value!r}"
    good = all(isinstance(item, str) for item in value)
    return None if good else f"{key} must hold texts only, not {value!r}"
