"""A position by number, and the orders followed in it: what the resolver works on.

`judge.rules.matching` fills it in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain, pairwise
from types import MappingProxyType
from typing import Final, NamedTuple

from judge.rules.board import Board
from judge.rules.board_index import BoardIndex
from judge.rules.convoy_routes import ConvoyRoutes
from judge.rules.orders import Convoy, Launch, Move, Order, Relay, Support
from judge.rules.outcome import Precedence, Reason, Superseded
from judge.rules.planner import (
    AID,
    ALIEN,
    BOMB,
    CONVOY,
    EITHER,
    SAIL,
    SEA,
    SUPPORT,
    VOID,
    Plan,
    Planner,
)
from judge.rules.position import Position, Unit
from judge.rules.problems import Code, Illegal, Problem
from judge.rules.rulebook import Rulebook


def by_power(powers: Iterable[str], sizes: Iterable[int]) -> tuple[list[str], dict[str, slice]]:
    """Number things that powers have so many of: whose each is, and the numbers of each power's."""
    owner: list[str] = []
    spans: dict[str, slice] = {}
    first = 0
    for power, size in zip(powers, sizes, strict=True):
        owner += [power] * size
        last = first + size
        spans[power] = slice(first, last)
        first = last
    return owner, spans


class UnitIndex:
    """Units in the order of the position, places by the numbers of the board_index.

    `where[u]` is the place of unit u, `owner[u]` its power; `at[place]` the unit in a place or -1
    (one spare entry keeps -1 harmless as a place). `spans` are the numbers of the units of each
    power, `sizes` how many there are; `everyone` are the numbers of all units.
    """

    __slots__ = (
        "_routes",
        "at",
        "everyone",
        "index",
        "owner",
        "position",
        "sizes",
        "spans",
        "units",
        "where",
    )

    def __init__(self, board_index: BoardIndex, position: Position) -> None:
        self.index, self.position = board_index, position
        standing = position.units.values()
        numbered = board_index.numbered(chain.from_iterable(standing))
        self.units = [unit for unit, _ in numbered]
        self.where = [place for _, place in numbered]
        self.at = at = [-1] * (board_index.size + 1)
        for u, here in enumerate(self.where):
            at[here] = u
        self.everyone = list(range(len(numbered)))
        self.sizes = list(map(len, standing))
        self.owner, self.spans = by_power(position.units, self.sizes)
        self._routes: ConvoyRoutes | None = None

    @property
    def convoy_routes(self) -> ConvoyRoutes:
        """What the fleets at sea join, whatever they are ordered to do."""
        if self._routes is None:
            waters_of, carriers = self.index.waters, self.index.carriers
            waters = 0
            for unit, here in zip(self.units, self.where, strict=True):
                if waters_of[here] and unit.kind in carriers:
                    waters |= 1 << here
            self._routes = ConvoyRoutes(self.index, waters)
        return self._routes


def unit_index(board_index: BoardIndex, position: Position) -> UnitIndex:
    """Return the unit_index of `position` on this board.

    Raises KeyError for a unit on a location that the board does not have.
    """
    known = _latest[0]
    if known is None or known.index is not board_index or known.position is not position:
        known = _latest[0] = UnitIndex(board_index, position)
    return known


_latest: Final[list[UnitIndex | None]] = [None]
"""The units that were last asked for: a phase asks for them several times in a row."""


class OrderFate(NamedTuple):
    """Why an entry was not followed, known before anything is resolved; `why` is None where the
    other unit's order did not match."""

    reason: Reason
    why: Problem | Superseded | None = None


def superseded(why: Precedence, by: Order | None = None) -> OrderFate:
    """Return the fate of an order that gave way to others."""
    return OrderFate(Reason.SUPERSEDED, Superseded(why, by))


def void(problem: Problem) -> OrderFate:
    """Return the fate of an order that is impossible."""
    # Not by the constructor: crowds of fleets meet it by the hundred.
    return _fate((Reason.VOID, problem))


