"""Writes orders: in canonical form, and in words for letters."""

from __future__ import annotations

from judge.language.phases import read_phase
from judge.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Proxy,
    Retreat,
    Support,
    Waive,
)
from judge.rules.position import Unit
from judge.rules.variant import Variant

__all__ = ["describe", "describe_unit", "read_phase", "write_order"]

KIND_WORDS = {"A": "army", "F": "fleet", "N": "navy", "AF": "air force", "R": "arsenal"}


def write_order(order: Order) -> str:
    """The order in canonical form, which `read_order` reads back to an equal order."""
    return str(order)


def describe_unit(unit: Unit, variant: Variant) -> str:
    """A unit in words: "army Paris", "fleet St. Petersburg (south coast)"."""
    place = location_name(unit.location, variant)
    return f"{KIND_WORDS.get(unit.kind, 'unit')} {place}"


def location_name(location: str, variant: Variant) -> str:
    """The full name of a location; what is no location of the board is left as it is."""
    if location.partition("/")[0] in variant.board.provinces:
        return variant.board.name(location)
    return location


def describe(order: Order, variant: Variant) -> str:
    """The order as a sentence without a full stop: "Army Paris moves to Burgundy".

    What could not be read is returned as it was written.
    """
    text = _describe(order, variant)
    return text[:1].upper() + text[1:] if text else text


def _describe(order: Order, variant: Variant) -> str:
    def unit(unit: Unit) -> str:
        return describe_unit(unit, variant)

    def place(location: str) -> str:
        return location_name(location, variant)

    match order:
        case Hold():
            return f"{unit(order.unit)} holds"
        case Move() if order.path:
            waters = " and ".join(map(place, order.path))
            return f"{unit(order.unit)} moves to {place(order.to)} by convoy over {waters}"
        case Move():
            by = " by convoy" if order.via else ""
            return f"{unit(order.unit)} moves to {place(order.to)}{by}"
        case Support(to=None):
            return f"{unit(order.unit)} supports {unit(order.target)}"
        case Support():
            aim = place(order.to or "")
            return f"{unit(order.unit)} supports {unit(order.target)} in its move to {aim}"
        case Convoy():
            return f"{unit(order.unit)} convoys {unit(order.army)} to {place(order.to)}"
        case Retreat():
            return f"{unit(order.unit)} retreats to {place(order.to)}"
        case Disband():
            return f"{unit(order.unit)} disbands"
        case Proxy():
            return f"{unit(order.unit)} is ordered by {order.power}"
        case Build():
            return f"build {unit(order.unit)}"
        case Waive(count=None):
            return "waive all other builds"
        case Waive():
            return "waive one build" if order.count == 1 else f"waive {order.count} builds"
        case _:
            return str(order)
