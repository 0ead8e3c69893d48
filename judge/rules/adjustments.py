"""Builds, removals and conversions: who owes what, where units are raised, who goes unasked.

Rulebook 2023, "Gaining and Losing Units Phase" and "Civil Disorder"; DATC 6.I and 6.J.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from judge.rules.closures import destroyed
from judge.rules.kinds import UnitKind, either
from judge.rules.modules import converts_nothing, seams
from judge.rules.orders import Build, Disband, Order, Unreadable, Waive
from judge.rules.outcome import Draft, Reason, Result
from judge.rules.position import Position, Unit
from judge.rules.rulebook import Rulebook
from judge.rules.submission import mismatch
from judge.rules.variant import Variant


def due(variant: Variant, position: Position, power: str) -> int:
    """Centers less units: builds a power is entitled to, or as a negative number removals due."""
    return len(position.centers.get(power, ())) - len(position.units.get(power, ()))


def sites(variant: Variant, position: Position, power: str) -> tuple[str, ...]:
    """The provinces where a power can raise a unit now: owned, empty, and a center of its home."""
    if seams(variant).stands(variant, power):
        return ()
    occupied = {unit.province for units in position.units.values() for unit in units}
    owned = position.centers.get(power, ())
    raising = seams(variant).raises
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
    return seams(variant).allows(variant, position, power, kind)[0]


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
    converting = seams(variant).converts
    if converting is converts_nothing or seams(variant).stands(variant, power):
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
        results = [Draft(power, None, order, Reason.VOID) for order in listed]
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
) -> tuple[Unit | None, str]:
    """The unit a build order would raise, coast and kind filled in, or None and the reason."""
    if unit.province not in variant.board.provinces:
        return None, f"there is no province {unit.location!r} on this board"
    if unit.province not in sites(variant, position, power):
        return None, _no_site(variant, position, power, unit.province)
    new, problem = _new(variant, unit, rulebook)
    if new is not None:
        kind = variant.board.kind(new.kind)
        allowed, too_many = seams(variant).allows(variant, position, power, kind)
        if allowed == 0:
            return None, too_many
    return new, problem


def _new(variant: Variant, unit: Unit, rulebook: Rulebook) -> tuple[Unit | None, str]:
    """The unit that stands in a place anew, coast and kind filled in, or None and the reason."""
    province, _, coast = unit.location.partition("/")
    place = variant.board.provinces[province]
    name = place.name
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
            return None, f"write whether {either(_kinds(variant))} is to be built in {name}"
    if kind is None:
        return None, f"a unit of the kind {unit.kind!r} cannot be built"
    if kind.afloat and inland:
        if rulebook.fleet_inland == "a":
            return None, f"{kind.one} cannot be built inland, and {name} has no coast"
        kind = ashore[0]
    if coast and coast not in place.coasts and rulebook.idle_coast == "a":
        return None, f"{name} has no such coast"
    if not kind.afloat:
        if coast and rulebook.idle_coast == "a":
            return None, f"{kind.one} is not built on a coast"
        return Unit(kind.letter, province), ""
    if coast in place.coasts:
        return Unit(kind.letter, unit.location), ""
    if not place.coasts or rulebook.build_coast == "b":
        return Unit(kind.letter, place.locations[0]), ""
    return None, f"the coast of {name} must be named: {' or '.join(place.locations)}"


def _no_site(variant: Variant, position: Position, power: str, province: str) -> str:
    place = variant.board.provinces[province]
    if not place.supply_center:
        return f"{place.name} is no supply center"
    if province not in position.centers.get(power, ()):
        owner = next((p for p, owned in position.centers.items() if province in owned), None)
        return f"{place.name} belongs to {owner}" if owner else f"{place.name} is not yours"
    occupied = {unit.province for units in position.units.values() for unit in units}
    if province in occupied:
        return f"{place.name} is occupied"
    return f"{place.name} is no center of your home country"


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
                result.reason = Reason.NOT_ALLOWED
                result.say("builds may not be declined under these rules")
            elif order.count is None:
                rest.append(result)
            else:
                wanted.append((result, None, order.count))
        elif isinstance(order, Build):
            unit, problem = raised(variant, position, power, order.unit, rulebook)
            if unit is None:
                result.reason = Reason.NOT_ALLOWED
                result.say(problem)
            else:
                wanted.append((result, unit, 1))
        elif isinstance(order, Disband):
            result.reason = Reason.NOT_ALLOWED
            result.say("no removal is due")
        elif isinstance(order, Unreadable):
            result.say(str(order.problem))
        else:
            result.say("this is no order for an adjustment phase")
    wanted = _one_each(wanted, rulebook)
    ordered = sum(count for _, _, count in wanted)
    if ordered > owed and rulebook.too_many_builds == "a":
        for result, _, _ in wanted:
            result.reason = Reason.NOT_ALLOWED
            result.say(f"{ordered} builds were ordered and {_times(owed)} due, so none is made")
        wanted = []
    if rulebook.too_many_builds == "c":
        wanted.reverse()
    left, made = owed, Counter[str]()
    for result, unit, count in wanted:
        if unit is not None and count <= left:
            kind = variant.board.kind(unit.kind)
            allowed, too_many = seams(variant).allows(variant, position, power, kind)
            if allowed is not None and made[unit.kind] >= allowed:
                result.reason = Reason.NOT_ALLOWED
                result.say(too_many)
                continue
            made[unit.kind] += 1
        if count > left:
            result.reason = Reason.NOT_ALLOWED
            result.say(
                f"only {_times(owed)} due" if owed else "no build is due: as many units as centers"
            )
            continue
        left -= count
        result.reason = None
        if unit is None:
            result.say(f"{count} left unused")
            continue
        result.unit = unit
        result.say(f"built in {variant.board.spoken(unit.location)}")
        phase.raised.setdefault(power, []).append(unit)
    for result in rest:
        if left:
            result.reason = None
            result.say(f"{left} left unused")
            left = 0
        else:
            result.reason = Reason.NOT_ALLOWED
            result.say("no build is left to be waived")
    if left and sites(variant, position, power):
        built = len(phase.raised.get(power, ()))
        unused = min(left, builds(variant, position, power) - built)
        if unused > 0:
            result = Draft(power, None, Waive(unused), None, given=False)
            result.say("no order was given, so the build is left unused")
            results.append(result)


def _times(count: int) -> str:
    return "1 build is" if count == 1 else f"{count} builds are"


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
        result.reason = Reason.SUPERSEDED
        result.say("another build was ordered in the same place")
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
    converting = seams(variant).converts
    if converting is converts_nothing:
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
                draft.reason = Reason.SUPERSEDED
                draft.say("another order for the unit came first")
        elif isinstance(order, Build):
            changes[number] = change
            change.new, problem = _converted(variant, change.old, order.unit, rulebook)
            if change.new is None:
                draft.reason = Reason.NOT_ALLOWED
                draft.say(problem)
            else:
                settled.add(change.old.province)
        elif removing:
            settled.add(change.old.province)
    return changes


def _converted(
    variant: Variant, old: Unit, written: Unit, rulebook: Rulebook
) -> tuple[Unit | None, str]:
    """What a unit becomes by a build order for its place, or None and the reason."""
    place = variant.board.spoken(old.province)
    stands = variant.board.kind(old.kind).one
    if written.kind == old.kind:
        return None, f"{place} is occupied by {stands} already"
    new, problem = _new(variant, written, rulebook)
    if new is not None and new.kind == old.kind:
        return None, f"write what {stands} in {place} is to become"
    return new, problem


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
            draft.reason = Reason.NOT_ALLOWED
            draft.say("the unit was disbanded, because too few removals were ordered")
            continue
        draft.unit, draft.reason = new, None
        was, becomes = variant.board.kind(old.kind).name, variant.board.kind(new.kind).one
        draft.say(f"the {was} in {variant.board.spoken(old.province)} is {becomes} now")
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
        if isinstance(order, Unreadable):
            result.say(str(order.problem))
        elif isinstance(order, Build | Waive):
            result.reason = Reason.NOT_ALLOWED
            result.say(f"no build is due, but {_removals(owed)}")
        elif not isinstance(order, Disband):
            result.say("this is no order for an adjustment phase")
        else:
            unit = own.get(order.unit.province)
            if unit is None:
                result.say(f"no unit of yours stands in {_name(variant, order.unit)}")
                continue
            result.unit = unit
            problem = mismatch(rulebook, order.unit, unit, variant.board)
            if problem:
                result.say(problem)
            elif any(unit == other.unit for other in wanted):
                result.reason = Reason.SUPERSEDED
                result.say("the unit is disbanded already")
            else:
                wanted.append(result)
    excess = len(wanted) > owed
    if excess and rulebook.too_many_removals == "c":
        wanted.reverse()
    gone: list[Unit] = []
    for result in wanted:
        assert result.unit is not None
        if (excess and rulebook.too_many_removals == "a") or len(gone) == owed:
            result.reason = Reason.NOT_ALLOWED
            result.say(f"only {_removals(owed)}")
        else:
            result.reason = None
            result.say("disbanded as ordered")
            gone.append(result.unit)
    left = [unit for unit in own.values() if unit not in gone]
    for unit in first_to_go(variant, position, power, left, rulebook)[: owed - len(gone)]:
        result = Draft(power, unit, Disband(unit), None, given=False)
        result.say("no removal was ordered for it; " + _rule(rulebook))
        results.append(result)
        gone.append(unit)
    phase.disbanded[power] = gone


def _removals(owed: int) -> str:
    return "1 removal is due" if owed == 1 else f"{owed} removals are due"


def _name(variant: Variant, unit: Unit) -> str:
    known = unit.province in variant.board.provinces
    return variant.board.spoken(unit.province) if known else repr(unit.location)


def _rule(rulebook: Rulebook) -> str:
    nearest = "home center" if rulebook.removal == "a" else "center of its own"
    return f"the unit farthest from a {nearest} goes first, a fleet before an army, then by name"


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
