"""From orders as written to orders as followed: what the resolver works on.

A `Plan` is what one order comes to on one board under one rulebook, whatever the position: worked
out once for each order and kept. `submit` matches the plans with a position: whose unit, which of
several orders, what is impossible here. Impossible is what could not be right whatever everybody
else ordered (DATC 4.E.1); the unit then holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, NamedTuple

from judge.rules.board import Board
from judge.rules.closures import Closures
from judge.rules.geometry import Geometry, geometry
from judge.rules.kinds import UnitKind, either
from judge.rules.muster import muster
from judge.rules.orders import (
    Convoy,
    Hold,
    Launch,
    Move,
    Order,
    Relay,
    Support,
    Unreadable,
)
from judge.rules.outcome import Reason
from judge.rules.position import Position, Unit
from judge.rules.rulebook import Rulebook

HOLD: Final = 0
MOVE: Final = 1
"""A move by the unit's own means, if need be."""
SUPPORT: Final = 2
"""Support of a unit that stays."""
AID: Final = 3
"""Support of a unit that moves."""
CONVOY: Final = 4
VOID: Final = 5
"""An order that no position makes possible; `Plan.problem` says why."""
SAIL: Final = 6
"""A move by an army that can or wants to go by sea only."""
ALIEN: Final = 7
"""No movement order at all; it has no place."""
BOMB: Final = 8
"""A bomb launched or carried on; the unit stays."""

STEP: Final = 0
"""One step by the unit's own means."""
EITHER: Final = 1
"""One step, and a convoy is thinkable too."""
SEA: Final = 2
"""Only a convoy gets there."""


@dataclass(slots=True, eq=False)
class Plan:
    """What an order comes to; places are numbers of the geometry.

    `order` is the order it was made from. `place` and `unit` say who is ordered. `aim` is where it
    has an effect: a move's or aided move's destination, a convoy's landing, the supported unit's
    place. `other` is the unit supported or convoyed, at `at`; `arrival` the unit as it will stand
    when its move succeeds; `way` is STEP, EITHER or SEA. `sails` says that a move asks for a
    convoy, `plain` that a support can be given in every position in which `other` is at `at`.
    """

    planner: Planner
    order: Order
    kind: int
    place: int
    unit: Unit
    aim: int = -1
    way: int = STEP
    other: Unit | None = None
    at: int = -1
    arrival: Unit | None = None
    sails: bool = False
    plain: bool = False
    problem: str = ""


_NOBODY: Final = Unit("", "")


