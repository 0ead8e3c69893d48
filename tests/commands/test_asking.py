"""What can be asked: LIST, HISTORY, SUMMARY, WHO, VERSION; and PROCESS, the master's command."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.game.play import Play


def test_list_shows_public_games_and_ones_own_those_that_need_people_first(play: Play) -> None:
    play.start("PUBLIC")
    play.send("zoe", "CREATE ?rome, PUBLIC\nCREATE ?secret")
    text = play.send("ann", "LIST").text
    assert text.index("rome") < text.index("paris (yours)")
    assert "needs 7 more players: JOIN rome" in text
    assert "secret" not in text
    assert "secret (yours)" in play.send("zoe", "LIST").text


def test_a_paused_game_has_no_deadline_to_list(play: Play) -> None:
    play.start("PUBLIC")
    play.send("max", "PAUSE")
    play.send("zoe", "REGISTER")
    for who in ("cleo", "max", "zoe"):
        assert "Spring 1901, movement, paused." in play.send(who, "LIST paris").text
    assert "paris" in play.send("zoe", "LIST").text


def test_an_unknown_game_is_said_to_be_unknown(play: Play) -> None:
    play.send("zoe", "REGISTER")
    for line in ("LIST atlantis", "HISTORY atlantis", "SUMMARY atlantis", "WHO GAME atlantis"):
        assert "No game is called atlantis." in play.send("zoe", line).text


def test_history_takes_phases_in_letters_and_words(play: Play) -> None:
    play.start("MOVE NEXT 24H CLOCK NONE DAYS SMTWTFS, NMR")
    play.send("cleo", "A Par - Bur\nBROADCAST\nHello, world.")
    play.lapse()
    play.send("cleo", "A Bur H")
    play.lapse()
    play.send("zoe", "REGISTER")
    text = play.send("zoe", "HISTORY paris FROM S1901M TO Spring 1901 retreats").text
    assert "paris, SPRING 1901, MOVEMENT" in text
    assert "FALL 1901" not in text
    assert "Broadcast from France (Cleo), Spring 1901, movement:" in text
    assert "Hello, world." in text
    assert "FALL 1901, MOVEMENT" in play.send("zoe", "HISTORY paris FROM F1901M").text
    assert "is no phase of this game" in play.send("ann", "HISTORY paris FROM yesterday").text


def test_history_without_a_range_is_the_last_week(play: Play) -> None:
    play.start("NMR")
    play.lapse()
    play.clock.advance(days=20)
    play.send("max", "PROCESS F1901M")
    text = play.send("ann", "HISTORY").text
    assert "FALL 1901, MOVEMENT" in text
    assert "SPRING 1901, MOVEMENT\n\nAustria" not in text


def test_private_press_is_in_the_history_of_its_readers(play: Play) -> None:
    play.start()
    play.send("cleo", "PRESS TO G\nour secret")
    play.send("max", "PROCESS S1901M")
    assert "our secret" in play.send("dora", "HISTORY paris FROM S1901M").text
    assert "our secret" not in play.send("emil", "HISTORY paris FROM S1901M").text


def test_summary_shows_centers_by_year(play: Play) -> None:
    play.start()
    text = play.send("cleo", "SUMMARY").text
    assert "Aus Eng Fra Ger Ita Rus Tur" in text
    assert "Start    3   3   3   3   3   4   3" in text


@pytest.mark.parametrize("line", ["WHO England", "Wer spielt England?", "Qui joue Angleterre ?"])
def test_who_plays_a_power_is_answered_as_who_plays(play: Play, line: str) -> None:
    play.start()
    assert "England: Bob" in play.send("cleo", line).text
    assert "atlantis" in play.send("cleo", "WHO GAME atlantis").text


def test_names_are_shown_and_addresses_never(play: Play) -> None:
    play.start()
    text = play.send("cleo", "WHO GAME paris\nLIST paris\nSUMMARY").text
    assert "Germany: Dora" in text
    assert "@people.example" not in text


def test_version_says_who_answers(play: Play) -> None:
    text = " ".join(play.send("zoe", "PING").text.split())
    assert "The Judge, version" in text
    assert "Monday 1 June, 12:00 (UTC)" in text


@pytest.mark.parametrize("named", ["S1901M", "spring 1901", "Spring 1901 move"])
def test_process_runs_the_phase_that_is_named_and_current(play: Play, named: str) -> None:
    play.start()
    play.send("cleo", "A Par - Bur")
    play.letters()
    answer = play.send("max", f"PROCESS {named}")
    assert "I adjudicated Spring 1901, movement. Fall 1901, movement is open now." in " ".join(
        answer.text.split()
    )
    assert sum(letter.kind == "results" for letter in play.letters()) == 8
    game = play.storage.games.by_name("paris")
    assert game is not None
    assert [run.phase for run in play.storage.history.of_game(game.id)] == ["S1901M", "S1901R"]


@pytest.mark.parametrize("line", ["PROCESS", "PROCESS F1901M", "PROCESS now please"])
def test_process_runs_nothing_by_mistake(play: Play, line: str) -> None:
    play.start()
    answer = play.send("max", line)
    assert "Write for example:  PROCESS S1901M" in answer.text
    game = play.storage.games.by_name("paris")
    assert game is not None
    assert game.phase == "S1901M"


def test_process_is_for_the_master(play: Play) -> None:
    play.start()
    assert "Only the game master" in play.send("ann", "PROCESS S1901M").text


def test_history_takes_days(play: Play) -> None:
    play.start()
    play.send("cleo", "BROADCAST\nIn June.")
    play.send("max", "PROCESS S1901M")
    play.clock.set(datetime(2026, 7, 10, 12, tzinfo=UTC))
    play.send("max", "PROCESS F1901M")
    play.send("cleo", "BROADCAST\nIn July.")

    def shown(span: str) -> list[bool]:
        text = play.send("ann", f"HISTORY paris {span}").text
        return [each in text for each in ("SPRING 1901", "In June.", "FALL 1901", "In July.")]

    assert shown("") == [False, False, True, True]
    assert shown("FROM 2026-05-30 TO 30 Jun") == [True, True, False, False]
    assert shown("FROM July 1") == [False, False, True, True]
    assert shown("FROM 1 Jan TO 30 Jun") == [True, True, False, False]
    weekday = f"{play.clock.now():%A}"
    assert shown(f"FROM {weekday} TO {weekday}") == [False, False, True, True]
    assert shown("TO 2026-06-01") == [True, True, False, False]
    assert shown("FROM S1901M TO July 9") == [True, True, False, False]
    inside = play.send("ann", "HISTORY FROM S1901M TO Spring 1901 retreats").text
    assert "SPRING 1901" in inside
    assert "FALL 1901" not in inside
    assert "COULD NOT USE" in play.send("ann", "HISTORY paris FROM yesteryear").text
