"""Bombs: whether a unit that launches them does more harm to others by one than by staying."""

from __future__ import annotations

from collections.abc import Sequence

from judge.bots.options import Scene
from judge.rules.board import province_of
from judge.rules.modules.destruction import centers_left
from judge.rules.orders import Hold, Launch, Move, Order


def with_bombs(scene: Scene, power: str, orders: Sequence[Order]) -> list[Order]:
    """Return a power's orders for a movement phase, with bombs where units that launch them hold.

    A bomb falls without help of others on a place where another power's unit stands, and none of
    the own; on a center only as long as twice as many are left as win, for a destroyed center is
    nobody's for good.
    """
    options = scene.options(power)
    shy = {*scene.position.centers.get(power, ())}
    shy |= {unit.province for unit in options.units}
    shy |= {province_of(each.to) for each in orders if isinstance(each, Move)}
    found: list[Order] = []
    for order in orders:
        if isinstance(order, Hold):
            bombs = [
                each
                for each in options.other.get(order.unit, ())
                if isinstance(each, Launch) and not each.via and province_of(each.to) not in shy
            ]
            best = max(bombs, key=lambda each: (_harm(scene, power, each), each.to), default=order)
            if isinstance(best, Launch) and _harm(scene, power, best):
                shy.add(province_of(best.to))
                order = best
        found.append(order)
    return found


def _harm(scene: Scene, power: str, order: Launch) -> int:
    """Return what a bomb takes from others: their unit there, and a center; 0 where it should not
    fall."""
    position, place = scene.position, province_of(order.to)
    standing = any(
        unit.province == place
        for other, units in position.units.items()
        for unit in units
        if other != power
    )
    if not standing:
        return 0
    if not scene.variant.board.provinces[place].supply_center:
        return 1
    left = len(centers_left(scene.variant, position))
    owned = any(place in held for other, held in position.centers.items() if other != power)
    return (1 + owned) if left > 2 * scene.variant.victory else 0
