"""What one order comes to on one board under one rulebook, whatever the position.

A `Plan` is computed once for each order and kept by the planner; `judge.rules.submission` matches
the plans with a position. Impossible is what could not be right whatever everybody else ordered
(DATC 4.E.1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Final, get_args

from judge.rules.board import UNNAMED, Board, Derived, UnitKind
from judge.rules.board_index import BoardIndex, ClosedProvinces, board_index
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
from judge.rules.position import Unit
from judge.rules.problems import Code, Illegal, Problem
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
"""No movement order at all; no unit is ordered by it."""
BOMB: Final = 8
"""A bomb launched or carried on; the unit stays."""

STEP: Final = 0
"""One step by the unit's own means."""
EITHER: Final = 1
"""One step, and a convoy is thinkable too."""
SEA: Final = 2
"""Only a convoy gets there."""

UNNUMBERED: Final = -2
"""The number of a plan that was not asked for yet."""


@dataclass(slots=True, eq=False)
class Plan:
    """What an order comes to; places are numbers of the board_index.

    `order` is the order it was made from. `place` and `unit` say who is ordered. `aim` is where it
    has an effect: a move's or aided move's destination, a convoy's landing, the supported unit's
    place. `other` is the unit supported or convoyed, at `at`; `arrival` the unit as it will stand
    when its move succeeds; `way` is STEP, EITHER or SEA. `sails` says that a move asks for a
    convoy. `plain` is `other` for a support that can be given wherever that is at `at`. `number`
    is the order's in `judge.rules.kernel`.
    """

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
    plain: Unit | None = None
    problem: Problem | None = None
    number: int = UNNUMBERED


_NOBODY: Final = Unit("", "")

_VALUES: Final = {
    kind: attrgetter(*(each.name for each in fields(kind))) for kind in get_args(Order)
}
"""What the orders of each class hold, as values to look up plans by."""


