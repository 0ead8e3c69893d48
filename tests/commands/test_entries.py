"""LIST in full, all help pages at once, and settings as lines."""

from __future__ import annotations

from judge.commands.setting_commands import export
from judge.game.state import State
from tests.game.play import Play


def test_a_full_entry_shows_what_is_special_and_nobodys_address(play: Play) -> None:
    play.send(
        "max",
        "CREATE ?paris standard, PUBLIC, NO DIAS, CENTERS 20, ALLOW PLAYER eve@people.example",
    )
    play.send("max", "CREATE ?rome standard, PUBLIC, PLAYERS 3")
    play.send("max", "CREATE ?secret standard")
    play.send("zoe", "REGISTER")
    text = " ".join(play.send("zoe", "LIST FULL").text.split())
    assert "paris: Diplomacy (standard)" in text
    assert "Draws: any that all agree on." in text
    assert "Victory: 20 centers" in text
    assert "rome: Diplomacy (standard)" in text
    assert "Number of players: 3 (" in text
    assert "secret" not in text
    assert "eve@people.example" not in text


def test_an_entry_says_whether_orders_are_missing_and_not_whose(play: Play) -> None:
    play.start()
    assert "Orders of some power are missing." in play.send("zoe", "LIST paris").text


def test_a_package_has_all_pages(play: Play) -> None:
    play.send("ann", "REGISTER")
    text = play.send("ann", "GET PACKAGE").text
    for page in ("guide", "orders", "press", "deadlines"):
        heading = play.send("ann", f"GET {page}").text.splitlines()[4]
        assert heading.strip()
        assert heading in text


LINES = """\
SET VARIANT hundred
SET PLAYERS 2, POWERS 3
SET MOVE CLOCK 18:15 NEXT 48H MIN 1H DELAY 15M GRACE 96H DAYS SMTWTF-
SET NMR, QUIET, NO DIAS, NO CONCESSIONS, CENTERS 15, PRFBOTH, ONE CENTERS, AUTO DISBAND
SET GREY/WHITE, NO PARTIAL, OBSERVER WHITE, MUST ORDER, PARTIAL MAY BE FAKED
SET GUNBOAT, NO REVEAL, SECRET
SET END AFTER F1430, PUBLIC, MANUAL START, STRICT WAIT, MAX ABSENCE 7, APPROVAL
SET COMMENT a friendly game, for two
SET DENY PLAYER eve@people.example, mallory@people.example
SET TIME ZONE Europe/Paris
SET COMMENT BEGIN
One.

Two.
END
"""


def test_the_settings_of_a_game_as_lines_make_another_one_the_same(play: Play) -> None:
    def state(name: str) -> State:
        game = play.storage.games.by_name(name)
        assert game is not None
        return State(play.storage, game)

    play.send("max", "CREATE ?paris")
    said = play.send("max", LINES).text
    assert "COULD NOT USE" not in said
    lines = export(state("paris"))
    play.send("max", "CREATE ?rome\n" + "\n".join(lines))
    assert state("rome").settings == state("paris").settings
    assert state("rome").variant.name == "hundred"
    assert export(state("rome")) == lines


def test_a_new_game_is_told_in_one_line(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    game = play.storage.games.by_name("paris")
    assert game is not None
    assert export(State(play.storage, game)) == ["SET VARIANT standard"]
