"""The names of every board, wherever a place can stand, in every notation.

An even sample here; `JUDGE_PROVE=full pytest tests/variants/test_spellings.py` takes all of them.
"""

from __future__ import annotations

import os

import pytest

from judge import variants
from judge.game.orders.interpret import OrderContext, ask
from judge.game.orders.spelled import misread, spellings

EVERY = 1 if os.environ.get("JUDGE_PROVE") == "full" else 37
"""A prime, so that the sample meets every frame."""


@pytest.mark.parametrize("name", variants.names())
def test_every_spelling_of_a_board_is_read_as_what_it_says(name: str) -> None:
    variant = variants.load(name)
    assert not [f"{spelled}: {read}" for spelled, read in misread(variant, EVERY)]


@pytest.mark.parametrize(
    ("board", "line", "read"),
    [
        ("ancient_mediterranean", "mem - the", ["mem - the"]),
        ("ancient_mediterranean", "army in the the holds please", ["A the H"]),
        ("ancient_mediterranean", "the army in mem goes to the the", ["A mem - the"]),
        ("colonial", "now F sum to and please", ["F sum - and"]),
        ("colonial", "F sum - and and F mal - eio", ["F sum - and", "F mal - eio"]),
        ("colonial", "F sum - eio and", ["F sum - eio"]),
        ("year_1880", "F bar S F not - now (cut)", ["F bar S F not - now"]),
        ("dark_ages", "North Sea to the Wash", ["nor - the"]),
        ("heptarchy_4", "fleet in Wash holds", ["F was H"]),
        ("american_empire", "A kan - ok", ["A kan - okl"]),
        ("american_empire", "A kan - mis ok", ["A kan - mis"]),
        ("american_empire", "F ven scs", ["F ven - scs"]),
        ("american_empire", "Chesapeake Bay - Washington D.C.", ["chb - wdc"]),
        ("sail_ho", "F Eastern Ocean - Strife’s Cave", ["F eas - str"]),
        ("unconstitutional", "F sar - Turks and Caicos", ["F sar - tur"]),
        ("vietnam_war", "F hue S Coast of Vietnam", ["F hue S coa"]),
        ("heptarchy_4", "A sup - edi", ["A sup - edi"]),
        ("heptarchy_4", "A sup edi", ["A sup - edi"]),
        ("standard", "A par - bur now", ["A par - bur"]),
        ("standard", "and now A par - bur, ok", ["A par - bur"]),
        ("standard", "F stp sc - fin", ["F stp/sc - fin"]),
    ],
)
def test_the_words_of_a_board_go_before_courtesy_connectives_and_coasts(
    board: str, line: str, read: list[str]
) -> None:
    found = ask(line, OrderContext(variants.load(board)))
    assert [each.read for each in found] == read


def test_a_name_that_is_declared_unclear_is_not_tried() -> None:
    variant = variants.load("era_hawes")
    assert "as" in variant.unclear
    assert not any(" as - " in spelled.text for spelled in spellings(variant))
