"""The units of a position by number: who stands where, worked out once and kept with it."""

from __future__ import annotations

from itertools import chain

from judge.rules.crossings import Crossings
from judge.rules.geometry import Geometry
from judge.rules.position import Position, Unit


class Muster:
    """Units in the order of the position, places by the numbers of the geometry.

    `where[u]` is the place of unit u, `owner[u]` its power; `at[place]` the unit in a place or -1
    (one spare entry keeps -1 harmless as a place). `spans` are the units of each power: those from
    the first number up to before the second.
    """

    __slots__ = ("_crossings", "at", "geometry", "owner", "spans", "units", "where")

    def __init__(self, geometry: Geometry, position: Position) -> None:
        self.geometry = geometry
        place, same = geometry.place, geometry.same
        self.units: list[Unit] = list(map(same, chain.from_iterable(position.units.values())))
        self.where = [place[unit.location] for unit in self.units]
        self.at = [-1] * (geometry.size + 1)
        for u, here in enumerate(self.where):
            self.at[here] = u
        self.owner: list[str] = []
        self.spans: dict[str, tuple[int, int]] = {}
        for power, standing in position.units.items():
            first = len(self.owner)
            self.owner += [power] * len(standing)
            self.spans[power] = first, len(self.owner)
        self._crossings: Crossings | None = None

    @property
    def crossings(self) -> Crossings:
        """What the fleets at sea join, whatever they are ordered to do."""
        if self._crossings is None:
            sea, carriers = self.geometry.sea, self.geometry.carriers
            waters = 0
            for unit, here in zip(self.units, self.where, strict=True):
                if sea[here] and unit.kind in carriers:
                    waters |= 1 << here
            self._crossings = Crossings(self.geometry, waters)
        return self._crossings


def muster(geometry: Geometry, position: Position) -> Muster:
    """The muster of `position` on this board.

    Raises KeyError for a unit on a location that the board does not have.
    """
    try:
        known = position.muster
    except AttributeError:
        pass
    else:
        if known.geometry is geometry:
            return known
    made = Muster(geometry, position)
    object.__setattr__(position, "muster", made)
    return made
