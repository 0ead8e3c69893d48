"""The engine's front door: a position and orders in, results and the next position out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from judge.rules.adjustments import adjust, due, raised, sites
from judge.rules.explain import Story
from judge.rules.movement import SUCCEEDS, Resolver
from judge.rules.orders import Build, Disband, Hold, Move, Order, Retreat, Unreadable, Waive
from judge.rules.outcome import Adjudication, Reason, Result
from judge.rules.phase import Calendar, Kind, Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.retreats import open_retreats, retreat, ways_out
from judge.rules.rulebook import Rulebook
from judge.rules.submission import (
    VOID,
    Submission,
    fit,
    fit_unit,
    planner,
    submit,
)
from judge.rules.variant import Variant


def adjudicate(
    variant: Variant,
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    rulebook: Rulebook | None = None,
) -> Adjudication:
    """Carry out one phase.

    `orders` are by power; any order is allowed in, what cannot be followed is answered as such.
    The rulebook is the variant's own unless one is given. Raises KeyError for a phase that the
    variant's calendar does not have, and for units on locations that its board does not have.
    """
    if rulebook is None:
        rulebook = Rulebook.edition(variant.rulebook)
    kind = position.phase.kind
    if kind is Kind.MOVEMENT:
        return _movement(variant, position, orders, rulebook)
    if kind is Kind.RETREATS:
        return _retreats(variant, position, orders, rulebook)
    return _adjustments(variant, position, orders, rulebook)


@lru_cache(maxsize=4096)
def _after(calendar: Calendar, phase: Phase) -> tuple[Phase, bool]:
    """The next phase, and whether centers change hands before it."""
    following = calendar.next(phase)
    counted = phase.season in calendar.ownership and following[:2] != phase[:2]
    return following, counted


# -- movement ---------------------------------------------------------------------------------


def _movement(
    variant: Variant,
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    rulebook: Rulebook,
) -> Adjudication:
    plans = planner(variant.board, rulebook)
    sub = submit(plans, position, orders)
    resolver = Resolver(sub)
    resolver.resolve()

    state, dest, arriving, where = resolver.state, sub.dest, sub.arriving, sub.where
    entered: dict[int, int] = {}
    for u in sub.moving:
        if state[u] == SUCCEEDS:
            entered[dest[u]] = u

    units: dict[str, tuple[Unit, ...]] = {}
    driven_out: list[int] = []
    u = 0
    for power, standing in position.units.items():
        after: list[Unit] = []
        for unit in standing:
            aim = dest[u]
            if aim >= 0 and entered.get(aim) == u:
                after.append(sub.plans[u].arrival)  # type: ignore[union-attr, arg-type]
            elif where[u] in entered:
                driven_out.append(u)
            else:
                after.append(unit)
            u += 1
        units[power] = tuple(after)

    contested: tuple[str, ...] = ()
    crowded = [
        place
        for place in {dest[u] for u in sub.moving if state[u] != SUCCEEDS}
        if place not in entered and len(arriving[place]) > 1  # type: ignore[arg-type]
    ]
    if crowded:
        ids = plans.geometry.ids
        contested = tuple(sorted(ids[p] for p in crowded if _stood_off(sub, resolver, p)))
    dislodged: dict[str, tuple[Dislodged, ...]] = {}
    retreating: dict[str, tuple[Dislodged, ...]] = {}
    if driven_out:
        closed = {plans.geometry.ids[place] for place in _occupied(sub, resolver, entered)}
        closed.update(contested)
        for u in driven_out:
            gone = _driven_out(variant, sub, resolver, u, entered[where[u]], closed)
            power = sub.owner[u]
            dislodged[power] = (*dislodged.get(power, ()), gone)
            if gone.retreats:
                retreating[power] = (*retreating.get(power, ()), gone)

    results = _results(variant, sub, resolver, entered)
    following, counted = _after(variant.calendar, position.phase)
    centers = position.centers
    winners: tuple[str, ...] = ()
    if counted:
        centers, winners = _owners(variant, position.centers, units)
    after_it = Position(following, units, centers, retreating, contested, position.extra)
    return Adjudication(results, after_it, dislodged, contested, winners)


def _occupied(sub: Submission, resolver: Resolver, entered: Mapping[int, int]) -> set[int]:
    """The places with a unit in them after the moves."""
    places = set(entered)
    for u, here in enumerate(sub.where):
        if sub.dest[u] < 0 or resolver.state[u] != SUCCEEDS:
            places.add(here)
    return places


def _stood_off(sub: Submission, resolver: Resolver, place: int) -> bool:
    """Whether a place that nobody entered was left vacant by a standoff."""
    occupant = sub.at[place]
    if occupant >= 0 and (sub.dest[occupant] < 0 or resolver.state[occupant] != SUCCEEDS):
        return False
    rivals = sub.arriving[place] or ()
    return sum(resolver.prevents(u) for u in rivals) > 1


def _driven_out(
    variant: Variant,
    sub: Submission,
    resolver: Resolver,
    u: int,
    attacker: int,
    closed: set[str],
) -> Dislodged:
    """The dislodged unit u: where its attacker came from and where it may go.

    An attacker that came by sea closes no retreat, but for 4.A.5 a, when it started next door.
    """
    origin: str | None = sub.planner.geometry.ids[sub.where[attacker]]
    if resolver.by_sea(attacker):
        next_door = sub.where[attacker] in sub.planner.geometry.steps(sub.units[u])
        if sub.planner.rulebook.retreat_to_sailor == "b" or not next_door:
            origin = None
    return Dislodged(sub.units[u], origin, ways_out(variant, sub.units[u], origin, closed))


def _results(
    variant: Variant, sub: Submission, resolver: Resolver, entered: Mapping[int, int]
) -> dict[str, list[Result]]:
    story = Story(variant, sub, resolver)
    state, fates, entry, units, dest = resolver.state, sub.fates, sub.entry, sub.units, sub.dest
    where, aim = sub.where, sub.aim
    results: dict[str, list[Result]] = {power: [] for power in sub.position.units}
    for number, (power, order, u) in enumerate(sub.entries):
        reason: Reason | None = None
        if number in fates:
            reason = fates[number].reason
        elif dest[u] >= 0:
            if state[u] != SUCCEEDS:
                reason = story.why_not_moved(u)
        elif aim[u] >= 0:
            if state[u] != SUCCEEDS:
                reason = Reason.DISLODGED if where[u] in entered else Reason.CUT
        elif where[u] in entered:
            reason = Reason.DISLODGED
        elif resolver.paradoxes and story.silenced(u):
            reason = Reason.CONVOY_DISRUPTED
        unit = units[u] if u >= 0 else None
        result = Result(power, unit, order, reason, True, story, number)
        try:
            results[power].append(result)
        except KeyError:
            results[power] = [result]
    if -1 in entry:
        hold = sub.planner.hold
        for u, given in enumerate(entry):
            if given < 0:
                power, unit = sub.owner[u], units[u]
                reason = Reason.DISLODGED if where[u] in entered else None
                result = Result(power, unit, hold(unit).order, reason, False, story, -1 - u)
                results[power].append(result)
    return results


# -- retreats and adjustments -------------------------------------------------------------------


def _retreats(
    variant: Variant,
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    rulebook: Rulebook,
) -> Adjudication:
    phase = retreat(variant, position, orders, rulebook)
    units = {power: tuple(standing) for power, standing in position.units.items()}
    for power, arrived in phase.arrived.items():
        units[power] = (*units.get(power, ()), *arrived)
    following, counted = _after(variant.calendar, position.phase)
    centers = position.centers
    winners: tuple[str, ...] = ()
    if counted:
        centers, winners = _owners(variant, position.centers, units)
    after = Position(following, units, centers, extra=position.extra)
    return Adjudication(phase.results, after, {}, (), winners)


def _adjustments(
    variant: Variant,
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    rulebook: Rulebook,
) -> Adjudication:
    phase = adjust(variant, position, orders, rulebook)
    units = {power: tuple(standing) for power, standing in position.units.items()}
    for power, gone in phase.disbanded.items():
        units[power] = tuple(unit for unit in units[power] if unit not in gone)
    for power, raised_units in phase.raised.items():
        units[power] = (*units.get(power, ()), *raised_units)
    following, counted = _after(variant.calendar, position.phase)
    centers = position.centers
    winners: tuple[str, ...] = ()
    if counted:
        centers, winners = _owners(variant, position.centers, units)
    after = Position(following, units, centers, extra=position.extra)
    return Adjudication(phase.results, after, {}, (), winners)


def _owners(
    variant: Variant,
    centers: Mapping[str, tuple[str, ...]],
    units: Mapping[str, tuple[Unit, ...]],
) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """The centers after a Fall turn (2023, "Controlling Supply Centers") and who has won."""
    provinces = variant.board.provinces
    taken = {
        unit.province: power
        for power, standing in units.items()
        for unit in standing
        if provinces[unit.province].supply_center
    }
    owned = {
        power: [center for center in held if taken.get(center, power) == power]
        for power, held in centers.items()
    }
    for center, power in taken.items():
        held = owned.setdefault(power, [])
        if center not in held:
            held.append(center)
    most = max(map(len, owned.values()), default=0)
    winners = tuple(power for power, held in owned.items() if len(held) == most >= variant.victory)
    return {power: tuple(held) for power, held in owned.items()}, winners


# -- before the orders --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Owed:
    """What a power has to decide in a phase; see `owed`."""

    units: tuple[Unit, ...] = ()
    builds: int = 0
    removals: int = 0


def owed(
    variant: Variant, position: Position, rulebook: Rulebook | None = None
) -> Mapping[str, Owed]:
    """What each power has to decide in `position.phase`; powers without a decision are absent.

    Units to be ordered, or dislodged units that have somewhere to go; builds that can really be
    made (entitled to, with a free center for each); removals due.
    """
    found: dict[str, Owed] = {}
    kind = position.phase.kind
    if kind is Kind.MOVEMENT:
        found = {power: Owed(tuple(units)) for power, units in position.units.items() if units}
    elif kind is Kind.RETREATS:
        for power, gone in position.dislodged.items():
            units = tuple(d.unit for d in gone if open_retreats(variant, position, d))
            if units:
                found[power] = Owed(units)
    else:
        for power in dict.fromkeys((*position.units, *position.centers)):
            balance = due(variant, position, power)
            builds = min(balance, len(sites(variant, position, power))) if balance > 0 else 0
            if builds > 0 or balance < 0:
                found[power] = Owed(builds=builds, removals=max(-balance, 0))
    return found


@dataclass(frozen=True, slots=True)
class Checked:
    """What an order comes to in a position, before anybody else's orders are known.

    `order` has the unit as it stands on the board and the coast filled in. `problem` is None for
    an order that can be carried out, else a sentence; `suggestion` then is an order that would do,
    when there is an obvious one.
    """

    order: Order
    problem: str | None = None
    suggestion: str | None = None
    unit: Unit | None = None


def check(
    variant: Variant,
    position: Position,
    power: str,
    order: Order,
    rulebook: Rulebook | None = None,
) -> Checked:
    """Whether `power` can give this order in this position, knowing no other order."""
    if rulebook is None:
        rulebook = Rulebook.edition(variant.rulebook)
    kind = position.phase.kind
    if isinstance(order, Unreadable):
        return Checked(order, order.problem, unit=None)
    if kind is Kind.MOVEMENT:
        return _check_movement(variant, position, power, order, rulebook)
    if kind is Kind.RETREATS:
        return _check_retreat(variant, position, power, order, rulebook)
    return _check_adjustment(variant, position, power, order, rulebook)


def _check_movement(
    variant: Variant, position: Position, power: str, order: Order, rulebook: Rulebook
) -> Checked:
    plans = planner(variant.board, rulebook)
    sub = Submission(plans, position)
    plan = plans.make(order)
    u = sub.at[plan.place]
    plan, fate = fit_unit(sub, power, u, plan)
    if fate is not None:
        return Checked(order, fate.problem)
    unit = sub.units[u]
    plan = fit(sub, u, plan)
    if plan.kind == VOID:
        return Checked(plan.order, plan.problem, _instead(plans, unit, plan.order), unit)
    fitted = plan.order
    if isinstance(fitted, Move) and plan.arrival is not None:
        fitted = replace(fitted, to=plan.arrival.location)
    return Checked(fitted, None, None, unit)


def _instead(plans: object, unit: Unit, order: Order) -> str | None:
    """An order near the impossible one that would do: the coast that can be reached."""
    from judge.rules.submission import Planner

    assert isinstance(plans, Planner)
    if isinstance(order, Move):
        province = order.to.partition("/")[0]
        place = plans.geometry.place.get(province, -1)
        possible = plans.geometry.steps(unit).get(place, ())
        if possible:
            return str(Move(unit, possible[0]))
    return None


def _check_retreat(
    variant: Variant, position: Position, power: str, order: Order, rulebook: Rulebook
) -> Checked:
    alone = retreat(variant, position, {power: [order]}, rulebook).results[power][0]
    if alone.unit is None:
        return Checked(order, alone.note)
    if alone.reason is None:
        fitted: Order = Disband(alone.unit)
        if isinstance(order, Retreat | Move):
            gone = next(d for d in position.dislodged[power] if d.unit == alone.unit)
            ways = open_retreats(variant, position, gone)
            to = (
                order.to
                if order.to in ways
                else next(w for w in ways if w.startswith(_plain(order.to)))
            )
            fitted = Retreat(alone.unit, to)
        return Checked(fitted, None, None, alone.unit)
    gone = next(d for d in position.dislodged[power] if d.unit == alone.unit)
    ways = open_retreats(variant, position, gone)
    near: list[Order] = [Retreat(alone.unit, way) for way in ways]
    instead = str(near[0]) if near else str(Disband(alone.unit))
    return Checked(order, alone.note, instead, alone.unit)


def _plain(location: str) -> str:
    return location.partition("/")[0]


def _check_adjustment(
    variant: Variant, position: Position, power: str, order: Order, rulebook: Rulebook
) -> Checked:
    phase = adjust(variant, position, {power: [order]}, rulebook)
    alone = phase.results[power][0]
    if alone.reason is not None:
        return Checked(order, alone.note, None, alone.unit)
    if isinstance(order, Build):
        unit, _ = raised(variant, position, power, order.unit, rulebook)
        assert unit is not None
        return Checked(Build(unit), None, None, unit)
    if isinstance(order, Disband):
        assert alone.unit is not None
        return Checked(Disband(alone.unit), None, None, alone.unit)
    assert isinstance(order, Waive | Hold)
    return Checked(order)
