"""CANCEL, SAME AS LAST TIME, UNDO, and CLEAR NOW: orders changed by what was there before."""

from __future__ import annotations

import pytest

from tests.game.play import Play, flat

CHANGED = {"A mun - bur", "F kie - den", "A ber - kie"}
OPENING = "A Mun - Ruh\nF Kie - Den\nA Ber - Kie"


def on_file(play: Play, power: str = "Germany") -> set[str]:
    game = play.storage.games.find(1)
    assert game is not None
    phase = game.phase or ""
    return {each.text for each in play.storage.orders(1).of_power(power).get(phase, ())}


@pytest.fixture
def begun(play: Play) -> Play:
    play.start()
    play.send("dora", OPENING)
    return play


@pytest.mark.parametrize("line", ["cancel F kie - den", "CANCEL F Kie", "cancel kiel please"])
def test_cancel_takes_one_order_off_the_file(begun: Play, line: str) -> None:
    answer = begun.send("dora", line).text
    assert on_file(begun) == {"A mun - ruh", "A ber - kie"}
    assert "Fleet Kiel" in answer


@pytest.mark.parametrize("line", ["cancel F kie - hol", "cancel A par - bur", "cancel F kie xyz"])
def test_cancel_leaves_what_was_not_named(begun: Play, line: str) -> None:
    begun.send("dora", line)
    assert len(on_file(begun)) == 3


@pytest.mark.parametrize("line", ["forget my orders", "Cancel all my orders", "CLEAR NOW"])
def test_orders_are_forgotten(begun: Play, line: str) -> None:
    begun.send("dora", line)
    assert on_file(begun) == set()


def test_same_but_changes_one_of_the_orders_on_file(begun: Play) -> None:
    begun.send("dora", "same as last time but A mun - bur")
    assert on_file(begun) == {"A mun - bur", "F kie - den", "A ber - kie"}


def test_same_repeats_what_units_can_still_do(begun: Play) -> None:
    begun.send("dora", "A Mun H\nF Kie - Den\nA Ber H")
    begun.answer("max", "PROCESS S1901M")
    answer = begun.send("dora", "Same as last time but A Ber - Sil").text
    assert on_file(begun) == {"A mun H", "A ber - sil"}
    assert "F kie - den" in answer


def test_same_repeats_nothing_for_another_kind_of_unit(begun: Play) -> None:
    begun.send("dora", "F kie - den\nA ber - kie\nA mun H")
    begun.sure("max", "PROCESS S1901M")
    reply = flat(begun.send("dora", "SAME AS LAST TIME"))
    assert "I repeated 1 order" in reply
    assert "cannot be repeated: F kie - den; A ber - kie" in reply
    assert "A kie - den" not in reply


def test_same_changes_nothing_where_what_is_different_cannot_be_done(begun: Play) -> None:
    begun.send("dora", "same as last time but A mun - lon")
    assert on_file(begun) == {"A mun - ruh", "F kie - den", "A ber - kie"}


def test_undo_brings_back_what_was_there_before_the_last_message(begun: Play) -> None:
    begun.send("dora", "A Mun - Bur\nF Kie H")
    assert on_file(begun) == {"A mun - bur", "F kie H", "A ber - kie"}
    begun.send("dora", "undo")
    assert on_file(begun) == {"A mun - ruh", "F kie - den", "A ber - kie"}
    begun.send("dora", "UNDO")
    assert on_file(begun) == {"A mun - bur", "F kie H", "A ber - kie"}


def test_undo_takes_back_a_cancel_and_all_else_of_its_message(begun: Play) -> None:
    begun.send("dora", "cancel F kie\ncancel A mun\nA Ber H")
    begun.send("dora", "undo")
    assert on_file(begun) == {"A mun - ruh", "F kie - den", "A ber - kie"}


def test_nobody_undoes_what_another_did_or_an_earlier_phase(begun: Play) -> None:
    begun.send("cleo", "undo")
    assert len(on_file(begun)) == 3
    begun.answer("max", "PROCESS S1901M")
    begun.send("dora", "undo")
    assert on_file(begun) == set()


@pytest.mark.parametrize(
    ("language", "line", "left"),
    [
        ("de", "widerrufe F Kiel - Dänemark", {"A mun - ruh", "A ber - kie"}),
        ("de", "vergiss meine Befehle", set()),
        (
            "de",
            "Wie letztes Mal, aber A München - Burgund",
            {"A mun - bur", "F kie - den", "A ber - kie"},
        ),
        ("fr", "annule F Kiel - Danemark", {"A mun - ruh", "A ber - kie"}),
        ("fr", "oublie mes ordres", set()),
        (
            "fr",
            "comme la dernière fois mais A Munich - Bourgogne",
            {"A mun - bur", "F kie - den", "A ber - kie"},
        ),
    ],
)
def test_they_are_read_in_other_languages(
    begun: Play, language: str, line: str, left: set[str]
) -> None:
    begun.send("dora", f"SET LANGUAGE {language}")
    begun.send("dora", line)
    assert on_file(begun) == left
