"""The ways people write orders: each takes an order and gives the line its player would type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

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

_Forms: TypeAlias = Mapping[type[Order], str]
"""How each type of order is written, of `unit`, `kind` (its letter), `other` and `to`. A support
is written so up to where the other unit goes, which is the rest of its convoy."""

_RULEBOOK: _Forms = {
    Hold: "{unit} Holds",
    Move: "{unit}–{to}",
    Retreat: "{unit}–{to}",
    Support: "{unit} S {other}",
    Convoy: "{unit} C {other}–{to}",
    Build: "{unit}",
    Disband: "remove {unit}",
    Waive: "waive",
}
_SPELLED_OUT: _Forms = {
    Hold: "{unit} holds",
    Move: "{unit} moves to {to}",
    Retreat: "{unit} retreats to {to}",
    Support: "{unit} supports {other}",
    Convoy: "{unit} convoys {other} to {to}",
    Build: "build {unit}",
    Disband: "disband {unit}",
    Waive: "waive",
}
_BARE: _Forms = {
    Hold: "{unit} h",
    Move: "{unit}-{to}",
    Retreat: "{unit}-{to}",
    Support: "{unit} s {other}",
    Convoy: "{unit} c {other}-{to}",
    Build: "build {kind} {unit}",
    Disband: "remove {unit}",
    Waive: "waive",
}


def _written(
    order: Order, forms: _Forms, unit: Callable[[Unit], str], place: Callable[[str], str]
) -> str:
    if isinstance(order, Unreadable):
        return order.text
    form = forms[type(order)]
    if isinstance(order, Waive):
        return form
    other = to = None
    if isinstance(order, Support | Convoy):
        other = order.target if isinstance(order, Support) else order.army
    if isinstance(order, Move | Retreat | Support | Convoy):
        to = order.to
    if isinstance(order, Support) and to is not None:
        form += forms[Convoy].partition("{other}")[2]
    return form.format(
        unit=unit(order.unit),
        kind=order.unit.kind,
        other=other and unit(other),
        to=to and place(to),
    )


def rulebook(order: Order, variant: Variant) -> str:
    """As the 2023 rulebook prints orders: `A Vie–Tri`, `F Nth C A Yor–Nwy`, `A Tri Holds`."""

    def place(location: str) -> str:
        province, _, coast = location.partition("/")
        return province.capitalize() + (f" {coast.upper()}" if coast else "")

    return _written(order, _RULEBOOK, lambda unit: f"{unit.kind} {place(unit.location)}", place)


def spelled_out(order: Order, variant: Variant) -> str:
    """Whole words: `Fleet North Sea convoys Army Yorkshire to Norway`."""
    place = variant.board.name

    def unit(unit: Unit) -> str:
        return f"{'Army' if unit.kind == 'A' else 'Fleet'} {place(unit.location)}"

    return _written(order, _SPELLED_OUT, unit, place)


def bare(order: Order, variant: Variant) -> str:
    """As little as will do, unit letters left out: `vie-tri`, `tri h`."""
    return _written(order, _BARE, lambda unit: unit.location, str)


def arrows(order: Order, variant: Variant) -> str:
    """Numbered lists with arrows are made of these: `A vie -> tri`."""
    return str(order).replace(" - ", " -> ").replace(" R ", " -> ")


def capitals(order: Order, variant: Variant) -> str:
    """As on the terminals of old: `A VIE - TRI`."""
    return str(order).upper()