class Planner:
    """Makes the plans of one board under one rulebook, with the provinces that are closed.

    An order keeps its plan, and equal orders have the same one, so that a plan is made about once
    for each order there is.
    """

    MOST_REMEMBERED = 1 << 16

    def __init__(self, board: Board, rulebook: Rulebook, closed: Closures = ()) -> None:
        self.board = board
        self.rulebook = rulebook
        self.geometry: Geometry = geometry(board)
        self.closed = {self.geometry.place[closure.province]: closure for closure in closed}
        """The places that no unit enters or leaves."""
        self._plans: dict[Order, Plan] = {}
        self._holds: dict[Unit, Plan] = {}

    def plan(self, order: Order) -> Plan:
        """The plan of `order`, which from now on is kept with it.

        Its units are the same values in all plans: positions that come of them share their memory.
        """
        known = self._plans.get(order)
        if known is not None:
            object.__setattr__(order, "plan", known)
            return known
        plan = self.make(order)
        same = self.geometry.same
        plan.unit = same(plan.unit)
        if plan.arrival is not None:
            plan.arrival = same(plan.arrival)
        if plan.other is not None:
            plan.other = same(plan.other)
        plan.plain = plan.kind == SUPPORT or (
            plan.kind == AID and plan.way != SEA and plan.arrival is not None
        )
        plan.plain &= not self.rulebook.asks_nationality and not plan.problem
        object.__setattr__(order, "plan", plan)
        if plan.kind != ALIEN:
            if len(self._plans) >= self.MOST_REMEMBERED:
                self._plans.clear()
            self._plans[order] = plan
        return plan

    def hold(self, unit: Unit) -> Plan:
        """The plan of a unit that was given no order."""
        plan = self._holds.get(unit)
        if plan is None:
            plan = self._holds[unit] = self.make(Hold(unit))
        return plan

    def make(self, order: Order) -> Plan:
        """Work out what `order` comes to."""
        match order:
            case Hold():
                return Plan(self, order, HOLD, self.place(order.unit), order.unit)
            case Move():
                return self._move(order)
            case Support():
                return self._support(order)
            case Convoy():
                return self._convoy(order)
            case Launch() | Relay():
                return self._bomb(order)
            case Unreadable():
                unit = order.unit or _NOBODY
                return Plan(self, order, ALIEN, -1, unit, problem=order.problem)
            case _:
                unit = getattr(order, "unit", _NOBODY)
                problem = "this is no order for a movement phase"
                return Plan(self, order, ALIEN, -1, unit, problem=problem)

    def place(self, unit: Unit) -> int:
        """Where a unit is said to be; -1 for nowhere."""
        place = self.geometry.place
        return place.get(unit.location, place.get(unit.province, -1))

    def kind(self, unit: Unit) -> UnitKind:
        """What kind of unit it is."""
        return self.board.kind(unit.kind)

    def steps(self, unit: Unit) -> Mapping[int, tuple[str, ...]]:
        """Where a unit can go in one step now, as `Geometry.steps`."""
        steps = self.geometry.steps(unit)
        if not self.closed:
            return steps
        if self.place(unit) in self.closed:
            return {}
        return {place: there for place, there in steps.items() if place not in self.closed}

    def _void(self, order: Hold | Move | Support | Convoy | Launch | Relay, problem: str) -> Plan:
        return Plan(self, order, VOID, self.place(order.unit), order.unit, problem=problem)

    # -- moves --------------------------------------------------------------------------------

    def _move(self, order: Move) -> Plan:
        place = self.place(order.unit)
        landing, problem = self.landing(order.unit, order.to)
        if landing is None:
            return self._void(order, problem)
        aim = self.geometry.place[landing]
        sails = bool(order.via or order.path)
        way = self.way(order.unit, aim)
        assert way is not None
        if way == STEP and sails:
            kind = self.kind(order.unit)
            if kind.carried:
                return self._void(order, f"no convoy can take {kind.one} to {self._name(landing)}")
            return self._void(order, f"only {self.carried} are convoyed")
        return Plan(
            self,
            order,
            SAIL if sails or way == SEA else MOVE,
            place,
            order.unit,
            aim,
            way,
            arrival=Unit(order.unit.kind, landing),
            sails=sails,
        )

    def way(self, unit: Unit, aim: int) -> int | None:
        """How a unit could get to a place, if at all: STEP, EITHER or SEA."""
        here, coastal = self.geometry.place[unit.location], self.geometry.coastal
        if self.closed and (here in self.closed or aim in self.closed):
            return None
        step = aim in self.geometry.steps(unit)
        convoy = self.kind(unit).carried and coastal[here] and coastal[aim]
        if step:
            return EITHER if convoy else STEP
        return SEA if convoy and here != aim else None

    def landing(self, unit: Unit, to: str) -> tuple[str | None, str]:
        """The location a unit ordered to `to` would stand at, or None and the reason why not."""
        province, _, coast = to.partition("/")
        there = self.geometry.place.get(province)
        here = self.geometry.place.get(unit.location)
        if there is None:
            return None, f"there is no province {to!r} on this board"
        if here is None:
            return None, f"there is no location {unit.location!r} on this board"
        if here == there:
            return None, "a unit cannot move to the province it is in"
        rules = self.rulebook
        coasts = self.board.provinces[province].coasts
        if coast and coast not in coasts and rules.idle_coast == "a":
            return None, f"{self._name(province)} has no such coast"
        kind = self.kind(unit)
        if not kind.afloat:
            if coast and rules.idle_coast == "a":
                return None, f"{kind.one} is not ordered to a coast"
            if self.way(unit, there) is None:
                return None, self._unreachable(unit, there)
            return province, ""
        possible = self.steps(unit).get(there, ())
        if not possible:
            return None, self._unreachable(unit, there)
        if not coasts:
            return possible[0], ""
        if coast:
            if to in possible:
                return to, ""
            if rules.coast_impossible == "a" or coast not in coasts:
                return self._only(possible, province)
            return None, (
                f"{self._unit(unit)} cannot reach the {self._coast(to)} of {self._name(province)}"
                f", only the {self._coast(possible[0])}"
            )
        if len(possible) == 1 and rules.coast_implied == "b":
            return None, f"the coast of {self._name(province)} must be named"
        return self._only(possible, province)

    def _only(self, possible: Sequence[str], province: str) -> tuple[str | None, str]:
        if len(possible) == 1 or self.rulebook.coast_missing == "b":
            return possible[0], ""
        ways = " or ".join(possible)
        return None, f"{self._name(province)} can be entered by two coasts; write {ways}"

    def _unreachable(self, unit: Unit, there: int) -> str:
        name, kind = self._name(self.geometry.ids[there]), self.kind(unit)
        if kind.moves == "none":
            return f"{kind.one} never moves"
        for place in (self.place(unit), there):
            if place in self.closed:
                return self.closed[place].why
        if kind.letter and kind.moves == "army" and self.geometry.sea[there]:
            return f"{kind.one} cannot go to sea, and {name} is water"
        if kind.afloat and not (self.geometry.sea[there] or self.geometry.coastal[there]):
            return f"{kind.one} cannot go inland, and {name} has no coast"
        return f"{name} cannot be reached from {self._name(unit.location)}"

    # -- supports -----------------------------------------------------------------------------

    def _support(self, order: Support) -> Plan:
        unit, target = order.unit, order.target
        place, at = self.place(unit), self.place(target)
        if at < 0:
            return self._void(order, f"there is no location {target.location!r} on this board")
        if at == place:
            return self._void(order, "a unit cannot support itself")
        reach = self.geometry.reach(unit, self.kind(unit).support)
        refused = self._unsupported(target)
        if order.to is None:
            if at not in reach:
                return self._void(order, self._no_support(unit, at))
            return Plan(self, order, SUPPORT, place, unit, at, other=target, at=at, problem=refused)
        province, _, coast = order.to.partition("/")
        aim = self.geometry.place.get(province, -1)
        if aim < 0:
            return self._void(order, f"there is no province {order.to!r} on this board")
        if aim not in reach:
            return self._void(order, self._no_support(unit, aim))
        if aim == at:
            return self._void(order, "a unit cannot move to the province it is in")
        if self.kind(target).afloat:
            arrival, problem, way = self._aided_fleet(order, target, aim, coast)
        else:
            way = self.way(target, aim)
            arrival, problem = Unit(target.kind, province), ""
            if way is None:
                problem = self._unreachable(target, aim)
            elif coast and self.rulebook.idle_coast == "a":
                problem = f"{self.kind(target).one} is not ordered to a coast"
        if problem or refused or way is None:
            # The unit that stands there may be another than the one written; `fit` asks again.
            problem = refused or f"it supports an impossible move: {problem}"
            return Plan(
                self, order, AID, place, unit, aim, SEA, target, at, Unit("", ""), problem=problem
            )
        return Plan(self, order, AID, place, unit, aim, way, target, at, arrival)

    def _aided_fleet(
        self, order: Support, target: Unit, aim: int, coast: str
    ) -> tuple[Unit | None, str, int | None]:
        """The arrival a support of a fleet's move speaks of; None when any coast will do."""
        assert order.to is not None
        possible = self.steps(target).get(aim, ())
        if not possible:
            return None, self._unreachable(target, aim), None
        coasts = self.board.provinces[self.geometry.ids[aim]].coasts
        if coast in coasts and order.to not in possible:
            if self.rulebook.coast_impossible == "a" and len(possible) == 1:
                return Unit(target.kind, possible[0]), "", STEP
            name = self._name(self.geometry.ids[aim])
            return None, f"the {self._coast(order.to)} of {name} is out of its reach", None
        if coast and coast not in coasts and self.rulebook.idle_coast == "a":
            return None, f"{self._name(self.geometry.ids[aim])} has no such coast", None
        if coast in coasts:
            return Unit(target.kind, order.to), "", STEP
        if len(possible) == 1:
            return Unit(target.kind, possible[0]), "", STEP
        return None, "", STEP

    def _unsupported(self, target: Unit) -> str:
        kind = self.kind(target)
        return "" if kind.supported else f"{kind.one} cannot be given support"

    def _no_support(self, unit: Unit, aim: int) -> str:
        kind = self.kind(unit)
        if not kind.support:
            return f"{kind.one} cannot give support"
        if kind.support > 1:
            name = self._name(self.geometry.ids[aim])
            return f"{name} is more than two spaces away from {self._unit(unit)}"
        return (
            f"{self._unit(unit)} cannot go to {self._name(self.geometry.ids[aim])}"
            " itself, so it cannot support there"
        )

    # -- convoys ------------------------------------------------------------------------------

    def _convoy(self, order: Convoy) -> Plan:
        unit, army = order.unit, order.army
        place, at = self.place(unit), self.place(army)
        province, _, coast = order.to.partition("/")
        aim = self.geometry.place.get(province, -1)
        problem = ""
        kind, cargo = self.kind(unit), self.kind(army)
        if not kind.carries:
            carriers = (kind for kind in self.board.kinds.values() if kind.carries)
            problem = f"only {either(carriers)} can convoy"
        elif place >= 0 and not self.geometry.sea[place]:
            problem = f"{kind.one} in a coastal province cannot convoy"
        elif at < 0:
            problem = f"there is no location {army.location!r} on this board"
        elif aim < 0:
            problem = f"there is no province {order.to!r} on this board"
        elif at == aim:
            problem = f"{cargo.one} cannot be convoyed to the province it is in"
        elif not self.geometry.coastal[at] or not self.geometry.coastal[aim]:
            problem = "a convoy goes from a coastal province to another one"
        elif coast and self.rulebook.idle_coast == "a":
            problem = f"{cargo.one} is not ordered to a coast"
        elif self.closed and (at in self.closed or aim in self.closed):
            problem = self.closed[at if at in self.closed else aim].why
        if problem:
            return self._void(order, problem)
        return Plan(self, order, CONVOY, place, unit, aim, SEA, army, at)

    @property
    def carried(self) -> str:
        """The kinds of units that are convoyed, in words."""
        return either((kind for kind in self.board.kinds.values() if kind.carried), plural=True)

    # -- bombs --------------------------------------------------------------------------------

    def _bomb(self, order: Launch | Relay) -> Plan:
        """An order to launch a bomb or to carry one on; `aim` is where the unit takes it."""
        unit, kind = order.unit, self.kind(order.unit)
        place, known = self.place(unit), self.geometry.place
        if isinstance(order, Launch):
            named = (*order.via, order.to)
            if not kind.launches:
                launching = (kind for kind in self.board.kinds.values() if kind.launches)
                return self._void(order, f"only {either(launching)} launches a bomb")
        else:
            named = (*order.origins, *order.via, *filter(None, [order.to]))
            if not kind.bombs:
                return self._void(order, f"{kind.one} cannot carry a bomb")
        for text in named:
            if text.partition("/")[0] not in known:
                return self._void(order, f"there is no province {text!r} on this board")
        route = [known[text.partition("/")[0]] for text in named]
        carriers = route[:-1] if isinstance(order, Launch) or order.to else route
        if place in carriers or len(set(carriers)) < len(carriers):
            return self._void(order, "no unit carries a bomb twice")
        onward = route[0 if isinstance(order, Launch) else len(order.origins) :]
        if not onward or (len(onward) == len(route) and isinstance(order, Relay)):
            return self._void(order, "it is not said whence the bomb comes and where it goes")
        for there in onward:
            if there in self.closed and self.closed[there].destroyed:
                return self._void(order, self.closed[there].why)
        return Plan(self, order, BOMB, place, unit, onward[0])

    # -- words --------------------------------------------------------------------------------

    def spoken(self, place: int) -> str:
        """The name of a place as it stands within a sentence."""
        return self.geometry.spoken[place]

    def _name(self, location: str) -> str:
        known = location.partition("/")[0] in self.board.provinces
        return self.board.spoken(location) if known else repr(location)

    def _coast(self, location: str) -> str:
        return self.board.name(location).partition("(")[2].rstrip(")")

    def _unit(self, unit: Unit) -> str:
        return f"the {self.kind(unit).name} in {self._name(unit.location)}"


