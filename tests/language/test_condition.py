"""Conditions on a position: read in every spelling, and true where they should be."""

from __future__ import annotations

import pytest

from judge import variants
from judge.language.misreadings import ReadError
from judge.language.phase_names import read_condition
from judge.rules.phase import Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.sentences import in_words

STANDARD = variants.load("standard")
POSITION = Position(
    Phase.read("F1903R"),
    {
        "France": (Unit("A", "ruh"), Unit("F", "spa/nc")),
        "Germany": (Unit("F", "kie"), Unit("A", "ber")),
        "Austria": (Unit("F", "tri"),),
    },
    dislodged={"Germany": (Dislodged(Unit("A", "mun"), "ruh", ("boh",)),)},
)


@pytest.mark.parametrize(
    ("text", "read", "so"),
    [
        ("French A Ruh", "France A ruh", True),
        ("not french a ruh", "NOT France A ruh", False),
        ("NOT German A Ruh", "NOT Germany A ruh", True),
        ("Ruhr", "ruh", True),
        ("A Ruh", "A ruh", True),
        ("F Ruh", "F ruh", False),
        ("army in the ruhr", "A ruh", True),
        ("F A Ruh", "France A ruh", True),
        # The surest name wins: "Black" alone would be a guess.
        ("Black Sea", "bla", False),
        ("A F Tri", "Austria F tri", True),
        ("A Tri", "A tri", False),
        ("G Kie", "Germany kie", True),
        ("fleet Spain", "F spa", True),
        ("F Spain (north coast)", "F spa/nc", True),
        ("French F Spa/sc", "France F spa/sc", False),
        # A dislodged unit is where it was until it retreats.
        ("German A Mun", "Germany A mun", True),
        ("ruh and kie", "ruh AND kie", True),
        ("ruh and bur or kie", "(ruh AND bur) OR kie", True),
        ("ruh and (bur or kie)", "ruh AND (bur OR kie)", True),
        ("not bur and not (mun or gas)", "NOT bur AND NOT (mun OR gas)", False),
        ("NOT NOT RUH", "NOT NOT ruh", True),
    ],
)
def test_a_condition_is_read_and_looks_at_the_position(text: str, read: str, so: bool) -> None:
    condition = read_condition(text, STANDARD)
    assert str(condition) == read
    assert read_condition(read, STANDARD) == condition
    assert condition.holds(POSITION) is so


@pytest.mark.parametrize(
    ("text", "read", "so"),
    [
        ("A Ruh is French", "France A ruh", True),
        ("the Ruhr is French", "France ruh", True),
        ("Burgundy is empty", "NOT bur", True),
        ("the Ruhr is not empty", "ruh", True),
        ("Ruhr is occupied and Kiel is not held by France", "ruh AND NOT France kie", True),
        ("there is a French army in the Ruhr", "France A ruh", True),
        ("there is no unit in Burgundy", "NOT bur", True),
        ("no one is in Burgundy", "NOT bur", True),
        ("nobody stands in Burgundy", "NOT bur", True),
        ("Germany is in Kiel", "Germany kie", True),
        ("Germany has a fleet in Kiel", "Germany F kie", True),
        ("Germany has a unit in Kiel", "Germany kie", True),
        ("Germany does not hold Kiel", "NOT Germany kie", False),
        ("Germany holds Kiel or Burgundy is empty", "Germany kie OR NOT bur", True),
    ],
)
def test_a_condition_is_read_in_sentences_where_they_are_wanted(
    text: str, read: str, so: bool
) -> None:
    condition = read_condition(text, STANDARD, spoken=True)
    assert str(condition) == read
    assert condition.holds(POSITION) is so
    with pytest.raises(ReadError):
        read_condition(text, STANDARD)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it names no province"),
        ("not", "it ends where a province should stand"),
        ("French A", "no province is called"),
        ("A Xyz", "no province is called Xyz"),
        ("French A Nowhere", "no province is called Nowhere"),
        ("A Nor", "Nor could mean North Africa"),
        ("A Liv", "Liv could mean Liverpool (lvp) or Livonia (lvn)"),
        ("(ruh or mun", "a bracket is not closed"),
        ("ruh mun", "the words “mun” are not understood"),
        ("A Ruh is French", "the words “is French” are not understood"),
        ("F Spa/ec", "Spain has no east coast"),
        ("(" * 50 + "ruh", "too many brackets"),
        ("ruh or " * 60 + "mun", "too long"),
    ],
)
def test_what_is_no_condition_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(ReadError) as caught:
        read_condition(text, STANDARD)
    assert why in in_words(caught.value.problem, STANDARD)
