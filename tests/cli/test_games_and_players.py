"""`judge game` and `judge player`: what the keeper changes at the command line."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import peewee
import pytest

from judge.intake.outward import ours
from judge.storage import Game, Person, Role, Seat, Storage
from tests.cli.conftest import Call
from tests.game.play import Play, Received

NOW = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.fixture
def play(home: Path) -> Iterator[Play]:
    """The judge of the command line, with its own database, processed by hand."""
    play = Play(home)
    yield play
    play.storage.close()


@pytest.fixture
def clock(home: Path, monkeypatch: pytest.MonkeyPatch, play: Play) -> None:
    """The command line sees the time that the game sees."""
    monkeypatch.setattr("judge.config.ClockSection.clock", lambda section: play.clock)


@pytest.fixture
def started(play: Play, clock: None) -> Play:
    play.start()
    return play


def game(play: Play, name: str = "paris") -> Game:
    found = play.storage.games.by_name(name)
    assert found is not None
    return found


def kinds(letters: list[Received]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for letter in letters:
        found.setdefault(letter.kind, set()).add(letter.to.partition("@")[0])
    return found


EVERYBODY = {"max", "ann", "bob", "cleo", "dora", "emil", "finn", "gwen"}


# judge game


def test_settings_are_changed_and_everybody_is_told(started: Play, call: Call) -> None:
    result = call("game", "set", "paris", "MOVE NEXT 48H", "SET NMR")
    assert result.exit_code == 0
    assert "now" in result.output
    settings = game(started).settings
    assert settings["nmr"] is True
    letters = started.letters()
    assert kinds(letters) == {"settings": EVERYBODY}
    assert "The keeper has changed settings of paris" in letters[0].text
    events = started.storage.events.of_game(game(started).id)
    assert any(event.what == "set" and event.facts.get("keeper") for event in events)


def test_what_is_no_setting_changes_nothing(started: Play, call: Call) -> None:
    before = game(started).settings
    result = call("game", "set", "paris", "MOVE whenever")
    assert result.exit_code == 1
    assert "MOVE whenever" in result.stderr
    assert game(started).settings == before
    assert call("game", "set", "rome", "NMR").exit_code == 1
    assert "no game rome" in call("game", "set", "rome", "NMR").stderr
    assert started.letters() == []


def test_answers_come_as_json(started: Play, call: Call) -> None:
    (said,) = json.loads(call("game", "set", "paris", "NMR", "--json").output)
    assert said["kind"] == "command"
    assert said["read"] == "SET NMR"
    refused = call("game", "process", "paris", "F1901M", "--json")
    assert refused.exit_code == 1
    (said,) = json.loads(refused.stdout)
    assert said["write"] == ["PROCESS S1901M"]


def test_a_phase_is_run_taken_back_and_restored(started: Play, call: Call) -> None:
    assert call("game", "process", "paris", "S1901M", "--yes").exit_code == 0
    assert game(started).phase == "F1901M"
    assert kinds(started.letters())["results"] == EVERYBODY
    assert call("game", "rollback", "paris", "S1901M").exit_code == 0
    assert game(started).phase == "S1901M"
    assert call("game", "restore", "paris").exit_code == 0
    assert game(started).phase == "F1901M"
    log = " ".join(started.send("ann", "AUDIT paris").text.split())
    assert log.count("the keeper of the judge: ") == 3


def test_a_game_is_paused_goes_on_and_ends(started: Play, call: Call) -> None:
    assert call("game", "pause", "paris").exit_code == 0
    assert game(started).state == "paused"
    assert game(started).deadline is None
    assert call("game", "resume", "paris").exit_code == 0
    assert game(started).state == "active"
    assert game(started).wake_at is not None
    assert call("game", "end", "paris", "--yes").exit_code == 0
    assert game(started).state == "ended"
    assert kinds(started.letters())["end"] == EVERYBODY


def test_a_game_without_a_master_is_run_too(play: Play, clock: None, call: Call) -> None:
    play.start("UNMODERATED")
    assert call("game", "pause", "paris").exit_code == 0
    assert game(play).state == "paused"


def test_what_cannot_be_undone_is_asked(started: Play, call: Call) -> None:
    refused = call("game", "end", "paris", input="n\n")
    assert refused.exit_code == 1
    assert "would end for everybody" in refused.stderr
    assert game(started).state == "active"
    assert call("game", "do", "paris", "EJECT france", input="y\n").exit_code == 0
    assert "France" not in {seat.power for seat in started.storage.seats.of_game(game(started).id)
                            if seat.state == "active"}  # fmt: skip


def test_a_game_is_renamed_and_an_empty_one_deleted(play: Play, clock: None, call: Call) -> None:
    play.send("max", "CREATE ?paris")
    assert call("game", "rename", "paris", "rome").exit_code == 0
    assert game(play, "rome").state == "forming"
    result = call("game", "delete", "rome", "--yes")
    assert result.exit_code == 1
    assert "judge game end" in result.stderr or "TERMINATE rome" in result.stderr
    assert call("game", "end", "rome", "--yes").exit_code == 0
    assert game(play, "rome").state == "ended"


def test_orders_and_acts_of_a_master(started: Play, call: Call) -> None:
    result = call("game", "do", "paris", "BECOME france", "A Par - Bur", "SIGN ON mparis")
    assert "Army Paris moves to Burgundy" in result.output
    assert kinds(started.letters())["acted"] == {"cleo"}
    assert call("game", "do", "paris", "EJECT gwen@people.example", "--yes").exit_code == 0
    assert call("game", "do", "paris", "what now of it").exit_code == 1
    assert call("game", "do", "paris", "JOIN paris").exit_code == 1


def test_what_fails_changes_nothing(
    started: Play, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: Any) -> None:
        raise ZeroDivisionError("on purpose")

    before = game(started)
    monkeypatch.setattr("judge.service.tell_players", fail)
    with pytest.raises(ZeroDivisionError):
        call("game", "set", "paris", "NMR")
    assert game(started) == before
    assert started.letters() == []


def test_it_waits_for_a_judge_at_work(started: Play, call: Call, home: Path) -> None:
    at_work = sqlite3.connect(home / "judge.db", isolation_level=None, check_same_thread=False)
    at_work.execute("BEGIN IMMEDIATE")
    done = threading.Event()

    def finish() -> None:
        done.set()
        at_work.execute("COMMIT")

    timer = threading.Timer(0.5, finish)
    timer.start()
    assert call("game", "pause", "paris").exit_code == 0
    assert done.is_set()
    timer.join()
    at_work.close()
    assert game(started).state == "paused"


# judge player


def test_people_are_listed_and_shown(started: Play, call: Call) -> None:
    listed = call("player", "list").output
    assert "ann@people.example" in listed
    people = json.loads(call("player", "list", "--json").output)
    assert {person["name"].lower() for person in people} == EVERYBODY
    shown = json.loads(call("player", "show", "ann@people.example", "--json").output)
    assert shown["parts"] == [
        {"game": "paris", "game_state": "active", "part": "Austria", "state": "active"}
    ]
    assert "Austria" in call("player", "show", "ann@people.example").output
    assert call("player", "show", "zoe@people.example").exit_code == 1


def test_people_are_renamed_and_put_together(started: Play, call: Call) -> None:
    started.send("ann@old.example", "REGISTER")
    started.letters()
    assert call("player", "rename", "ann@people.example", "Ann Lee").exit_code == 0
    assert call("player", "merge", "ann@old.example", "ann@people.example", "--yes").exit_code == 0
    person = started.storage.people.by_address("ann@old.example")
    assert person is not None
    assert person.name == "Ann Lee"
    assert kinds(started.letters()) == {"account": {"ann"}}
    result = call("player", "merge", "bob@people.example", "ann@people.example")
    assert result.exit_code == 1
    assert "a part in paris" in result.stderr


def test_addresses_come_and_go(started: Play, call: Call, storage: Storage) -> None:
    assert call("player", "address", "add", "a@new.example", "ann@people.example").exit_code == 0
    assert call("player", "address", "remove", "ann@people.example", "--yes").exit_code == 0
    assert call("player", "address", "remove", "a@new.example").exit_code == 1
    assert call("player", "address", "add", "nonsense", "a@new.example").exit_code == 1
    assert started.storage.people.by_address("ann@people.example") is None


def test_who_is_banned_is_listed(started: Play, call: Call) -> None:
    assert call("player", "ban", "ann@people.example", "*@spam.example").exit_code == 0
    assert "*@spam.example" in call("player", "ban").output
    shown = json.loads(call("player", "show", "ann@people.example", "--json").output)
    assert shown["barred"] is True
    assert call("player", "unban", "ann@people.example").exit_code == 0
    assert "ann@people.example" not in call("player", "ban").output
    started.send("zoe", "CREATE ?rome")
    assert "does not let you join new games" in started.send("x@spam.example", "JOIN rome").text


# judge game export


def test_the_settings_of_a_game_can_be_given_to_another_one(
    play: Play, clock: None, call: Call, tmp_path: Path
) -> None:
    play.send("max", "CREATE ?paris standard, NMR, NO DIAS, PLAYERS 5, MOVE NEXT 48H")
    play.send("max", "SIGN ON mparis\nSET COMMENT BEGIN\nBe kind.\nEND")
    play.send("max", "CREATE ?rome")
    file = tmp_path / "paris.txt"
    file.write_text(call("game", "export", "paris").output)
    assert "SET NO DIAS" in file.read_text()
    assert call("game", "set", "rome", "--file", str(file)).exit_code == 0
    assert game(play, "rome").settings == game(play).settings


def test_a_file_of_settings_is_needed_where_none_are_said(play: Play, call: Call) -> None:
    play.send("max", "CREATE ?paris")
    result = call("game", "set", "paris")
    assert result.exit_code == 2
    assert "say what to set" in result.stderr
    assert "there is no game rome" in call("game", "export", "rome").stderr


def test_lists_ask_as_much_of_the_database_whatever_there_is(
    storage: Storage, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    execute: Any = peewee.SqliteDatabase.execute_sql

    def counted(self: Any, sql: str, *arguments: Any, **options: Any) -> Any:
        asked.append(sql)
        return execute(self, sql, *arguments, **options)

    def questions(*words: str) -> int:
        del asked[:]
        assert call(*words).output
        return len(asked)

    def fill(count: int) -> None:
        with storage.transaction():
            for _ in range(count):
                name = f"game{len(storage.games.all())}"
                game = storage.games.add(Game(name=name, variant="standard", created_at=NOW))
                person = storage.people.add(Person(name=ours(name), created_at=NOW))
                storage.people.add_address(person.id, f"{name}@players.example", NOW)
                storage.seats.add(
                    Seat(game_id=game.id, person_id=person.id, role=Role.PLAYER, joined_at=NOW)
                )

    fill(2)
    monkeypatch.setattr(peewee.SqliteDatabase, "execute_sql", counted)
    few = questions("game", "list")
    fill(40)
    assert questions("game", "list") == few
    assert len(json.loads(call("game", "list", "--json").output)) == 42
    monkeypatch.setattr("judge.cli.player.LATE", 10)
    listed = questions("player", "list")
    fill(40)
    assert questions("player", "list") == listed
    assert len(call("player", "list").output.splitlines()) == 11
    assert len(call("player", "list", "--all").output.splitlines()) == 83
