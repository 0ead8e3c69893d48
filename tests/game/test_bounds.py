"""What one mail, and one person, can bring about has an end, and they are told where it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.storage import GOING_ON
from tests.game.play import Play

MOST_BYTES = 60_000


@pytest.fixture
def play(tmp_path: Path) -> Play:
    return Play(tmp_path)


def test_a_stranger_cannot_stop_the_judge(play: Play) -> None:
    """Small mails that make games, and then order lines that may be for any of them."""
    sizes = []
    for mail in range(3):
        lines = [f"CREATE ?g{mail}x{n}" for n in range(40)]
        sizes.append(len(play.send("eve", "\n".join(lines)).raw))
    eve = play.storage.people.by_address("eve@people.example")
    assert eve is not None
    games = play.storage.games.of_person(eve.id, GOING_ON)
    assert len(games) == play.judge.profile.limits.games
    for count in (250, 750):
        said = play.send("eve", "A Par - Bur\n" * count, subject="hi", to="judge@judge.example")
        sizes.append(len(said.raw))
        assert said.text.count("you take part in") == 1
        assert sum(said.text.count(game.name) for game in games) < 10
        assert "45 more" in " ".join(said.text.split())
    assert max(sizes) < MOST_BYTES


def test_who_is_in_too_many_games_hears_the_limit(play: Play) -> None:
    most = play.judge.profile.limits.games
    play.send("eve", "\n".join(f"CREATE ?g{n}" for n in range(most)))
    assert f"{most} games" in play.send("eve", "CREATE ?more").text


@pytest.mark.parametrize(
    "line", ["A Par - Bur {n}", "A Pra - Bugrundi", "SET ABSENCE 2026-01-01 TO 2027-01-{n}"]
)
def test_a_reply_ends_and_says_how_much_it_leaves_out(play: Play, line: str) -> None:
    play.start()
    said = play.send("ann", "\n".join(line.format(n=n) for n in range(400)))
    assert len(said.raw) < MOST_BYTES
    assert "more lines of your message" in " ".join(said.text.split())


def test_what_is_asked_is_never_left_out(play: Play) -> None:
    play.start()
    said = play.send("ann", "A Vie - Gal 1\n" * 100 + "RESIGN paris")
    assert "YES" in said.text
