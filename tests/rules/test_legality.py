"""Suggestions: the order that was obviously meant, both where there are two, and never a guess."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from judge.rules.legality import Checked, check
from judge.rules.position import Position
from tests.rules.table import RULES, STANDARD, position, read, said

HERE = position(
    "S1901M",
    {
        "France": "A par, F bre, F mid, F gol, A mar, F spa/sc",
        "Russia": "F stp/sc, A mos",
        "England": "F eng, F nth, A lon",
    },
)


def checked(
    there: Position, power: str, text: str, options: Mapping[str, str] | None = None
) -> Checked:
    """The order checked, which must be impossible; its suggestion must not be."""
    rules = RULES.with_options(options or {})
    (order,) = read(there, {power: text})[power]
    found = check(STANDARD, there, power, order, rules)
    assert found.problem is not None
    if found.suggestion is not None:
        (better,) = read(there, {power: found.suggestion})[power]
        assert str(better) == found.suggestion
        assert check(STANDARD, there, power, better, rules).problem is None
    return found


@pytest.mark.parametrize(
    ("text", "options", "suggestion"),
    [
        ("F par - bur", {"4.C.2": "a"}, "A par - bur"),
        ("par - bur", {"4.C.1": "a"}, "A par - bur"),
        ("F par H", {"4.C.2": "a"}, "A par H"),
        ("F spa/nc - por", {"4.B.5": "a"}, "F spa/sc - por"),
        ("A par/nc - bur", {"4.B.6": "a"}, "A par - bur"),
        ("A mar - spa/nc", {"4.B.6": "a"}, "A mar - spa"),
        ("F gol - spa/nc", {}, "F gol - spa/sc"),
        ("F gol - spa", {"4.B.2": "b"}, "F gol - spa/sc"),
        ("A par - bur via convoy", {}, "A par - bur"),
        ("A par - par", {}, "A par H"),
        ("A par S F mar - bur", {"4.C.2": "a"}, "A par S A mar - bur"),
        ("A par S A par", {}, "A par H"),
        ("A mar S F gol - spa/nc", {}, "A mar S F gol - spa/sc"),
        ("F spa/sc S A mar - mar", {}, "F spa/sc S A mar"),
    ],
)
def test_what_was_obviously_meant_is_suggested(
    text: str, options: Mapping[str, str], suggestion: str
) -> None:
    assert checked(HERE, "France", text, options).suggestion == suggestion


@pytest.mark.parametrize(
    "text",
    [
        "A par - mos",
        "A par - eng",
        "F bre - par",
        "F mid - bur",
        "A par S F bre - eng",
        "A mar S A par - mos",
        "A mar S A ber",
        "F bre C A par - lon",
        "A mos - war",
        "A kie H",
        "A par - lon",
        "A mar S A mos - bur",
    ],
)
def test_where_it_would_be_a_guess_nothing_is_suggested(text: str) -> None:
    assert checked(HERE, "France", text).suggestion is None


def test_of_two_coasts_both_are_named() -> None:
    found = checked(HERE, "France", "F mid - spa")
    assert found.suggestion is None
    assert found.problem is not None
    assert "spa/nc or spa/sc" in said(found.problem)
    found = checked(HERE, "France", "A mar S F mid - spa", {"4.B.4": "a"})
    assert said(found.problem) == (
        "the coast of Spain must be named; write A mar S F mid - spa/nc or A mar S F mid - spa/sc"
    )


def test_a_convoyed_army_called_a_fleet_is_put_right() -> None:
    found = checked(HERE, "England", "F nth C F lon - nwy", {"4.C.2": "a"})
    assert found.suggestion == "F nth C A lon - nwy"


RETREAT = position(
    "S1901R",
    {"Italy": "A vie, A bud"},
    dislodged={"Austria": {"A vie": "tri", "A bud": "ser"}},
    contested="gal",
)


def test_the_only_way_out_is_suggested() -> None:
    there = position(
        "S1901R",
        {"Italy": "A vie, A gal, A boh"},
        dislodged={"Austria": {"A vie": "tri"}},
        contested="bud",
    )
    assert checked(there, "Austria", "A vie - bud").suggestion == "A vie R tyr"


def test_of_several_ways_out_all_are_named() -> None:
    found = checked(RETREAT, "Austria", "A vie - gal")
    assert found.suggestion is None
    assert (
        said(found.problem)
        == "Galicia was left vacant by a standoff; write A vie R boh or A vie R tyr"
    )


def test_a_unit_without_a_way_out_can_only_disband() -> None:
    there = position(
        "S1901R",
        {"Italy": "A vie, A gal, A boh, A bud"},
        dislodged={"Austria": {"A vie": "tri"}},
        contested="tyr",
    )
    assert checked(there, "Austria", "A vie - tyr").suggestion == "D A vie"


@pytest.mark.parametrize(
    ("text", "options", "suggestion"),
    [
        ("B F mos", {}, "B A mos"),
        ("B mos", {"4.C.3": "a"}, "B A mos"),
        ("B F sev/sc", {"4.B.6": "a"}, "B F sev"),
        ("B A stp/nc", {"4.B.6": "a"}, "B A stp"),
        ("B F stp", {}, None),
        ("B sev", {}, None),
        ("B A war", {}, None),
        ("B A par", {}, None),
        ("D A mos", {}, None),
    ],
)
def test_builds(text: str, options: Mapping[str, str], suggestion: str | None) -> None:
    there = position("W1901A", {"Russia": "A war"}, {"Russia": "mos stp war sev"})
    assert checked(there, "Russia", text, options).suggestion == suggestion


def test_a_removal_with_the_wrong_letter_is_put_right() -> None:
    there = position("W1901A", {"Russia": "A war, F sev"}, {"Russia": "mos"})
    assert checked(there, "Russia", "D F war", {"4.C.2": "a"}).suggestion == "D A war"
