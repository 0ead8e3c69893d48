"""The pace of a game: set in fields and in plain words, for one type of phase or for all."""

from __future__ import annotations

import pytest

from judge.game.state import State
from judge.game.state.settings import Settings
from judge.schedule.deadlines import CLASSIC
from tests.game.play import Play


def settings(play: Play) -> Settings:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game).settings


@pytest.fixture
def forming(play: Play) -> Play:
    play.send("max", "CREATE ?paris")
    play.send("ann", "JOIN paris")
    play.letters()
    return play


def test_a_new_game_has_the_classic_pace(forming: Play) -> None:
    found = settings(forming)
    assert (found.move, found.retreat, found.adjust) == tuple(CLASSIC[kind] for kind in "MRA")


@pytest.mark.parametrize(
    ("line", "name", "values"),
    [
        ("MOVE NEXT 48 CLOCK 20:00 DAYS -MTWTF-", "move", {"next": 48, "clock": 1200}),
        ("MOVE CLOCK 1200", "move", {"clock": 1200}),
        ("MOVE NEXT=2W MIN: 3D", "move", {"next": 336, "min": 72}),
        ("RETREAT GRACE 48H", "retreat", {"grace": 48}),
        ("ADJUST 24h", "adjust", {"next": 24}),
        ("MOVE every Mon and Thu 20:00", "move", {"days": "-M--T--", "clock": 1200}),
        ("MOVE every 2 days DELAY 90M", "move", {"next": 47, "delay": 1.5}),
        ("ADJUST 90 min", "adjust", {"next": 1.5}),
    ],
)
def test_one_type_of_phase(forming: Play, line: str, name: str, values: dict[str, object]) -> None:
    assert "COULD NOT USE" not in forming.send("max", f"SET {line}").text
    found = settings(forming)
    for field, value in values.items():
        assert getattr(getattr(found, name), field) == value
    others = {"move": "M", "retreat": "R", "adjust": "A"}
    del others[name]
    assert all(getattr(found, each) == CLASSIC[kind] for each, kind in others.items())


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("CLOCK 20:00", "clock", 1200),
        ("CLOCK 1410", "clock", 1410),
        ("CLOCK -1", "clock", None),
        ("NEXT 3D", "next", 72),
        ("MIN 90M", "min", 1.5),
        ("DELAY 2h", "delay", 2),
        ("DAYS -MTWTF-", "days", "-MTWTF-"),
        ("DAYS Mon, Wed and Fri", "days", "-M-W-F-"),
        ("DAYS weekdays", "days", "-MTWTF-"),
        ("PACE every day at 9pm", "clock", 1260),
    ],
)
def test_without_the_phases_word_all_three(
    forming: Play, line: str, field: str, value: object
) -> None:
    assert "COULD NOT USE" not in forming.send("max", f"SET {line}").text
    found = settings(forming)
    assert {getattr(each, field) for each in (found.move, found.retreat, found.adjust)} == {value}


def test_the_sentence_of_the_manual(forming: Play) -> None:
    answer = forming.send("max", "SET MOVE every Mon and Thu 20:00 Paris, adjust 24h")
    found = settings(forming)
    assert (found.move.clock, found.move.days, found.zone) == (1200, "-M--T--", "Europe/Paris")
    assert (found.adjust.next, found.adjust.days) == (24, "-MTWTF-")
    text = " ".join(answer.text.split())
    assert "CLOCK of movement phases: now 20:00 (before: 23:30)." in text
    assert "DAYS of movement phases: now -M--T-- (before: -MTWTF-)." in text
    assert "Time zone of the game: now Europe/Paris (before: UTC)." in text
    assert "NEXT of adjustment phases: now 1 day (before: 23 hours)." in text
    told = next(letter for letter in forming.letters() if letter.kind == "settings")
    assert told.to == "ann@people.example"
    assert "CLOCK of movement phases: now 20:00 (before: 23:30)" in told.text


def test_a_pace_of_minutes_starts_from_nothing(forming: Play) -> None:
    forming.send("max", "SET MOVE NEXT 71 CLOCK 20:00 DAYS -MTWTF- MIN 12 DELAY 30M GRACE 7D")
    told = forming.send("max", "SET MOVE 10 minutes")
    move = settings(forming).move
    assert (move.clock, move.days, move.min, move.delay) == (None, "SMTWTFS", 0, 0)
    assert move.next == move.grace == 10 / 60
    assert "GRACE" in told.text
    forming.send("max", "SET MOVE 10 minutes GRACE 1H")
    assert settings(forming).move.grace == 1


def test_several_types_in_one_line(forming: Play) -> None:
    forming.send("max", "SET MOVE NEXT 48 CLOCK 20:00 RETREAT 24H ADJUST every day 21:00")
    found = settings(forming)
    assert (found.move.next, found.retreat.next, found.adjust.clock) == (48, 24, 1260)


def test_a_line_that_cannot_be_read_changes_nothing_at_all(forming: Play) -> None:
    before = settings(forming)
    answer = forming.send("max", "SET MOVE NEXT 48H RETREAT NEXT soon")
    assert "'soon' is no length of time" in answer.text
    assert settings(forming) == before
    assert [letter.kind for letter in forming.letters()] == ["reply"]


def test_what_is_as_before_is_said_and_not_announced(forming: Play) -> None:
    assert "The pace is as before." in forming.send("max", "SET MOVE NEXT 71").text
    assert [letter.kind for letter in forming.letters()] == ["reply"]


def test_a_pace_is_an_option_of_create(play: Play) -> None:
    play.send("max", "CREATE ?paris standard, MOVE every Mon and Thu 20:00 Paris, ADJUST 24h")
    found = settings(play)
    assert (found.move.days, found.zone, found.adjust.next) == ("-M--T--", "Europe/Paris", 24)


def test_several_changes_say_once_when_deadlines_would_be(forming: Play) -> None:
    lines = ("SET MOVE 24H", "SET RETREAT 12H", "SET ADJUST 12H")
    alone = [forming.answer("max", line).text for line in lines]
    assert all(text.count("three deadlines") == 1 for text in map(_flat, alone))
    together = _flat(forming.answer("max", "SET MOVE 36H\nSET RETREAT 24H\nSET ADJUST 24H").text)
    assert together.count("three deadlines") == 1
    assert together.index("> SET ADJUST") < together.index("three deadlines")


def _flat(text: str) -> str:
    return " ".join(text.split())
