"""EXPLAIN GAME: where a game that is over turned."""

from __future__ import annotations

import pytest
from msgspec import structs

from judge.game.explained import explained
from judge.game.state import State
from judge.game.visibility.eyes import ANYBODY, Eyes, reader_of
from judge.limits import Limits
from tests.game.play import PEOPLE, Play, flat


def state_of(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


@pytest.fixture
def over(play: Play) -> Play:
    """A game of one year, in which France takes Munich and Russia and Turkey meet in Rumania."""

    def made() -> None:
        play.start("NMR, MANUAL PROCESS")
        play.send("cleo", "A Par - Bur\nA Mar S A Par - Bur\nF Bre - Mid")
        play.send("dora", "A Mun - Ruh\nF Kie - Den")
        play.send("gwen", "A Con - Bul")
        play.send("max", "PROCESS S1901M")
        play.send("cleo", "A Bur - Mun\nF Mid - Por")
        play.send("gwen", "A Bul - Rum")
        play.send("finn", "F Sev - Rum")
        play.send("max", "PROCESS F1901M")
        for who in PEOPLE:
            play.send(who, "SET DRAW")
        play.judge.work()

    play.once("over, to be explained", made)
    return play


def test_it_tells_what_turned_what_decided_and_what_would_have_been_better(over: Play) -> None:
    letter = over.send("cleo", "EXPLAIN GAME paris")
    text = flat(letter)
    assert "France took Portugal and Munich." in text or "France took Munich and Portugal." in text
    assert "FALL 1901" in text
    assert "Best for Germany: " in text
    assert "Standoff in Rumania: without " in text
    assert "would have" in text
    # Who asks reads the same, and nothing has happened to the game.
    facts = explained(state_of(over), Eyes(state_of(over), ANYBODY), 1 << 60)
    for who in ("ann", "max", "zoe"):
        reader = over.storage.people.by_address(f"{who}@people.example")
        seen = Eyes(state_of(over), reader_of(reader.id if reader else None))
        assert explained(state_of(over), seen, 1 << 60) == facts


def test_what_was_cut_is_said(over: Play) -> None:
    facts = explained(state_of(over), Eyes(state_of(over), ANYBODY), 0)
    assert not any(turn["tried"] for turn in facts["turns"])  # type: ignore[attr-defined]


def test_a_running_game_is_not_explained(play: Play) -> None:
    play.start("NMR, MANUAL PROCESS")
    play.send("max", "PROCESS S1901M")
    assert "is not over" in flat(play.send("ann", "EXPLAIN GAME"))


def test_a_game_without_a_phase_has_nothing_to_explain(play: Play) -> None:
    play.start()
    play.sure("max", "TERMINATE paris")
    play.run()
    assert "Nothing to explain" in flat(play.send("ann", "EXPLAIN GAME paris"))


def test_a_game_in_which_nobody_moved_did_not_turn(play: Play) -> None:
    play.start("NMR, MANUAL PROCESS")
    play.send("max", "PROCESS S1901M")
    play.sure("max", "TERMINATE paris")
    play.run()
    assert "No phase of paris changed much" in flat(play.send("ann", "EXPLAIN GAME paris"))


def test_a_day_has_so_many(over: Play) -> None:
    over.judge.profile = structs.replace(over.judge.profile, limits=Limits(what_if=1))
    assert "Best for" in over.send("ann", "EXPLAIN GAME paris").text
    assert "within a day" in flat(over.send("ann", "EXPLAIN GAME paris"))
