"""Builds, removals and conversions: who owes what, where units are raised, who goes unasked.

Rulebook 2023, "Gaining and Losing Units Phase" and "Civil Disorder"; DATC 6.I and 6.J.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from judge.rules.board import UnitKind
from judge.rules.board_index import destroyed
from judge.rules.hooks import never_converts, rule_hooks
from judge.rules.orders import Build, Disband, Order, Unreadable, Waive
from judge.rules.outcome import (
    Built,
    Converted,
    Disbanded,
    NotAllowed,
    Precedence,
    Removal,
    Superseded,
    Void,
    Waived,
)
from judge.rules.position import Position, Unit
from judge.rules.problems import Code, Illegal, Problem
from judge.rules.result import Draft, Result
from judge.rules.rulebook import Rulebook
from judge.rules.submission import mismatch
from judge.rules.variant import Variant


def due(variant: Variant, position: Position, power: str) -> int:
    """Centers less units: builds a power is entitled to, or as a negative number removals due."""
    return len(position.centers.get(power, ())) - len(position.units.get(power, ()))


def sites(variant: Variant, position: Position, power: str) -> tuple[str, ...]:
    """The provinces where a power can raise a unit now: owned, empty, and a center of its home."""
    stands = rule_hooks(variant).only_holds
    if stands is not None and stands(variant, power):
        return ()
    occupied = {unit.province for units in position.units.values() for unit in units}
    owned = position.centers.get(power, ())
    raising = rule_hooks(variant).can_build
    return tuple(
        province
        for province in owned
        if province not in occupied and raising(variant, position, power, province)
    )


def builds(variant: Variant, position: Position, power: str) -> int:
    """How many builds a power can really make: entitled to, with a free center for each and a kind
    of unit of which it may have more."""
    due_now = due(variant, position, power)
    if due_now <= 0:
        return 0
    free = sites(variant, position, power)
    allowed = {kind: _allowed(variant, position, power, kind) for kind in _kinds(variant)}
    if any(allowed[kind] is None for kind in allowed if not kind.afloat):
        return min(due_now, len(free))
    inland = sum(variant.board.provinces[place].terrain == "land" for place in free)
    ashore = sum(count or 0 for kind, count in allowed.items() if not kind.afloat)
    afloat = len(free)
    if all(allowed[kind] is not None for kind in allowed if kind.afloat):
        afloat = sum(count or 0 for kind, count in allowed.items() if kind.afloat)
    inside = min(inland, ashore)
    return min(due_now, inside + min(len(free) - inland, ashore - inside + afloat))


def _kinds(variant: Variant) -> Iterable[UnitKind]:
    return variant.board.kinds.values()


def _allowed(variant: Variant, position: Position, power: str, kind: UnitKind) -> int | None:
    return rule_hooks(variant).build_limit(variant, position, power, kind)[0]


def raisable(variant: Variant, position: Position, power: str, province: str) -> Iterator[Unit]:
    """The units that a power could raise in one of its `sites`."""
    place = variant.board.provinces[province]
    for kind in _kinds(variant):
        if kind.afloat and place.terrain == "land":
            continue
        if _allowed(variant, position, power, kind) != 0:
            for location in place.locations if kind.afloat else (province,):
                yield Unit(kind.letter, location)


def conversions(variant: Variant, position: Position, power: str) -> dict[Unit, tuple[Unit, ...]]:
    """The units of a power that could be of another kind by a build order for their place, each
    with what it could become."""
    converting, stands = rule_hooks(variant).can_convert, rule_hooks(variant).only_holds
    if converting is never_converts or (stands is not None and stands(variant, power)):
        return {}
    found: dict[Unit, tuple[Unit, ...]] = {}
    for unit in position.units.get(power, ()):
        place = variant.board.provinces[unit.province]
        if place.terrain == "coast" and converting(variant, position, power, unit):
            afloat = variant.board.kind(unit.kind).afloat
            others = (kind for kind in _kinds(variant) if kind.afloat != afloat)
            found[unit] = tuple(
                Unit(kind.letter, location)
                for kind in others
                for location in (place.locations if kind.afloat else (unit.province,))
            )
    return found


@dataclass(slots=True)
class AdjustmentPhase:
    """An adjustment phase as it came out: the results, the units raised and disbanded, and those
    converted with what they have become."""

    results: dict[str, list[Result]] = field(default_factory=dict)
    raised: dict[str, list[Unit]] = field(default_factory=dict)
    disbanded: dict[str, list[Unit]] = field(default_factory=dict)
    converted: dict[str, dict[Unit, Unit]] = field(default_factory=dict)


def adjust(
    variant: Variant,
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    rulebook: Rulebook,
) -> AdjustmentPhase:
    """Carry out builds, waives, conversions and removals, the automatic ones included."""
    phase = AdjustmentPhase()
    powers = dict.fromkeys((*position.units, *position.centers, *orders))
    for power in powers:
        listed = orders.get(power, ())
        owed = due(variant, position, power)
        results = [Draft(power, None, order) for order in listed]
        changes = _changes(variant, position, power, results, rulebook)
        rest = results
        if changes:
            rest = [draft for number, draft in enumerate(results) if number not in changes]
        given = len(rest)
        if owed < 0:
            _remove(variant, position, power, -owed, rest, rulebook, phase)
        else:
            _build(variant, position, power, owed, rest, rulebook, phase)
        if changes:
            results += rest[given:]
            _convert(variant, power, changes, phase)
        if results:
            phase.results[power] = [draft.result for draft in results]
    return phase


# -- builds -----------------------------------------------------------------------------------


def raised(
    variant: Variant, position: Position, power: str, unit: Unit, rulebook: Rulebook
) -> Unit | Problem:
    """The unit a build order would raise, coast and kind filled in, or why there is none."""
    if unit.province not in variant.board.provinces:
        return Illegal(code=Code.NO_PROVINCE, word=unit.location)
    if unit.province not in sites(variant, position, power):
        return _no_site(variant, position, power, unit.province)
    new = _new(variant, unit, rulebook)
    if isinstance(new, Unit):
        kind = variant.board.kind(new.kind)
        allowed, too_many = rule_hooks(variant).build_limit(variant, position, power, kind)
        if allowed == 0:
            return too_many
    return new


def _new(variant: Variant, unit: Unit, rulebook: Rulebook) -> Unit | Problem:
    """The unit that stands in a place anew, coast and kind filled in, or why there is none."""
    province, _, coast = unit.location.partition("/")
    place = variant.board.provinces[province]
    inland = place.terrain == "land"
    ashore = [kind for kind in _kinds(variant) if not kind.afloat]
    afloat = [kind for kind in _kinds(variant) if kind.afloat]
    kind = variant.board.kinds.get(unit.kind)
    if not unit.kind:
        if rulebook.build_letter != "a" and inland and len(ashore) == 1:
            kind = ashore[0]
        elif rulebook.build_letter == "c" and coast in place.coasts and len(afloat) == 1:
            kind = afloat[0]
        else:
            kinds = tuple(kind.letter for kind in _kinds(variant))
            return Illegal(code=Code.BUILD_KIND, kinds=kinds, place=province)
    if kind is None:
        return Illegal(code=Code.UNKNOWN_KIND, word=unit.kind)
    if kind.afloat and inland:
        if rulebook.fleet_inland == "a":
            return Illegal(code=Code.BUILD_INLAND, kind=kind.letter, place=province)
        kind = ashore[0]
    if coast and coast not in place.coasts and rulebook.idle_coast == "a":
        return Illegal(code=Code.NO_SUCH_COAST, place=province)
    if not kind.afloat:
        if coast and rulebook.idle_coast == "a":
            return Illegal(code=Code.BUILD_ON_COAST, kind=kind.letter)
        return Unit(kind.letter, province)
    if coast in place.coasts:
        return Unit(kind.letter, unit.location)
    if not place.coasts or rulebook.build_coast == "b":
        return Unit(kind.letter, place.locations[0])
    return Illegal(code=Code.BUILD_COAST, place=province, write=place.locations)


def _no_site(variant: Variant, position: Position, power: str, province: str) -> Problem:
    place = variant.board.provinces[province]
    if not place.supply_center:
        return Illegal(code=Code.NO_CENTER, place=province)
    if province not in position.centers.get(power, ()):
        owner = next((p for p, owned in position.centers.items() if province in owned), None)
        if owner is None:
            return Illegal(code=Code.NOT_OWNED, place=province)
        return Illegal(code=Code.FOREIGN_CENTER, place=province, power=owner)
    occupied = {unit.province for units in position.units.values() for unit in units}
    if province in occupied:
        return Illegal(code=Code.OCCUPIED, place=province)
    return Illegal(code=Code.NOT_HOME, place=province)


def _build(
    variant: Variant,
    position: Position,
    power: str,
    owed: int,
    results: list[Draft],
    rulebook: Rulebook,
    phase: AdjustmentPhase,
) -> None:
    wanted: list[tuple[Draft, Unit | None, int]] = []
    rest: list[Draft] = []
    for result in results:
        order = result.order
        if isinstance(order, Waive):
            if rulebook.waiving == "b":
                _refuse(result, Code.NO_WAIVING)
            elif order.count is None:
                rest.append(result)
            else:
                wanted.append((result, None, order.count))
        elif isinstance(order, Build):
            new = raised(variant, position, power, order.unit, rulebook)
            if isinstance(new, Problem):
                result.outcome = NotAllowed(new)
            else:
                wanted.append((result, new, 1))
        elif isinstance(order, Disband):
            _refuse(result, Code.NO_REMOVAL_DUE)
        else:
            result.outcome = Void(_no_adjustment(order))
    wanted = _one_each(wanted, rulebook)
    ordered = sum(count for _, _, count in wanted)
    if ordered > owed and rulebook.too_many_builds == "a":
        for result, _, _ in wanted:
            _refuse(result, Code.TOO_MANY_BUILDS, owed, ordered)
        wanted = []
    if rulebook.too_many_builds == "c":
        wanted.reverse()
    left, made = owed, Counter[str]()
    for result, unit, count in wanted:
        if unit is not None and count <= left:
            kind = variant.board.kind(unit.kind)
            allowed, too_many = rule_hooks(variant).build_limit(variant, position, power, kind)
            if allowed is not None and made[unit.kind] >= allowed:
                result.outcome = NotAllowed(too_many)
                continue
            made[unit.kind] += 1
        if count > left:
            _refuse(result, Code.FEW_BUILDS_DUE if owed else Code.NO_BUILD_DUE, owed or None)
            continue
        left -= count
        if unit is None:
            result.outcome = Waived(count)
            continue
        result.unit, result.outcome = unit, Built()
        phase.raised.setdefault(power, []).append(unit)
    for result in rest:
        if left:
            result.outcome = Waived(left)
            left = 0
        else:
            _refuse(result, Code.NONE_TO_WAIVE)
    used = {unit.province for unit in phase.raised.get(power, ())}
    for unit in rule_hooks(variant).default_builds(variant, position, power) if left else ():
        if left and unit.province not in used:
            left -= 1
            results.append(Draft(power, unit, Build(unit), Built(), given=False))
            phase.raised.setdefault(power, []).append(unit)
    if left and sites(variant, position, power):
        built = len(phase.raised.get(power, ()))
        unused = min(left, builds(variant, position, power) - built)
        if unused > 0:
            results.append(Draft(power, None, Waive(unused), Waived(unused), given=False))


def _refuse(draft: Draft, code: Code, count: int | None = None, ordered: int | None = None) -> None:
    draft.outcome = NotAllowed(Illegal(code=code, count=count, ordered=ordered))


def _no_adjustment(order: Order) -> Problem:
    """What is wrong with an order that adjusts nothing."""
    if isinstance(order, Unreadable):
        return order.problem
    return Illegal(code=Code.NOT_FOR_ADJUSTMENTS)


def _one_each(
    wanted: list[tuple[Draft, Unit | None, int]], rulebook: Rulebook
) -> list[tuple[Draft, Unit | None, int]]:
    """Of several builds in one place the one that counts (DATC 4.D.5, 6.I.7)."""
    by_place: dict[str, list[Draft]] = {}
    for result, unit, _ in wanted:
        if unit is not None:
            by_place.setdefault(unit.province, []).append(result)
    dropped: list[Draft] = []
    for results in by_place.values():
        if len(results) > 1:
            same = all(result.order == results[0].order for result in results)
            choice = "b" if same and rulebook.built_twice == "a" else rulebook.built_twice
            keep = {"a": None, "b": results[0], "c": results[-1]}[choice]
            dropped += [result for result in results if result is not keep]
    for result in dropped:
        result.outcome = Superseded(Precedence.SAME_PLACE)
    return [item for item in wanted if not any(item[0] is result for result in dropped)]


# -- conversions ------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Change:
    """An order about a unit that could be converted; `new` is None where it stays as it is."""

    draft: Draft
    old: Unit
    new: Unit | None = None


def _changes(
    variant: Variant,
    position: Position,
    power: str,
    results: Sequence[Draft],
    rulebook: Rulebook,
) -> dict[int, _Change]:
    """The orders to convert a unit, by their numbers, and those to disband one that come too late.

    The first order for a unit counts, as with too many builds.
    """
    converting = rule_hooks(variant).can_convert
    if converting is never_converts:
        return {}
    own = {
        unit.province: unit
        for unit in position.units.get(power, ())
        if converting(variant, position, power, unit)
    }
    removing = due(variant, position, power) < 0
    settled: set[str] = set()
    changes: dict[int, _Change] = {}
    for number, draft in enumerate(results):
        order = draft.order
        if not isinstance(order, Build | Disband) or order.unit.province not in own:
            continue
        change = _Change(draft, own[order.unit.province])
        if change.old.province in settled:
            if isinstance(order, Build) or removing:
                changes[number] = change
                draft.outcome = Superseded(Precedence.EARLIER)
        elif isinstance(order, Build):
            changes[number] = change
            new = _converted(variant, change.old, order.unit, rulebook)
            if isinstance(new, Problem):
                draft.outcome = NotAllowed(new)
            else:
                change.new = new
                settled.add(change.old.province)
        elif removing:
            settled.add(change.old.province)
    return changes


def _converted(variant: Variant, old: Unit, written: Unit, rulebook: Rulebook) -> Unit | Problem:
    """What a unit becomes by a build order for its place, or why it becomes nothing else."""
    if written.kind == old.kind:
        return Illegal(code=Code.ALREADY_THAT_KIND, place=old.province, kind=old.kind)
    new = _new(variant, written, rulebook)
    if isinstance(new, Unit) and new.kind == old.kind:
        return Illegal(code=Code.CONVERT_TO_WHAT, place=old.province, kind=old.kind)
    return new


def _convert(
    variant: Variant, power: str, changes: Mapping[int, _Change], phase: AdjustmentPhase
) -> None:
    """Convert the units that are still there."""
    gone = phase.disbanded.get(power, ())
    for change in changes.values():
        draft, old, new = change.draft, change.old, change.new
        if new is None:
            continue
        if old in gone:
            _refuse(draft, Code.REMOVED_FIRST)
            continue
        draft.unit, draft.outcome = new, Converted(old)
        phase.converted.setdefault(power, {})[old] = new


# -- removals ---------------------------------------------------------------------------------


def _remove(
    variant: Variant,
    position: Position,
    power: str,
    owed: int,
    results: list[Draft],
    rulebook: Rulebook,
    phase: AdjustmentPhase,
) -> None:
    own = {unit.province: unit for unit in position.units.get(power, ())}
    wanted: list[Draft] = []
    for result in results:
        order = result.order
        if isinstance(order, Build | Waive):
            _refuse(result, Code.REMOVALS_DUE, owed)
        elif not isinstance(order, Disband):
            result.outcome = Void(_no_adjustment(order))
        else:
            unit = own.get(order.unit.province)
            if unit is None:
                result.outcome = Void(Illegal(code=Code.NOT_STANDING, place=order.unit.province))
                continue
            result.unit = unit
            problem = mismatch(rulebook, order.unit, unit, variant.board)
            if problem:
                result.outcome = Void(problem)
            elif any(unit == other.unit for other in wanted):
                result.outcome = Superseded(Precedence.DISBANDED)
            else:
                wanted.append(result)
    excess = len(wanted) > owed
    if excess and rulebook.too_many_removals == "c":
        wanted.reverse()
    gone: list[Unit] = []
    for result in wanted:
        assert result.unit is not None
        if (excess and rulebook.too_many_removals == "a") or len(gone) == owed:
            _refuse(result, Code.FEW_REMOVALS_DUE, owed)
        else:
            result.outcome = Disbanded()
            gone.append(result.unit)
    left = [unit for unit in own.values() if unit not in gone]
    for unit in first_to_go(variant, position, power, left, rulebook)[: owed - len(gone)]:
        why = Removal.FARTHEST_FROM_HOME if rulebook.removal == "a" else Removal.FARTHEST
        results.append(Draft(power, unit, Disband(unit), Disbanded(why), given=False))
        gone.append(unit)
    phase.disbanded[power] = gone


def first_to_go(
    variant: Variant,
    position: Position,
    power: str,
    units: Iterable[Unit],
    rulebook: Rulebook,
) -> list[Unit]:
    """`units` in the order in which they are removed when nobody chose (DATC 4.D.8)."""
    board = variant.board
    owned = position.centers.get(power, ())
    home = [p.id for p in board.provinces.values() if p.supply_center and p.home == power]
    shut = destroyed(position)
    any_way = _distances(variant, owned, shut, anybody=True)
    home_by_land = _distances(variant, home, shut, anybody=True)
    home_by_sea = _distances(variant, home, shut, anybody=False)
    never = len(board.provinces) + len(board.fleet)

    def key(unit: Unit) -> tuple[bool, int, bool, str]:
        if rulebook.removal != "a":
            away = any_way.get(unit.province, never)
        elif board.kind(unit.kind).afloat:
            away = home_by_sea.get(unit.location, never)
        else:
            away = home_by_land.get(unit.province, never)
        spared = rulebook.removal == "c" and board.provinces[unit.province].supply_center
        return spared, -away, not board.kind(unit.kind).afloat, board.provinces[unit.province].name

    return sorted(units, key=key)


def _distances(
    variant: Variant, goals: Sequence[str], shut: Sequence[str], *, anybody: bool
) -> dict[str, int]:
    """Steps to the nearest of `goals` (provinces): over provinces of any kind, keyed by province;
    or as a fleet goes, keyed by location. No way leads over those that are `shut`."""
    board = variant.board
    goals = [goal for goal in goals if goal not in shut]
    steps: dict[str, set[str]] = {}
    if anybody:
        for here, there in board.army.items():
            steps.setdefault(here, set()).update(there)
        for here, there in board.fleet.items():
            steps.setdefault(here.partition("/")[0], set()).update(
                location.partition("/")[0] for location in there
            )
        start = list(goals)
    else:
        steps = {here: set(there) for here, there in board.fleet.items()}
        start = [location for goal in goals for location in board.provinces[goal].locations]
    away = dict.fromkeys(start, 0)
    ahead = list(start)
    for here in ahead:
        for beyond in steps.get(here, ()):
            if beyond not in away and beyond.partition("/")[0] not in shut:
                away[beyond] = away[here] + 1
                ahead.append(beyond)
    return away
