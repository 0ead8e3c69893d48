"""Orders of somebody who plays two games, in a mail that does not say for which they are."""

from __future__ import annotations

import pytest

from tests.game.play import Play, Received
from tests.language.world import two

HOUSE = "judge@judge.example"


@pytest.fixture
def both(play: Play) -> Play:
    """Two games, paris and rome, in both of which Cleo plays France."""
    play.once("two games", lambda: two(play))
    return play


def new(play: Play, text: str) -> Received:
    return play.ask("cleo", text, to=HOUSE)


def filed(play: Play, name: str) -> list[str]:
    """What Cleo has on file in a game."""
    game = play.storage.games.by_name(name)
    assert game is not None
    orders = play.storage.orders(game.id).of_phase(game.phase or "")
    return sorted(each.text for each in orders.get("France", ()))


SAID = (
    "A Par - Bur\nA Mar - Spa",
    "Paris to Burgundy and Marseilles to Spain, please",
    "my men of Paris march on Burgundy, those of Marseilles on Spain",
)


@pytest.mark.parametrize("text", SAID)
@pytest.mark.parametrize(("number", "game", "other"), [(1, "paris", "rome"), (2, "rome", "paris")])
def test_they_are_asked_about_for_each_game(
    both: Play, text: str, number: int, game: str, other: str
) -> None:
    asked = new(both, text)
    assert (filed(both, game), filed(both, other)) == ([], [])
    both.ask("cleo", f"YES {number}", answers=asked)
    assert filed(both, game) == ["A mar - spa", "A par - bur"]
    assert filed(both, other) == []


def test_a_line_that_names_both_games_and_is_no_heading_leaves_it_open(both: Play) -> None:
    asked = both.ask(
        "cleo",
        "Hello, this concerns paris (I am also in rome, different hat).\nParis to Burgundy",
        answers=None,
        to=HOUSE,
    )
    assert filed(both, "paris") == []
    both.ask("cleo", "YES 1", answers=asked)
    assert filed(both, "paris") == ["A par - bur"]


def test_where_one_unit_is_ordered_twice_nothing_is_offered_for_either(both: Play) -> None:
    asked = new(both, "for this one: A Par - Bur\n\nfor that one: A Par - Pic")
    both.ask("cleo", "YES", answers=asked)
    assert (filed(both, "paris"), filed(both, "rome")) == ([], [])


def test_a_heading_enters_its_game_for_what_is_likely_too(both: Play) -> None:
    asked = new(both, "Hello, this is for the rome game.\n\nmy men of Paris march on Burgundy")
    both.ask("cleo", "YES", answers=asked)
    assert filed(both, "rome") == ["A par - bur"]


def test_a_question_about_a_game_that_is_called_like_a_place_is_no_order(both: Play) -> None:
    said = new(both, "Who holds which of the powers in paris? Paris holds, or does it?")
    assert "YES" not in said.text
