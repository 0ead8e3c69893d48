"""The ways people write orders: each takes an order and gives the line its player would type."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, assert_never

from judge.rules.board import province_of
from judge.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
    Unreadable,
    Waive,
)
from judge.rules.position import Unit
from judge.rules.variant import Variant

Notation: TypeAlias = Callable[[Order, Variant], str]


def rulebook(order: Order, variant: Variant) -> str:
    """As the 2023 rulebook prints orders: `A Vie–Tri`, `F Nth C A Yor–Nwy`, `A Tri Holds`."""

    def unit(unit: Unit) -> str:
        return f"{unit.kind} {place(unit.location)}"

    def place(location: str) -> str:
        province, _, coast = location.partition("/")
        return province.capitalize() + (f" {coast.upper()}" if coast else "")

    match order:
        case Hold():
            return f"{unit(order.unit)} Holds"
        case Move() | Retreat():
            return f"{unit(order.unit)}–{place(order.to)}"
        case Support(to=None):
            return f"{unit(order.unit)} S {unit(order.target)}"
        case Support():
            return f"{unit(order.unit)} S {unit(order.target)}–{place(order.to or '')}"
        case Convoy():
            return f"{unit(order.unit)} C {unit(order.army)}–{place(order.to)}"
        case Build():
            return unit(order.unit)
        case Disband():
            return f"remove {unit(order.unit)}"
        case Waive():
            return "waive"
        case Unreadable():
            return order.text
        case _:
            assert_never(order)


def spelled_out(order: Order, variant: Variant) -> str:
    """Whole words: `Fleet North Sea convoys Army Yorkshire to Norway`."""
    place = variant.board.name

    def unit(unit: Unit) -> str:
        return f"{'Army' if unit.kind == 'A' else 'Fleet'} {place(unit.location)}"

    match order:
        case Hold():
            return f"{unit(order.unit)} holds"
        case Move():
            return f"{unit(order.unit)} moves to {place(order.to)}"
        case Retreat():
            return f"{unit(order.unit)} retreats to {place(order.to)}"
        case Support(to=None):
            return f"{unit(order.unit)} supports {unit(order.target)}"
        case Support():
            return f"{unit(order.unit)} supports {unit(order.target)} to {place(order.to or '')}"
        case Convoy():
            return f"{unit(order.unit)} convoys {unit(order.army)} to {place(order.to)}"
        case Build():
            return f"build {unit(order.unit)}"
        case Disband():
            return f"disband {unit(order.unit)}"
        case Waive():
            return "waive"
        case Unreadable():
            return order.text
        case _:
            assert_never(order)


def bare(order: Order, variant: Variant) -> str:
    """As little as will do, unit letters left out: `vie-tri`, `tri h`."""
    match order:
        case Hold():
            return f"{order.unit.location} h"
        case Move() | Retreat():
            return f"{order.unit.location}-{order.to}"
        case Support(to=None):
            return f"{order.unit.location} s {order.target.location}"
        case Support():
            return f"{order.unit.location} s {order.target.location}-{order.to}"
        case Convoy():
            return f"{order.unit.location} c {order.army.location}-{order.to}"
        case Build():
            return f"build {order.unit}"
        case Disband():
            return f"remove {province_of(order.unit.location)}"
        case Waive() | Unreadable():
            return str(order).lower()
        case _:
            assert_never(order)


def arrows(order: Order, variant: Variant) -> str:
    """Numbered lists with arrows are made of these: `A vie -> tri`."""
    return str(order).replace(" - ", " -> ").replace(" R ", " -> ")


def capitals(order: Order, variant: Variant) -> str:
    """As on the terminals of old: `A VIE - TRI`."""
    return str(order).upper()
