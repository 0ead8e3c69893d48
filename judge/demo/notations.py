"""The ways people write orders: each takes an order and gives the line its player would type."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from judge.rules.orders import Build, Order
from judge.rules.variant import Variant
from judge.sentences import order_words

Notation: TypeAlias = Callable[[Order, Variant], str]

_PLACE = re.compile(r"\b([a-z]{3})(?:/([a-z]{2}))?")


def rulebook(order: Order, variant: Variant) -> str:
    """Write as the 2023 rulebook prints orders: `A Vie–Tri`, `F Nth C A Yor–Nwy`, `A Tri Holds`."""

    def place(found: re.Match[str]) -> str:
        return found[1].capitalize() + (f" {found[2].upper()}" if found[2] else "")

    text = re.sub(" - | R ", "–", _PLACE.sub(place, str(order)))
    text = re.sub("^D ", "remove ", text.removeprefix("B "))
    return re.sub(" H$", " Holds", text).replace("WAIVE", "waive")


def spelled_out(order: Order, variant: Variant) -> str:
    """Write whole words: `Fleet North Sea convoys army Yorkshire to Norway`."""
    return order_words(order, variant.board)


def bare(order: Order, variant: Variant) -> str:
    """Write as little as will do, unit letters left out: `vie-tri`, `tri h`."""
    if isinstance(order, Build):
        return f"build {order.unit}"
    text = re.sub(r"\b[AF] ", "", str(order)).lower()
    return re.sub(" - | r ", "-", re.sub(r"^d ", "remove ", text))


def arrows(order: Order, variant: Variant) -> str:
    """Write what numbered lists with arrows are made of: `A vie -> tri`."""
    return str(order).replace(" - ", " -> ").replace(" R ", " -> ")


def capitals(order: Order, variant: Variant) -> str:
    """Write as on the terminals of old: `A VIE - TRI`."""
    return str(order).upper()
