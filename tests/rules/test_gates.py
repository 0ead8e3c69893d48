"""Borders that only the owner of a center crosses: here the owner of Denmark the Skagerrak's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from judge import variants
from judge.bots import orders_of
from judge.language.read import read_order
from judge.rules import engine
from judge.rules.legal_orders import legal_orders
from judge.rules.phase import Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.retreats import open_retreats
from judge.rules.variant import Variant, passable

GATED = replace(variants.load("standard"), gates=(("den", "nth", "ska"),))


def position(owner: str | None, **units: str) -> Position:
    """Fall 1901 with these units, and Denmark in the hands of `owner`."""
    standing = {
        power: tuple(Unit(*each.split()) for each in listed.split(", "))
        for power, listed in units.items()
    }
    return Position(Phase.read("F1901M"), standing, {owner: ("den",)} if owner else {})


def moved(there: Position, orders: Mapping[str, list[str]], variant: Variant = GATED) -> set[str]:
    """Where all units are after these orders."""
    read = {
        power: [read_order(text, variant, there.phase, power, there) for text in texts]
        for power, texts in orders.items()
    }
    after = engine.adjudicate(variant, there, read).position
    return {str(unit) for units in after.units.values() for unit in units}


@pytest.mark.parametrize(("owner", "where"), [("England", "F ska"), ("Russia", "F nth")])
def test_only_the_owner_of_the_center_goes_through(owner: str, where: str) -> None:
    there = position(owner, England="F nth")
    assert moved(there, {"England": ["F nth - ska"]}) == {where}
    order = read_order("F nth - ska", GATED, there.phase)
    refused = engine.check(GATED, there, "England", order).problem is not None
    assert refused == (where == "F nth")
    listed = {str(each) for each in legal_orders(GATED, there, "England")[Unit("F", "nth")]}
    assert ("F nth - ska" in listed) == (not refused)


def test_nobody_goes_through_while_nobody_owns_the_center() -> None:
    assert moved(position(None, England="F nth"), {"England": ["F nth - ska"]}) == {"F nth"}


def test_others_give_no_support_across_and_do_not_retreat_there() -> None:
    orders = {"England": ["F nth S F swe - ska"], "Russia": ["F swe - ska"], "Germany": ["F ska H"]}
    units = {"England": "F nth", "Russia": "F swe", "Germany": "F ska"}
    assert "F swe" not in moved(position("England", **units), orders)
    assert "F swe" in moved(position("Germany", **units), orders)
    gone = Dislodged(Unit("F", "nth"), "nwy")
    there = replace(position("Germany"), phase=Phase.read("F1901R"), dislodged={"England": (gone,)})
    assert "ska" not in open_retreats(passable(GATED, there), there, gone)
    assert all(
        "ska" not in str(order) for order in legal_orders(GATED, there, "England")[gone.unit]
    )


def test_computers_order_nothing_that_is_shut_to_them() -> None:
    there = position("Germany", England="F nth, F eng")
    for seed in range(5):
        orders = orders_of(GATED, there, "England", "easy", seed=seed)
        checked = [engine.check(GATED, there, "England", order).problem for order in orders]
        assert checked == [None] * len(orders)