MOST_PLANNERS: Final = 64
"""How many are kept for closed provinces: every game that destroys some has its own."""


def planner(board: Board, rulebook: Rulebook, closed: Closures = ()) -> Planner:
    """The planner of a board under a rulebook, with the provinces that are closed now.

    Made when it is first asked for.
    """
    planners = board.cache.get("planners")
    if planners is None:
        planners = board.cache["planners"] = {}
    assert isinstance(planners, dict)
    key = (rulebook, closed) if closed else rulebook
    known = planners.get(key)
    if known is None:
        if len(planners) >= MOST_PLANNERS:
            planners.clear()
        known = planners[key] = Planner(board, rulebook, closed)
    assert isinstance(known, Planner)
    return known


class Fate(NamedTuple):
    """Why an entry was not followed, known before anything is resolved; `problem` is a sentence."""

    reason: Reason
    problem: str


LAND: Final = 0
BY_SEA: Final = 1
IF_OPEN: Final = 2
"""By sea when the convoy comes through, else by land (4.A.3 a and d)."""


class Submission:
    """A position and the orders followed in it, by numbers: units in the order of the position.

    `units`, `owner`, `where`, `at` and `spans` are those of the muster.
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
        "muster",
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
        "units",
        "where",
        "whom",
    )

    def __init__(self, planner: Planner, position: Position) -> None:
        self.planner = planner
        self.position = position
        self.muster = mustered = muster(planner.geometry, position)
        self.units = mustered.units
        self.owner = mustered.owner
        self.where = mustered.where
        self.at = mustered.at
        self.spans = mustered.spans
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

    def number(self, u: int) -> int:
        """The number of the order that u follows, -1 when it has none."""
        return self.whom.index(u) if u in self.whom else -1

    def meant(self, number: int) -> int:
        """The unit that an order was meant for, -1 when there is none of that power."""
        u = self.whom[number]
        return u if u >= -1 else -2 - u


def submit(
    planner: Planner, position: Position, orders: Mapping[str, Sequence[Order]]
) -> Submission:
    """Match `orders` (by power) with the position."""
    sub = Submission(planner, position)
    at, units, plans, whom = sub.at, sub.units, sub.plans, sub.whom
    dest, arriving, moving, everything = sub.dest, sub.arriving, sub.moving, sub.orders
    for power, listed in orders.items():
        first, last = sub.spans.get(power, (0, 0))
        # Copied, because results are written down later, when the caller's lists may have changed.
        everything += listed
        sub.giver += [power] * len(listed)
        sub.ends[power] = len(everything)
        for order in listed:
            try:
                plan = order.plan
            except AttributeError:
                plan = planner.plan(order)
            if plan.planner is not planner:
                plan = planner.plan(order)
            u = at[plan.place]
            # All equal units are one value.
            if not first <= u < last or plan.unit is not units[u] or plans[u] is not None:
                _look_closer(sub, power, plan)
                continue
            whom.append(u)
            plans[u] = plan
            kind = plan.kind
            if kind == MOVE:
                aim = plan.aim
                dest[u] = aim
                moving.append(u)
                others = arriving[aim]
                if others is None:
                    arriving[aim] = [u]
                else:
                    if len(others) == 1:
                        sub.crowded.append(aim)
                    others.append(u)
            elif kind == HOLD:
                pass
            elif kind <= AID:
                sub.supporting.append(u)
            elif kind == CONVOY:
                sub.convoying.append(u)
            elif kind == SAIL:
                sub.sailing.append(u)
            elif kind == BOMB:
                sub.bombing.append(u)
            else:
                _stay(sub, u, plan)
    if sub.odd:
        for u, candidates in sub.odd.items():
            _choose(sub, u, candidates)
        _sort_again(sub)
    if planner.rulebook.implied == "a":
        _imply(sub)
    for u in sub.sailing:
        _embark(sub, u)
    if sub.convoying:
        _match_convoys(sub)
        for army, fleets in sub.fleets.items():
            _land_or_sea(sub, army, fleets)
    if sub.supporting:
        _match_supports(sub)
    for u in sub.bombing:
        _ready_bomb(sub, u)
    return sub


def _look_closer(sub: Submission, power: str, plan: Plan) -> None:
    """An order that does not name a unit as it stands, or a unit that has an order already."""
    number = len(sub.whom)
    place = plan.place if plan.kind != ALIEN else sub.planner.place(plan.unit)
    u = sub.at[place]
    plan, fate = fit_unit(sub, power, u, plan)
    if fate is not None:
        sub.fates[number] = fate
        mine = u >= 0 and sub.owner[u] == power
        sub.whom.append(-2 - u if mine else -1)
        return
    before = sub.plans[u]
    if u not in sub.odd:
        sub.odd[u] = [] if before is None else [(sub.number(u), before)]
    sub.odd[u].append((number, plan))
    sub.plans[u] = plan
    sub.whom.append(u)


def _sort_again(sub: Submission) -> None:
    """Sort all plans anew by what they do, after some were exchanged."""
    count = len(sub.units)
    sub.dest[:] = [-1] * count
    sub.immovable.clear()
    sub.arriving[:] = [None] * len(sub.arriving)
    listings = sub.crowded, sub.moving, sub.supporting, sub.convoying, sub.sailing, sub.bombing
    for listing in listings:
        listing.clear()
    for u, plan in enumerate(sub.plans):
        if plan is None:
            continue
        if plan.kind == MOVE:
            _set_out(sub, u, plan)
        elif plan.kind == SAIL:
            sub.sailing.append(u)
        elif plan.kind in (SUPPORT, AID):
            sub.supporting.append(u)
        elif plan.kind == CONVOY:
            sub.convoying.append(u)
        elif plan.kind == BOMB:
            sub.bombing.append(u)
        elif plan.kind == VOID:
            _stay(sub, u, plan)


def _set_out(sub: Submission, u: int, plan: Plan) -> None:
    sub.dest[u] = plan.aim
    sub.moving.append(u)
    others = sub.arriving[plan.aim]
    if others is None:
        sub.arriving[plan.aim] = [u]
    else:
        if len(others) == 1:
            sub.crowded.append(plan.aim)
        others.append(u)


def _imply(sub: Submission) -> None:
    """4.E.3 a: a unit that was given no order makes the move that all supports and convoys by units
    of its own power are for, if it can."""
    planner = sub.planner
    silent = set(range(len(sub.units))).difference(map(sub.meant, range(len(sub.whom))))
    implied: dict[int, set[Move]] = {}
    for u in (*sub.supporting, *sub.convoying):
        plan = sub.plans[u]
        assert plan is not None
        plan = fit(sub, u, plan)
        other = sub.at[plan.at]
        if plan.kind in (AID, CONVOY) and other in silent and sub.owner[other] == sub.owner[u]:
            order = plan.order
            assert isinstance(order, Support | Convoy)
            to = plan.arrival.location if plan.arrival else order.to or ""
            implied.setdefault(other, set()).add(Move(sub.units[other], to))
    for u, moves in implied.items():
        plan = fit(sub, u, planner.make(moves.pop()))
        if moves or plan.kind not in (MOVE, SAIL):
            continue
        sub.plans[u] = plan
        if plan.kind == MOVE:
            _set_out(sub, u, plan)
        else:
            sub.sailing.append(u)


def _embark(sub: Submission, u: int) -> None:
    """An army that must or wants to sail, if fleets stand where they could carry it."""
    plan = sub.plans[u]
    assert plan is not None
    plan = fit(sub, u, plan)
    if plan.kind == VOID:
        _stay(sub, u, plan)
        return
    _set_out(sub, u, plan)
    route = _route(sub.planner, plan)
    if route:
        sub.routes[u] = route
    if plan.way == SEA or sub.planner.rulebook.land_or_sea in "bce":
        sub.sails[u] = BY_SEA


def fit_unit(sub: Submission, power: str, u: int, plan: Plan) -> tuple[Plan, Fate | None]:
    """The plan for the unit as it really stands there (DATC 4.B.5, 4.C.1, 4.C.2), or the fault."""
    rules, board = sub.planner.rulebook, sub.planner.board
    if plan.kind == ALIEN:
        return plan, Fate(Reason.VOID, plan.problem)
    if plan.place < 0:
        where = plan.unit.location
        return plan, Fate(Reason.VOID, f"there is no location {where!r} on this board")
    if u < 0:
        name = sub.planner.spoken(plan.place)
        return plan, Fate(Reason.VOID, f"there is no unit in {name}")
    if sub.owner[u] != power:
        name = sub.planner.spoken(plan.place)
        kind = board.kind(sub.units[u].kind).name
        return plan, Fate(Reason.VOID, f"the {kind} in {name} belongs to {sub.owner[u]}")
    unit, written = sub.units[u], plan.unit
    if unit == written:
        return plan, None
    problem = mismatch(rules, written, unit, board)
    if problem:
        return plan, Fate(Reason.VOID, problem)
    return sub.planner.make(replace(plan.order, unit=unit)), None  # type: ignore[arg-type]


def mismatch(rules: Rulebook, written: Unit, unit: Unit, board: Board) -> str:
    """Why a unit written so cannot mean the one that is there; empty when it can."""
    word, name = board.kind(unit.kind).name, board.spoken(unit.location)
    if not written.kind and rules.letter_missing == "a":
        return f"it is not said whether the unit in {name} is {either(board.kinds.values())}"
    if written.kind and written.kind != unit.kind and rules.letter_wrong == "a":
        called = board.kind(written.kind).name if written.kind in board.kinds else written.kind
        return f"there is no {called} in {name}, but one {word}"
    if written.location not in (unit.location, unit.province):
        choice = rules.wrong_coast if "/" in unit.location else rules.idle_coast
        if choice == "a":
            return f"the {word} is in {name}, not at {written.location}"
    return ""


def _choose(sub: Submission, u: int, candidates: list[tuple[int, Plan]]) -> None:
    """Which of the orders for one unit is followed (DATC 4.D.3, 4.C.1 c, 4.C.2 c, 4.E.1)."""
    rules = sub.planner.rulebook
    everything = [number for number, _ in candidates]
    candidates = _properly_named(sub, u, candidates)
    legal: list[tuple[int, Plan]] = []
    for number, plan in candidates:
        fitted = fit(sub, u, plan)
        if fitted.kind == VOID:
            sub.fates[number] = Fate(Reason.VOID, fitted.problem)
        elif any(_unowned(fitted.order) == _unowned(other.order) for _, other in legal):
            sub.fates[number] = Fate(Reason.SUPERSEDED, "the same order was given before")
        else:
            legal.append((number, fitted))
    keep: tuple[int, Plan | None] = -1, None
    if not legal:
        keep = candidates[0]
    elif len(legal) == 1 or rules.twice_ordered == "a":
        keep = legal[0]
    elif rules.twice_ordered == "b":
        keep = legal[-1]
    if len(legal) > 1:
        said = "the unit was given several orders, so it followed none and held"
        if keep[1] is not None:
            said = f"the order followed was {keep[1].order}"
        for number, _ in legal:
            if number != keep[0]:
                sub.fates[number] = Fate(Reason.SUPERSEDED, said)
    for number in everything:
        sub.whom[number] = u if number == keep[0] else -2 - u
    sub.plans[u] = keep[1]


def _unowned(order: Order) -> Order:
    """The order without the nationality of the unit supported or convoyed."""
    if isinstance(order, Support | Convoy) and order.owner is not None:
        return replace(order, owner=None)
    return order


def _properly_named(
    sub: Submission, u: int, candidates: list[tuple[int, Plan]]
) -> list[tuple[int, Plan]]:
    """Under 4.C.1 c and 4.C.2 c an order with the right letter puts aside those without, under
    4.C.5 c and 4.C.6 c one with the right nationality."""
    rules = sub.planner.rulebook
    if not rules.prefers_proper_names:
        return candidates
    kind = sub.units[u].kind
    proper = []
    for number, plan in candidates:
        written = getattr(sub.orders[number], "unit", plan.unit).kind
        choice = rules.letter_wrong if written else rules.letter_missing
        if (written == kind or choice != "c") and _nationality(sub, u, plan)[0] != "c":
            proper.append((number, plan))
    if not proper:
        return candidates
    for number, plan in candidates:
        if not any(plan is other for _, other in proper):
            said = "another order names the unit properly"
            sub.fates[number] = Fate(Reason.SUPERSEDED, said)
    return proper


def _nationality(sub: Submission, u: int, plan: Plan) -> tuple[str, str]:
    """The choice that applies to a nationality that unit u's order does not have or has wrong, with
    a sentence on it; "b" where nothing is wrong (DATC 4.C.5, 4.C.6)."""
    order, planner = plan.order, sub.planner
    rules = planner.rulebook
    if not rules.asks_nationality or not isinstance(order, Support | Convoy):
        return "b", ""
    target = order.target if isinstance(order, Support) else order.army
    other = sub.at[planner.place(target)]
    if other < 0 or order.owner == (owner := sub.owner[other]):
        return "b", ""
    word, name = planner.kind(sub.units[other]).name, planner.spoken(sub.where[other])
    if order.owner is not None:
        return rules.nation_wrong, f"the {word} in {name} belongs to {owner}, not to {order.owner}"
    if owner == sub.owner[u]:
        return "b", ""
    return rules.nation_missing, f"it is not said that the {word} in {name} belongs to {owner}"


def fit(sub: Submission, u: int, plan: Plan) -> Plan:
    """The plan as the position allows it: another unit named as it is there, or a void plan.

    Asks only what stands where, never what it was ordered to do (DATC 4.E.1).
    """
    if plan.kind == SAIL:
        return _fit_move(sub, plan)
    if plan.kind == BOMB:
        return _fit_bomb(sub, plan)
    if plan.kind == VOID and isinstance(plan.order, Support):
        plan = _really_aided(sub, plan, plan.order)
    if plan.kind not in (SUPPORT, AID, CONVOY):
        return plan
    planner = sub.planner
    order = plan.order
    assert isinstance(order, Support | Convoy)
    assert plan.other is not None
    other = sub.at[plan.at]
    if other < 0:
        return _voided(plan, f"there is no unit in {planner.spoken(plan.at)}")
    there = sub.units[other]
    if there != plan.other:
        problem = mismatch(planner.rulebook, plan.other, there, planner.board)
        if problem:
            return _voided(plan, problem)
        if isinstance(order, Support):
            plan = planner.make(replace(order, target=there))
        else:
            plan = planner.make(replace(order, army=there))
    choice, problem = _nationality(sub, u, plan)
    if choice == "a":
        return _voided(plan, problem)
    if plan.problem:
        return _voided(plan, plan.problem)
    if plan.kind == CONVOY:
        return _fit_convoy(sub, plan, there)
    if plan.kind == AID and plan.way == SEA:
        joined = sub.muster.crossings.joined
        if not joined(plan.at, plan.aim, without=plan.place):
            name, goal = planner.spoken(plan.at), planner.spoken(plan.aim)
            cargo = planner.kind(there).name
            return _voided(plan, f"no other fleet could carry the {cargo} in {name} to {goal}")
    if plan.kind == AID and plan.arrival is None and planner.rulebook.support_coast == "a":
        return _voided(plan, f"the coast of {planner.spoken(plan.aim)} must be named")
    return plan


def _really_aided(sub: Submission, plan: Plan, order: Support) -> Plan:
    """What looked impossible may do for the unit that is really there: `wes S gol - spa/sc` says
    nothing of a fleet, and a wrong letter is forgiven too (DATC 4.C.1, 4.C.2)."""
    planner = sub.planner
    at = planner.geometry.place.get(order.target.province, -1)
    there = sub.units[sub.at[at]] if at >= 0 and sub.at[at] >= 0 else order.target
    if there == order.target or mismatch(planner.rulebook, order.target, there, planner.board):
        return plan
    return planner.make(replace(order, target=there))


def _voided(plan: Plan, problem: str) -> Plan:
    return Plan(plan.planner, plan.order, VOID, plan.place, plan.unit, problem=problem)


def _fit_move(sub: Submission, plan: Plan) -> Plan:
    """A move that needs a convoy needs fleets that could carry it (DATC 6.D.8, 6.D.32)."""
    planner = sub.planner
    rules = planner.rulebook
    if plan.way == EITHER and rules.land_or_sea in "ad":
        return plan
    goal, here = planner.spoken(plan.aim), planner.spoken(plan.place)
    route = _route(planner, plan)
    if rules.named_route == "c" and not route:
        return _voided(plan, f"the waters on the way from {here} to {goal} must be named")
    if route:
        if not planner.geometry.leads(plan.place, plan.aim, route):
            over = " and ".join(map(planner.spoken, route))
            return _voided(plan, f"no way leads from {here} over {over} to {goal}")
        for water in route:
            if not sub.muster.crossings.fleets >> water & 1:
                return _voided(plan, f"no fleet stands in {planner.spoken(water)}")
        return plan
    if sub.muster.crossings.joined(plan.place, plan.aim):
        return plan
    cargo = planner.kind(plan.unit).one
    return _voided(plan, f"no fleet stands where it could carry {cargo} from {here} to {goal}")


def _fit_bomb(sub: Submission, plan: Plan) -> Plan:
    """A bomb's way needs a unit at each link that could carry it on, whatever it was ordered."""
    planner, order = sub.planner, plan.order
    assert isinstance(order, Launch | Relay)
    place = planner.geometry.place
    via = [place[text.partition("/")[0]] for text in order.via]
    if isinstance(order, Launch):
        chain = [plan.place, *via, place[order.to.partition("/")[0]]]
    else:
        origin = place[order.origins[-1].partition("/")[0]]
        chain = [origin, plan.place, plan.aim]
        if via and sub.at[plan.aim] < 0:
            return _voided(plan, _nobody_carries(planner, plan.aim))
        if not any(planner.kind(unit).launches for unit in sub.units):
            return _voided(plan, "there is nobody who could launch a bomb")
    for here, there in pairwise(chain):
        u = sub.at[here]
        if u < 0 or not planner.kind(sub.units[u]).bombs:
            return _voided(plan, _nobody_carries(planner, here))
        unit, kind = sub.units[u], planner.kind(sub.units[u])
        if there not in planner.geometry.reach(unit, kind.bombs):
            name, goal = planner.spoken(here), planner.spoken(there)
            return _voided(plan, f"the {kind.name} in {name} cannot take a bomb to {goal}")
    return plan


