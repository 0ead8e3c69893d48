"""People who wait for a public game, and those who may not join one."""

from __future__ import annotations

import pytest

from judge.game.state import State
from judge.storage import Reliability, ReliabilityEntry, Role
from tests.game.play import Play, Received


def said(letter: Received) -> str:
    return " ".join(letter.text.split())


def game(play: Play, name: str) -> State:
    found = play.storage.games.by_name(name)
    assert found is not None
    return State(play.storage, found)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("JOIN", "plain"),
        ("JOIN gunboat", "veiled"),
        ("JOIN 24h gunboat", "quick"),
        ("JOIN hundred, no press", "small"),
        ("JOIN a game, please!", "plain"),
    ],
)
def test_join_takes_a_game_that_is_like_that(play: Play, line: str, name: str) -> None:
    for each, options in (
        ("plain", "standard"),
        ("veiled", "standard, gunboat"),
        ("quick", "standard, gunboat, MOVE NEXT 24H"),
        ("small", "hundred, no press"),
    ):
        play.send("max", f"CREATE ?{each} {options}\nSET PUBLIC\nSET NO DAILY")
    assert f"You are in {name}" in said(play.send("ann", line))


def test_a_game_may_have_a_name_that_is_a_word_of_courtesy(play: Play) -> None:
    play.send("max", "CREATE ?now standard\nSET NO DAILY")
    assert "You are in now" in said(play.send("ann", "JOIN now"))


def test_who_waits_hears_of_a_game_that_is_like_that(play: Play) -> None:
    assert "is like that right now" in said(play.send("ann", "JOIN gunboat 24h"))
    play.send("bob", "JOIN")
    play.send("max", "CREATE ?open standard\nSET PUBLIC\nSET NO DAILY")
    assert {each.to for each in play.letters() if each.kind == "opening"} == {"bob@people.example"}
    play.send("max", "CREATE ?quick gunboat, MOVE NEXT 24H\nSET PUBLIC\nSET NO DAILY")
    (letter,) = [each for each in play.letters() if each.kind == "opening"]
    assert letter.to == "ann@people.example"
    assert "You are in quick" in said(play.send("ann", "YES", answers=letter))


def test_a_game_is_made_when_enough_wait_for_the_same(play: Play) -> None:
    play.send("ann", "JOIN hundred 24h")
    play.clock.advance(days=30)
    play.send("zoe", "JOIN hundred")
    reply = said(play.send("bob", "JOIN 24h, Hundred"))
    assert "2 people wait for such a game, you included; it starts once 3 do." in reply
    play.letters()
    assert "there is one: public1" in said(play.send("cleo", "JOIN hundred 24H"))
    state = game(play, "public1")
    assert len(state.seats.active(Role.PLAYER)) == 3
    assert (state.game.variant, state.settings.move.next) == ("hundred", 24)
    assert (state.settings.listed, state.terms.rated) == (True, True)
    letters = play.run()
    told = {each.to.partition("@")[0] for each in letters if each.kind == "opening"}
    assert told == {"ann", "bob"}
    # Who has waited for a month is asked, and nobody waits any more.
    (muster,) = [each for each in letters if each.kind == "muster"]
    play.send("ann", "YES", answers=muster)
    play.run()
    assert game(play, "public1").game.state == "active"
    assert [each.name for each in play.storage.people.waiting_for_game()] == ["Zoe"]


def test_they_are_told_how_long_it_usually_takes(play: Play) -> None:
    for number, days in enumerate((1, 3, 9)):
        name = f"old{number}"
        play.send("max", f"CREATE ?{name} hundred, PUBLIC, NO MUSTER\nSET NO DAILY")
        play.clock.advance(days=days)
        for who in ("ann", "bob", "cleo"):
            play.send(who, f"JOIN {name}")
        play.run()
    assert "within 4 days" in said(play.send("zoe", "JOIN blind"))


@pytest.mark.parametrize(("games", "days", "free"), [(1, 0, True), (2, 0, False), (2, 60, True)])
def test_who_let_games_down_joins_none_for_a_while(
    play: Play, games: int, days: int, free: bool
) -> None:
    play.send("max", "CREATE ?plain standard\nSET PUBLIC\nSET NO DAILY")
    play.send("max", "CREATE ?own standard\nSET NO DAILY")
    play.send("ann", "REGISTER\nName: Ann\nEND")
    ann = play.storage.people.by_address("ann@people.example")
    assert ann is not None
    with play.storage.transaction():
        for number in range(games):
            for power in ("France", "Italy"):
                play.storage.reliability_log.record(
                    ReliabilityEntry(
                        person_id=ann.id, game_id=number + 1, phase="S1901M", power=power,
                        what=Reliability.ABANDONED, at=play.clock.now(),
                    )
                )  # fmt: skip
    play.clock.advance(days=days)
    for line in ("JOIN plain", "JOIN era"):
        reply = said(play.send("ann", line))
        assert ("but join no public game" in reply) is not free, reply
    assert "You are in own" in said(play.send("ann", "JOIN own"))
    assert "You are in plain" in said(play.send("bob", "JOIN plain"))