class Planner:
    """Makes the plans of one board under one rulebook, with the provinces that are closed.

    Equal orders have the same plan, so that one is made about once for each order there is.
    """

    MOST_REMEMBERED = 1 << 16

    def __init__(self, board: Board, rulebook: Rulebook, closed: ClosedProvinces = ()) -> None:
        self.board = board
        self._kinds = board.kinds
        self.rulebook = rulebook
        self.index: BoardIndex = board_index(board)
        self.closed = {self.index.place[closure.province]: closure for closure in closed}
        """The places that no unit enters or leaves."""
        self._plans: dict[type[Order], tuple[dict[object, Plan], attrgetter[object]]] = {
            kind: ({}, values) for kind, values in _VALUES.items()
        }
        """By what orders hold, whose hash and comparison take no call into Python."""
        self._holds: dict[Unit, Plan] = {}

    def plans(self, orders: Sequence[Order]) -> list[Plan]:
        """Return the plans of orders.

        Their units are the same values in all plans: positions that come of them share their
        memory.
        """
        found = []
        tables = self._plans
        for order in orders:
            known, values = tables[type(order)]
            key = values(order)
            plan = known.get(key)
            if plan is None:
                plan = self._made(order)
                if plan.kind != ALIEN:
                    if len(known) >= self.MOST_REMEMBERED:
                        known.clear()
                    known[key] = plan
            found.append(plan)
        return found

    def _made(self, order: Order) -> Plan:
        plan = self.make(order)
        same = self.index.same
        plan.unit = same(plan.unit)
        if plan.arrival is not None:
            plan.arrival = same(plan.arrival)
        if plan.other is not None:
            plan.other = same(plan.other)
        if (
            plan.kind == SUPPORT
            or (plan.kind == AID and plan.way != SEA and plan.arrival is not None)
        ) and not (self.rulebook.asks_nationality or plan.problem):
            plan.plain = plan.other
        return plan

    def hold(self, unit: Unit) -> Plan:
        """Return the plan of a unit that was given no order."""
        plan = self._holds.get(unit)
        if plan is None:
            plan = self._holds[unit] = self.make(Hold(unit))
        return plan

    def make(self, order: Order) -> Plan:
        """Work out what `order` comes to."""
        match order:
            case Hold():
                return Plan(order, HOLD, self.place(order.unit), order.unit)
            case Move():
                return self._move(order)
            case Support():
                return self._support(order)
            case Convoy():
                return self._convoy(order)
            case Launch() | Relay():
                return self._bomb(order)
            case Unreadable():
                place = self.place(order.unit or _NOBODY)
                return Plan(order, ALIEN, place, _NOBODY, problem=order.problem)
            case _:
                place = self.place(getattr(order, "unit", _NOBODY))
                problem = Illegal(code=Code.NOT_FOR_MOVEMENT)
                return Plan(order, ALIEN, place, _NOBODY, problem=problem)

    def place(self, unit: Unit) -> int:
        """Return where a unit is said to be; -1 for nowhere."""
        place = self.index.place
        return place.get(unit.location, place.get(unit.province, -1))

    def kind(self, unit: Unit) -> UnitKind:
        """Return what kind of unit it is."""
        return self._kinds.get(unit.kind, UNNAMED)

    def steps(self, unit: Unit) -> Mapping[int, tuple[str, ...]]:
        """Return where a unit can go in one step now, as `BoardIndex.steps`."""
        steps = self.index.steps(unit)
        if not self.closed:
            return steps
        if self.place(unit) in self.closed:
            return {}
        return {place: there for place, there in steps.items() if place not in self.closed}

    def _void(
        self, order: Hold | Move | Support | Convoy | Launch | Relay, problem: Problem
    ) -> Plan:
        return Plan(order, VOID, self.place(order.unit), order.unit, problem=problem)

    # -- moves --------------------------------------------------------------------------------

    def _move(self, order: Move) -> Plan:
        place = self.place(order.unit)
        landing = self.landing(order.unit, order.to)
        if isinstance(landing, Problem):
            return self._void(order, landing)
        aim = self.index.place[landing]
        sails = bool(order.via or order.path)
        way = self.way(order.unit, aim)
        assert way is not None
        if way == STEP and sails:
            if self.kind(order.unit).carried:
                kind = order.unit.kind
                problem = Illegal(code=Code.NO_CONVOY_THERE, kind=kind, place=landing)
            else:
                problem = Illegal(code=Code.NOT_CONVOYED, kinds=self.carried)
            return self._void(order, problem)
        return Plan(
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
        """Return how a unit could get to a place, if at all: STEP, EITHER or SEA."""
        here, coastal = self.place(unit), self.index.coastal
        if self.closed and (here in self.closed or aim in self.closed):
            return None
        step = aim in self.index.steps(unit)
        convoy = self.kind(unit).carried and coastal[here] and coastal[aim]
        if step:
            return EITHER if convoy else STEP
        return SEA if convoy and here != aim else None

    def landing(self, unit: Unit, to: str) -> str | Problem:
        """Return the location a unit ordered to `to` would stand at, or why it cannot go there."""
        province, _, coast = to.partition("/")
        there = self.index.place.get(province)
        here = self.index.place.get(unit.location)
        if there is None:
            return Illegal(code=Code.NO_PROVINCE, word=to)
        if here is None:
            return Illegal(code=Code.NO_LOCATION, word=unit.location)
        if here == there:
            return Illegal(code=Code.NOT_MOVING)
        rules = self.rulebook
        coasts = self.board.provinces[province].coasts
        if coast and coast not in coasts and rules.idle_coast == "a":
            return Illegal(code=Code.NO_SUCH_COAST, place=province)
        kind = self.kind(unit)
        if not kind.afloat:
            if coast and rules.idle_coast == "a":
                return Illegal(code=Code.NOT_TO_A_COAST, kind=unit.kind)
            if self.way(unit, there) is None:
                return self._unreachable(unit, there)
            return province
        possible = self.steps(unit).get(there, ())
        if not possible:
            return self._unreachable(unit, there)
        if not coasts:
            return possible[0]
        if coast:
            if to in possible:
                return to
            if rules.coast_impossible == "a" or coast not in coasts:
                return self._only(possible, province)
            return Illegal(
                code=Code.COAST_UNREACHABLE,
                unit=unit,
                place=province,
                coast=coast,
                other_coast=possible[0].partition("/")[2],
            )
        if len(possible) == 1 and rules.coast_implied == "b":
            return Illegal(code=Code.COAST_MISSING, place=province)
        return self._only(possible, province)

    def _only(self, possible: Sequence[str], province: str) -> str | Problem:
        if len(possible) == 1 or self.rulebook.coast_missing == "b":
            return possible[0]
        return Illegal(code=Code.TWO_COASTS, place=province, write=tuple(possible))

    def _unreachable(self, unit: Unit, there: int) -> Problem:
        name, kind = self.index.ids[there], self.kind(unit)
        if kind.moves == "none":
            return Illegal(code=Code.NEVER_MOVES, kind=kind.letter)
        for place in (self.place(unit), there):
            if place in self.closed:
                return self.closed[place].why
        if kind.letter and kind.moves == "army" and self.index.sea[there]:
            return Illegal(code=Code.NOT_TO_SEA, kind=kind.letter, place=name)
        if kind.afloat and not (self.index.sea[there] or self.index.coastal[there]):
            return Illegal(code=Code.NOT_INLAND, kind=kind.letter, place=name)
        return Illegal(code=Code.UNREACHABLE, place=name, goal=unit.location)

    # -- supports -----------------------------------------------------------------------------

    def _support(self, order: Support) -> Plan:
        unit, target = order.unit, order.target
        place, at = self.place(unit), self.place(target)
        if at < 0:
            return self._void(order, Illegal(code=Code.NO_LOCATION, word=target.location))
        if at == place:
            return self._void(order, Illegal(code=Code.SELF_SUPPORT))
        reach = self.index.reach(unit, self.kind(unit).support)
        refused = self._unsupported(target)
        if order.to is None:
            if at not in reach:
                return self._void(order, self._no_support(unit, at))
            return Plan(order, SUPPORT, place, unit, at, other=target, at=at, problem=refused)
        province, _, coast = order.to.partition("/")
        aim = self.index.place.get(province, -1)
        if aim < 0:
            return self._void(order, Illegal(code=Code.NO_PROVINCE, word=order.to))
        if aim not in reach:
            return self._void(order, self._no_support(unit, aim))
        if aim == at:
            return self._void(order, Illegal(code=Code.NOT_MOVING))
        if self.kind(target).afloat:
            arrival = self._aided_fleet(order, target, aim, coast)
            way: int | None = STEP
        else:
            way = self.way(target, aim)
            arrival = Unit(target.kind, province)
            if way is None:
                arrival = self._unreachable(target, aim)
            elif coast and self.rulebook.idle_coast == "a":
                arrival = Illegal(code=Code.NOT_TO_A_COAST, kind=target.kind)
        if isinstance(arrival, Problem) or refused or way is None:
            # The unit that stands there may be another than the one written; `fit` asks again.
            because = arrival if isinstance(arrival, Problem) else None
            problem = refused or Illegal(code=Code.IMPOSSIBLE_MOVE, because=because)
            return Plan(
                order, AID, place, unit, aim, SEA, target, at, Unit("", ""), problem=problem
            )
        return Plan(order, AID, place, unit, aim, way, target, at, arrival)

    def _aided_fleet(
        self, order: Support, target: Unit, aim: int, coast: str
    ) -> Unit | Problem | None:
        """Return the arrival a support of a fleet's move speaks of; None when any coast will do."""
        assert order.to is not None
        possible = self.steps(target).get(aim, ())
        if not possible:
            return self._unreachable(target, aim)
        coasts = self.board.provinces[self.index.ids[aim]].coasts
        if coast in coasts and order.to not in possible:
            if self.rulebook.coast_impossible == "a" and len(possible) == 1:
                return Unit(target.kind, possible[0])
            return Illegal(code=Code.COAST_OUT_OF_REACH, place=self.index.ids[aim], coast=coast)
        if coast and coast not in coasts and self.rulebook.idle_coast == "a":
            return Illegal(code=Code.NO_SUCH_COAST, place=self.index.ids[aim])
        if coast in coasts:
            return Unit(target.kind, order.to)
        if len(possible) == 1:
            return Unit(target.kind, possible[0])
        return None

    def _unsupported(self, target: Unit) -> Problem | None:
        kind = self.kind(target)
        return None if kind.supported else Illegal(code=Code.NOT_SUPPORTED, kind=kind.letter)

    def _no_support(self, unit: Unit, aim: int) -> Problem:
        kind, place = self.kind(unit), self.index.ids[aim]
        if not kind.support:
            return Illegal(code=Code.GIVES_NO_SUPPORT, kind=kind.letter)
        code = Code.SUPPORT_TOO_FAR if kind.support > 1 else Code.CANNOT_GO_THERE
        if (self.place(unit), aim) in self.index.weak:
            code = Code.WEAK_SUPPORT
        return Illegal(code=code, unit=unit, place=place)

    # -- convoys ------------------------------------------------------------------------------

    def _convoy(self, order: Convoy) -> Plan:
        unit, army = order.unit, order.army
        place, at = self.place(unit), self.place(army)
        province, _, coast = order.to.partition("/")
        aim = self.index.place.get(province, -1)
        problem: Problem | None = None
        if not self.kind(unit).carries:
            carriers = [kind.letter for kind in self.board.kinds.values() if kind.carries]
            problem = Illegal(code=Code.CANNOT_CONVOY, kinds=tuple(carriers))
        elif place >= 0 and not self.index.waters[place]:
            problem = Illegal(code=Code.CONVOY_ON_COAST, kind=unit.kind)
        elif at < 0:
            problem = Illegal(code=Code.NO_LOCATION, word=army.location)
        elif aim < 0:
            problem = Illegal(code=Code.NO_PROVINCE, word=order.to)
        elif at == aim:
            problem = Illegal(code=Code.CONVOY_TO_ITSELF, kind=army.kind)
        elif not self.index.coastal[at] or not self.index.coastal[aim]:
            problem = Illegal(code=Code.CONVOY_INLAND)
        elif coast and self.rulebook.idle_coast == "a":
            problem = Illegal(code=Code.NOT_TO_A_COAST, kind=army.kind)
        elif self.closed and (at in self.closed or aim in self.closed):
            problem = self.closed[at if at in self.closed else aim].why
        if problem:
            return self._void(order, problem)
        return Plan(order, CONVOY, place, unit, aim, SEA, army, at)

    @property
    def carried(self) -> tuple[str, ...]:
        """The letters of the kinds of units that are convoyed."""
        return tuple(letter for letter, kind in self.board.kinds.items() if kind.carried)

    # -- bombs --------------------------------------------------------------------------------

    def _bomb(self, order: Launch | Relay) -> Plan:
        """Return an order to launch a bomb or to carry one on; `aim` is where the unit takes it."""
        unit, kind = order.unit, self.kind(order.unit)
        place, known = self.place(unit), self.index.place
        if isinstance(order, Launch):
            named = (*order.via, order.to)
            if not kind.launches:
                launching = [kind.letter for kind in self.board.kinds.values() if kind.launches]
                return self._void(order, Illegal(code=Code.CANNOT_LAUNCH, kinds=tuple(launching)))
        else:
            named = (*order.origins, *order.via, *filter(None, [order.to]))
            if not kind.bombs:
                return self._void(order, Illegal(code=Code.CARRIES_NO_BOMB, kind=kind.letter))
        for text in named:
            if text.partition("/")[0] not in known:
                return self._void(order, Illegal(code=Code.NO_PROVINCE, word=text))
        route = [known[text.partition("/")[0]] for text in named]
        carriers = route[:-1] if isinstance(order, Launch) or order.to else route
        if place in carriers or len(set(carriers)) < len(carriers):
            return self._void(order, Illegal(code=Code.BOMB_TWICE))
        onward = route[0 if isinstance(order, Launch) else len(order.origins) :]
        if not onward or (len(onward) == len(route) and isinstance(order, Relay)):
            return self._void(order, Illegal(code=Code.BOMB_UNCLEAR))
        for there in onward:
            if there in self.closed and self.closed[there].destroyed:
                return self._void(order, self.closed[there].why)
        return Plan(order, BOMB, place, unit, onward[0])


MOST_PLANNERS: Final = 64
"""How many are kept for closed provinces: every game that destroys some has its own."""


@Derived
def _planners(board: Board) -> dict[tuple[Rulebook, ClosedProvinces], Planner]:
    """Return the planners of a board."""
    return {}


def planner(board: Board, rulebook: Rulebook, closed: ClosedProvinces = ()) -> Planner:
    """Return the planner of a board under a rulebook, with the provinces that are closed now.

    Made when it is first asked for.
    """
    planners = _planners(board)
    key = rulebook, closed
    known = planners.get(key)
    if known is None:
        if len(planners) >= MOST_PLANNERS:
            planners.clear()
        known = planners[key] = Planner(board, rulebook, closed)
    return known