def _nobody_carries(planner: Planner, place: int) -> str:
    return f"there is no unit in {planner.spoken(place)} that could carry a bomb"


def _ready_bomb(sub: Submission, u: int) -> None:
    plan = sub.plans[u]
    assert plan is not None
    plan = fit(sub, u, plan)
    if plan.kind == VOID:
        _stay(sub, u, plan)
    sub.plans[u] = plan


def _route(planner: Planner, plan: Plan) -> tuple[int, ...]:
    """The waters an army has to go over because its order names them (DATC 4.A.6)."""
    if planner.rulebook.named_route == "a" or not isinstance(plan.order, Move):
        return ()
    return tuple(planner.geometry.place.get(water, -1) for water in plan.order.path)


def _fit_convoy(sub: Submission, plan: Plan, army: Unit) -> Plan:
    planner = sub.planner
    kind = planner.kind(army)
    if not kind.carried:
        name = planner.spoken(plan.at)
        if len(planner.board.kinds) > 2:
            only = f"only {planner.carried} are convoyed"
            return _voided(plan, f"the unit in {name} is {kind.one}, and {only}")
        return _voided(plan, f"the unit in {name} is no army, and only armies are convoyed")
    if plan.kind == CONVOY and not sub.muster.crossings.needed(plan.place, plan.at, plan.aim):
        name, goal = planner.spoken(plan.at), planner.spoken(plan.aim)
        return _voided(plan, f"no route from {name} to {goal} needs this fleet")
    return plan


