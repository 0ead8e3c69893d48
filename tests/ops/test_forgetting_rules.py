"""Who can be forgotten, on games that are in no database."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from judge.ops.forgetting import PlaysStill, forget
from judge.storage import GOING_ON, Outward, Person, Role, Seat, SeatState
from tests.game.on_paper import ANN, BOB, NOW


def a_judge(*seats: tuple[int, int, SeatState]) -> tuple[Any, list[tuple[Any, ...]]]:
    """What games there are, by seats (game, person, state), and a list of what is done."""
    done: list[tuple[Any, ...]] = []
    ann = Person(id=ANN, name=Outward("Ann Archer"), created_at=NOW)
    mine = [SimpleNamespace(address=each) for each in ("ann@a.example", "ann@b.example")]

    def of_person(person: int, states: object) -> list[SimpleNamespace]:
        assert (person, states) == (ANN, GOING_ON)
        games = dict.fromkeys(game for game, _, _ in seats)
        return [SimpleNamespace(id=game, name=f"game{game}") for game in games]

    def of_game(number: int) -> list[Seat]:
        return [
            Seat(game_id=game, person_id=person, role=Role.PLAYER, state=state, joined_at=NOW)
            for game, person, state in seats
            if game == number
        ]

    people = SimpleNamespace(
        by_address=lambda address: ann if address == "ann@a.example" else None,
        addresses=lambda _: mine,
        block_instead=lambda *given: done.append(("block", *given)),
    )
    storage = SimpleNamespace(
        transaction=nullcontext,
        people=people,
        games=SimpleNamespace(of_person=of_person),
        seats=SimpleNamespace(of_game=of_game),
        erasure=SimpleNamespace(person=lambda *given: done.append(("erase", *given))),
        events=SimpleNamespace(log=lambda *given, actor: done.append(("log", *given, actor))),
    )
    return storage, done


def test_all_that_is_theirs_is_thrown_away_and_the_log_says_when() -> None:
    storage, done = a_judge((1, BOB, SeatState.ACTIVE), (2, ANN, SeatState.LEFT))
    forget(storage, "ann@a.example", NOW)
    assert done == [
        ("block", ANN, None),
        ("erase", ANN, "Ann Archer", ["ann@a.example", "ann@b.example"]),
        ("log", NOW, "forgotten", {"person": ANN}, "keeper"),
    ]


def test_who_plays_is_told_in_which_games_and_is_not_forgotten() -> None:
    seats = [(3, ANN, SeatState.ACTIVE), (2, ANN, SeatState.ABANDONED), (1, BOB, SeatState.ACTIVE)]
    storage, done = a_judge(*seats)
    with pytest.raises(PlaysStill, match=r"game2, game3; .*`judge game do game2 "):
        forget(storage, "ann@a.example", NOW)
    with pytest.raises(LookupError, match=r"nobody has the address eve@evil\.example"):
        forget(storage, "eve@evil.example", NOW)
    assert done == []
