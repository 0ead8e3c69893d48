"""Settings: who may change them, what they are changed to, and who hears of it."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

import pytest

from judge.commands import TABLE
from judge.commands.setting_commands import export, line
from judge.game.state import State
from judge.game.state.settings import STORED, Choice, Settings
from tests.game.play import Play


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


@pytest.fixture
def forming(play: Play) -> Play:
    def make() -> None:
        play.send("max", "CREATE ?paris")
        play.send("ann", "JOIN paris")

    play.begin("forming", make=make)
    play.letters()
    return play


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("MOVE NEXT 2D CLOCK 8pm DAYS smtwtfs", "move.next", 48.0),
        ("MOVE NEXT 2D CLOCK 20:30", "move.clock", 1230),
        ("MOVE CLOCK -1", "move.clock", None),
        ("RETREAT MIN 90M", "retreat.min", 1.5),
        ("ADJUST DELAY 2h GRACE 2W DAYS --t----".replace("--t", "--T"), "adjust.grace", 336.0),
        ("END AFTER F1907", "turn_limit", "F1907"),
        ("TURN LIMIT Spring 1905", "turn_limit", "S1905"),
        ("TIME LIMIT 30D", "time_limit", 720.0),
        ("TIME LIMIT 1 Sep 20:00 UTC", "ends_at", datetime(2026, 9, 1, 20, tzinfo=UTC)),
        ("NO PRESS", "press", "none"),
        ("WHITE", "press", "white"),
        ("PUBLIC", "listed", True),
        ("MANUALSTART", "manual_start", True),
        ("TIME ZONE Europe/Paris", "zone", "Europe/Paris"),
        ("zone tokyo", "zone", "Asia/Tokyo"),
    ],
)
def test_a_setting_is_read_and_kept(forming: Play, line: str, field: str, value: object) -> None:
    answer = forming.send("max", f"SET {line}")
    assert "COULD NOT USE" not in answer.text
    found: object = paris(forming).settings
    for name in field.split("."):
        found = getattr(found, name)
    assert found == value


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("MOVE", "It takes CLOCK, MIN, NEXT"),
        ("MOVE quickly", "It takes CLOCK, MIN, NEXT"),
        ("MOVE NEXT soon", "'soon' is no length of time"),
        ("MOVE CLOCK 25:00", "'25:00' is no time of day"),
        ("MOVE DAYS -------", "DAYS must allow at least one day"),
        ("END AFTER never ever", "names no turn"),
        ("END AFTER F1900", "F1900 is over already"),
        ("TIME LIMIT 2020-01-01", "is past"),
        ("TIME LIMIT 2026-13-01", "is no date"),
        ("RULES 1888", "No rulebook is called '1888'"),
        ("ZONE Atlantis", "No time zone is called 'Atlantis'"),
    ],
)
def test_a_setting_that_cannot_be_read_changes_nothing(
    forming: Play, line: str, problem: str
) -> None:
    before = paris(forming).settings
    answer = forming.send("max", f"SET {line}")
    assert problem in " ".join(answer.text.split())
    assert "Write for example:  SET " in answer.text
    assert paris(forming).settings == before
    assert [letter.kind for letter in forming.letters()] == ["reply"]


def test_everybody_hears_of_a_change_with_old_and_new_value_once_a_mail(forming: Play) -> None:
    answer = forming.send("max", "SET NO PRESS, LIST\nSET END AFTER 1910")
    assert "Press: now none (before: white)." in answer.text
    letters = [letter for letter in forming.letters() if letter.kind == "settings"]
    assert [letter.to for letter in letters] == ["ann@people.example"]
    assert "press: now none (before: white)" in letters[0].text
    assert "last turn: now after F1910 (before: none)" in letters[0].text


def test_what_is_as_before_is_not_announced(forming: Play) -> None:
    assert "white, as before" in forming.send("max", "SET WHITE").text
    assert [letter.kind for letter in forming.letters()] == ["reply"]


def test_only_the_master_sets_a_moderated_game(forming: Play) -> None:
    assert "Only the game master of paris can do that" in forming.send("ann", "SET NO PRESS").text
    assert paris(forming).settings.press == "white"


def test_every_player_sets_an_unmoderated_one(forming: Play) -> None:
    forming.send("max", "JOIN paris")
    forming.answer("ann", "SET NO PRESS")
    assert paris(forming).settings.press == "none"
    assert "Only players" in forming.send("zoe", "OBSERVE paris\nSET WHITE\nSET WAIT").text
    assert paris(forming).settings.press == "none"


def test_the_rulebook_is_locked_when_the_game_has_started(play: Play) -> None:
    play.start("RULES 1976")
    assert paris(play).rulebook.name == "1976"
    assert "cannot be changed (1976)" in " ".join(play.send("max", "SET RULES 2023").text.split())
    assert paris(play).rulebook.name == "1976"


@pytest.mark.parametrize(
    ("line", "write"),
    [
        ("SET MOVE NEXT", "SET MOVE NEXT 48H"),
        ("SET MOVE DAYS", "SET MOVE DAYS -MTWTF-"),
        ("SET MOVE MIN abc", "SET MOVE MIN 12H"),
        ("SET RETREAT GRACE x", "SET RETREAT GRACE 3D"),
        ("SET NEXT", "SET NEXT 48H"),
        ("SET CENTERS", "SET CENTERS 18"),
        ("SET TIME ZONE", "SET TIME ZONE Europe/Paris"),
        ("SET DEDICATION 20", "SET DEDICATION 0"),
        ("SET ONTIMERAT 0.9", "SET ONTIMERAT 0.0"),
        ("SET LEVEL expert", "SET LEVEL novice"),
        ("EXTEND", "EXTEND UNTIL 9 Jun 23:30"),
        ("SET DEADLINE", "SET DEADLINE 9 Jun 23:30"),
    ],
)
def test_the_line_that_is_offered_would_be_taken(play: Play, line: str, write: str) -> None:
    play.start()
    text = play.send("max", line).text
    assert "''" not in text
    assert re.search(rf"(?:Write for example:  |^      ){re.escape(write)}$", text, re.MULTILINE)
    assert "COULD NOT USE" not in play.send("max", write).text


def test_what_was_refused_is_no_example(play: Play) -> None:
    play.start("MOVE NEXT 48H GRACE 24H")
    refused = play.ask("max", "SET NMR").text
    assert "GRACE must be longer" in " ".join(refused.split())
    assert refused.count("SET NMR") == 1, "only as the line that it is about"


def test_a_new_pace_holds_from_the_next_phase_on(play: Play) -> None:
    play.start("MOVE NEXT 48H CLOCK NONE DAYS SMTWTFS")
    deadline = paris(play).game.deadline
    play.send("max", "SET MOVE NEXT 1H MIN 0")
    assert paris(play).game.deadline == deadline
    assert deadline is not None
    play.clock.set(deadline)
    play.send("max", "PROCESS S1901M")
    game = paris(play).game
    assert game.deadline is not None
    assert game.opened_at is not None
    assert (game.deadline - game.opened_at).total_seconds() == 3600


def test_limits_can_be_taken_back(forming: Play) -> None:
    forming.send("max", "SET END AFTER 1910, TIME LIMIT 10D")
    forming.send("max", "SET END AFTER NONE, TIME LIMIT NONE")
    settings = paris(forming).settings
    assert (settings.turn_limit, settings.time_limit, settings.ends_at) == (None, None, None)


def test_settings_survive_json() -> None:
    assert Settings.from_json({}) == Settings()
    assert Settings.from_json(Settings(turn_limit="F1907").to_json()).turn_limit == "F1907"


CHOICES = [
    (name, value, choice)
    for name, setting in STORED.items()
    for value, choice in setting.choices.items()
]


@pytest.mark.parametrize(("name", "value", "choice"), CHOICES, ids=lambda each: str(each))
def test_each_choice_is_set_by_each_of_its_words_and_written_as_a_line(
    forming: Play, name: str, value: object, choice: Choice
) -> None:
    state = paris(forming)
    for words in choice.words:
        found = TABLE.find(f"SET {words}")
        assert found is not None
        assert (found[0].setting, found[0].words[0]) == (name, f"set {choice.words[0]}")
    state.set(**{name: value})
    assert Settings.from_json(json.loads(json.dumps(state.settings.to_json()))) == state.settings
    written = line(name, state)
    assert written == (None if value == STORED[name].default else f"SET {choice.words[0]}".upper())


def test_each_setting_that_takes_a_value_can_read_its_example(forming: Play) -> None:
    for name, setting in STORED.items():
        if setting.words and name not in ("dedication", "ontimerat", "level"):
            answer = forming.send("max", setting.example)
            assert "COULD NOT USE" not in answer.text, setting.example
            assert getattr(paris(forming).settings, name) != setting.default or "15" in answer.text


def test_a_time_limit_and_a_rulebook_are_exported(forming: Play) -> None:
    forming.send("max", "SET RULES 1976, TIME LIMIT 30D")
    lines = export(paris(forming))
    assert lines == ["SET VARIANT standard", "SET RULES 1976", "SET TIME LIMIT 720H"]
    forming.send("max", "SET TIME LIMIT 1 Sep 20:00 UTC")
    assert "SET TIME LIMIT 2026-09-01 20:00 UTC" in export(paris(forming))
    forming.send("max", "CREATE ?rome\n" + "\n".join(export(paris(forming))))
    game = forming.storage.games.by_name("rome")
    assert game is not None
    assert State(forming.storage, game).settings == paris(forming).settings
