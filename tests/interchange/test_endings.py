"""Endings as JSON, and what is wrong with them."""

from __future__ import annotations

from typing import Any

import pytest

from judge import variants
from judge.interchange import InterchangeError
from judge.interchange.ending_objects import score_object
from judge.records.scoring import SYSTEMS

START = {
    "Austria": 3,
    "England": 3,
    "France": 3,
    "Germany": 3,
    "Italy": 3,
    "Russia": 4,
    "Turkey": 3,
}
PLAYED = {"Austria": 0, "England": 9, "France": 9, "Germany": 4, "Italy": 4, "Russia": 4}
GOOD: dict[str, Any] = {
    "id": 5,
    "system": "bangkok",
    "years": {"1900": START, "1901": PLAYED | {"Turkey": 4}},
}


def test_an_ending_is_scored_by_power() -> None:
    answer = score_object(GOOD)
    assert (answer["id"], answer["system"]) == (5, "bangkok")
    assert list(answer["scores"]) == list(START)
    assert answer["scores"] == {
        "Austria": 0.0,
        "England": 18.0,
        "France": 18.0,
        "Germany": 7.0,
        "Italy": 7.0,
        "Russia": 7.0,
        "Turkey": 7.0,
    }
    assert {type(score) for score in answer["scores"].values()} == {float}


def test_years_stand_in_any_order_and_a_power_without_a_center_may_be_left_out() -> None:
    years = {"1901": PLAYED | {"turkey": 4}, "1900": START}
    del years["1901"]["Austria"]
    assert score_object(GOOD | {"years": years}) == score_object(GOOD)


def test_one_year_is_enough_where_nobody_is_out() -> None:
    years = {"1905": START}
    assert score_object(GOOD | {"years": years})["scores"]["Russia"] == 9.4


@pytest.mark.parametrize(
    ("more", "england"),
    [
        ({}, 18),
        ({"winner": "england"}, 41),
        ({"winner": "England", "concession_wins": False}, 18),
        ({"winner": "England", "system": "whipping"}, 100),
        ({"winner": "England", "system": "whipping", "concession_wins": True}, 468),
        ({"draw": ["England", "France"], "system": "draw_size"}, 50),
        ({"draw": None, "winner": None, "concession_wins": None}, 18),
    ],
)
def test_what_was_agreed_on_counts(more: dict[str, Any], england: float) -> None:
    assert score_object(GOOD | more)["scores"]["England"] == england


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"system": "nonsense"}, "system"),
        ({"system": 3}, "system"),
        ({"variant": "nowhere"}, "variant"),
        (
            {"variant": "era_of_empire", "years": {"1869": {"Britain": 4}, "1871": {"Britain": 5}}},
            "system",
        ),
        ({"years": []}, "years"),
        ({"years": {}}, "years"),
        ({"years": {"1900": START}}, "years"),
        ({"years": {"1899": START, "1900": START}}, "years"),
        ({"years": {"soon": START, "1901": START}}, "years"),
        ({"years": {"1900": START, "01901": START, "1901": START}}, "years"),
        ({"years": {"1900": START, "1901": 3}}, "years.1901"),
        ({"years": {"1900": START, "1901": {}}}, "years.1901"),
        ({"years": {"1900": START, "1901": {"Spain": 3}}}, "years.1901"),
        ({"years": {"1900": START, "1901": {"France": 3, "french": 3}}}, "years.1901"),
        ({"years": {"1900": START, "1901": START | {"France": 30}}}, "years.1901"),
        ({"years": {"1900": START, "1901": START | {"France": -3}}}, "years.1901.France"),
        ({"years": {"1900": START, "1901": START | {"France": 3.5}}}, "years.1901.France"),
        ({"years": {"1900": START, "1901": START | {"France": True}}}, "years.1901.France"),
        ({"years": {"1900": {"France": 3}, "1901": START}}, "years.1901"),
        ({"years": {"1901": PLAYED, "1902": PLAYED}}, "years.1901"),
        ({"draw": "France"}, "draw"),
        ({"draw": [7]}, "draw[0]"),
        ({"draw": ["France", "Spain"]}, "draw[1]"),
        ({"draw": ["France", "Austria"]}, "draw[1]"),
        ({"winner": "Austria"}, "winner"),
        ({"winner": ["France"]}, "winner"),
        ({"winner": "France", "draw": ["France"]}, "winner"),
        ({"winner": "France", "concession_wins": "yes"}, "concession_wins"),
        (
            {"winner": "Italy", "years": {"1900": START, "1901": {"France": 18, "Italy": 3}}},
            "winner",
        ),
        (
            {"draw": ["France"], "years": {"1900": START, "1901": {"France": 18, "Italy": 3}}},
            "draw",
        ),
    ],
)
def test_what_cannot_be_an_ending_names_the_field(more: dict[str, Any], field: str) -> None:
    with pytest.raises(InterchangeError) as refused:
        score_object(GOOD | more)
    assert str(refused.value).startswith(f"{field}: ")


@pytest.mark.parametrize("left_out", ["system", "years"])
def test_what_is_left_out_is_named(left_out: str) -> None:
    with pytest.raises(InterchangeError, match=left_out):
        score_object({key: value for key, value in GOOD.items() if key != left_out})


def test_a_system_for_other_numbers_is_refused_on_every_other_board() -> None:
    for name in variants.names():
        variant = variants.load(name)
        first = variant.start_phase.year
        years = {
            str(first - 1): dict.fromkeys(variant.powers, 1),
            str(first): dict.fromkeys(variant.powers, 1),
        }
        data = {"variant": name, "years": years}
        tied = (len(variant.board.centers), variant.victory, len(variant.powers)) == (34, 18, 7)
        for system in SYSTEMS.values():
            if tied or system.portable:
                scores = score_object(data | {"system": system.name})["scores"]
                assert list(scores) == list(variant.powers)
                continue
            with pytest.raises(InterchangeError) as refused:
                score_object(data | {"system": system.name})
            assert system.title in str(refused.value)