def _stay(sub: Submission, u: int, plan: Plan) -> None:
    sub.plans[u] = plan
    sub.fates[sub.number(u)] = Fate(Reason.VOID, plan.problem)
    if isinstance(plan.order, Move) and sub.planner.rulebook.impossible == "b":
        sub.immovable.add(u)


def _match_convoys(sub: Submission) -> None:
    matched = []
    for u in sub.convoying:
        plan = sub.plans[u]
        assert plan is not None
        plan = fit(sub, u, plan)
        if plan.kind == VOID:
            _stay(sub, u, plan)
            continue
        sub.plans[u] = plan
        army = sub.at[plan.at]
        if sub.dest[army] != plan.aim:
            sub.fates[sub.number(u)] = Fate(Reason.UNMATCHED, "")
            continue
        matched.append(u)
        sub.fleets.setdefault(army, []).append(u)
    sub.convoying = matched


def _land_or_sea(sub: Submission, u: int, fleets: list[int]) -> None:
    """How an army travels that fleets were ordered to carry (DATC 4.A.3)."""
    plan = sub.plans[u]
    assert plan is not None
    rules = sub.planner.rulebook
    route = sub.routes.get(u, ())
    if route:
        fleets[:] = [fleet for fleet in fleets if sub.where[fleet] in route]
    if sub.sails[u] == BY_SEA or (rules.named_route == "c" and not route):
        return
    choice = rules.land_or_sea
    if choice == "a":
        facing = sub.at[plan.aim]
        if facing >= 0 and sub.dest[facing] == sub.where[u]:
            sub.sails[u] = IF_OPEN
    elif choice != "e":
        own = any(sub.owner[fleet] == sub.owner[u] for fleet in fleets)
        if plan.sails or own:
            sub.sails[u] = IF_OPEN if choice == "d" else BY_SEA


