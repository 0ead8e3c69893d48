"""What the storage keeps for keepers: the house's book, merged people, what a day brought."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from judge.storage import (
    Game,
    Outward,
    Person,
    PhaseRun,
    Reliability,
    ReliabilityEntry,
    Role,
    Seat,
    Storage,
)

NOW = datetime(2026, 6, 15, 20, tzinfo=UTC)
HOUR = timedelta(hours=1)


def add(storage: Storage, name: str, at: datetime = NOW) -> Person:
    person = storage.people.add(Person(name=Outward(name.capitalize()), created_at=at))
    storage.people.add_address(person.id, f"{name}@example.org", at)
    return person


def test_what_is_laid_down_stays_until_it_is_forgotten(storage: Storage) -> None:
    assert storage.keeper_settings.get("motd") is None
    for value in ({"text": "Hello\nall"}, ["a", "b"], None, "again"):
        with storage.transaction():
            storage.keeper_settings.put("motd", value)
        assert storage.keeper_settings.get("motd") == value
    with pytest.raises(RuntimeError):
        storage.keeper_settings.put("motd", "outside")


def test_two_people_become_one(storage: Storage) -> None:
    with storage.transaction():
        ann, anna = add(storage, "ann"), add(storage, "anna")
        game = storage.games.add(Game(name="paris", variant="standard", created_at=NOW))
        storage.seats.add(Seat(game_id=game.id, person_id=anna.id, role=Role.PLAYER, joined_at=NOW))
        late = ReliabilityEntry(person_id=anna.id, game_id=game.id, phase="S1901M", power="France",
                       what=Reliability.LATE, at=NOW)  # fmt: skip
        storage.reliability_log.record(late)
        storage.people.merge(anna.id, ann.id)
    assert [each.address for each in storage.people.addresses(ann.id)] == [
        "ann@example.org",
        "anna@example.org",
    ]
    assert [seat.person_id for seat in storage.seats.of_game(game.id)] == [ann.id]
    assert [each.what for each in storage.reliability_log.of_person(ann.id)] == ["late"]
    assert storage.reliability_log.of_person(anna.id) == []
    assert [person.id for person in storage.people.last()] == [ann.id]


def test_an_address_can_be_taken_away(storage: Storage) -> None:
    with storage.transaction():
        add(storage, "ann")
        assert storage.people.remove_address("Ann@example.org")
        assert not storage.people.remove_address("ann@example.org")
    assert storage.people.by_address("ann@example.org") is None


def test_a_day_is_counted_once(storage: Storage) -> None:
    with storage.transaction():
        assert storage.heartbeat.begin_digest(NOW)
        assert not storage.heartbeat.begin_digest(NOW + HOUR)
    last = storage.heartbeat.digest()
    assert last == NOW
    with storage.transaction():
        assert storage.heartbeat.advance_digest(last, NOW + HOUR)
        assert not storage.heartbeat.advance_digest(last, NOW + HOUR)
    assert storage.heartbeat.digest() == NOW + HOUR
    assert storage.heartbeat.last() is None


def test_what_happened_in_a_stretch_of_time(storage: Storage) -> None:
    with storage.transaction():
        add(storage, "old", NOW - HOUR)
        new = add(storage, "new", NOW + HOUR)
        game = storage.games.add(Game(name="paris", variant="standard", created_at=NOW))
        for hours, phase in ((0, "S1901M"), (1, "F1901M")):
            storage.history.add(
                PhaseRun(game_id=game.id, phase=phase, position={}, orders={}, results={},
                         processed_at=NOW + hours * HOUR)
            )  # fmt: skip
    storage.inbound.accept(b"\r\n\r\nhi", door="smtp", envelope_from="", envelope_to=[],
                         received_at=NOW + HOUR)  # fmt: skip
    first, second = (
        storage.statistics.happened(each, each + HOUR, without="digest")
        for each in (NOW, NOW + HOUR)
    )
    assert [person.id for person in first.people] == [new.id]
    assert first.phases == 1
    assert first.mails == 1
    assert second.mails == 0
    assert first.letters == 0
    assert first.failed == 0
