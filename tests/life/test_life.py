"""Some lives of games, of which `make prove` tries thousands; and what the watch must notice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from judge import service
from judge.events import EventKind
from judge.game import phases
from judge.game.clock import game_clock
from judge.game.phases import game_facts
from judge.game.state import State
from judge.game.visibility.eyes import Eyes
from judge.messages import views
from judge.render import Facts
from judge.storage import Role
from tests.life.moves import STARTS, Move
from tests.life.table import PLAYERS, Table
from tests.life.walk import replay, walk
from tests.sampled import some

PLAIN = STARTS[0]
GUNBOAT = next(start for start in STARTS if "gunboat, WHITE" in start.options)
STATUS = Move("mail", "bob", "STATUS")


@pytest.fixture(autouse=True)
def tables(tmp_path: Path) -> None:
    """The games have begun under a judge without faults."""
    for start in (PLAIN, GUNBOAT):
        Table(tmp_path, start).close()


@pytest.mark.parametrize("seed", range(some(5, 10)))
def test_whatever_happens_to_a_game(seed: int, tmp_path: Path) -> None:
    failure = walk(seed, tmp_path, 10)
    assert failure is None, str(failure)


def test_a_mail_that_is_not_answered_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "reply", lambda context: None)
    assert "got the answers []" in str(replay(PLAIN, [STATUS], tmp_path))


def test_a_mail_that_is_held_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(context: object) -> None:
        raise ValueError("no way")

    monkeypatch.setattr(service, "reply", fail)
    assert "no way" in str(replay(PLAIN, [STATUS], tmp_path))


def test_a_deadline_before_the_one_promised_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_clock, "keep_promise", lambda *_: None)
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
            state.seats.keep(seat)

    monkeypatch.setattr(phases, "open_phase", forgetful)
    moves = [Move("mail", "bob", "SET DRAW"), Move("mail", "max", "PROCESS S1425M")]
    moves.append(Move("mail", "max", "YES"))
    assert "outlive their phase" in str(replay(PLAIN, moves, tmp_path))


def test_a_game_that_sleeps_for_ever_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forget(state: State, now: datetime) -> None:
        state.game.wake_at = None

    monkeypatch.setattr(phases, "reschedule", forget)
    assert "sleeps for ever" in str(replay(PLAIN, [STATUS], tmp_path))


def test_a_phase_that_is_still_open_when_it_has_run_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = phases.run

    def again(state: State, now: datetime) -> None:
        position = state.opened
        run(state, now)
        state.open(position)

    monkeypatch.setattr(phases, "run", again)
    moves = [Move("mail", "max", "SET NMR\nSET GRACE 48H"), Move("pass", number=500)]
    assert "S1425M is open, and S1425" in str(replay(PLAIN, moves, tmp_path))


def test_results_that_are_told_twice_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = State.tell

    def twice(state: State, kind: EventKind, *rest: Any, **more: Any) -> None:
        for _ in range(1 + (kind is EventKind.RESULTS)):
            told(state, kind, *rest, **more)

    monkeypatch.setattr(State, "tell", twice)
    orders = "ann:\n{}\n\nbob:\n{}\n\ncleo:\n{}".format(
        "F lon H\nF dev H\nA cal H\nA guy H\nA nom H",
        "F hol H\nA dij H\nA lux H\nA fla H",
        "A dau H\nA orl H\nA par H\nA tou H\nA pro H",
    )
    moves = [Move("together", text=orders), Move("wake"), Move("wake")]
    assert "results went twice" in str(replay(PLAIN, moves, tmp_path))


def leaking(what: Callable[[State], str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every letter that names its game says more than it should."""
    told = game_facts

    def leaky(state: State, now: datetime, seen: Eyes) -> Facts:
        facts = told(state, now, seen)
        return facts | {"game": f"{facts['game']} {what(state)}"}

    monkeypatch.setattr(views, "game_facts", leaky)


def test_votes_that_others_see_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leaking(lambda state: str([seat.draw for seat in state.seats]), monkeypatch)
    moves = [Move("twin", "bob", "SET DRAW", other="SET NO DRAW")]
    assert "others see what bob wrote" in str(replay(PLAIN, moves, tmp_path))


def test_addresses_that_others_see_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def address(state: State) -> str:
        seat = state.seats.active(Role.PLAYER)[0]
        return state.storage.people.addresses(seat.person_id or 0)[0].address

    leaking(address, monkeypatch)
    assert "shows the address ann@people.example" in str(replay(PLAIN, [STATUS], tmp_path))


def test_hidden_names_that_others_see_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaking(lambda state: state.seats.person(state.seats.active(Role.PLAYER)[0]).name, monkeypatch)
    assert "names ann" in str(replay(GUNBOAT, [STATUS], tmp_path))


def test_orders_that_others_see_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def said(state: State) -> str:
        on_file = state.orders if state.position else {}
        return str([str(order) for orders in on_file.values() for order in orders])

    leaking(said, monkeypatch)
    orders = [Move("mail", who, "F lon H\nA dij H\nA par H") for who in PLAYERS[:3]]
    moves = [*orders, Move("mail", "oona", "STATUS")]
    assert "tells that" in str(replay(PLAIN, moves, tmp_path))
