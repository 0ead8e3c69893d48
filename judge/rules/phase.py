"""Phases of a game and the calendar that strings them together."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from typing import NamedTuple


class Constant(Enum):
    """An enum whose values are printed as they are written, and hashed without a call."""

    __repr__ = Enum.__str__
    __hash__ = object.__hash__


class Season(Constant):
    """A season, named by the letter it has in a phase name."""

    SPRING = "S"
    SUMMER = "U"
    FALL = "F"
    WINTER = "W"


class Kind(Constant):
    """What is decided in a phase, named by the letter it has in a phase name."""

    MOVEMENT = "M"
    RETREATS = "R"
    ADJUSTMENTS = "A"


class Phase(NamedTuple):
    """One phase of a game, such as `S1901M`.

    Which of two phases comes first depends on the calendar of the variant; ask `Calendar`.
    """

    season: Season
    year: int
    kind: Kind

    def __str__(self) -> str:
        return f"{self.season.value}{self.year}{self.kind.value}"

    @property
    def words(self) -> str:
        """The phase in words, such as "Spring 1901, movement"."""
        return f"{self.season.name.capitalize()} {self.year}, {self.kind.name.lower()}"

    @staticmethod
    @lru_cache(maxsize=4096)
    def read(text: str) -> Phase:
        """Return the phase that `text` names in the short form.

        Raises ValueError, quoting `text`, when it is not of the form `S1901M`.
        """
        match = _SHORT.match(text.strip().upper())
        if match is None:
            raise ValueError(f"{text!r} is not a phase; write one like S1901M, F1901R or W1901A")
        return Phase(Season(match[1]), int(match[2]), Kind(match[3]))


_SHORT = re.compile(r"([SUFW])(\d{1,5})([MRA])\Z")


@dataclass(frozen=True)
class Calendar:
    """The phases of one year in order; a year's last phase is followed by the next year's first.

    `year` is the cycle, for the standard game S M, S R, F M, F R, W A.
    `ownership` says after which seasons centers change hands (standard: Fall only). `years` is how
    much later the next cycle is dated; below 0 the years count down, before Christ.
    """

    year: tuple[tuple[Season, Kind], ...]
    ownership: frozenset[Season] = frozenset({Season.FALL})
    years: int = 1

    @cached_property
    def _place(self) -> dict[tuple[Season, Kind], int]:
        return {step: index for index, step in enumerate(self.year)}

    def knows(self, phase: Phase) -> bool:
        """Return whether this calendar has such a phase."""
        return (phase.season, phase.kind) in self._place

    def next(self, phase: Phase) -> Phase:
        """Return phase after `phase`, whether or not anybody will have to decide anything in it.

        Raises KeyError when the calendar has no such phase.
        """
        place = self._place[phase.season, phase.kind] + 1
        year = phase.year
        if place == len(self.year):
            year, place = year + self.years, 0
        season, kind = self.year[place]
        return Phase(season, year, kind)

    def following(self, phase: Phase, *kinds: Kind) -> Phase:
        """Return the first phase after `phase` that is of one of these kinds."""
        found = self.next(phase)
        while found.kind not in kinds:
            found = self.next(found)
        return found

    def key(self, phase: Phase) -> tuple[int, int]:
        """Return a sort key: of two phases, the one that is played first has the smaller key."""
        year = phase.year if self.years > 0 else -phase.year
        return year, self._place[phase.season, phase.kind]
