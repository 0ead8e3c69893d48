"""Orders in a writer's own words: what is offered of sentences that nobody can read for sure."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from judge.intake.likely import Likely
from judge.rules.orders import Order
from tests.language.measure import done, france, proposed, read_as

SAID = {
    # Names of a unit and of one place where it can go, whatever stands between.
    "my army from Paris she go to Burgundy": ["A par - bur"],
    "Die Truppen aus Paris sollen Burgund besetzen": ["A par - bur"],
    "I want Burgundy taken by Paris": ["A par - bur"],
    # Several, in either order; what is named again says nothing new.
    "So it's Burgundy for Paris, Spain for Marseilles, and the Channel for Brest": [
        "A par - bur",
        "A mar - spa",
        "F bre - eng",
    ],
    "The fleet in breast sorry Brest goes to the mid Atlantic Ocean.": ["F bre - mid"],
    # Conditions of other languages are none: `se`.
    "l'armée de Paris se rend en Bourgogne, celle de Marseille gagne l'Espagne": [
        "A par - bur",
        "A mar - spa",
    ],
    # Who aids aids what was said before.
    "Paris must to enter Burgundy. Marseille must help Paris for entering there.": [
        "A par - bur",
        "A mar S A par - bur",
    ],
    # A word for a kind of which there is one unit; where it stays, its own place.
    "Fleet will remain where it is in Brest.": ["F bre H"],
    # What cannot be is left out.
    "I'd like Paris to go up to Picardy, and my Marseilles boys straight on to Portugal, "
    "and the Brest boat into the English Channel": ["A par - pic", "F bre - eng"],
    # What may change the order, or leaves a choice.
    "my army from Paris she go to Burgundy if Germany agrees": [],
    "my army from Paris she go to Burgundy or Picardy": [],
    "I do not want that my Paris she go to Burgundy": [],
    "can the men of Paris march on Burgundy?": [],
    "Paris she is a nice town": [],
    "they say in Burgundy that Picardy is nice": [],
    # In two ways: which one is not said.
    "My Paris she go to Burgundy. My Paris she go to Picardy.": [],
}


@pytest.mark.parametrize(("text", "orders"), SAID.items(), ids=list(SAID))
def test_a_sentence_means_the_orders_it_divides_into(text: str, orders: list[str]) -> None:
    found = Likely(france(), {})
    found.read({0: text})
    assert list(found.texts().values()) == orders


def test_a_sentence_may_go_on_in_the_next_line() -> None:
    found = Likely(france(), {})
    found.read({0: "my army from Paris she", 1: "go to Burgundy", 3: "Bye"})
    assert list(found.texts().values()) == ["A par - bur"]
    assert found.left == {0: "", 1: ""}


def test_what_was_read_is_not_said_again() -> None:
    known = Likely(france(), {})
    known.read({0: "the men of Paris go to Burgundy"})
    given: dict[str, Order] = dict(known.orders)
    found = Likely(france(), given)
    found.read({0: "Marseille must help Paris for entering there."})
    assert list(found.texts().values()) == ["A mar S A par - bur"]
    found.read({1: "the men of Paris go to Picardy"})
    assert "par" not in found.texts()


def test_units_are_those_of_the_writer() -> None:
    found = Likely(replace(france(), powers=("Germany",)), {})
    found.read({0: "my army from Paris she go to Burgundy", 1: "Munich she go to Burgundy"})
    assert list(found.texts().values()) == ["A mun - bur"]


def test_one_question_offers_all_that_is_likely() -> None:
    found = read_as(
        "my army from Paris she go to Burgundy\nSpain for Marseilles\nthe boat of Brest, Channel",
        france(),
    )
    assert done(found) == []
    assert all(line["fate"] == "asked" or line["problem"] for line in found["lines"])
    assert proposed(found) == {"A par - bur", "A mar - spa", "F bre - eng"}


def test_what_an_order_is_beside_is_not_said_again() -> None:
    found = read_as("A Par - Bur\nmy army from Paris she go to Picardy", france())
    assert "A par - pic" not in proposed(found)
