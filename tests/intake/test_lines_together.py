"""What lines say together: orders broken over two, and orders that a line below takes back."""

from __future__ import annotations

import pytest

from judge import variants
from judge.game.orders.order_context import OrderContext
from tests.language.measure import done, france, proposed, read_as

RELAY = "People's Republic of Asia: AF sch bomb from sea to mon"
LONG = "The fleet in Brest moves to the Mid-Atlantic Ocean, the army in Paris"


def test_lines_that_are_each_an_order_are_two_however_long() -> None:
    world = OrderContext(variants.load("global"))
    found = read_as(f"{RELAY}\nPeople's Republic of Asia: N sea bomb from egy via sch", world)
    assert done(found) == ["AF sch bomb from sea to mon", "N sea bomb from egy via sch"]


def test_an_order_goes_on_where_its_line_had_no_room() -> None:
    assert done(read_as(f"{LONG}\nsupports A Mar - Bur\nA Mar - Bur", france())) == [
        "F bre - mid",
        "A par S A mar - bur",
        "A mar - bur",
    ]


# What stands below A Par - Bur, and whether that is filed.
BELOW = [
    ("unless Germany moves to Burgundy", False),
    ("but if Germany attacks, Paris should not go there", False),
    ("No, not Paris!", False),
    ("Not A Par - Pic", False),
    ("Should I A Par - Pic?", True),
    ("(only if Germany has not moved to Munich, else hold)", False),
    ("If anything is wrong with my orders, please tell me", True),
    ("\nIf Italy attacks me I am lost", False),
    ("Thanks, and see you in Paris", True),
]


@pytest.mark.parametrize(("below", "filed"), BELOW)
def test_a_condition_or_a_denial_below_an_order_holds_it_back(below: str, filed: bool) -> None:
    read = read_as(f"A Par - Bur\n{below}", france())
    assert done(read) == (["A par - bur"] if filed else [])
    assert filed or "A par - bur" in proposed(read)
