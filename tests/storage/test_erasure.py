"""Who is forgotten stands in no table, however a row is theirs; nobody else loses anything."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import fields

from judge.storage import (
    Away,
    DiaryPage,
    Game,
    OutboundState,
    Outward,
    Person,
    Reliability,
    ReliabilityEntry,
    Role,
    Seat,
    SeatOptions,
    Storage,
    models,
)
from judge.storage.values import InboundState

NOW = datetime(2026, 6, 15, 20, tzinfo=UTC)
LETTERS = (OutboundState.QUEUED, OutboundState.KEPT, OutboundState.SENT)


def _add(storage: Storage, model: Any, **values: Any) -> int:
    with storage._engine.own_transaction():
        return storage._engine.add(model, values)


def _mail(storage: Storage, key: str, **values: Any) -> int:
    given: dict[str, Any] = {"person_id": None, "envelope_from": None, "sender": None, **values}
    return _add(
        storage, models.InboundRow, door="smtp", received_at=NOW, message_id=key, digest=key,
        envelope_to=["judge@example.org"], raw=b"A mail", problem="odd", **given,
    )  # fmt: skip


def _letter(storage: Storage, key: str, state: OutboundState, **values: Any) -> int:
    given: dict[str, Any] = {"person_id": None, "recipient": "", **values}
    return _add(
        storage, models.OutboundRow, message_id=key, kind="reply", subject="Hello",
        envelope_from=f"judge+{key}@example.org", raw=b"A letter " + key.encode(), digests=b"of it",
        state=state, next_try=NOW, queued_at=NOW, error="deferred", **given,
    )  # fmt: skip


def _ticket(storage: Storage, **values: Any) -> None:
    given: dict[str, Any] = {"person_id": None, "address": "", **values}
    _add(
        storage, models.TicketRow, kind="reply", claim="new@example.org", created_at=NOW,
        expires_at=NOW, **given,
    )  # fmt: skip


def _life(storage: Storage, name: str, game: Game) -> int:
    """Somebody of whom there is something in each table, by each way a row can be theirs."""
    address = f"{name}@example.org"
    said: dict[str, Any] = {
        each.name: f"{name}'s {each.name}" for each in fields(Person) if each.type is str
    }
    person = storage.people.add(Person(**said, name=Outward(name.capitalize()), created_at=NOW)).id
    storage.people.add_address(person, address, NOW)
    ways: tuple[dict[str, Any], ...]
    ways = {"person_id": person}, {"envelope_from": address}, {"sender": address}
    for number, owned in enumerate(ways):
        _mail(storage, f"{name}{number}", **owned)
    for state in LETTERS:
        ways = {"person_id": person}, {"recipient": address}
        for number, owned in enumerate(ways):
            letter = _letter(storage, f"{name}{state.value}{number}", state, **owned)
    _add(storage, models.BounceRow, letter_id=letter, address=address, at=NOW, hard=True)
    _ticket(storage, person_id=person)
    _ticket(storage, address=address)
    entry = ReliabilityEntry(
        person_id=person, game_id=game.id, phase="S1901M", power="France",
        what=Reliability.LATE, at=NOW,
    )  # fmt: skip
    storage.reliability_log.record(entry)
    away = (Away(NOW, NOW + timedelta(days=3)),)
    for muted in ((3,), (4,)):
        seat = Seat(
            game_id=game.id, person_id=person, role=Role.PLAYER, joined_at=NOW, password="hash",
            absence=away, preferences="AEF",
            options=SeatOptions(addresses=(address,), muted=muted, invited=True),
        )  # fmt: skip
        page = DiaryPage(
            game_id=game.id, seat_id=storage.seats.add(seat).id, number=0, phase=None,
            text=Outward("Plans"), at=NOW,
        )  # fmt: skip
        storage.diaries.add(page)
    storage.events.log(
        NOW, "joined", {"who": name.capitalize(), "of": [1, "nobody"]}, actor=address
    )
    storage.events.log(NOW, "told", {"to": f"<{address}> and others"}, actor="keeper")
    storage.events.log(NOW, "left", {}, actor=address)
    return person


def _rows(storage: Storage) -> dict[str, list[dict[str, Any]]]:
    tables = [
        *(models.InboundRow, models.OutboundRow, models.TicketRow, models.SeatRow),
        *(models.ReliabilityRow, models.BounceRow, models.LogRow, models.AddressRow),
        models.DiaryRow,
        models.PersonRow,
    ]
    return {
        each._meta.table_name: storage._engine.rows(each.select().order_by(each.id))
        for each in tables
    }


@pytest.fixture
def lives(storage: Storage) -> tuple[int, int]:
    with storage.transaction():
        game = storage.games.add(Game(name="paris", variant="standard", created_at=NOW))
        return _life(storage, "ann", game), _life(storage, "bob", game)


def test_who_is_forgotten_stands_in_no_table(storage: Storage, lives: tuple[int, int]) -> None:
    ann, bob = lives
    before = _rows(storage)
    with storage.transaction():
        storage.erasure.person(ann, "Ann", ["ann@example.org"])
    after = _rows(storage)
    assert "ann@example.org" not in str(after)
    assert "Ann" not in str(after)
    assert "ann's" not in str(after)
    assert "ann's country" in str(before)
    assert after["address"] == [each for each in before["address"] if each["person_id"] == bob]
    assert after["conduct"] == [each for each in before["conduct"] if each["person_id"] == bob]
    assert after["note"] == before["note"][2:]
    assert [each["address"] for each in after["bounce"]] == ["bob@example.org"]
    for each in after["mail"][:3]:
        assert (each["raw"], each["problem"], each["message_id"]) == (b"", None, "")
    for each in after["letter"][:6]:
        assert (bytes(each["raw"]), bytes(each["digests"]), each["subject"]) == (b"", b"", "")
        assert (each["error"], each["envelope_from"]) == (None, "")
    # What has not left does not leave; what has, has.
    assert [each["state"] for each in after["letter"][:6]] == [
        *[OutboundState.FAILED] * 4,
        *[OutboundState.SENT] * 2,
    ]
    assert [each["claim"] for each in after["ticket"]] == [None] * 2 + ["new@example.org"] * 2
    for was, seat in zip(before["seat"][:2], after["seat"][:2], strict=True):
        assert seat["options"] == SeatOptions(invited=True)
        gone = {"password": None, "absence": None, "preferences": "", "options": seat["options"]}
        assert seat == was | gone


def test_who_is_forgotten_takes_nothing_of_others_along(
    storage: Storage, lives: tuple[int, int]
) -> None:
    before = _rows(storage)
    with storage.transaction():
        storage.erasure.person(lives[0], "Ann", ["ann@example.org"])
    after = _rows(storage)
    for table, first in (("mail", 3), ("letter", 6), ("ticket", 2), ("seat", 2), ("event", 3)):
        assert after[table][first:] == before[table][first:], table
    assert after["person"][1:] == before["person"][1:]


def test_the_log_says_a_number_instead_of_a_name(storage: Storage, lives: tuple[int, int]) -> None:
    ann, bob = lives
    with storage.transaction():
        # Her name can be part of another's, or of a word.
        storage.events.log(NOW, "joined", {"who": "Annika", "said": "Ann's"}, actor="Annika")
        storage.events.log(NOW, "odd", {"who": "Änn"}, actor="keeper")
        storage.erasure.person(ann, "Ann", ["ann@example.org"])
        storage.erasure.person(bob, "Änn", [])
    told = [(each["facts"], each["actor"]) for each in _rows(storage)["event"]]
    assert told[:3] == [
        ({"who": f"person {ann}", "of": [1, "nobody"]}, f"person {ann}"),
        ({"to": f"<person {ann}> and others"}, "keeper"),
        ({}, f"person {ann}"),
    ]
    assert told[-2:] == [
        ({"who": "Annika", "said": "Ann's"}, "Annika"),
        ({"who": f"person {bob}"}, "keeper"),
    ]


def test_old_texts_go_and_what_letters_are_known_by_stays(storage: Storage) -> None:
    old, before, young = NOW - timedelta(days=1), NOW, NOW + timedelta(days=1)
    done = InboundState.DONE
    with storage.transaction():
        for at in (old, before, young):
            _mail(storage, f"done{at}", state=done, worked_at=at)
        _mail(storage, "new", state=InboundState.NEW, worked_at=old)
        for number, state in enumerate(OutboundState):
            letter = _letter(storage, f"letter{number}", state)
            kept = {"digests": b"" if number % 2 else b"kept", "queued_at": old}
            change = models.OutboundRow.update(**kept)
            storage._engine.run(change.where(models.OutboundRow.id == letter))
        _letter(storage, "young", OutboundState.SENT)
    assert storage.erasure.mails(before) == 1
    assert [bytes(each["raw"]) for each in _rows(storage)["mail"]] == [b""] + [b"A mail"] * 3
    ended = {OutboundState.SENT, OutboundState.TOLD, OutboundState.FAILED}
    assert storage.erasure.letters(before, lambda raw: b"made of " + raw) == len(ended)
    *letters, young_one = _rows(storage)["letter"]
    for number, (state, each) in enumerate(zip(OutboundState, letters, strict=True)):
        raw = b"A letter letter%d" % number
        made = b"made of " + raw if state in ended else b""
        found = bytes(each["raw"]), bytes(each["digests"])
        assert found == (b"" if state in ended else raw, made if number % 2 else b"kept")
    assert bytes(young_one["raw"]) == b"A letter young"