def _match_supports(sub: Submission) -> None:
    plans, at, units, dest = sub.plans, sub.at, sub.units, sub.dest
    helpers, aim, matched = sub.helpers, sub.aim, []
    rules = sub.planner.rulebook
    lawless = rules.disorder_support == "a"
    for u in sub.supporting:
        plan = plans[u]
        assert plan is not None
        target = at[plan.at]
        if target < 0 or units[target] is not plan.other or not plan.plain:
            plan = fit(sub, u, plan)
            if plan.kind == VOID:
                _stay(sub, u, plan)
                continue
            plans[u] = plan
        if plan.kind == SUPPORT:
            fits = dest[target] < 0 and target not in sub.immovable
        else:
            fits = dest[target] == plan.aim
            if fits:
                move = plans[target]
                assert move is not None
                if plan.arrival is None:
                    fits = rules.support_coast == "c" or sub.owner[target] == sub.owner[u]
                else:
                    fits = plan.arrival is move.arrival or plan.arrival == move.arrival
        if fits and lawless and sub.plans[target] is None:
            fits = sub.owner[target] in sub.giver
        if not fits:
            sub.fates[sub.number(u)] = Fate(Reason.UNMATCHED, "")
            continue
        aim[u] = plan.aim
        matched.append(u)
        others = helpers[target]
        if others is None:
            helpers[target] = [u]
        else:
            others.append(u)
    sub.supporting = matched
