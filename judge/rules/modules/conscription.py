"""Where units are built, at home or elsewhere, how many of a kind, and which can be converted."""

from __future__ import annotations

from judge.rules.board import UnitKind
from judge.rules.position import Position, Unit
from judge.rules.problems import Code, Illegal, Problem
from judge.rules.variant import Variant


def builds_anywhere(variant: Variant, position: Position, power: str, province: str) -> bool:
    """Era of Empire, "Building - Conscription": in any center that it owns and that is empty."""
    return variant.board.provinces[province].supply_center


def builds_holding_home(variant: Variant, position: Position, power: str, province: str) -> bool:
    """ONE CENTERS: in any center that it owns, as long as it owns one of its home country."""
    provinces = variant.board.provinces
    home = any(provinces[each].home == power for each in position.centers.get(power, ()))
    return home and provinces[province].supply_center


def builds_at_home(variant: Variant, position: Position, power: str, province: str) -> bool:
    """Return the standard rule: in the empty centers of its home country."""
    place = variant.board.provinces[province]
    return place.supply_center and place.home == power


def builds_in_any_home(variant: Variant, position: Position, power: str, province: str) -> bool:
    """Twenty Twenty: in any center of a home country that it owns, also another power's."""
    place = variant.board.provinces[province]
    return place.supply_center and place.home is not None


def builds_up_to_limit(
    variant: Variant, position: Position, power: str, kind: UnitKind
) -> tuple[int | None, Problem]:
    """Return the standard rule: as many as there are builds, unless the variant limits the kind."""
    too_many = Illegal(code=Code.KIND_LIMIT, count=kind.limit, kind=kind.letter)
    if kind.limit is None:
        return None, too_many
    standing = sum(unit.kind == kind.letter for unit in position.units.get(power, ()))
    return max(kind.limit - standing, 0), too_many


def builds_nothing(variant: Variant, position: Position, power: str) -> tuple[Unit, ...]:
    """Return the standard rule: a build that nobody ordered is left unused."""
    return ()


def armies_at_the_start(variant: Variant, position: Position, power: str) -> tuple[Unit, ...]:
    """Chaos: who orders nothing for the empty board gets an army in each center of his home."""
    if any(position.units.values()):
        return ()
    kind = next(letter for letter, kind in variant.board.kinds.items() if not kind.afloat)
    return tuple(
        Unit(kind, center)
        for center in position.centers.get(power, ())
        if builds_at_home(variant, position, power, center)
    )


def converts_in_centers(variant: Variant, position: Position, power: str, unit: Unit) -> bool:
    """Era of Empire, "Building - Conversion": a unit that stands in a center of its power."""
    return unit.province in position.centers.get(power, ())
