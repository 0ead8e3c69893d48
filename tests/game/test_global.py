"""Global Diplomacy by mail: the opening build, its kinds of units, bombs, and its endings."""

from __future__ import annotations

import pytest

from judge.game.state import State
from tests.game.play import Play, Received

SIX = {"U": "ann", "R": "bob", "S": "cleo", "E": "dora", "G": "emil", "P": "finn"}
"""Who plays which power, by its letter."""


def globe(play: Play) -> State:
    game = play.storage.games.by_name("globe")
    assert game is not None
    return State(play.storage, game)


def begin(play: Play, options: str = "") -> dict[str, Received]:
    """A game `globe` of six in its first phase; the start letters by reader."""
    play.send("max", f"CREATE ?globe global, PACE MIN 0 DELAY 0{', ' + options if options else ''}")
    for letter, who in SIX.items():
        play.send(who, f"JOIN globe\nSET PREFERENCE {letter}")
    starts = [letter for letter in play.run() if letter.kind == "start"]
    return {letter.to.partition("@")[0]: letter for letter in starts}


def flat(letter: Received) -> str:
    return " ".join(letter.text.split())


def test_the_game_begins_with_builds_on_an_empty_board(play: Play) -> None:
    start = flat(begin(play)["ann"])
    assert globe(play).game.phase == "F2100A"
    assert "First phase: Fall 2100, adjustments." in start
    assert "You may build 4 units." in start
    assert "AF cus, Air force Central United States" in start
    assert "N cus" not in start
    assert "There is no unit on the board yet." in start
    assert "United States: 4 centers, 0 units, builds 4" in start
    assert "Whoever owns 16 supply centers after a spring or fall turn wins." in start
    reply = flat(play.send("ann", "army CUS, Air Force SUS, navy ala, F wus"))
    assert "United States: everything is decided." in reply
    assert "B N ala: Build navy Alaska." in reply
    assert "B N wus: Build navy Western United States." in reply


def test_a_power_with_blanks_in_its_name_is_signed_on_to_and_taken_over(play: Play) -> None:
    begin(play)
    assert "as European Union" in flat(play.send("dora", "SIGN ON European Union@globe"))
    assert "as European Union" in flat(play.send("dora", "SIGN ON eu@globe"))
    play.send("max", "EJECT united states")
    play.send("zoe", "LIST\nREGISTER\nName: Zoe\nEND")
    taken = flat(play.send("zoe", "JOIN united states@globe\nB AF CUS"))
    assert "United States in globe is yours." in taken
    assert "Build air force Central United States" in taken


@pytest.mark.parametrize("listed", ["RF, GA", "Russian Federation, Africa", "RG"])
def test_press_goes_to_powers_by_the_names_of_the_rules(play: Play, listed: str) -> None:
    begin(play)
    said = flat(play.send("ann", f"PRESS TO {listed}\nHello\nENDPRESS"))
    assert "Sent to Russian Federation and Greater African Union" in said


def test_letters_that_are_a_name_as_well_are_asked_about(play: Play) -> None:
    begin(play)
    assert "US is United States, but also the letters of" in flat(
        play.send("dora", "PRESS TO US\nHello\nENDPRESS")
    )
