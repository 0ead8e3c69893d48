"""Rulebooks: every issue a named choice, editions as bundles, errors that name key and value."""

from __future__ import annotations

import pytest

from judge.rules.rulebook import Rulebook, RulebookError, editions


def test_the_1976_rulebook_differs_from_2023_in_four_choices() -> None:
    old, new = Rulebook.edition("1976").options, Rulebook.edition("2023").options
    assert {issue: letter for issue, letter in old.items() if new[issue] != letter} == {
        "4.A.2": "b",
        "4.A.3": "b",
        "4.A.5": "a",
        "4.D.8": "a",
    }


def test_era_follows_the_first_of_several_orders() -> None:
    assert Rulebook.edition("era").twice_ordered == "a"


def test_every_issue_of_chapter_4_that_has_choices_is_an_option() -> None:
    counts = {"A": 7, "B": 7, "C": 6, "D": 9, "E": 5}
    expected = {
        f"4.{part}.{number}" for part, last in counts.items() for number in range(1, last + 1)
    }
    assert set(Rulebook.edition("2023").options) == expected


def test_options_change_one_choice_and_keep_the_rest() -> None:
    rules = Rulebook.edition("2023").with_options({"4.a.2": "C"})
    assert rules.paradox == "c"
    assert rules.with_options({"4.A.2": "f"}) == Rulebook.edition("2023")
    assert rules != Rulebook.edition("2023")


def test_equal_rulebooks_are_one_value() -> None:
    rules = Rulebook.edition("2023").with_options({"4.A.2": "c"})
    assert rules is Rulebook.edition("2023").with_options({"4.A.2": "c"})
    assert Rulebook.edition("2023").with_options({}) is Rulebook.edition("2023")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"4.Z.9": "a"}, "4.Z.9"),
        ({"4.A.2": "z"}, "4.A.2: choice 'z' does not exist; choose a or b or c or d or f"),
        ({"4.A.2": "e"}, "4.A.2: choice 'e' is not available"),
        ({"4.A.2": 3}, "4.A.2: choice 3 does not exist"),
    ],
)
def test_a_wrong_option_names_key_and_value(options: dict[str, str], said: str) -> None:
    with pytest.raises(RulebookError) as error:
        Rulebook.edition("2023").with_options(options)
    assert said in str(error.value)


def test_a_wrong_edition_names_those_there_are() -> None:
    with pytest.raises(RulebookError) as error:
        Rulebook.edition("1999")
    assert "'1999'" in str(error.value)
    assert all(name in str(error.value) for name in editions())
