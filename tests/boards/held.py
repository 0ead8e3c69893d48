"""What holds of every position on every board, and from each phase to the next."""

from __future__ import annotations

from collections.abc import Iterator

from judge.rules import engine
from judge.rules.adjustments import due
from judge.rules.board_index import closed_provinces
from judge.rules.hooks import rule_hooks
from judge.rules.modules.destruction import no_centers
from judge.rules.phase import Kind
from judge.rules.position import Position
from judge.rules.result import Adjudication
from judge.rules.variant import Variant, of_phase


def broken(variant: Variant, before: Position, done: Adjudication) -> list[str]:
    """What does not hold after a phase, a sentence each."""
    after = done.position
    variant = of_phase(variant, before.phase)
    found = [*_stands(variant, after), *_owned(variant, before, after)]
    found += _standing(variant, before, after)
    if before.phase.kind is Kind.ADJUSTMENTS:
        found += _adjusted(variant, before, after)
    else:
        found += _moved(before, after)
    return [f"{variant.name} {before.phase}: {each}" for each in found]


def _stands(variant: Variant, position: Position) -> Iterator[str]:
    """One unit to a province, each where it can be, none where it may not come."""
    seen: dict[str, str] = {}
    shut = {each.province for each in closed_provinces(variant, position) if each.destroyed}
    for power, units in position.units.items():
        for unit in units:
            if unit.province in seen:
                yield f"{unit} of {power} and {seen[unit.province]} are in one province"
            seen[unit.province] = f"{unit} of {power}"
            if not variant.board.stands(unit.kind, unit.location):
                yield f"{unit} of {power} cannot stand there"
            if unit.province in shut:
                yield f"{unit} of {power} is in a destroyed province"
            if unit.province in variant.closed and power not in variant.standing:
                yield f"{unit} of {power} is in a neutral country"
        for kind in variant.board.kinds.values():
            if kind.limit is not None:
                count = sum(unit.kind == kind.letter for unit in units)
                if count > kind.limit:
                    yield f"{power} has {count} {kind.plural}"


def _owned(variant: Variant, before: Position, after: Position) -> Iterator[str]:
    """A center has one owner, and keeps it until another one takes it."""
    provinces = variant.board.provinces
    owners: dict[str, str] = {}
    for power, centers in after.centers.items():
        for center in centers:
            if not provinces[center].supply_center:
                yield f"{center} of {power} is no supply center"
            if owners.setdefault(center, power) != power:
                yield f"{center} belongs to {power} and to {owners[center]}"
    was = {center: power for power, centers in before.centers.items() for center in centers}
    standing = {unit.province: power for power, units in after.units.items() for unit in units}
    for center, power in was.items():
        now = owners.get(center)
        if now is None and center not in no_centers(after.extra):
            yield f"{center} belongs to nobody any more"
        if now not in (None, power) and standing.get(center) != now:
            yield f"{center} went from {power} to {now}, who is not there"


def _standing(variant: Variant, before: Position, after: Position) -> Iterator[str]:
    for power in variant.standing:
        came = set(after.units.get(power, ())) - set(before.units.get(power, ()))
        if before.phase.kind is Kind.ADJUSTMENTS:
            came -= set(rule_hooks(variant).default_builds(variant, before, power))
        if came:
            yield f"{power} stands, and has {came} now"
        if after.dislodged.get(power):
            yield f"{power} stands, and is to retreat"


def _adjusted(variant: Variant, before: Position, after: Position) -> Iterator[str]:
    """As many builds as supplies allow, as many removals as they ask for."""
    owed = engine.owed(variant, before)
    default_builds = rule_hooks(variant).default_builds
    for power in dict.fromkeys((*before.units, *before.centers)):
        had, has = len(before.units.get(power, ())), len(after.units.get(power, ()))
        balance = due(variant, before, power)
        most = owed[power].builds if power in owed else len(default_builds(variant, before, power))
        if balance < 0 and has != had + balance:
            yield f"{power} had {had} units and {-balance} removals due, and has {has}"
        if balance >= 0 and not had <= has <= had + min(most, balance):
            yield f"{power} had {had} units and {most} builds, and has {has}"


def _moved(before: Position, after: Position) -> Iterator[str]:
    """Units come from nowhere only by builds."""
    for power in dict.fromkeys((*before.units, *after.units)):
        had = len(before.units.get(power, ())) + len(before.dislodged.get(power, ()))
        has = len(after.units.get(power, ())) + len(after.dislodged.get(power, ()))
        if has > had:
            yield f"{power} had {had} units and has {has}"
