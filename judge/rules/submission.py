"""From orders as written to orders as followed: what the resolver works on.

`submit` matches the plans of orders (`judge.rules.planner`) with a position: whose unit, which of
several orders, what is impossible here; a unit with an impossible order holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, NamedTuple

from judge.rules.board import Board
from judge.rules.orders import Convoy, Launch, Move, Order, Relay, Support
from judge.rules.outcome import Precedence, Reason, Superseded
from judge.rules.planner import (
    AID,
    ALIEN,
    BOMB,
    CONVOY,
    EITHER,
    HOLD,
    MOVE,
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
from judge.rules.unit_index import unit_index


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


def submit(
    planner: Planner, position: Position, orders: Mapping[str, Sequence[Order]]
) -> Submission:
    """Match `orders` (by power) with the position."""
    sub = Submission(planner, position)
    at, units, plans, whom = sub.at, sub.units, sub.plans, sub.whom
    dest, arriving, moving, everything = sub.dest, sub.arriving, sub.moving, sub.orders
    known = planner.known
    for power, listed in orders.items():
        first, last = sub.spans.get(power, (0, 0))
        # Copied, because results are written down later, when the caller's lists may have changed.
        everything += listed
        sub.giver += [power] * len(listed)
        sub.ends[power] = len(everything)
        for order in listed:
            plan = known.get(id(order)) or planner.plan(order)
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
    """Why a unit written so cannot mean the one that is there; None when it can."""
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


def _choose(sub: Submission, u: int, candidates: list[tuple[int, Plan]]) -> None:
    """Which of the orders for one unit is followed (DATC 4.D.3, 4.C.1 c, 4.C.2 c, 4.E.1)."""
    rules = sub.planner.rulebook
    everything = [number for number, _ in candidates]
    candidates = _properly_named(sub, u, candidates)
    legal: list[tuple[int, Plan]] = []
    for number, plan in candidates:
        fitted = fit(sub, u, plan)
        if fitted.kind == VOID:
            assert fitted.problem is not None
            sub.fates[number] = void(fitted.problem)
        elif any(_unowned(fitted.order) == _unowned(other.order) for _, other in legal):
            sub.fates[number] = superseded(Precedence.REPEATED)
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
        fate = superseded(Precedence.SEVERAL)
        if keep[1] is not None:
            fate = superseded(Precedence.FOLLOWED, keep[1].order)
        for number, _ in legal:
            if number != keep[0]:
                sub.fates[number] = fate
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
            sub.fates[number] = superseded(Precedence.NAMED)
    return proper


def _nationality(sub: Submission, u: int, plan: Plan) -> tuple[str, Problem | None]:
    """The choice that applies to a nationality that unit u's order does not have or has wrong, with
    what is wrong; "b" where nothing is (DATC 4.C.5, 4.C.6)."""
    order, planner = plan.order, sub.planner
    rules = planner.rulebook
    if not rules.asks_nationality or not isinstance(order, Support | Convoy):
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
        return _voided(plan, Illegal(code=Code.NO_UNIT, place=sub.name(plan.at)))
    there = sub.units[other]
    if there != plan.other:
        problem = mismatch(planner.rulebook, plan.other, there, planner.board)
        if problem:
            return _voided(plan, problem)
        if isinstance(order, Support):
            plan = planner.make(replace(order, target=there))
        else:
            plan = planner.make(replace(order, army=there))
    choice, wrong = _nationality(sub, u, plan)
    if choice == "a" and wrong is not None:
        return _voided(plan, wrong)
    if plan.problem:
        return _voided(plan, plan.problem)
    if plan.kind == CONVOY:
        return _fit_convoy(sub, plan, there)
    if plan.kind == AID and plan.way == SEA:
        joined = sub.unit_index.convoy_routes.joined
        if not joined(plan.at, plan.aim, without=plan.place):
            goal = sub.name(plan.aim)
            return _voided(plan, Illegal(code=Code.NO_OTHER_FLEET, unit=there, place=goal))
    if plan.kind == AID and plan.arrival is None and planner.rulebook.support_coast == "a":
        return _voided(plan, Illegal(code=Code.COAST_MISSING, place=sub.name(plan.aim)))
    return plan


def _really_aided(sub: Submission, plan: Plan, order: Support) -> Plan:
    """What looked impossible may do for the unit that is really there: `wes S gol - spa/sc` says
    nothing of a fleet, and a wrong letter is forgiven too (DATC 4.C.1, 4.C.2)."""
    planner = sub.planner
    at = planner.index.place.get(order.target.province, -1)
    there = sub.units[sub.at[at]] if at >= 0 and sub.at[at] >= 0 else order.target
    if there == order.target or mismatch(planner.rulebook, order.target, there, planner.board):
        return plan
    return planner.make(replace(order, target=there))


def _voided(plan: Plan, problem: Problem) -> Plan:
    return Plan(plan.planner, plan.order, VOID, plan.place, plan.unit, problem=problem)


def _fit_move(sub: Submission, plan: Plan) -> Plan:
    """A move that needs a convoy needs fleets that could carry it (DATC 6.D.8, 6.D.32)."""
    planner = sub.planner
    rules = planner.rulebook
    if plan.way == EITHER and rules.land_or_sea in "ad":
        return plan
    goal, here = sub.name(plan.aim), sub.name(plan.place)
    route = _route(planner, plan)
    if rules.named_route == "c" and not route:
        return _voided(plan, Illegal(code=Code.ROUTE_MISSING, place=here, goal=goal))
    if route:
        if not planner.index.leads(plan.place, plan.aim, route):
            over = tuple(map(sub.name, route))
            return _voided(plan, Illegal(code=Code.NO_ROUTE, place=here, goal=goal, places=over))
        for water in route:
            if not sub.unit_index.convoy_routes.fleets >> water & 1:
                return _voided(plan, Illegal(code=Code.NO_FLEET, place=sub.name(water)))
        return plan
    if sub.unit_index.convoy_routes.joined(plan.place, plan.aim):
        return plan
    cargo = plan.unit.kind
    return _voided(plan, Illegal(code=Code.NO_FLEETS, kind=cargo, place=here, goal=goal))


def _fit_bomb(sub: Submission, plan: Plan) -> Plan:
    """A bomb's way needs a unit at each link that could carry it on, whatever it was ordered."""
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
            return _voided(plan, Illegal(code=Code.NO_BOMB_CARRIER, place=sub.name(plan.aim)))
        if not any(planner.kind(unit).launches for unit in sub.units):
            return _voided(plan, Illegal(code=Code.NO_LAUNCHER))
    for here, there in pairwise(chain):
        u = sub.at[here]
        if u < 0 or not planner.kind(sub.units[u]).bombs:
            return _voided(plan, Illegal(code=Code.NO_BOMB_CARRIER, place=sub.name(here)))
        unit, kind = sub.units[u], planner.kind(sub.units[u])
        if there not in planner.index.reach(unit, kind.bombs):
            goal = sub.name(there)
            return _voided(plan, Illegal(code=Code.BOMB_TOO_FAR, unit=unit, place=goal))
    return plan


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
    return tuple(planner.index.place.get(water, -1) for water in plan.order.path)


