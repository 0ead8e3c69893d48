"""Where press ends whose writer set no end: above the first order or command, or it is asked."""

from __future__ import annotations

from typing import Any

import pytest

from judge.intake.labels import label_of
from tests.language.measure import france, read_as

# The lines below PRESS TO ENGLAND; what is sent, orders, and commands, or what is asked about.
ENDED = [
    ("Shall we?\n\nA Par - Bur\nF Bre - Mao", "Shall we?", ["A par - bur", "F bre - mid"], []),
    ("Shall we?\nbre - mao", "Shall we?", ["F bre - mid"], []),
    ("Shall we?\nParis holds\nthanks!", "Shall we?", ["A par H"], []),
    ("Shall we?\nSET WAIT\nCleo", "Shall we?", [], ["SET WAIT"]),
    ("I promise to hold in Paris.\n\nCleo", "I promise to hold in Paris.\n\nCleo", [], []),
    ("F Lon - Eng?\nOr more time?", "F Lon - Eng?\nOr more time?", [], []),
    ("Plan:\nFall 1901:\nYou take Munich.", "Plan:\nFall 1901:\nYou take Munich.", [], []),
]
ASKED = [
    ("I will order\nF Bre - Mao\nas we agreed.", ["F Bre - Mao"], True),
    ("Shall we?\nA Par - Bru", ["A Par - Bru"], True),
    ("Plan:\nFall 1901:\nA Mar - Spa", ["A Mar - Spa"], True),
    ("Shall we?\n@judge: draw me a map", ["@judge: draw me a map"], False),
    ("My password is blue.\nA Par - Bru", ["A Par - Bru"], False),
    ("Note to self: stab", ["Note to self: stab"], False),
]


def found(block: str) -> dict[str, Any]:
    return read_as(f"PRESS TO ENGLAND\n{block}", france())


@pytest.mark.parametrize(("block", "press", "orders", "commands"), ENDED)
def test_press_ends_above_what_is_for_the_judge(
    block: str, press: str, orders: list[str], commands: list[str]
) -> None:
    read = found(block)
    assert [each["text"] for each in read["press"]] == [press]
    assert read["orders"].get("France", []) == orders
    assert read["commands"] == commands


@pytest.mark.parametrize(("block", "lines", "offered"), ASKED)
def test_in_doubt_all_of_it_is_kept(block: str, lines: list[str], offered: bool) -> None:
    read = found(block)
    assert (read["press"], read["orders"], read["commands"]) == ([], {}, [])
    head = read["lines"][0]
    assert head["fate"] == ("asked" if offered else "nothing")
    assert all(each in (head["question"] or head["problem"]) for each in lines)


LEFT_OUT = [
    ("send this to everybody but Germany: beware!", "ALL BUT Germany", "beware!"),
    ("Dear all except Germany and Italy, hi", "ALL BUT Germany, Italy", ""),
    ("An alle außer Deutschland: Hallo", "ALL BUT Germany", "Hallo"),
    ("Tell Italy: no", "Italy", "no"),
]


@pytest.mark.parametrize(("line", "to", "rest"), LEFT_OUT)
def test_who_is_left_out_of_a_letter_is_heard(line: str, to: str, rest: str) -> None:
    label = label_of(line, france())
    assert label is not None
    assert (label.to, label.rest) == ((to,), rest)
