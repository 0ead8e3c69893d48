"""What is on file for one power, and of one person, on games that are in no database."""

from __future__ import annotations

from typing import Any

import pytest

from judge.game.state import State
from judge.game.visibility.eyes import Eyes, parts_of
from judge.rules.engine import Owed
from judge.rules.phase import Phase
from judge.rules.position import Position
from judge.storage import Away, DiaryPage, Outward, Press, SeatOptions, SeatState
from tests.game.on_paper import ANN, BOB, LEA, MAX, NOW, a_game, said, seat_of


def power_view(state: State, power: str = "Austria") -> Any:
    return Eyes(state, ANN, (power,)).power_view(power)


def test_a_view_has_what_its_power_has_decided() -> None:
    filed = {"Austria": {"S1901M": ["A vie - gal"], "F1901M": ["A gal - war"], "F1900M": ["A x"]}}
    mine = power_view(a_game(filed=filed))
    assert [str(order) for order in mine.orders] == ["A vie - gal"]
    assert (mine.sheet.power, mine.sheet.missing) == ("Austria", 2)
    assert mine.ahead() == {Phase.read("F1901M"): ["A gal - war"]}
    assert mine.due == mine.owed
    assert mine.seal == mine.state.sheets.seal("Austria").digest
    theirs = power_view(mine.state, "Italy")
    assert (theirs.orders, theirs.seal, theirs.ahead()) == ((), None, {})


def test_who_has_nothing_to_decide_owes_nothing() -> None:
    retreats = Position(Phase.read("S1901R"), units={}, centers={})
    mine = power_view(a_game(position=retreats))
    assert (mine.owed, mine.due) == (None, Owed())


def test_a_view_shows_units_that_others_left_to_it_and_what_it_gave_them() -> None:
    mine = ["A ven - tyr", "A vie H", "A ven - apu", "A ber P Austria"]
    filed = {
        "Austria": {"S1901M": ["A vie P Austria", *mine]},
        "Italy": {"S1901M": ["A ven P Austria", "A rom P Austria", "F nap P France"]},
    }
    found = [
        (owner, str(unit), order and str(order))
        for owner, unit, order in power_view(a_game(filed=filed)).lent()
    ]
    assert found == [("Italy", "A ven", "A ven - apu"), ("Italy", "A rom", None)]


def parts(state: State, person: int) -> list[dict[str, Any]]:
    somebody = state.storage.people.find(person)
    assert somebody is not None
    return parts_of(state.storage, somebody)


def told(sender: int, text: str) -> Press:
    return said(sender, [1, 2], ["Austria", "England"], text=Outward(text))


def page(seat: int, text: str) -> DiaryPage:
    return DiaryPage(
        id=1, game_id=1, seat_id=seat, phase="S1901M", number=1, text=Outward(text), at=NOW
    )  # fmt: skip


def test_ones_own_data_is_what_one_did() -> None:
    away = Away(start=NOW, end=NOW)
    state = a_game(
        posted=[told(ANN, "mine"), told(BOB, "theirs")],
        pages=[page(1, "my page"), page(2, "their page")],
        filed={"Austria": {"S1901M": ["A vie H"]}, "England": {"S1901M": ["F lon H"]}},
    )
    seat = seat_of(state, 1)
    seat.options, seat.absence = SeatOptions(muted=(2, 8)), (away,)
    (found,) = parts(state, ANN)
    assert found["game"] == "paris"
    assert (found["part"], found["state"], found["since"]) == ("Austria", SeatState.ACTIVE, NOW)
    assert found["muted"] == ["England", "master"]
    assert found["absences"] == [{"start": NOW, "end": NOW, "approved": True}]
    assert found["orders"] == {"S1901M": ["A vie H"]}
    assert [each["text"] for each in found["press"]] == ["mine"]
    assert [each["text"] for each in found["diary"]] == ["my page"]


@pytest.mark.parametrize("person", [LEA, MAX])
def test_who_plays_no_power_has_no_orders(person: int) -> None:
    state = a_game(filed={"Italy": {"S1901M": ["A ven H"]}})
    (found,) = parts(state, person)
    assert found["orders"] == {}


def test_a_game_that_is_gone_is_nobodys() -> None:
    state = a_game()
    seat_of(state, 1).game_id = 2
    assert parts(state, ANN) == []
