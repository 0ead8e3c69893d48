"""Every phase runs again from its orders, and what is not as it should be is found."""

from __future__ import annotations

import json
from typing import Any

import pytest

from judge.ops.replay import Replayed, replay
from tests.game.play import Play


def one(play: Play) -> Replayed:
    (found,) = replay(play.storage)
    return found


def change(play: Play, phase: str, column: str, value: Any) -> None:
    play.storage._engine.database.execute_sql(
        f"UPDATE phase_run SET {column} = ? WHERE phase = ?", (json.dumps(value), phase)
    )


def test_a_game_as_it_was_played_is_as_on_file(played: Play) -> None:
    assert one(played) == Replayed("paris", 4, ())


def test_rules_that_changed_later_do_not_change_what_was_played(played: Play) -> None:
    played.send("max", "PROCESS F1901M")
    played.send("max", "SET RULES 1976\nSET BUILD ANY CENTER\nSET NUMBER OF CENTERS 12")
    assert one(played).phases == 6
    assert one(played).faults == ()


def test_an_order_that_was_changed_shows(played: Play) -> None:
    run = played.storage.history.find(1, "S1901M")
    assert run is not None
    change(played, "S1901M", "orders", run.orders | {"Austria": ["A vie - gal"]})
    faults = one(played).faults
    assert "S1901M: orders came out otherwise than on file" in faults
    assert "S1901R did not open where the phase before it led" in faults


def test_a_result_that_was_changed_shows(played: Play) -> None:
    run = played.storage.history.find(1, "S1901M")
    assert run is not None
    run.results["orders"]["Austria"][0]["done"] = False
    change(played, "S1901M", "results", run.results)
    assert one(played).faults == ("S1901M: orders came out otherwise than on file",)


def test_a_position_that_was_changed_shows(played: Play) -> None:
    run = played.storage.history.find(1, "S1901M")
    assert run is not None
    run.position["units"]["France"] = ["A par", "A mar", "F bre", "A bur"]
    change(played, "S1901M", "position", run.position)
    assert "S1901M did not open where the phase before it led" in one(played).faults


def test_a_phase_that_is_missing_shows(played: Play) -> None:
    played.storage._engine.database.execute_sql("DELETE FROM phase_run WHERE phase = 'S1901M'")
    assert one(played).faults == ("S1901R did not open where the phase before it led",)


def test_what_was_rolled_back_is_looked_at_too(played: Play) -> None:
    rolled = played.storage.history.undone(1)
    assert [run.phase for run in rolled] == ["F1901M", "F1901R"]
    change(played, "F1901M", "orders", {})
    assert "F1901M: orders came out otherwise than on file" in one(played).faults


def test_an_unknown_game_is_said(played: Play) -> None:
    with pytest.raises(LookupError, match="no game rome"):
        list(replay(played.storage, ["rome"]))
