"""Some lives of games, of which `make prove` tries thousands; and what the watch must notice."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from judge.commands import set_deadline
from judge.game import phases, service, views
from judge.game.state import State
from tests.life.moves import STARTS, Move
from tests.life.table import PLAYERS
from tests.life.walk import replay, walk

PLAIN = STARTS[0]
STATUS = Move("mail", "bob", "STATUS")


@pytest.mark.parametrize("seed", range(10))
def test_whatever_happens_to_a_game(seed: int, tmp_path: Path) -> None:
    failure = walk(seed, tmp_path, 10)
    assert failure is None, str(failure)


def test_a_mail_that_is_not_answered_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "reply", lambda visit: None)
    assert "got the answers []" in str(replay(PLAIN, [STATUS], tmp_path))


def test_a_mail_that_is_held_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(visit: object) -> None:
        raise ValueError("no way")

    monkeypatch.setattr(service, "reply", fail)
    assert "no way" in str(replay(PLAIN, [STATUS], tmp_path))


def test_a_deadline_before_the_one_promised_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(set_deadline, "keep_promise", lambda *_: None)
    moves = [Move("mail", "max", "SET DEADLINE tomorrow 23:00")]
    assert "and was promised" in str(replay(PLAIN, moves, tmp_path))


def test_votes_that_outlive_their_phase_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = phases.open_phase

    def forgetful(state: State, now: datetime, old: datetime | None) -> None:
        kept = [(seat, seat.draw) for seat in state.seats]
        opened(state, now, old)
        for seat, vote in kept:
            seat.draw = vote
            state.seat(seat)

    monkeypatch.setattr(phases, "open_phase", forgetful)
    moves = [Move("mail", "bob", "SET DRAW"), Move("mail", "max", "PROCESS S1425M")]
    assert "outlive their phase" in str(replay(PLAIN, moves, tmp_path))


def test_a_game_that_sleeps_for_ever_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forget(state: State, now: datetime) -> None:
        state.game.wake_at = None

    monkeypatch.setattr(phases, "reschedule", forget)
    assert "sleeps for ever" in str(replay(PLAIN, [STATUS], tmp_path))


def test_orders_that_others_see_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = views.game_facts

    def leaky(state: State, now: datetime, reader_id: int | None = None) -> dict[str, Any]:
        facts = told(state, now, reader_id)
        on_file = state.orders if state.position else {}
        said = [str(order) for orders in on_file.values() for order in orders]
        return facts | {"game": f"{facts['game']} {said}"}

    monkeypatch.setattr(views, "game_facts", leaky)
    orders = [Move("mail", who, "F lon H\nA dij H\nA par H") for who in PLAYERS[:3]]
    moves = [*orders, Move("mail", "oona", "STATUS")]
    assert "tells that" in str(replay(PLAIN, moves, tmp_path))
