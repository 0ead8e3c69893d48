"""The engine's front door: a position and orders in, results and the next position out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, repeat
from typing import Final

from judge.rules import kernel
from judge.rules.adjustments import adjust, builds, conversions, due
from judge.rules.board import Derived
from judge.rules.board_index import DESTROYED, closed_provinces
from judge.rules.equations import SUCCEEDS
from judge.rules.hooks import retreats_where_it_can, rule_hooks
from judge.rules.legality import Checked, check
from judge.rules.matching import submit
from judge.rules.modules.bombs import Strikes
from judge.rules.modules.destruction import no_centers, ruin, without
from judge.rules.movement import Resolver
from judge.rules.orders import Build, Disband, Order, Unreadable
from judge.rules.outcome import Outcome, Reason
from judge.rules.phase import Kind, Phase
from judge.rules.planner import HOLD, Planner, planner
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.problems import Code, Illegal
from judge.rules.reasons import Reasons
from judge.rules.result import Adjudication, Result, Results
from judge.rules.retreats import open_retreats, retreat
from judge.rules.rulebook import Rulebook
from judge.rules.submission import Submission
from judge.rules.variant import Variant, in_position, victory
from judge.rules.winning import GOES_ON

__all__ = [
    "Adjudication",
    "Checked",
    "Owed",
    "Result",
    "adjudicate",
    "check",
    "owed",
    "victory",
]


def adjudicate(
    variant: Variant,
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    rulebook: Rulebook | None = None,
    *,
    quick: bool = True,
) -> Adjudication:
    """Carry out one phase.

    Not `quick` is best for one who reads the outcome of every result: the extension (where it was
    built) tells reasons and positions, and leaves outcomes to the engine.

    `orders` are by power; any order is allowed in, what cannot be followed is answered as such.
    The rulebook is the variant's own unless one is given. Raises KeyError for a phase that the
    variant's calendar does not have, and for units on locations that its board does not have.
    """
    if rulebook is None:
        rulebook = Rulebook.edition(variant.rulebook)
    variant = in_position(variant, position)
    if variant.standing:
        orders = followed(variant, orders)
    kind = position.phase.kind
    if kind is Kind.MOVEMENT:
        known = _quickly(variant, position, orders, rulebook) if quick else None
        return _movement(variant, position, orders, rulebook) if known is None else known
    if kind is Kind.RETREATS:
        return _retreats(variant, position, orders, rulebook)
    return _adjustments(variant, position, orders, rulebook)


def followed(
    variant: Variant, orders: Mapping[str, Sequence[Order]]
) -> Mapping[str, Sequence[Order]]:
    """Return the orders, those for powers that only hold made void."""
    stands = rule_hooks(variant).only_holds
    return {
        power: [
            Unreadable(str(order), Illegal(code=Code.NO_PLAYER, power=power)) for order in given
        ]
        if stands is not None and stands(variant, power)
        else given
        for power, given in orders.items()
    }


@Derived
def _steps(variant: Variant) -> dict[Phase, tuple[Phase, bool]]:
    """Return what `_after` has found out."""
    return {}


def _after(variant: Variant, phase: Phase) -> tuple[Phase, bool]:
    """Return the next phase, and whether centers change hands before it."""
    known = _steps(variant)
    found = known.get(phase)
    if found is None:
        calendar = variant.calendar
        following = calendar.next(phase)
        # Units are built on the centers owned after the retreats, in the same season or later.
        over = following[:2] != phase[:2] or following.kind is Kind.ADJUSTMENTS
        counted = phase.season in calendar.ownership and phase.kind is not Kind.ADJUSTMENTS and over
        found = known[phase] = following, counted
    return found


# -- movement ---------------------------------------------------------------------------------

_WHY: Final[list[Reason | None]] = [Reason.BOUNCED, None, None, None]
"""Why a move failed, by what the decision came to."""


def _movement(
    variant: Variant,
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    rulebook: Rulebook,
) -> Adjudication:
    closed = closed_provinces(variant, position)
    sub = submit(planner(variant.board, rulebook, closed), position, orders)
    resolver = Resolver(sub)
    resolver.resolve()

    after, plans = [*sub.units], sub.plans
    for u in resolver.arrived:
        after[u] = plans[u].arrival  # type: ignore[union-attr, assignment]
    contested = [place for place in sub.crowded if _stood_off(sub, resolver, place)]
    rules = rule_hooks(variant)
    struck = rules.bombs(sub, resolver) if sub.bombing and rules.bombs else None
    if struck is not None:
        contested = [place for place in contested if place not in struck.places]
    ids = sub.planner.index.ids
    names = tuple(sorted([ids[place] for place in contested])) if contested else ()
    left = tuple(after)
    units = {power: left[own] for power, own in sub.spans.items()}
    dislodged: dict[str, tuple[Dislodged, ...]] = {}
    retreating: dict[str, tuple[Dislodged, ...]] = {}
    if resolver.driven_out:
        for u, gone in _driven_out(sub, resolver, contested, struck):
            power = sub.owner[u]
            stands = rules.only_holds is not None and rules.only_holds(variant, power)
            if gone.retreats and (stands or not rules.can_retreat(variant, gone)):
                gone = gone._replace(retreats=())
            before, own = dislodged.get(power, ()), units[power]
            # Those before it in the list of the power are left out by now.
            number = u - sub.spans[power].start - len(before)
            units[power] = own[:number] + own[number + 1 :]
            dislodged[power] = (*before, gone)
            if gone.retreats:
                retreating[power] = (*retreating.get(power, ()), gone)

    if rules.after_moves is not None:
        position = replace(position, extra={**position.extra, **rules.after_moves(sub)})
    results = partial(_results, sub, resolver, struck)
    if struck is None or not struck.places:
        return _opened(variant, position, units, retreating, names, results, dislodged)
    places = sorted([ids[place] for place in struck.places])
    lost = _lost(sub, struck, left)
    for power, destroyed in lost.items():
        units[power] = tuple([unit for unit in units[power] if unit not in destroyed])
    outcome = _opened(
        variant,
        _struck(variant, position, places),
        units,
        retreating,
        names,
        results,
        dislodged,
    )
    outcome.destroyed, outcome.lost = tuple(places), lost
    return outcome


@Derived
def is_plain(variant: Variant) -> bool:
    """Return whether no rule module has a say in movement phases."""
    rules = rule_hooks(variant)
    if (rules.bombs, rules.after_moves, rules.only_holds) != (None, None, None):
        return False
    return rules.can_retreat is retreats_where_it_can


def _quickly(
    variant: Variant,
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    rulebook: Rulebook,
) -> Adjudication | None:
    """Return what a movement phase comes to by the extension; None where it has no answer."""
    if not (kernel.BUILT and is_plain(variant)):
        return None
    plans_of = planner(variant.board, rulebook, closed_provinces(variant, position))
    quick = kernel.movement(plans_of, position, orders)
    if quick is None:
        return None
    units, dislodged, contested = quick.led_to(kernel.numbers(variant.board))
    retreating = {
        power: those
        for power, all_ in dislodged.items()
        if (those := tuple([gone for gone in all_ if gone.retreats]))
    }
    results = partial(quick.results, _Details(plans_of, position, quick))
    return _opened(variant, position, units, retreating, contested, results, dislodged)


class _Details:
    """Outcomes with all that they depend on, for a phase that the extension adjudicated."""

    def __init__(self, plans_of: Planner, position: Position, quick: kernel.Quick) -> None:
        self._asked = plans_of, position, quick
        self._reasons: Reasons | None = None

    def outcome(self, number: int) -> Outcome:
        if self._reasons is None:
            plans_of, position, quick = self._asked
            orders = {power: quick.orders[numbers] for power, numbers in quick.given.items()}
            sub = submit(plans_of, position, orders)
            resolver = Resolver(sub)
            resolver.resolve()
            self._reasons = Reasons(sub, resolver)
        return self._reasons.outcome(number)


def _struck(variant: Variant, position: Position, places: Sequence[str]) -> Position:
    """Return the position after the provinces `places` were destroyed."""
    extra = ruin(variant, position.phase, position.extra, places)
    return replace(position, extra=extra, centers=without(position.centers, places))


def _stood_off(sub: Submission, resolver: Resolver, place: int) -> bool:
    """Return whether a place that several wanted was left empty by a standoff."""
    if resolver.entered[place] >= 0:
        return False
    occupant, rivals = sub.at[place], sub.arriving[place] or ()
    if occupant >= 0 and (sub.dest[occupant] < 0 or resolver.state[occupant] != SUCCEEDS):
        return False
    if occupant < 0 and not (resolver.weak or sub.sailing or sub.fleets):
        return True
    return sum([resolver.prevents(u) > 0 for u in rivals]) > 1


def _driven_out(
    sub: Submission,
    resolver: Resolver,
    contested: list[int],
    struck: Strikes | None,
) -> list[tuple[int, Dislodged]]:
    """Return the dislodged units: where their attackers came from and where they may go.

    An attacker that came by sea closes no retreat, but for 4.A.5 a, when it started next door.
    """
    board_index, at, dest, state = sub.planner.index, sub.at, sub.dest, resolver.state
    entered = resolver.entered
    shut: Collection[int] = sub.planner.closed
    if struck is not None and struck.places:
        shut = {*shut, *struck.places}
    barred = {*contested, *shut}
    found = []
    for u in sorted(resolver.driven_out):
        unit, here = sub.units[u], sub.where[u]
        attacker = entered[here]
        origin = sub.where[attacker]
        if sub.sails[attacker] and resolver.by_sea(attacker):
            choice = sub.planner.rulebook.retreat_to_sailor
            if choice == "b" or origin not in board_index.steps(unit):
                origin = -1
        ways = []
        for place, location in board_index.exits(unit) if here not in shut else ():
            if entered[place] < 0 and place != origin and place not in barred:
                occupant = at[place]
                if occupant < 0 or (dest[occupant] >= 0 and state[occupant] == SUCCEEDS):
                    ways.append(location)
        start = board_index.ids[origin] if origin >= 0 else None
        found.append((u, tuple.__new__(Dislodged, (unit, start, tuple(ways)))))
    return found


def _lost(sub: Submission, struck: Strikes, left: Sequence[Unit]) -> dict[str, tuple[Unit, ...]]:
    """Return the units that bombs destroy, by power, where the orders `left` them."""
    lost: dict[str, tuple[Unit, ...]] = {}
    for u in struck.lost:
        lost[sub.owner[u]] = (*lost.get(sub.owner[u], ()), left[u])
    return lost


def _failures(
    sub: Submission, resolver: Resolver, struck: Strikes | None, reasons: Reasons
) -> list[Reason | None]:
    """Return why each unit's order failed, None for success, and one spare entry: orders that no
    unit follows count from the end."""
    failed = [*map(_WHY.__getitem__, resolver.state[: len(sub.units)]), None]
    state, helpers, sails, owner = resolver.state, sub.helpers, sub.sails, sub.owner
    for u in resolver.weighed:
        own = helpers[u] and owner[sub.at[sub.dest[u]]] == owner[u]
        if (own or sails[u]) and state[u] != SUCCEEDS:
            failed[u] = reasons.why_not_moved(u)
    for u in sub.supporting:
        if state[u] != SUCCEEDS:
            failed[u] = Reason.CUT
    for fleets in resolver.paradoxes:
        for u in fleets:
            failed[u] = Reason.CONVOY_DISRUPTED
    if struck is not None:
        for u in sub.bombing:
            mission = struck.of.get(u)
            failed[u] = Reason.UNMATCHED if mission is None else mission.reason
        for u in struck.lost:
            plan = sub.plans[u]
            if plan is None or plan.kind == HOLD:
                failed[u] = Reason.DESTROYED
    for u in resolver.driven_out:
        if sub.dest[u] < 0 and state[u] != SUCCEEDS:
            failed[u] = Reason.DISLODGED
    return failed


def _results(
    sub: Submission, resolver: Resolver, struck: Strikes | None
) -> dict[str, list[Result]]:
    reasons = Reasons(sub, resolver, struck)
    units: list[Unit | None] = [*sub.units, None]
    failed = _failures(sub, resolver, struck, reasons)
    whom = sub.whom
    meant, why = whom, failed
    if whom is not sub.everyone:
        why = [failed[u] for u in whom]
    if sub.fates:
        meant = list(map(sub.meant, range(len(whom))))
        for number, fate in sub.fates.items():
            why[number] = fate.reason
    fields = zip(
        sub.giver,
        units if meant is sub.everyone else map(units.__getitem__, meant),
        sub.orders,
        why,
        repeat(reasons),
        count(),
        strict=False,
    )
    every = list(map(Result, fields))
    given = sub.given
    if given is not sub.spans:
        given = {**dict.fromkeys(sub.spans, slice(0)), **given}
    results = {power: every[numbers] for power, numbers in given.items()}
    if sub.fates or len(whom) < len(sub.units):
        for u in sorted(set(range(len(sub.units))).difference(meant)):
            power, unit = sub.owner[u], sub.units[u]
            plan = sub.plans[u] or sub.planner.hold(unit)
            results[power].append(Result((power, unit, plan.order, failed[u], reasons, -1 - u)))
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
    return _opened(variant, position, units, {}, (), phase.results, {})


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
    for power, changed in phase.converted.items():
        units[power] = tuple(changed.get(unit, unit) for unit in units[power])
    for power, raised_units in phase.raised.items():
        units[power] = (*units.get(power, ()), *raised_units)
    after_builds = rule_hooks(variant).after_builds
    if after_builds is not None:
        known = after_builds(variant, position, phase.raised)
        position = replace(position, extra={**position.extra, **known})
    return _opened(variant, position, units, {}, (), phase.results, {})


def _opened(
    variant: Variant,
    position: Position,
    units: Mapping[str, tuple[Unit, ...]],
    retreating: Mapping[str, tuple[Dislodged, ...]],
    contested: tuple[str, ...],
    results: Results | Callable[[], Results],
    dislodged: Mapping[str, tuple[Dislodged, ...]],
) -> Adjudication:
    """Return what the phase of `position` led to: the position in which the next one opens, and who
    has won. `position` has what it remembers and the centers as they are now."""
    following, counted = _after(variant, position.phase)
    centers, extra = position.centers, position.extra
    vanished: tuple[str, ...] = ()
    rules, wasted = rule_hooks(variant), DESTROYED in extra
    if wasted and following.kind is not Kind.RETREATS:
        extra, vanished = rules.vanishing(position.phase, following, extra)
        centers = without(centers, vanished)
    verdict = GOES_ON
    if counted:
        centers = _owners(variant, centers, units, extra)
    if counted if variant.counts == "centers" else position.phase.kind is Kind.ADJUSTMENTS:
        counts = units if variant.counts == "units" else centers
        verdict = rules.winners(variant, position, counts)
        if verdict.extra:
            extra = {**extra, **verdict.extra}
    after = Position(following, units, centers, retreating, contested, extra)
    outcome = Adjudication(results, after, dislodged, contested, verdict.winners, verdict.rivals)
    if wasted:
        outcome.vanished = vanished
        if not verdict.winners:
            outcome.ending = rules.ending(variant, after, rules.can_build)
    return outcome


def _owners(
    variant: Variant,
    centers: Mapping[str, tuple[str, ...]],
    units: Mapping[str, tuple[Unit, ...]],
    extra: Mapping[str, object],
) -> dict[str, tuple[str, ...]]:
    """Return the centers after a Fall turn (2023, "Controlling Supply Centers")."""
    provinces = variant.board.provinces
    lost = no_centers(extra) if extra else ()
    taken = {
        unit.province: power
        for power, standing in units.items()
        for unit in standing
        if provinces[unit.province].supply_center and unit.province not in lost
    }
    owned = {
        power: [center for center in held if taken.get(center, power) == power]
        for power, held in centers.items()
    }
    for center, power in taken.items():
        held = owned.setdefault(power, [])
        if center not in held:
            held.append(center)
    return {power: tuple(held) for power, held in owned.items()}


# -- before the orders --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Owed:
    """What a power has to decide in a phase; see `owed`."""

    units: tuple[Unit, ...] = ()
    builds: int = 0
    removals: int = 0
    conversions: tuple[Unit, ...] = ()

    def converted(self, order: Order) -> Unit | None:
        """Return the unit that an order converts, which is neither a build nor a removal that is
        due."""
        if not isinstance(order, Build):
            return None
        there = order.unit.province
        return next((unit for unit in self.conversions if unit.province == there), None)

    def adjusting(self, orders: Iterable[Order]) -> list[Order]:
        """Return those of the orders that take one of the builds or removals due."""
        kind = Build if self.builds else Disband
        return [each for each in orders if isinstance(each, kind) and not self.converted(each)]


def owed(variant: Variant, position: Position) -> Mapping[str, Owed]:
    """Return what each power has to decide in `position.phase`; powers without a decision are
    absent.

    Units to be ordered, or dislodged units that have somewhere to go; builds that can really be
    made (entitled to, with a free center for each); removals due; units that could be converted.
    """
    found: dict[str, Owed] = {}
    variant = in_position(variant, position)
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
            possible = builds(variant, position, power)
            removals = max(-due(variant, position, power), 0)
            changing = tuple(conversions(variant, position, power))
            if possible or removals or changing:
                found[power] = Owed(builds=possible, removals=removals, conversions=changing)
    stands = rule_hooks(variant).only_holds
    if stands is None:
        return found
    return {power: each for power, each in found.items() if not stands(variant, power)}
