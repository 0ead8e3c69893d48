"""Settings that change the board: where units are built, retreats, the start, conversions."""

from __future__ import annotations

import pytest

from judge import variants
from judge.game.state import State
from judge.game.state.settings import Settings, played
from judge.language.read import read_order
from judge.rules import engine
from judge.rules.adjustments import conversions, sites
from judge.rules.phase import Phase
from judge.rules.position import Position, Unit
from tests.game.play import PEOPLE, Play


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


WINTER = Position(
    Phase.read("W1901A"),
    {"France": (Unit("A", "ber"),), "Germany": ()},
    {"France": ("par", "bel", "ber"), "Germany": ("swe",)},
)


@pytest.mark.parametrize(
    ("option", "france", "germany"),
    [
        ("HOME CENTERS", {"par"}, set()),
        ("ONE CENTERS", {"par", "bel"}, set()),
        ("ANY CENTERS", {"par", "bel"}, {"swe"}),
    ],
)
def test_where_units_are_built(
    play: Play, option: str, france: set[str], germany: set[str]
) -> None:
    play.send("max", f"CREATE ?paris standard, {option}")
    variant = paris(play).variant
    assert set(sites(variant, WINTER, "France")) == france
    assert set(sites(variant, WINTER, "Germany")) == germany


def test_home_centers_on_a_board_with_another_rule(play: Play) -> None:
    play.send("max", "CREATE ?paris build_anywhere, HOME CENTERS")
    assert set(sites(paris(play).variant, WINTER, "France")) == {"par"}


def test_without_retreats_what_is_dislodged_is_destroyed() -> None:
    variant = played("standard", Settings(auto_disband=True))
    units = {"France": (Unit("A", "bur"), Unit("A", "mar")), "Italy": (Unit("A", "gas"),)}
    position = Position(Phase.read("S1901M"), units, {})
    lines = {"France": ("A bur - gas", "A mar S A bur - gas"), "Italy": ("A gas H",)}
    orders = {
        power: [read_order(line, variant, position.phase, power, position) for line in given]
        for power, given in lines.items()
    }
    found = engine.adjudicate(variant, position, orders)
    assert found.position.dislodged == {}
    assert found.position.units["Italy"] == ()
    standard = engine.adjudicate(variants.load("standard"), position, orders)
    assert standard.position.dislodged


def test_a_blank_board_begins_with_builds(play: Play) -> None:
    starts = play.start("BLANK BOARD")
    state = paris(play)
    assert state.game.phase == "W1900A"
    assert "You may build 3 units." in starts["cleo"].text
    for who in PEOPLE:
        state = paris(play)
        person = play.storage.people.by_address(f"{who}@people.example")
        assert person is not None
        (power,) = [seat.power for seat in state.seats.of(person.id)]
        assert power is not None
        play.send(who, "\n".join(f"B A {center}" for center in state.opened.centers[power]))
    play.lapse()
    state = paris(play)
    assert state.game.phase == "S1901M"
    assert {unit.kind for unit in state.opened.units["France"]} == {"A"}


def test_units_become_others_in_their_centers(play: Play) -> None:
    play.send("max", "CREATE ?paris standard, TRANSFORM")
    assert Unit("A", "bre") in conversions(
        paris(play).variant,
        Position(Phase.read("W1901A"), {"France": (Unit("A", "bre"),)}, {"France": ("bre", "par")}),
        "France",
    )


@pytest.mark.parametrize("line", ["ANY CENTERS", "AUTO DISBAND", "BLANK BOARD", "TRANSFORM"])
def test_the_board_is_locked_when_the_game_has_started(play: Play, line: str) -> None:
    play.start()
    said = " ".join(play.send("max", f"SET {line}").text.split())
    assert "cannot be changed" in said
