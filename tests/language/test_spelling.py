"""How far two spellings are apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from judge.language.names import Spellings, edits

words = st.text(alphabet="abcde", max_size=9)


@pytest.mark.parametrize(
    ("left", "right", "distance"),
    [
        ("paris", "pairs", 1),
        ("paris", "par", 2),
        ("tyr", "tyr", 0),
        ("mos", "war", 3),
        ("", "a", 1),
    ],
)
def test_edits_are_counted(left: str, right: str, distance: int) -> None:
    assert edits(left, right, 3) == edits(right, left, 3) == distance


@given(words, words, st.integers(0, 4))
def test_edits_are_those_of_optimal_string_alignment(left: str, right: str, limit: int) -> None:
    distance = OSA.distance(left, right)
    found = edits(left, right, limit)
    assert found == distance if distance <= limit else found > limit
    assert dict(Spellings([right]).near(left, limit)) == (
        {right: distance} if distance <= limit else {}
    )