_fate: Final = partial(tuple.__new__, OrderFate)
_HELPING: Final = (Support, Convoy)
# Crowds of fleets hear these again and again, and making a value anew costs more than finding it.
_needless: Final = lru_cache(maxsize=8192)(partial(Illegal, code=Code.NEEDLESS_FLEET))
_no_fleets: Final = lru_cache(maxsize=8192)(partial(Illegal, code=Code.NO_FLEETS))

LAND: Final = 0
BY_SEA: Final = 1
IF_OPEN: Final = 2
"""By sea when the convoy comes through, else by land (4.A.3 a and d)."""


class Submission:
    """A position and the orders followed in it, by numbers: units in the order of the position.

    `units`, `owner`, `where`, `at`, `spans` and `everyone` are those of the unit_index.
    `plans[u]` is the order unit u follows, None when it has none and simply stays. `dest[u]` is
    where it moves or -1; `arriving[place]` the units moving there or None, `crowded` the places
    where several want to go. `helpers[u]` are the units with a matching support for u, or None;
    `aim[s]` the place a matched support is given into, else -1. `fleets[u]` are the fleets ordered
    to carry the army u; `sails[u]` is LAND, BY_SEA or IF_OPEN; `routes[u]` the waters that an army
    bound to the way it named goes over, one after the other (4.A.6).
    `orders` are all orders as they came in, power by power; `giver[i]` is the power that gave order
    i, `given` are the numbers of the orders of each power. `whom[i]` is the unit that follows
    order i, -2 - u where the order was meant for u but is not the one it follows, -1 where it was
    for no unit of that power; `numbers[u]` is the order that unit u follows, -1 when it has none.
    `fates[i]` says why an order came to nothing before anything was resolved.
    """

    __slots__ = (
        "aim",
        "arriving",
        "at",
        "bombing",
        "convoying",
        "crowded",
        "dest",
        "everyone",
        "fates",
        "fleets",
        "given",
        "giver",
        "helpers",
        "immovable",
        "moving",
        "numbers",
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

    def __init__(
        self,
        planner: Planner,
        position: Position,
        orders: Mapping[str, Sequence[Order]] = MappingProxyType({}),
    ) -> None:
        self.planner = planner
        self.position = position
        self.unit_index = index = unit_index(planner.index, position)
        self.units = index.units
        self.owner = index.owner
        self.where = index.where
        self.at = index.at
        self.spans = index.spans
        self.everyone = index.everyone
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
        # Copied, because results are written down later, when the caller's lists may have changed.
        self.orders = list(chain.from_iterable(orders.values()))
        sizes = list(map(len, orders.values()))
        if sizes == index.sizes and list(orders) == list(index.spans):
            self.giver, self.given = index.owner, index.spans
        else:
            self.giver, self.given = by_power(orders, sizes)
        self.whom: list[int] = []
        self.numbers: list[int] = []
        self.fates: dict[int, OrderFate] = {}
        self.odd: dict[int, list[tuple[int, Plan]]] = {}
        """For units that need a second look: the orders they could follow, with their numbers."""

    def name(self, place: int) -> str:
        """Return the id of a place."""
        return self.planner.index.ids[place]

    def meant(self, number: int) -> int:
        """Return the unit that an order was meant for, -1 when there is none of that power."""
        u = self.whom[number]
        return u if u >= -1 else -2 - u


# -- what an order comes to in a position, whatever the other orders are (DATC 4.E.1) -------------


def fit_unit(sub: Submission, power: str, u: int, plan: Plan) -> tuple[Plan, OrderFate | None]:
    """Return the plan for the unit as it really stands there (DATC 4.B.5, 4.C.1, 4.C.2), or the
    fault."""
    rules, board = sub.planner.rulebook, sub.planner.board
    if plan.kind == ALIEN:
        assert plan.problem is not None
        return plan, void(plan.problem)
    if plan.place < 0:
        return plan, void(Illegal(code=Code.NO_LOCATION, word=plan.unit.location))
    if u < 0:
        return plan, void(Illegal(code=Code.NO_UNIT, place=sub.name(plan.place)))
    unit, written = sub.units[u], plan.unit
    if (owner := sub.owner[u]) != power:
        return plan, void(Illegal(code=Code.FOREIGN_UNIT, unit=unit, power=owner))
    if unit == written:
        return plan, None
    problem = mismatch(rules, written, unit, board)
    if problem:
        return plan, void(problem)
    return sub.planner.make(replace(plan.order, unit=unit)), None  # type: ignore[arg-type]


def mismatch(rules: Rulebook, written: Unit, unit: Unit, board: Board) -> Problem | None:
    """Return why a unit written so cannot mean the one that is there; None when it can."""
    if not written.kind and rules.letter_missing == "a":
        kinds = tuple(board.kinds)
        return Illegal(code=Code.KIND_MISSING, place=unit.location, kinds=kinds)
    if written.kind and written.kind != unit.kind and rules.letter_wrong == "a":
        return Illegal(
            code=Code.WRONG_KIND, kind=written.kind, place=unit.location, other_kind=unit.kind
        )
    if written.location not in (unit.location, unit.province):
        choice = rules.wrong_coast if "/" in unit.location else rules.idle_coast
        if choice == "a":
            return Illegal(code=Code.WRONG_COAST, unit=unit, word=written.location)
    return None


def fit(sub: Submission, u: int, plan: Plan) -> tuple[Plan, Problem | None]:
    """Return the plan for what really stands there, and why the position does not allow it, if so.

    Asks only what stands where, never what it was ordered to do (DATC 4.E.1).
    """
    if plan.kind == SAIL:
        return plan, _no_voyage(sub, plan)
    if plan.kind == BOMB:
        return plan, _no_bombing(sub, plan)
    if plan.kind == VOID and isinstance(plan.order, Support):
        plan = _really_aided(sub, plan, plan.order)
    if plan.kind not in (SUPPORT, AID, CONVOY):
        return plan, plan.problem
    planner = sub.planner
    order = plan.order
    assert isinstance(order, _HELPING)
    assert plan.other is not None
    other = sub.at[plan.at]
    if other < 0:
        return plan, Illegal(code=Code.NO_UNIT, place=sub.name(plan.at))
    there = sub.units[other]
    if there != plan.other:
        problem = mismatch(planner.rulebook, plan.other, there, planner.board)
        if problem:
            return plan, problem
        if isinstance(order, Support):
            plan = planner.make(replace(order, target=there))
        else:
            plan = planner.make(replace(order, army=there))
    choice, wrong = nationality(sub, u, plan)
    if choice == "a" and wrong is not None:
        return plan, wrong
    if plan.problem:
        return plan, plan.problem
    if plan.kind == CONVOY:
        return plan, _no_convoying(sub, plan, there)
    if plan.kind == AID and plan.way == SEA:
        joined = sub.unit_index.convoy_routes.joined
        if not joined(plan.at, plan.aim, without=plan.place):
            goal = sub.name(plan.aim)
            return plan, Illegal(code=Code.NO_OTHER_FLEET, unit=there, place=goal)
    if plan.kind == AID and plan.arrival is None and planner.rulebook.support_coast == "a":
        return plan, Illegal(code=Code.COAST_MISSING, place=sub.name(plan.aim))
    return plan, None


def nationality(sub: Submission, u: int, plan: Plan) -> tuple[str, Problem | None]:
    """Return the choice that applies to a nationality that unit u's order does not have or has
    wrong, with what is wrong; "b" where nothing is (DATC 4.C.5, 4.C.6)."""
    order, planner = plan.order, sub.planner
    rules = planner.rulebook
    if not (rules.asks_nationality and isinstance(order, _HELPING)):
        return "b", None
    target = order.target if isinstance(order, Support) else order.army
    other = sub.at[planner.place(target)]
    if other < 0 or order.owner == (owner := sub.owner[other]):
        return "b", None
    unit = sub.units[other]
    if order.owner is not None:
        return rules.nation_wrong, Illegal(
            code=Code.WRONG_NATION, unit=unit, power=owner, other_power=order.owner
        )
    if owner == sub.owner[u]:
        return "b", None
    return rules.nation_missing, Illegal(code=Code.NATION_MISSING, unit=unit, power=owner)


def _really_aided(sub: Submission, plan: Plan, order: Support) -> Plan:
    """Return what looked impossible may do for the unit that is really there: `wes S gol - spa/sc`
    says nothing of a fleet, and a wrong letter is forgiven too (DATC 4.C.1, 4.C.2)."""
    planner = sub.planner
    at = planner.index.place.get(order.target.province, -1)
    there = sub.units[sub.at[at]] if at >= 0 and sub.at[at] >= 0 else order.target
    if there == order.target or mismatch(planner.rulebook, order.target, there, planner.board):
        return plan
    return planner.make(replace(order, target=there))


def _no_voyage(sub: Submission, plan: Plan) -> Problem | None:
    """Return a move that needs a convoy needs fleets that could carry it (DATC 6.D.8, 6.D.32)."""
    planner = sub.planner
    rules = planner.rulebook
    if plan.way == EITHER and rules.land_or_sea in "ad":
        return None
    goal, here = sub.name(plan.aim), sub.name(plan.place)
    route = route_named(planner, plan)
    if not route:
        if rules.named_route == "c":
            return Illegal(code=Code.ROUTE_MISSING, place=here, goal=goal)
        if sub.unit_index.convoy_routes.joined(plan.place, plan.aim):
            return None
        return _no_fleets(kind=plan.unit.kind, place=here, goal=goal)
    if not planner.index.leads(plan.place, plan.aim, route):
        over = tuple(map(sub.name, route))
        return Illegal(code=Code.NO_ROUTE, place=here, goal=goal, places=over)
    for water in route:
        if not sub.unit_index.convoy_routes.fleets >> water & 1:
            return Illegal(code=Code.NO_FLEET, place=sub.name(water))
    return None


def _no_bombing(sub: Submission, plan: Plan) -> Problem | None:
    """Return a bomb's way needs a unit at each link that could carry it on, whatever it was
    ordered."""
    planner, order = sub.planner, plan.order
    assert isinstance(order, Launch | Relay)
    place = planner.index.place
    via = [place[text.partition("/")[0]] for text in order.via]
    if isinstance(order, Launch):
        chain = [plan.place, *via, place[order.to.partition("/")[0]]]
    else:
        origin = place[order.origins[-1].partition("/")[0]]
        chain = [origin, plan.place, plan.aim]
        if via and sub.at[plan.aim] < 0:
            return Illegal(code=Code.NO_BOMB_CARRIER, place=sub.name(plan.aim))
        if not any(planner.kind(unit).launches for unit in sub.units):
            return Illegal(code=Code.NO_LAUNCHER)
    for here, there in pairwise(chain):
        u = sub.at[here]
        if u < 0 or not planner.kind(sub.units[u]).bombs:
            return Illegal(code=Code.NO_BOMB_CARRIER, place=sub.name(here))
        unit, kind = sub.units[u], planner.kind(sub.units[u])
        if there not in planner.index.reach(unit, kind.bombs):
            goal = sub.name(there)
            return Illegal(code=Code.BOMB_TOO_FAR, unit=unit, place=goal)
    return None


def route_named(planner: Planner, plan: Plan) -> tuple[int, ...]:
    """Return the waters an army has to go over because its order names them (DATC 4.A.6)."""
    if planner.rulebook.named_route == "a" or not isinstance(plan.order, Move):
        return ()
    return tuple(planner.index.place.get(water, -1) for water in plan.order.path)


def _no_convoying(sub: Submission, plan: Plan, army: Unit) -> Problem | None:
    planner = sub.planner
    kind = planner.kind(army)
    if not kind.carried:
        name = sub.name(plan.at)
        if len(planner.board.kinds) > 2:
            only, letter = planner.carried, kind.letter
            return Illegal(code=Code.NO_CARGO, place=name, kind=letter, kinds=only)
        return Illegal(code=Code.NO_ARMY, place=name)
    if sub.unit_index.convoy_routes.needed(plan.place, plan.at, plan.aim):
        return None
    return _needless(place=sub.name(plan.at), goal=sub.name(plan.aim))
