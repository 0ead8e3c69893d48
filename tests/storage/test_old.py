"""Databases made by version 0.1.0 open, and their games go on."""

from __future__ import annotations

import gzip
import itertools
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from judge.game.state import State
from judge.storage import Condition, GameState, StoredEnding, models
from judge.storage.columns import ValueField
from tests.game.play import ADDRESS, PEOPLE, Play

OLD = Path(__file__).parent / "old"
MADE = {"running": "2026-11-25T10:00+00:00", "noted": "2026-06-14T00:00+00:00"}
"""The databases, and a moment right after they were made."""


def lay(name: str, file: Path) -> Path:
    """Write one of the old databases to `file`."""
    with closing(sqlite3.connect(file)) as database:
        database.executescript(gzip.decompress((OLD / f"{name}.sql.gz").read_bytes()).decode())
    return file


def opened(name: str, folder: Path) -> Play:
    lay(name, folder / "judge.db")
    play = Play(folder)
    play._number = itertools.count(1000)
    play.clock.set(datetime.fromisoformat(MADE[name]))
    newest = play.storage._engine.value(models.OutboundRow.select(models.OutboundRow.id)
                                        .order_by(models.OutboundRow.id.desc()))  # fmt: skip
    play._seen = int(newest)
    return play


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Play]:
    play = opened("running", tmp_path)
    yield play
    play.storage.close()


@pytest.fixture
def noted(tmp_path: Path) -> Iterator[Play]:
    play = opened("noted", tmp_path)
    yield play
    play.storage.close()


def game(play: Play, name: str) -> State:
    found = play.storage.games.by_name(name)
    assert found is not None
    return State(play.storage, found)


def test_games_of_before_keep_their_rules(running: Play) -> None:
    settings = [each.settings for each in running.storage.games.all()]
    assert {(each["caretaker"], each["muster"]) for each in settings} == {(False, False)}


def say(play: Play, who: str, text: str) -> str:
    """Send a mail that answers nothing, say yes where the judge asks whose it is; its answer."""
    reply = play.send(who, text, to=ADDRESS)
    if reply.kind == "question":
        play.letters()
        play.mail(who, "YES", answers=reply)
        reply = next(each for each in reversed(play.run()) if each.kind == "reply")
    return " ".join(reply.text.split())


def facts(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """What a JSON value says, without what is so by default; instants however they are written."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from facts(each, f"{path}.{key}")
    elif isinstance(value, list):
        for place, each in enumerate(value):
            yield from facts(each, f"{path}[{place}]")
    elif value not in (None, False) and not path.endswith(".id"):
        yield path, value.replace("+00:00", "Z") if isinstance(value, str) else value


@pytest.mark.parametrize("name", MADE)
def test_no_note_is_lost(name: str, tmp_path: Path) -> None:
    seen = set()
    with closing(sqlite3.connect(lay(name, tmp_path / "old.db"))) as database:
        there = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
        for model in models.ALL:
            for field in model._meta.sorted_fields:
                if not isinstance(field, ValueField) or model._meta.table_name not in there:
                    continue
                column = f'"{field.column_name}" FROM "{model._meta.table_name}"'
                for (text,) in database.execute(f"SELECT {column}"):
                    if text is not None:
                        again = field.db_value(field.python_value(text))
                        assert again is not None
                        told = dict(facts(json.loads(text)))
                        # An approved absence is approved by default.
                        kept = dict(facts(json.loads(again)))
                        left = {path for path in told if path not in kept}
                        assert all(path.endswith(".approved") for path in left), left
                        assert all(told[path] == kept[path] for path in kept if path in told)
                        seen |= set(told)
    assert name == "running" or len(seen) > 40


def test_a_game_goes_on(running: Play) -> None:
    listed = running.send("chloe@players.example", "LIST").text
    assert "sample" in listed
    state = game(running, "sample")
    assert state.powers.condition("Russia") is Condition.ABANDONED
    assert state.game.phase == "S1903M"
    orders = "F Mar H\nA Spa - Por"
    reply = say(running, "chloe@players.example", f"SIGN ON sample\n{orders}")
    assert "Fleet Marseilles holds" in reply
    letters = []
    while game(running, "sample").game.phase == "S1903M":
        letters += running.wake()
    results = [each for each in letters if each.kind == "results"]
    assert len(results) == 8
    assert "  F mar H  ok" in results[0].text
    found = running.storage.history.find(state.game.id, "S1903M")
    assert found is not None
    assert "F mar H" in found.orders["France"]


def test_what_is_noted_counts(noted: Play) -> None:
    rome, paris, duel, oslo = (game(noted, each) for each in ("rome", "paris", "duel", "oslo"))
    assert rome.game.outcome is not None
    assert (rome.game.outcome.ending, len(rome.game.outcome.winners)) == (StoredEnding.DRAW, 7)
    assert [each.text for each in rome.game.options.statements.values()] == ["Well played by all."]
    assert rome.game.options.sealed_as is not None
    assert rome.game.options.sealed_as.name == "paris"
    assert paris.game.state is GameState.PAUSED
    assert paris.game.options.pause is not None
    assert [each.asker for each in paris.game.options.proposals.values()] == ["Russia", "France"]
    assert duel.game.options.coin is not None
    assert duel.powers.condition("Italy") is Condition.DUMMY
    assert any(seat.options.approval for seat in oslo.seats)
    italy = paris.seats.holder("Italy")
    assert italy is not None
    assert italy.draw is not None
    assert italy.draw.share == "all"
    assert [run.phase for run in noted.storage.history.undone(paris.game.id)] == [
        "S1901M", "S1901R",
    ]  # fmt: skip


def test_a_paused_game_goes_on_to_its_results(noted: Play) -> None:
    for asked in [each for each in noted.run() if each.kind == "question"]:
        # What waits since before; a day has one question.
        noted.mail("gwen", "YES", answers=asked)
    say(noted, "max", "SIGN ON m@paris\nRESUME")
    assert game(noted, "paris").game.state is GameState.ACTIVE
    for who, power in zip(PEOPLE, game(noted, "paris").variant.powers, strict=True):
        units = game(noted, "paris").opened.units[power]
        say(noted, who, f"SIGN ON {power}@paris\n" + "\n".join(f"{unit} H" for unit in units))
    while game(noted, "paris").game.phase == "F1901M":
        noted.wake()
    assert noted.storage.history.find(game(noted, "paris").game.id, "F1901M") is not None
