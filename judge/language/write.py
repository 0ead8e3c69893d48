"""Writes orders: in canonical form, and in words for letters."""

from __future__ import annotations

from collections.abc import Callable

from judge.language.phases import read_phase
from judge.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Launch,
    Move,
    Order,
    Proxy,
    Relay,
    Retreat,
    Support,
    Waive,
)
from judge.rules.position import Unit
from judge.rules.variant import Variant

__all__ = ["describe", "describe_unit", "read_phase", "write_order"]


def write_order(order: Order) -> str:
    """The order in canonical form, which `read_order` reads back to an equal order."""
    return str(order)


def describe_unit(unit: Unit, variant: Variant) -> str:
    """A unit in words: "army Paris", "fleet St. Petersburg (south coast)", or "the unit in Paris"
    where its type was not written."""
    place = location_name(unit.location, variant)
    if not unit.kind:
        return f"the unit in {place}"
    return f"{variant.board.kind(unit.kind).name} {place}"


def location_name(location: str, variant: Variant) -> str:
    """The full name of a location; what is no location of the board is left as it is."""
    if location.partition("/")[0] in variant.board.provinces:
        return variant.board.name(location)
    return location


def _relayed(order: Relay, place: Callable[[str], str]) -> str:
    """Whence a unit has a bomb and where it takes it: "from Sahara to the next"."""
    *before, source = map(place, order.origins)
    came = f", which came from {' and '.join(before)}," if before else ""
    via = " and ".join(map(place, order.via))
    if order.to is None:
        return f"from {source}{came} on to {via}"
    over = f" by way of {via}" if via else ""
    return f"from {source}{came}{over} to {place(order.to)}"


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
        case Launch(via=()):
            return f"{unit(order.unit)} bombs {place(order.to)}"
        case Launch():
            way = " and ".join(map(place, order.via))
            return f"{unit(order.unit)} bombs {place(order.to)} by way of {way}"
        case Relay():
            return f"{unit(order.unit)} takes the bomb {_relayed(order, place)}"
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
