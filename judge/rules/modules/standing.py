"""Powers whose units only hold, and units that never retreat."""

from __future__ import annotations

from judge.rules.position import Dislodged
from judge.rules.variant import Variant


def holds_if_named(variant: Variant, power: str) -> bool:
    """Games for fewer players: the units of a power without a player "hold in position and defend
    themselves, but don't support each other"; forced to retreat they are disbanded."""
    return power in variant.standing


def never_retreats(variant: Variant, gone: Dislodged) -> bool:
    """AUTO DISBAND: what is dislodged is destroyed."""
    return False
