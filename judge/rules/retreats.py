"""Retreats: where a dislodged unit may go, and what becomes of the orders to go there.

Rulebook 2023, "Retreat and Disbanding Phase"; DATC 6.H.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from judge.rules.board import province_of
from judge.rules.closures import closures
from judge.rules.geometry import geometry
from judge.rules.orders import Disband, Move, Order, Retreat, Unreadable
from judge.rules.outcome import Draft, Reason, Result
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.rulebook import Rulebook
from judge.rules.submission import mismatch
from judge.rules.variant import Variant


def ways_out(
    variant: Variant, unit: Unit, attacker: str | None, closed: Collection[str]
) -> tuple[str, ...]:
    """The locations `unit` can retreat to: one step away, not in the `closed` provinces (occupied
    or contested) nor in the one its attacker came from."""
    steps = geometry(variant.board).steps(unit)
    return tuple(
        sorted(
            location
            for locations in steps.values()
            for location in locations
            if (province := province_of(location)) not in closed and province != attacker
        )
    )


def open_retreats(variant: Variant, position: Position, dislodged: Dislodged) -> tuple[str, ...]:
    """The locations a dislodged unit may retreat to in this position, in alphabetical order."""
    closed = {unit.province for standing in position.units.values() for unit in standing}
    closed.update(position.contested)
    for closure in closures(variant, position):
        closed.add(closure.province)
        if closure.province == dislodged.unit.province:
            return ()
    return ways_out(variant, dislodged.unit, dislodged.attacker, closed)


SO_DISBANDED: Final = ", so it was disbanded"
"""How the sentence on a retreat that was not possible ends once the phase is over."""


@dataclass(slots=True)
class RetreatPhase:
    """A retreat phase as it came out: the results, and the units that found a place."""

    results: dict[str, list[Result]] = field(default_factory=dict)
    arrived: dict[str, list[Unit]] = field(default_factory=dict)


@dataclass(slots=True)
class _Case:
    """One dislodged unit with the orders it was given."""

    power: str
    dislodged: Dislodged
    ways: tuple[str, ...]
    to: str | None = None
    followed: Draft | None = None
    candidates: list[tuple[Draft, str | None]] = field(default_factory=list)


def retreat(
    variant: Variant,
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    rulebook: Rulebook,
) -> RetreatPhase:
    """Carry out the retreats: one step by the unit's own means, two to one province clash."""
    phase = RetreatPhase()
    drafts: dict[str, list[Draft]] = {}
    cases: dict[tuple[str, str], _Case] = {}
    for power, gone in position.dislodged.items():
        for dislodged in gone:
            ways = open_retreats(variant, position, dislodged)
            cases[power, dislodged.unit.province] = _Case(power, dislodged, ways)
    for power, listed in orders.items():
        results = drafts.setdefault(power, [])
        for order in listed:
            result = Draft(power, None, order, Reason.VOID)
            results.append(result)
            _read(variant, rulebook, cases, result, position)
    for case in cases.values():
        _choose(case, rulebook)
    goals: dict[str, list[_Case]] = {}
    for case in cases.values():
        if case.to is not None:
            goals.setdefault(province_of(case.to), []).append(case)
    for goal, rivals in goals.items():
        name = variant.board.spoken(goal)
        for case in rivals:
            followed = case.followed
            assert followed is not None
            assert case.to is not None
            if len(rivals) == 1:
                unit = Unit(case.dislodged.unit.kind, case.to)
                phase.arrived.setdefault(case.power, []).append(unit)
                followed.say(f"retreated to {variant.board.spoken(case.to)}")
                continue
            followed.reason = Reason.RETREAT_CLASH
            others = [
                f"the {variant.adjectives.get(other.power, other.power)} unit from "
                f"{variant.board.spoken(other.dislodged.unit.province)}"
                for other in rivals
                if other is not case
            ]
            were = "was" if len(others) == 1 else "were"
            followed.say(
                f"disbanded, because {' and '.join(others)} {were} ordered to retreat to {name}"
                " as well"
            )
    for case in cases.values():
        if not case.candidates:
            order = Disband(case.dislodged.unit)
            added = Draft(case.power, case.dislodged.unit, order, None, given=False)
            if case.ways:
                added.say("no order was given, so it was disbanded")
            else:
                added.say("there was nowhere to retreat to, so it was destroyed")
            drafts.setdefault(case.power, []).append(added)
    phase.results = {power: [draft.result for draft in listed] for power, listed in drafts.items()}
    return phase