def _fit_convoy(sub: Submission, plan: Plan, army: Unit) -> Plan:
    planner = sub.planner
    kind = planner.kind(army)
    if not kind.carried:
        name = sub.name(plan.at)
        if len(planner.board.kinds) > 2:
            only, letter = planner.carried, kind.letter
            return _voided(plan, Illegal(code=Code.NO_CARGO, place=name, kind=letter, kinds=only))
        return _voided(plan, Illegal(code=Code.NO_ARMY, place=name))
    if plan.kind == CONVOY and not sub.unit_index.convoy_routes.needed(
        plan.place, plan.at, plan.aim
    ):
        name, goal = sub.name(plan.at), sub.name(plan.aim)
        return _voided(plan, Illegal(code=Code.NEEDLESS_FLEET, place=name, goal=goal))
    return plan


def _stay(sub: Submission, u: int, plan: Plan) -> None:
    sub.plans[u] = plan
    assert plan.problem is not None
    sub.fates[sub.number(u)] = void(plan.problem)
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
            sub.fates[sub.number(u)] = Fate(Reason.UNMATCHED)
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
            sub.fates[sub.number(u)] = Fate(Reason.UNMATCHED)
            continue
        aim[u] = plan.aim
        matched.append(u)
        others = helpers[target]
        if others is None:
            helpers[target] = [u]
        else:
            others.append(u)
    sub.supporting = matched
