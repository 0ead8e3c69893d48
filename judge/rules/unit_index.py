"""The units of a position by number: who stands where, worked out once and kept with it."""

from __future__ import annotations

from itertools import chain

from judge.rules.board_index import BoardIndex
from judge.rules.convoy_routes import ConvoyRoutes
from judge.rules.position import Position, Unit


class UnitIndex:
    """Units in the order of the position, places by the numbers of the board_index.

    `where[u]` is the place of unit u, `owner[u]` its power; `at[place]` the unit in a place or -1
    (one spare entry keeps -1 harmless as a place). `spans` are the units of each power: those from
    the first number up to before the second.
    """

    __slots__ = ("_crossings", "at", "index", "owner", "spans", "units", "where")

    def __init__(self, board_index: BoardIndex, position: Position) -> None:
        self.index = board_index
        place, same = board_index.place, board_index.same
        self.units: list[Unit] = list(map(same, chain.from_iterable(position.units.values())))
        self.where = [place[unit.location] for unit in self.units]
        self.at = [-1] * (board_index.size + 1)
        for u, here in enumerate(self.where):
            self.at[here] = u
        self.owner: list[str] = []
        self.spans: dict[str, tuple[int, int]] = {}
        for power, standing in position.units.items():
            first = len(self.owner)
            self.owner += [power] * len(standing)
            self.spans[power] = first, len(self.owner)
        self._crossings: ConvoyRoutes | None = None

    @property
    def convoy_routes(self) -> ConvoyRoutes:
        """What the fleets at sea join, whatever they are ordered to do."""
        if self._crossings is None:
            sea, carriers = self.index.sea, self.index.carriers
            waters = 0
            for unit, here in zip(self.units, self.where, strict=True):
                if sea[here] and unit.kind in carriers:
                    waters |= 1 << here
            self._crossings = ConvoyRoutes(self.index, waters)
        return self._crossings


def unit_index(board_index: BoardIndex, position: Position) -> UnitIndex:
    """The unit_index of `position` on this board.

    Raises KeyError for a unit on a location that the board does not have.
    """
    try:
        known = position.unit_index
    except AttributeError:
        pass
    else:
        if known.index is board_index:
            return known
    made = UnitIndex(board_index, position)
    object.__setattr__(position, "unit_index", made)
    return made
