"""Press goes to whom it names, as it was written, or not at all."""

from __future__ import annotations

import pytest

from tests.game.play import Play


def readers(play: Play) -> list[str]:
    return sorted(
        letter.to.partition("@")[0] for letter in play.letters() if letter.kind == "press"
    )


@pytest.mark.parametrize(
    ("to", "who"),
    [
        ("TO FG", ["cleo", "dora"]),
        ("to france, GERMANY", ["cleo", "dora"]),
        ("TO France and Germany:", ["cleo", "dora"]),
        ("WHITE TO F", ["cleo"]),
        ("FG", ["cleo", "dora"]),
        ("TO M", ["max"]),
        ("TO RM", ["finn", "max"]),
        ("TO ALL", ["bob", "cleo", "dora", "emil", "finn", "gwen"]),
        ("TO ALL BUT TG", ["bob", "cleo", "emil", "finn"]),
    ],
)
def test_recipients(play: Play, to: str, who: list[str]) -> None:
    play.start()
    play.send("zoe", "OBSERVE paris")
    play.letters()
    play.send("ann", f"PRESS {to}\n  Hello,\n\nthere.\nEND PRESS\nSET WAIT")
    assert readers(play) == who


def test_the_text_arrives_as_it_was_written(play: Play) -> None:
    play.start()
    play.letters()
    text = "Dear Cleo,\n\nA Par - Bur\nSET WAIT\n   1. indented\n* starred"
    answer = play.send("ann", f"PRESS TO F\n{text}\nENDPRESS\nF Tri H")
    letter = next(letter for letter in play.letters() if letter.kind == "press")
    assert text in letter.text
    assert text in answer.text
    assert "ann@" not in letter.message.as_string()
    assert "Press from Austria (Ann) to France" in letter.text


@pytest.mark.parametrize(
    ("head", "why"),
    [
        ("PRESS", "Say to whom"),
        ("PRESS TO", "Say to whom"),
        ("PRESS TO FX", "I know nobody called FX"),
        ("PRESS TO France, Atlantis", "I know nobody called Atlantis"),
        ("PRESS GREY TO F", "Only white press"),
        ("BROADCAST GREY", "Only white press"),
        ("PRESS TO A", "Nobody in paris is anybody else"),
    ],
)
def test_what_cannot_be_sent_is_not_sent_and_comes_back(play: Play, head: str, why: str) -> None:
    play.start()
    play.letters()
    answer = play.send("ann", f"{head}\nthe secret plan\nENDPRESS\nF Tri H")
    text = " ".join(answer.text.split())
    assert f"Nothing was sent. {why}" in text
    assert "the secret plan" in text
    assert "Fleet Trieste holds" in text
    assert readers(play) == []


def test_a_list_that_is_names_and_letters_at_once_is_asked_about(play: Play) -> None:
    play.start()
    # "fr" begins France and spells France and Russia.
    answer = play.send("ann", "PRESS TO FR\nhello")
    text = " ".join(answer.text.split())
    assert "Sent to France and Russia" in text or "FR is France, but also the letters" in text


def test_empty_press_is_not_sent(play: Play) -> None:
    play.start()
    play.letters()
    assert "There was no text" in play.send("ann", "PRESS TO F\n\nENDPRESS").text
    assert readers(play) == []


def test_nobody_is_written_to_who_has_resigned(play: Play) -> None:
    play.start()
    play.send("cleo", "RESIGN")
    assert "Nobody in paris is France" in play.send("ann", "PRESS TO F\nhi").text


def test_a_game_without_press_lets_people_write_to_the_master_only(play: Play) -> None:
    play.start("NONE")
    play.letters()
    assert "played without press" in play.send("ann", "BROADCAST\nhi").text
    assert "played without press" in play.send("ann", "PRESS TO FM\nhi").text
    assert "Sent to Master" in play.send("ann", "PRESS TO M\nhi").text
    assert readers(play) == ["max"]
    play.send("max", "PRESS TO A\nwhat is it?")
    assert readers(play) == ["ann"]


def test_before_the_start_people_talk_by_name(play: Play) -> None:
    play.send("max", "CREATE ?paris, NO PRESS")
    play.send("ann", "JOIN paris")
    play.send("bob", "JOIN paris")
    play.letters()
    play.send("ann", "BROADCAST\nWho else?")
    letters = [letter for letter in play.letters() if letter.kind == "press"]
    assert sorted(letter.to for letter in letters) == ["bob@people.example", "max@people.example"]
    assert "Broadcast from Ann to everybody in paris, before the start" in letters[0].text


def test_observers_broadcast_as_observers(play: Play) -> None:
    play.start()
    play.send("zoe", "OBSERVE paris")
    play.letters()
    play.send("zoe", "BROADCAST\nNice game!")
    letters = [letter for letter in play.letters() if letter.kind == "press"]
    assert len(letters) == 8
    assert "Broadcast from Observer (Zoe)" in letters[0].text


def test_sign_off_ends_press_and_mail(play: Play) -> None:
    play.start()
    play.letters()
    play.send("ann", "PRESS TO F\nhello\nSIGN OFF\nBROADCAST\nnot this")
    assert readers(play) == ["cleo"]
