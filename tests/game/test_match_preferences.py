"""Preferences are read as written, and the powers dealt so that all together are satisfied best."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest

from judge.game.fairness import (
    BadPreferences,
    Preferences,
    assign,
    read_preferences,
)

POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
LETTERS = {power[0]: power for power in POWERS}


def read(text: str) -> Preferences:
    return read_preferences(text, LETTERS, POWERS)


def test_brackets_are_equals() -> None:
    assert read("E[FGR]TAI").ranks == (
        ("England",),
        ("France", "Germany", "Russia"),
        ("Turkey",),
        ("Austria",),
        ("Italy",),
    )


def test_names_do_as_well_as_letters() -> None:
    assert read("france, italy") == read("FI")


def test_a_star_after_wishes_stands_for_the_others() -> None:
    assert read("F*I".replace("I", "")).ranks == (
        ("France",),
        ("Austria", "England", "Germany", "Italy", "Russia", "Turkey"),
    )


def test_a_star_alone_asks_for_the_lot_and_nothing_takes_what_is_left() -> None:
    assert read("*") == Preferences(any_power=True)
    assert read("") == Preferences()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("EXF", "no power has the letter X"),
        ("E[FG", "opened that is not closed"),
        ("E]FG", "closed that was not opened"),
        ("[F[G]]", "inside brackets"),
        ("FF", "France stands in it twice"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, problem: str) -> None:
    with pytest.raises(BadPreferences, match=problem.replace("[", r"\[")):
        read(text)


def total(wishes: list[Preferences], dealt: list[str]) -> int:
    return sum(wish.cost(power) for wish, power in zip(wishes, dealt, strict=True))


def test_the_sum_of_satisfaction_is_the_best_there_is() -> None:
    chance = random.Random(7)
    for _ in range(5):
        lists = ["".join(chance.sample("AEFGIRT", chance.randint(0, 7))) for _ in range(7)]
        wishes = [read(text) for text in lists]
        best = min(total(wishes, list(order)) for order in itertools.permutations(POWERS))
        assert total(wishes, assign(POWERS, wishes, seed="x")) == best


def test_the_same_seed_deals_the_same_and_seeds_differ() -> None:
    wishes = [Preferences()] * 7
    assert assign(POWERS, wishes, "a") == assign(POWERS, wishes, "a")
    assert len({tuple(assign(POWERS, wishes, str(seed))) for seed in range(20)}) > 15


def test_who_wants_the_same_has_the_same_chance() -> None:
    wishes = [read("F"), read("F"), *[Preferences()] * 5]
    got = Counter(assign(POWERS, wishes, str(seed)).index("France") for seed in range(400))
    assert set(got) == {0, 1}
    assert min(got.values()) > 140


def test_the_lot_comes_before_wishes() -> None:
    wishes = [read("F"), read("*"), *[Preferences()] * 5]
    got = [assign(POWERS, wishes, str(seed)) for seed in range(200)]
    assert {dealt[1] for dealt in got} == set(POWERS)
    assert any(dealt[1] == "France" for dealt in got)


def test_fewer_players_than_powers_each_get_one() -> None:
    dealt = assign(POWERS, [read("F"), read("E"), read("*")], "s")
    assert len(set(dealt)) == 3
