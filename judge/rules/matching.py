"""From orders as written to orders as followed.

`submit` matches the plans of orders (`judge.rules.planner`) with a position: whose unit, which of
several orders, what is impossible here; a unit with an impossible order holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from judge.rules.orders import Convoy, Move, Order, Support
from judge.rules.outcome import Precedence, Reason
from judge.rules.planner import (
    AID,
    BOMB,
    CONVOY,
    HOLD,
    MOVE,
    SAIL,
    SEA,
    SUPPORT,
    VOID,
    Plan,
    Planner,
)
from judge.rules.position import Position
from judge.rules.problems import Problem
from judge.rules.submission import (
    BY_SEA,
    IF_OPEN,
    OrderFate,
    Submission,
    fit,
    fit_unit,
    nationality,
    route_named,
    superseded,
    void,
)


def submit(
    planner: Planner, position: Position, orders: Mapping[str, Sequence[Order]]
) -> Submission:
    """Match `orders` (by power) with the position."""
    sub = Submission(planner, position, orders)
    plans = planner.plans(sub.orders)
    if sub.giver is sub.owner and [plan.unit for plan in plans] == sub.units:
        # All units as they stand, one after the other: nothing has to be looked for.
        sub.plans, sub.whom, sub.numbers = [*plans], sub.everyone, sub.everyone
        _sort(sub, sub.everyone, plans)
    else:
        _sort(sub, *_matched(sub, plans))
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


def _matched(sub: Submission, plans: Sequence[Plan]) -> tuple[Sequence[int], Sequence[Plan]]:
    """Return the units that are ordered as they stand, and what they are ordered; others are looked
    at more closely."""
    at, units, owner, whom, followed = sub.at, sub.units, sub.owner, sub.whom, sub.plans
    numbers = sub.numbers = [-1] * len(units)
    for power, plan in zip(sub.giver, plans, strict=True):
        u = at[plan.place]
        # All equal units are one value.
        if u < 0 or plan.unit is not units[u] or owner[u] != power or followed[u] is not None:
            _look_closer(sub, power, plan)
        else:
            numbers[u] = len(whom)
            whom.append(u)
            followed[u] = plan
    ordered: Sequence[int] = whom
    if sub.odd:
        for u, candidates in sub.odd.items():
            _choose(sub, u, candidates)
        ordered = sub.everyone
    elif not sub.fates:
        return whom, plans
    ordered = [u for u in ordered if u >= 0 and followed[u] is not None]
    return ordered, [followed[u] for u in ordered]  # type: ignore[misc]


def _look_closer(sub: Submission, power: str, plan: Plan) -> None:
    """Match an order that names no unit as it stands, or one that has an order already."""
    number = len(sub.whom)
    u = sub.at[plan.place]
    plan, fate = fit_unit(sub, power, u, plan)
    if fate is not None:
        sub.fates[number] = fate
        mine = u >= 0 and sub.owner[u] == power
        sub.whom.append(-2 - u if mine else -1)
        return
    before = sub.plans[u]
    if u not in sub.odd:
        sub.odd[u] = [] if before is None else [(sub.numbers[u], before)]
    sub.odd[u].append((number, plan))
    sub.plans[u] = plan
    sub.whom.append(u)


def _sort(sub: Submission, numbers: Sequence[int], plans: Sequence[Plan]) -> None:
    """Sort the plans that units follow by what they do."""
    dest, arriving, moving = sub.dest, sub.arriving, sub.moving
    for u, plan in zip(numbers, plans, strict=True):
        kind = plan.kind
        if kind == MOVE:
            dest[u] = aim = plan.aim
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
        elif plan.problem is not None:
            _stay(sub, u, plan, plan.problem)


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
        plan, problem = fit(sub, u, plan)
        other = sub.at[plan.at]
        own = other in silent and sub.owner[other] == sub.owner[u]
        if own and problem is None and plan.kind in (AID, CONVOY):
            order = plan.order
            assert isinstance(order, Support | Convoy)
            to = plan.arrival.location if plan.arrival else order.to or ""
            implied.setdefault(other, set()).add(Move(sub.units[other], to))
    for u, moves in implied.items():
        plan, problem = fit(sub, u, planner.make(moves.pop()))
        if moves or problem is not None or plan.kind not in (MOVE, SAIL):
            continue
        sub.plans[u] = plan
        _sort(sub, (u,), (plan,))


def _embark(sub: Submission, u: int) -> None:
    """Embark an army that must or wants to sail, if fleets could carry it."""
    plan = _fitted(sub, u)
    if plan is None:
        return
    _set_out(sub, u, plan)
    route = route_named(sub.planner, plan)
    if route:
        sub.routes[u] = route
    if plan.way == SEA or sub.planner.rulebook.land_or_sea in "bce":
        sub.sails[u] = BY_SEA


def _choose(sub: Submission, u: int, candidates: list[tuple[int, Plan]]) -> None:
    """Choose which order for one unit is followed (DATC 4.D.3, 4.C.1 c, 4.C.2 c, 4.E.1)."""
    rules = sub.planner.rulebook
    everything = [number for number, _ in candidates]
    candidates = _properly_named(sub, u, candidates)
    legal: list[tuple[int, Plan]] = []
    for number, plan in candidates:
        fitted, problem = fit(sub, u, plan)
        if problem is not None:
            sub.fates[number] = void(problem)
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
    sub.numbers[u], sub.plans[u] = keep


def _unowned(order: Order) -> Order:
    """Return the order without the nationality of the unit supported or convoyed."""
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
        if (written == kind or choice != "c") and nationality(sub, u, plan)[0] != "c":
            proper.append((number, plan))
    if not proper:
        return candidates
    for number, plan in candidates:
        if not any(plan is other for _, other in proper):
            sub.fates[number] = superseded(Precedence.NAMED)
    return proper


def _ready_bomb(sub: Submission, u: int) -> None:
    plan = _fitted(sub, u)
    if plan is not None:
        sub.plans[u] = plan


def _fitted(sub: Submission, u: int) -> Plan | None:
    """Return the plan of a unit as it fits; where it does not the unit stays, and it is None."""
    plan = sub.plans[u]
    assert plan is not None
    plan, problem = fit(sub, u, plan)
    if problem is None:
        return plan
    _stay(sub, u, plan, problem)
    return None


def _stay(sub: Submission, u: int, plan: Plan, problem: Problem) -> None:
    sub.plans[u] = Plan(plan.order, VOID, plan.place, plan.unit, problem=problem)
    sub.fates[sub.numbers[u]] = void(problem)
    if isinstance(plan.order, Move) and sub.planner.rulebook.impossible == "b":
        sub.immovable.add(u)


def _match_convoys(sub: Submission) -> None:
    matched = []
    for u in sub.convoying:
        plan = sub.plans[u]
        assert plan is not None
        plan, problem = fit(sub, u, plan)
        if problem is not None:
            _stay(sub, u, plan, problem)
            continue
        sub.plans[u] = plan
        army = sub.at[plan.at]
        if sub.dest[army] != plan.aim:
            sub.fates[sub.numbers[u]] = OrderFate(Reason.UNMATCHED)
            continue
        matched.append(u)
        sub.fleets.setdefault(army, []).append(u)
    sub.convoying = matched


def _land_or_sea(sub: Submission, u: int, fleets: list[int]) -> None:
    """Decide how an army travels that fleets were ordered to carry (DATC 4.A.3)."""
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
        # Where nobody is, the unit of number -1 is another one.
        if units[target] is not plan.plain:
            plan, problem = fit(sub, u, plan)
            if problem is not None:
                _stay(sub, u, plan, problem)
                continue
            plans[u] = plan
        place, move = plan.aim, plans[target]
        if plan.kind == SUPPORT:
            fits = dest[target] < 0 and target not in sub.immovable
        elif dest[target] != place or move is None:
            fits = False
        elif plan.arrival is None:
            fits = rules.support_coast == "c" or sub.owner[target] == sub.owner[u]
        else:
            fits = plan.arrival is move.arrival or plan.arrival == move.arrival
        if not fits or (lawless and move is None and sub.owner[target] not in sub.giver):
            sub.fates[sub.numbers[u]] = OrderFate(Reason.UNMATCHED)
            continue
        aim[u] = place
        matched.append(u)
        others = helpers[target]
        if others is None:
            helpers[target] = [u]
        else:
            others.append(u)
    sub.supporting = matched
