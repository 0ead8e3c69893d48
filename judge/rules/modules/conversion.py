"""Armies that become fleets, and fleets that become armies."""

from __future__ import annotations

from judge.rules.position import Position, Unit
from judge.rules.variant import Variant


def converts_in_centers(variant: Variant, position: Position, power: str, unit: Unit) -> bool:
    """Era of Empire, "Building - Conversion": a unit that stands in a center of its power."""
    return unit.province in position.centers.get(power, ())
