"""Every order that can be written for a unit, and those of them the reference calls legal."""

from __future__ import annotations

from judge.rules.orders import Convoy, Hold, Move, Order, Support
from judge.rules.position import Position, Unit
from judge.rules.variant import Variant
from tests.prove.reference import Situation


def writable(variant: Variant, position: Position, unit: Unit) -> list[Order]:
    """All orders for the unit that name places of the board and units standing there.

    Most are nonsense. Fleets name coasts, armies none; a support names the unit as it stands.
    """
    board = variant.board
    orders: list[Order] = [Hold(unit)]
    others = [other for units in position.units.values() for other in units if other != unit]
    for to in _places(variant, unit):
        orders.append(Move(unit, to))
        if unit.kind == "A":
            orders.append(Move(unit, to, via=True))
    for other in others:
        orders.append(Support(unit, other))
        orders.extend(Support(unit, other, to) for to in _places(variant, other))
        orders.extend(Convoy(unit, other, to) for to in board.provinces)
    return orders


def _places(variant: Variant, unit: Unit) -> list[str]:
    provinces = variant.board.provinces
    if unit.kind == "A":
        return sorted(provinces)
    return sorted({place for province in provinces.values() for place in province.locations})


def legal(variant: Variant, position: Position, unit: Unit) -> list[Order]:
    """The writable orders that the reference does not call illegal.

    An order to sail is listed beside the plain move only where the army could walk as well.
    """
    situation = Situation(variant, position, {})
    piece = situation.pieces[unit.province]
    found = []
    for order in writable(variant, position, unit):
        if situation.followed(piece, order) is None:
            continue
        if isinstance(order, Move) and order.via:
            steps = variant.board.steps("A", unit.location)
            if order.to not in steps:
                continue
        if isinstance(order, Support) and order.to is not None and order.target.kind == "F":
            steps = variant.board.steps("F", order.target.location)
            if order.to not in steps:
                continue
        found.append(order)
    return found
