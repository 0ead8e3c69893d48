"""The question before the start: who is still there."""

from __future__ import annotations

import pytest

from judge.game.state import State
from judge.storage import Role
from tests.game.play import Play, Received

ALL = ("ann", "bob", "cleo")


def paris(play: Play) -> State:
    found = play.storage.games.by_name("paris")
    assert found is not None
    return State(play.storage, found)


def asked(letters: list[Received]) -> dict[str, Received]:
    return {each.to.partition("@")[0]: each for each in letters if each.kind == "muster"}


def fill(play: Play, options: str = "PUBLIC, MOVE NEXT 36H", last: str = "") -> Play:
    """A game for three whose first player joined three days before the others."""
    play.send("max", f"CREATE ?paris hundred, {options}\nSET NO DAILY")
    play.send("ann", "JOIN paris")
    play.clock.advance(days=3)
    play.send("bob", "JOIN paris")
    reply = play.send("cleo", "JOIN paris")
    if last:
        play.send("max", last)
    elif "NO MUSTER" in options:
        assert "the game starts now" in " ".join(reply.text.split())
    elif "36H" in options:
        assert "if they are there; then the game starts" in " ".join(reply.text.split())
    return play


@pytest.mark.parametrize(("line", "answers"), [("YES", True), ("SET PREFERENCE F", False)])
def test_who_was_silent_is_asked_and_the_game_waits(play: Play, line: str, answers: bool) -> None:
    letters = asked(fill(play).run())
    assert set(letters) == {"ann"}
    assert "Reply with YES before" in " ".join(letters["ann"].text.split())
    assert paris(play).game.state == "forming"
    assert not asked(play.run())
    play.send("ann", line, answers=letters["ann"] if answers else None)
    play.run()
    assert paris(play).game.state == "active"


def test_a_note_of_absence_is_no_answer(play: Play) -> None:
    letter = asked(fill(play).run())["ann"]
    away = {"Auto-Submitted": "auto-replied"}
    note = play.mail("ann", "I am away.", answers=letter, headers=away)
    play.judge.process_message(note)
    play.run()
    assert paris(play).game.state == "forming"


def test_a_place_without_an_answer_is_free_again(play: Play) -> None:
    fill(play).run()
    play.clock.advance(hours=36, seconds=-60)
    play.run()
    assert len(paris(play).seats.active(Role.PLAYER)) == 3
    play.send("zoe", "JOIN")
    play.clock.advance(minutes=1)
    letters = play.run()
    assert "your place is free" in " ".join(asked(letters)["ann"].text.split())
    told = {each.to.partition("@")[0] for each in letters if each.kind == "resigned"}
    assert told == {"bob", "cleo", "max"}
    # Who waits for a game hears of it.
    (opening,) = [each for each in letters if each.kind == "opening"]
    play.send("zoe", "YES", answers=opening)
    # Bob and Cleo wrote long ago by now, and are asked in their turn.
    letters = play.run()
    assert set(asked(letters)) == {"bob", "cleo"}
    for who in ("bob", "cleo"):
        play.send(who, "YES", answers=asked(letters)[who])
    play.run()
    assert paris(play).game.state == "active"


def test_no_gives_the_place_back(play: Play) -> None:
    letter = asked(fill(play).run())["ann"]
    play.send("ann", "NO", answers=letter)
    assert len(paris(play).seats.active(Role.PLAYER)) == 2


@pytest.mark.parametrize(
    ("options", "last"),
    [
        ("PUBLIC, NO MUSTER", ""),
        ("PRIVATE", ""),
        ("PUBLIC, MOVE NEXT 12H", ""),
        ("PUBLIC, MANUAL START", "START"),
    ],
)
def test_it_can_be_left_out(play: Play, options: str, last: str) -> None:
    assert not asked(fill(play, options, last).run())
    assert paris(play).game.state == "active"


@pytest.mark.parametrize("options", ["PUBLIC", "PRIVATE, MUSTER, MOVE NEXT 12H"])
def test_nobody_is_asked_who_wrote_lately(play: Play, options: str) -> None:
    play.send("max", f"CREATE ?paris hundred, {options}\nSET NO DAILY")
    play.send("ann", "JOIN paris")
    play.clock.advance(days=3)
    play.send("bob", "JOIN paris")
    play.send("ann", "LIST")
    play.send("cleo", "JOIN paris")
    assert not asked(play.run())
    assert paris(play).game.state == "active"


def test_computers_are_there(play: Play) -> None:
    play.send("max", "CREATE ?paris hundred, PUBLIC\nSET NO DAILY\nSET BOTS 2")
    play.clock.advance(days=3)
    play.send("ann", "JOIN paris")
    assert not asked(play.run())
    assert paris(play).game.state == "active"


def test_what_is_asked_holds_whenever_the_judge_is_killed(play: Play) -> None:
    """Each step is one transaction: what was asked is asked once, and a place given up once."""
    fill(play)
    moments = 0
    for _ in range(3):
        play.judge.run_game(paris(play).game.id)
        moments += len(asked(play.letters()))
    assert moments == 1
    play.clock.advance(days=2)
    for _ in range(3):
        play.judge.run_game(paris(play).game.id)
    assert [each.kind for each in play.letters()].count("muster") == 1
