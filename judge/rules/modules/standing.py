"""Powers whose units only hold, and units that never retreat."""

from __future__ import annotations

from judge.rules.position import Dislodged, Position, Unit
from judge.rules.variant import Variant


def holds_if_named(variant: Variant, power: str) -> bool:
    """Games for fewer players: the units of a power without a player "hold in position and defend
    themselves, but don't support each other"; forced to retreat they are disbanded."""
    return power in variant.standing


def armies_come_back(variant: Variant, position: Position, power: str) -> tuple[Unit, ...]:
    """Known World 901: a center that is nobody's yet raises its neutral army again when it is
    empty. Nobody's centers are those of the powers that stand."""
    if power not in variant.standing:
        return ()
    kind = next(letter for letter, kind in variant.board.kinds.items() if not kind.afloat)
    occupied = {unit.province for units in position.units.values() for unit in units}
    owned = position.centers.get(power, ())
    return tuple(Unit(kind, center) for center in owned if center not in occupied)


def never_retreats(variant: Variant, gone: Dislodged) -> bool:
    """AUTO DISBAND: what is dislodged is destroyed."""
    return False