def _read(
    variant: Variant,
    rulebook: Rulebook,
    cases: Mapping[tuple[str, str], _Case],
    result: Draft,
    position: Position,
) -> None:
    """Find the dislodged unit an order is for, and whether it could be followed."""
    order, board = result.order, variant.board
    if isinstance(order, Unreadable):
        result.say(str(order.problem))
        if order.unit is not None and (case := cases.get((result.power, order.unit.province))):
            result.unit = case.dislodged.unit
            case.candidates.append((result, None))
        return
    written = getattr(order, "unit", None)
    case = None if written is None else cases.get((result.power, written.province))
    if case is None or written is None:
        if written is None:
            result.say("this is no order for a retreat phase")
        elif any(written.province == province for _, province in cases):
            result.say(f"the dislodged unit from {_name(variant, written)} is not yours")
        else:
            result.say(f"no unit of yours was dislodged from {_name(variant, written)}")
        return
    unit = result.unit = case.dislodged.unit
    problem = mismatch(rulebook, written, unit, board)
    if problem:
        result.say(problem)
        case.candidates.append((result, None))
    elif isinstance(order, Disband):
        result.reason = None
        result.say("disbanded as ordered")
        case.candidates.append((result, ""))
    elif isinstance(order, Retreat | Move):
        case.candidates.append((result, _way(variant, case, order, result, position, rulebook)))
    else:
        result.say(f"a dislodged unit can only retreat or disband{SO_DISBANDED}")
        case.candidates.append((result, None))


def _name(variant: Variant, unit: Unit) -> str:
    known = unit.province in variant.board.provinces
    return variant.board.spoken(unit.province) if known else repr(unit.location)


def _way(
    variant: Variant,
    case: _Case,
    order: Retreat | Move,
    result: Draft,
    position: Position,
    rulebook: Rulebook,
) -> str | None:
    """The open location a retreat is for; None, with the reason in `result`, when there is none."""
    unit, board = case.dislodged.unit, variant.board
    province, _, coast = order.to.partition("/")
    coasts = board.provinces[province].coasts if province in board.provinces else ()
    fitting = [way for way in case.ways if province_of(way) == province]
    if board.kind(unit.kind).afloat and coast in coasts:
        exact = [way for way in fitting if way == order.to]
        if not exact and rulebook.coast_impossible == "a":
            exact = fitting
        fitting = exact
    if len(fitting) == 1 or (fitting and rulebook.coast_missing == "b"):
        result.reason = None
        return fitting[0]
    result.reason = Reason.NOT_ALLOWED
    if fitting:
        result.say(f"the coast must be named ({' or '.join(fitting)}){SO_DISBANDED}")
        return None
    result.say(f"{_closed(variant, case.dislodged, province, position)}{SO_DISBANDED}")
    if not case.ways:
        result.reason = Reason.DESTROYED
        result.say("there was nowhere to retreat to, so it was destroyed")
    return None


def _closed(variant: Variant, dislodged: Dislodged, province: str, position: Position) -> str:
    """Why a dislodged unit cannot retreat to a province."""
    board = variant.board
    if province not in board.provinces:
        return f"there is no province {province!r} on this board"
    name = board.spoken(province)
    steps = geometry(board).steps(dislodged.unit)
    if geometry(board).place[province] not in steps:
        return f"{name} is not one step away from {board.spoken(dislodged.unit.location)}"
    if province == dislodged.attacker:
        return f"its attacker came from {name}"
    if province in position.contested:
        return f"{name} was left vacant by a standoff"
    if any(unit.province == province for units in position.units.values() for unit in units):
        return f"{name} is occupied"
    for closure in closures(variant, position):
        if closure.province == province:
            return closure.why
    return f"that coast of {name} is out of its reach"


def _choose(case: _Case, rulebook: Rulebook) -> None:
    """Of several orders for one unit, the one that is followed (DATC 4.D.3)."""
    legal: list[tuple[Draft, str]] = []
    for result, to in case.candidates:
        if to is None:
            continue
        if any(to == other for _, other in legal):
            result.reason = Reason.SUPERSEDED
            result.say("the same order was given before")
        else:
            legal.append((result, to))
    if not legal:
        return
    keep = legal[-1] if rulebook.twice_ordered == "b" else legal[0]
    several = len(legal) > 1 and rulebook.twice_ordered == "c"
    for result, to in legal:
        if several or (result, to) != keep:
            result.reason = Reason.SUPERSEDED
            result.say(
                "the unit was given several orders, so it followed none and was disbanded"
                if several
                else f"the order followed was {keep[0].order}"
            )
    if not several:
        case.followed = keep[0]
        case.to = keep[1] or None
