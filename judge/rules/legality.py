"""One order before its phase is played: can it be carried out, and if not, what would do?

A suggestion is made where one order is obviously meant. Where two are, the problem names both, and
where it would be a guess nothing is suggested.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from judge.rules.adjustments import adjust
from judge.rules.board import province_of
from judge.rules.board_index import closed_provinces
from judge.rules.hooks import rule_hooks
from judge.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Proxy,
    Retreat,
    Support,
    Unreadable,
    Waive,
)
from judge.rules.outcome import NotAllowed, NowhereToGo, Void
from judge.rules.phase import Kind
from judge.rules.planner import ALIEN, planner
from judge.rules.position import Position, Unit
from judge.rules.problems import Code, Illegal, Problem
from judge.rules.retreats import open_retreats, retreat
from judge.rules.rulebook import Rulebook
from judge.rules.submission import Submission, fit, fit_unit
from judge.rules.variant import Variant, in_position

_CHOOSE: Final = {Code.KIND_MISSING, Code.BUILD_KIND, Code.NO_RETREAT_ORDER, Code.OUT_OF_SEASON}
"""Problems that are clear without naming the orders that would do."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What an order comes to in a position, before anybody else's orders are known.

    `order` has the unit as it stands on the board and the coast filled in. `problem` is None for
    an order that can be carried out; `suggestion` then is the order that would do,
    when there is an obvious one. `unit` is the unit that is ordered, as far as there is one.
    """

    order: Order
    problem: Problem | None = None
    suggestion: str | None = None
    unit: Unit | None = None


def check(
    variant: Variant,
    position: Position,
    power: str,
    order: Order,
    rulebook: Rulebook | None = None,
) -> Checked:
    """Return whether `power` can give this order in this position, knowing no other order."""
    rules = rulebook or Rulebook.edition(variant.rulebook)
    variant = in_position(variant, position)
    stands = rule_hooks(variant).only_holds
    if stands is not None and stands(variant, power):
        return Checked(order, Illegal(code=Code.NO_PLAYER, power=power))
    if isinstance(order, Unreadable):
        return Checked(order, order.problem)
    if isinstance(order, Proxy) and position.phase.kind is Kind.MOVEMENT:
        held = check(variant, position, power, Hold(order.unit), rules)
        left = replace(order, unit=held.unit or order.unit)
        own = Illegal(code=Code.OWN_PROXY, power=power) if order.power == power else None
        return Checked(left, held.problem or own, unit=held.unit)

    alone, near = _OF[position.phase.kind]
    checked = alone(variant, position, power, order, rules)
    problem = checked.problem
    if problem is None:
        return checked
    # The first orders near it among which some can be carried out decide what may have been meant.
    for meant in near(variant, position, power, order, rules):
        tried = [alone(variant, position, power, each, rules) for each in meant]
        good = tuple(dict.fromkeys(str(each.order) for each in tried if each.problem is None))
        if len(good) == 1:
            return replace(checked, suggestion=good[0])
        if good:
            if isinstance(problem, Illegal) and not problem.write and problem.code not in _CHOOSE:
                return replace(checked, problem=replace(problem, write=good))
            # It names the choices already.
            return checked
    return checked


def _problem(why: object) -> Problem:
    """Return what is wrong with an order that was not followed."""
    if isinstance(why, Problem):
        return why
    if isinstance(why, Void | NotAllowed):
        return why.problem
    assert isinstance(why, NowhereToGo)
    return Illegal(code=Code.NOWHERE)


# -- movement -------------------------------------------------------------------------------------


def _movement(
    variant: Variant, position: Position, power: str, order: Order, rulebook: Rulebook
) -> Checked:
    plans = planner(variant.board, rulebook, closed_provinces(variant, position))
    sub = Submission(plans, position)
    plan = plans.make(order)
    u = sub.at[plan.place]
    plan, fate = fit_unit(sub, power, u, plan)
    if fate is not None:
        mine = plan.kind != ALIEN and u >= 0 and sub.owner[u] == power
        return Checked(order, _problem(fate.why), unit=sub.units[u] if mine else None)
    unit = sub.units[u]
    plan, problem = fit(sub, u, plan)
    if problem is not None:
        return Checked(plan.order, problem, None, unit)
    fitted = plan.order
    if isinstance(fitted, Move) and plan.arrival is not None:
        fitted = replace(fitted, to=plan.arrival.location)
    return Checked(fitted, None, None, unit)


def _near_movement(
    variant: Variant, position: Position, power: str, order: Order, rulebook: Rulebook
) -> Iterator[Sequence[Order]]:
    """Orders near an impossible one: names put right, another coast, by land, or to stay."""
    if not isinstance(order, Hold | Move | Support | Convoy):
        return
    plans = planner(variant.board, rulebook, closed_provinces(variant, position))
    sub = Submission(plans, position)
    place, steps = plans.place, plans.steps
    u = sub.at[place(order.unit)]
    if place(order.unit) < 0 or u < 0 or sub.owner[u] != power:
        return
    unit = sub.units[u]

    def coasts(mover: Unit, to: str) -> Sequence[str]:
        """Return where the unit could arrive in that province."""
        near = steps(mover).get(sub.planner.index.place.get(province_of(to), -1), ())
        return near if plans.kind(mover).afloat else (province_of(to),)

    match order:
        case Hold():
            yield [Hold(unit)]
        case Move():
            yield [replace(order, unit=unit)]
            yield [replace(order, unit=unit, to=to) for to in coasts(unit, order.to)]
            if sub.planner.index.place.get(province_of(order.to), -1) in steps(unit):
                yield [Move(unit, to) for to in coasts(unit, order.to)]
            if province_of(order.to) == unit.province:
                yield [Hold(unit)]
        case Support() | Convoy():
            written = order.target if isinstance(order, Support) else order.army
            other = sub.at[place(written)]
            if place(written) < 0 or other < 0:
                return
            there, owner = sub.units[other], None
            if rulebook.asks_nationality and sub.owner[other] != power:
                owner = sub.owner[other]
            if isinstance(order, Convoy):
                to = province_of(order.to)
                yield [Convoy(unit, there, to, owner)]
                return
            yield [replace(order, unit=unit, target=there, owner=owner)]
            if order.to is None:
                if there == unit:
                    yield [Hold(unit)]
                return
            yield [Support(unit, there, to, owner) for to in coasts(there, order.to)]
            if province_of(order.to) == there.province:
                yield [Support(unit, there, None, owner)]


# -- retreats -------------------------------------------------------------------------------------


def _retreat(
    variant: Variant, position: Position, power: str, order: Order, rulebook: Rulebook
) -> Checked:
    alone = retreat(variant, position, {power: [order]}, rulebook).results[power][0]
    if alone.reason is not None or alone.unit is None:
        return Checked(order, _problem(alone.outcome), None, alone.unit)
    if not isinstance(order, Retreat | Move):
        return Checked(Disband(alone.unit), None, None, alone.unit)
    ways = _ways(variant, position, alone.unit)
    near = [way for way in ways if province_of(way) == province_of(order.to)]
    to = order.to if order.to in ways else near[0]
    return Checked(Retreat(alone.unit, to), None, None, alone.unit)


def _ways(variant: Variant, position: Position, unit: Unit) -> tuple[str, ...]:
    """Return where a dislodged unit may retreat to."""
    for gone in position.dislodged.values():
        for dislodged in gone:
            if dislodged.unit == unit:
                return open_retreats(variant, position, dislodged)
    return ()


def _near_retreat(
    variant: Variant, position: Position, power: str, order: Order, rulebook: Rulebook
) -> Iterator[Sequence[Order]]:
    """Return retreats near an impossible one: the unit or the coast put right, or all that are
    left."""
    unit = _retreat(variant, position, power, order, rulebook).unit
    if unit is None:
        return
    ways = _ways(variant, position, unit)
    if isinstance(order, Disband):
        yield [Disband(unit)]
    elif isinstance(order, Retreat | Move):
        yield [Retreat(unit, order.to)]
        yield [Retreat(unit, way) for way in ways if province_of(way) == province_of(order.to)]
    yield [Retreat(unit, way) for way in ways] or [Disband(unit)]


# -- adjustments ----------------------------------------------------------------------------------


def _adjustment(
    variant: Variant, position: Position, power: str, order: Order, rulebook: Rulebook
) -> Checked:
    phase = adjust(variant, position, {power: [order]}, rulebook)
    alone = phase.results[power][0]
    if alone.reason is not None:
        return Checked(order, _problem(alone.outcome), None, alone.unit)
    if isinstance(order, Build):
        assert alone.unit is not None
        return Checked(Build(alone.unit), None, None, alone.unit)
    if isinstance(order, Disband):
        assert alone.unit is not None
        return Checked(Disband(alone.unit), None, None, alone.unit)
    assert isinstance(order, Waive | Hold)
    return Checked(order)


def _near_adjustment(
    variant: Variant, position: Position, power: str, order: Order, rulebook: Rulebook
) -> Iterator[Sequence[Order]]:
    """Return adjustments near an impossible one: the letter or the coast put right."""
    if isinstance(order, Disband):
        standing = position.units.get(power, ())
        yield [Disband(unit) for unit in standing if unit.province == order.unit.province]
    elif isinstance(order, Build):
        place = variant.board.provinces.get(order.unit.province)
        if place is None:
            return
        board = variant.board
        ashore = [
            Build(Unit(kind.letter, place.id)) for kind in board.kinds.values() if not kind.afloat
        ]
        afloat = [
            Build(Unit(kind.letter, location))
            for kind in board.kinds.values()
            if kind.afloat
            for location in place.locations
        ]
        if not order.unit.kind:
            yield [*ashore, *afloat]
        elif board.kind(order.unit.kind).afloat and place.terrain != "land":
            yield [each for each in afloat if each.unit.kind == order.unit.kind]
        else:
            yield [each for each in ashore if each.unit.kind == order.unit.kind] or ashore


_OF: Final = {
    Kind.MOVEMENT: (_movement, _near_movement),
    Kind.RETREATS: (_retreat, _near_retreat),
    Kind.ADJUSTMENTS: (_adjustment, _near_adjustment),
}
"""By the kind of a phase: what an order comes to alone, and which others are near it."""
