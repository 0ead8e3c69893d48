"""What stands where: the whole state of a game between two phases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from judge.rules.phase import Phase


class Unit(NamedTuple):
    """A unit and where it stands: kind ("A", "F", "N", "AF", "R") and location (`stp/nc`)."""

    kind: str
    location: str

    @lru_cache(maxsize=4096)  # noqa: B019 - as below
    def __str__(self) -> str:
        return f"{self.kind} {self.location}" if self.kind else self.location

    # Asked hundreds of times for each phase, mostly about the same units.
    @property
    @lru_cache(maxsize=4096)  # noqa: B019 - a unit is a value, and the cache is bounded
    def province(self) -> str:
        """The province the unit occupies, its coast left out."""
        return self.location.partition("/")[0]


@lru_cache(4096)
def read_unit(text: str) -> Unit:
    """Read the unit that `str(unit)` wrote, such as `F stp/nc`."""
    kind, _, location = text.rpartition(" ")
    return Unit(kind, location)


class Dislodged(NamedTuple):
    """A unit that must retreat.

    `attacker` is the province its attacker came from, None where it came by convoy;
    `retreats` are the locations it may go to, empty when it is destroyed at once.
    """

    unit: Unit
    attacker: str | None
    retreats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Position:
    """A phase and all that stands on the board when it opens. Keys are powers, values in order.

    `centers` are the supply centers each power owns. `dislodged` and `contested` (provinces left
    vacant by a standoff) matter in retreat phases only. `extra` is what a rule module remembers
    between phases, in JSON values (standard: nothing). A value: what it is made of must not change.
    """

    phase: Phase
    units: Mapping[str, tuple[Unit, ...]]
    centers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dislodged: Mapping[str, tuple[Dislodged, ...]] = field(default_factory=dict)
    contested: tuple[str, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict)
