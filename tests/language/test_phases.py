"""Phases as people name them."""

from __future__ import annotations

import pytest

from judge import variants
from judge.language.misreadings import Fault, ReadError
from judge.language.phase_names import read_phase
from judge.rules.phase import Phase

STANDARD = variants.load("standard")


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
    with pytest.raises(ReadError) as caught:
        read_phase(text, STANDARD)
    problem = caught.value.problem
    assert (problem.fault, problem.text) == (Fault.NO_PHASE, text)
    assert problem.candidates == ("S1901M", "S1901R", "F1901M", "F1901R", "W1901A")
