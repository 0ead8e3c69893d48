"""Orders in words, and phases read from words."""

from __future__ import annotations

import pytest

from judge import variants
from judge.language.phases import read_phase
from judge.language.read import read_order
from judge.language.write import describe, write_order
from judge.rules.phase import Phase

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
    assert describe(found, STANDARD) == words


def test_a_written_order_is_its_canonical_form() -> None:
    order = read_order("Army Paris -> Burgundy", STANDARD, Phase.read("S1901M"))
    assert write_order(order) == "A par - bur"


@pytest.mark.parametrize(
    ("text", "phase"),
    [
        ("S1901M", "S1901M"),
        ("f1901r", "F1901R"),
        ("W1901A", "W1901A"),
        ("F1901B", "W1901A"),
        ("U1901R", "S1901R"),
        ("Summer 1901", "S1901R"),
        ("W1901B", "W1901A"),
        ("Fall 1901 Retreat", "F1901R"),
        ("Spring 1901", "S1901M"),
        ("spring of 1901, movement", "S1901M"),
        ("Spring 1901, movement", "S1901M"),
        ("Autumn 1902 moves", "F1902M"),
        ("Winter 1901", "W1901A"),
        ("1901 adjustments", "W1901A"),
        ("fall 1901 builds", "W1901A"),
        ("winter 1901 removals", "W1901A"),
        ("spring 04 move", "S1904M"),
        ("F 1903 M", "F1903M"),
        ("retreats, Fall 1903", "F1903R"),
    ],
)
def test_a_phase_is_read_from_letters_and_words(text: str, phase: str) -> None:
    assert str(read_phase(text, STANDARD)) == phase


@pytest.mark.parametrize("phase", ["S1901M", "S1902R", "F1903M", "F1904R", "W1905A"])
def test_a_phase_is_read_back_from_its_words(phase: str) -> None:
    assert str(read_phase(Phase.read(phase).words, STANDARD)) == phase


@pytest.mark.parametrize(
    "text", ["", "1901", "Spring", "S1901A", "U1901M", "W1901M", "Fall 1901 party", "S1901M 1902"]
)
def test_what_is_no_phase_is_refused_with_those_there_are(text: str) -> None:
    with pytest.raises(ValueError, match="its phases are like S1901M, S1901R, F1901M") as caught:
        read_phase(text, STANDARD)
    assert repr(text) in str(caught.value)
