"""Orders in words, in every language."""

from __future__ import annotations

import sys

import pytest

from judge import variants
from judge.language.read import read_order
from judge.rules.phase import Phase
from judge.sentences import order_words

STANDARD = variants.load("standard")


@pytest.mark.parametrize(
    ("phase", "order", "words"),
    [
        ("S1901M", "A par - bur", "Army Paris moves to Burgundy"),
        ("S1901M", "par - bur", "The unit in Paris moves to Burgundy"),
        ("S1901M", "F stp/sc H", "Fleet St. Petersburg (south coast) holds"),
        ("S1901M", "A lon - nwy via convoy", "Army London moves to Norway by convoy"),
        (
            "S1901M",
            "A lon - nth - nrg - nwy",
            "Army London moves to Norway by convoy over North Sea and Norwegian Sea",
        ),
        ("S1901M", "A mun S F kie", "Army Munich supports fleet Kiel"),
        (
            "S1901M",
            "A mun S A ber - kie",
            "Army Munich supports army Berlin in its move to Kiel",
        ),
        ("S1901M", "F nth C A lon - nwy", "Fleet North Sea convoys army London to Norway"),
        ("S1901R", "A mun R boh", "Army Munich retreats to Bohemia"),
        ("S1901R", "A mun D", "Army Munich disbands"),
        ("W1901A", "B F stp/nc", "Build fleet St. Petersburg (north coast)"),
        ("W1901A", "WAIVE", "Waive all other builds"),
        ("W1901A", "WAIVE 1", "Waive one build"),
        ("W1901A", "WAIVE 2", "Waive 2 builds"),
        ("S1901M", "A par flies", "A par flies"),
    ],
)
def test_an_order_is_put_in_words(phase: str, order: str, words: str) -> None:
    found = read_order(order, STANDARD, Phase.read(phase))
    assert order_words(found, STANDARD.board) == words


def test_what_could_not_be_read_is_not_kept() -> None:
    """It may be long, and nobody writes the same nonsense again."""
    order = read_order("xyzzy " * 1000, STANDARD, Phase.read("S1901M"))
    before = sys.getrefcount(order)

    order_words(order, STANDARD.board)

    assert sys.getrefcount(order) == before
