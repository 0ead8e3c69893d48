"""A position by number, and the orders followed in it: what the resolver works on.

`judge.rules.matching` fills it in.
"""

from __future__ import annotations

from itertools import chain
from typing import Final, NamedTuple

from judge.rules.board_index import BoardIndex
from judge.rules.convoy_routes import ConvoyRoutes
from judge.rules.orders import Order
from judge.rules.outcome import Precedence, Reason, Superseded
from judge.rules.planner import (
    Plan,
    Planner,
)
from judge.rules.position import Position, Unit
from judge.rules.problems import Problem


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


class Fate(NamedTuple):
    """Why an entry was not followed, known before anything is resolved; `why` is None where the
    other unit's order did not match."""

    reason: Reason
    why: Problem | Superseded | None = None


def superseded(why: Precedence, by: Order | None = None) -> Fate:
    """Return the fate of an order that gave way to others."""
    return Fate(Reason.SUPERSEDED, Superseded(why, by))


def void(problem: Problem) -> Fate:
    """Return the fate of an order that is impossible."""
    return Fate(Reason.VOID, problem)


LAND: Final = 0
BY_SEA: Final = 1
IF_OPEN: Final = 2
"""By sea when the convoy comes through, else by land (4.A.3 a and d)."""


class Submission:
    """A position and the orders followed in it, by numbers: units in the order of the position.

    `units`, `owner`, `where`, `at` and `spans` are those of the unit_index.
    `plans[u]` is the order unit u follows, None when it has none and simply stays. `dest[u]` is
    where it moves or -1; `arriving[place]` the units moving there or None, `crowded` the places
    where several want to go. `helpers[u]` are the units with a matching support for u, or None;
    `aim[s]` the place a matched support is given into, else -1. `fleets[u]` are the fleets ordered
    to carry the army u; `sails[u]` is LAND, BY_SEA or IF_OPEN; `routes[u]` the waters that an army
    bound to the way it named goes over, one after the other (4.A.6).
    `orders` are all orders as they came in, power by power; `giver[i]` is the power that gave order
    i, and those of `power` end before number `ends[power]`. `whom[i]` is the unit that follows
    order i, -2 - u where the order was meant for u but is not the one it follows, -1 where it was
    for no unit of that power. `fates[i]` says why an order came to nothing before anything was
    resolved.
    """

    __slots__ = (
        "aim",
        "arriving",
        "at",
        "bombing",
        "convoying",
        "crowded",
        "dest",
        "ends",
        "fates",
        "fleets",
        "giver",
        "helpers",
        "immovable",
        "moving",
        "odd",
        "orders",
        "owner",
        "planner",
        "plans",
        "position",
        "routes",
        "sailing",
        "sails",
        "spans",
        "supporting",
        "unit_index",
        "units",
        "where",
        "whom",
    )

    def __init__(self, planner: Planner, position: Position) -> None:
        self.planner = planner
        self.position = position
        self.unit_index = index = unit_index(planner.index, position)
        self.units = index.units
        self.owner = index.owner
        self.where = index.where
        self.at = index.at
        self.spans = index.spans
        count, size = len(self.units), len(self.at)
        self.plans: list[Plan | None] = [None] * count
        self.dest = [-1] * count
        self.aim = [-1] * count
        self.sails = [LAND] * count
        self.arriving: list[list[int] | None] = [None] * size
        self.helpers: list[list[int] | None] = [None] * count
        self.crowded: list[int] = []
        self.moving: list[int] = []
        self.supporting: list[int] = []
        self.convoying: list[int] = []
        self.sailing: list[int] = []
        self.bombing: list[int] = []
        self.fleets: dict[int, list[int]] = {}
        self.routes: dict[int, tuple[int, ...]] = {}
        self.immovable: set[int] = set()
        self.orders: list[Order] = []
        self.giver: list[str] = []
        self.ends: dict[str, int] = {}
        self.whom: list[int] = []
        self.fates: dict[int, Fate] = {}
        self.odd: dict[int, list[tuple[int, Plan]]] = {}
        """For units that need a second look: the orders they could follow, with their numbers."""

    def name(self, place: int) -> str:
        """Return the id of a place."""
        return self.planner.index.ids[place]

    def number(self, u: int) -> int:
        """The number of the order that u follows, -1 when it has none."""
        return self.whom.index(u) if u in self.whom else -1

    def meant(self, number: int) -> int:
        """The unit that an order was meant for, -1 when there is none of that power."""
        u = self.whom[number]
        return u if u >= -1 else -2 - u
