"""What came back, and who got how much, on both engines."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from judge.storage import AddressState, Bounce, OutboundMessage, Outward, Person, Storage

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
ANN = "ann@example.org"


def letter(
    storage: Storage, number: int = 1, kind: str = "reply", to: str = ANN, path: str = ""
) -> OutboundMessage:
    with storage.transaction():
        storage.outbound.queue(
            OutboundMessage(
                message_id=f"<{number}@judge>",
                recipient=to,
                envelope_from=path or f"judge+b{number}@example.org",
                kind=kind,
                subject="s",
                raw=b"x",
                next_try=NOW,
                queued_at=NOW + timedelta(minutes=number),
            )
        )
    (queued,) = storage.outbound.answered([f"<{number}@judge>"], "", None, 1)
    found = storage.outbound.find(queued.id)
    assert found is not None
    return found


def test_what_came_back_is_kept_by_address_until_it_works(storage: Storage) -> None:
    sent = letter(storage)
    with storage.transaction():
        for hard in (False, True):
            storage.bounces.add(
                Bounce(letter_id=sent.id, address="Ann@Example.org", at=NOW, hard=hard, said="no")
            )
    first, second = storage.bounces.of(ANN)
    assert (first.hard, second.hard) == (False, True)
    assert (first.address, first.at, first.told) == (ANN, NOW, False)
    with storage.transaction():
        storage.bounces.told(ANN)
    assert all(each.told for each in storage.bounces.of(ANN))
    with storage.transaction():
        storage.bounces.forget("bob@example.org")
    assert len(storage.bounces.of(ANN)) == 2
    with storage.transaction():
        storage.bounces.forget(ANN)
    assert storage.bounces.of(ANN) == []


def test_a_person_is_concerned_by_what_came_back_and_what_does_not_work(storage: Storage) -> None:
    sent = letter(storage)
    with storage.transaction():
        ann, bob = (storage.people.add(Person(name=Outward(who), created_at=NOW)) for who in "ab")
        storage.people.add_address(ann.id, ANN, NOW)
        storage.people.add_address(bob.id, "bob@example.org", NOW)
        assert not storage.bounces.concern(ann.id)
        storage.bounces.add(Bounce(letter_id=sent.id, address=ANN, at=NOW, hard=False, said="no"))
        assert storage.bounces.concern(ann.id)
        assert not storage.bounces.concern(bob.id)
        (address,) = storage.people.addresses(bob.id)
        address.state = AddressState.FAILING
        storage.people.save_address(address)
        assert storage.bounces.concern(bob.id)


def test_writes_need_a_transaction(storage: Storage) -> None:
    with pytest.raises(RuntimeError):
        storage.bounces.forget(ANN)


def test_a_letter_is_found_by_its_return_path(storage: Storage) -> None:
    letter(storage, 1)
    second = letter(storage, 2)
    found = storage.outbound.by_return_path(["x@example.org", "judge+b2@example.org"])
    assert found is not None
    assert found.id == second.id
    again = letter(storage, 3, path="judge+b2@example.org")
    found = storage.outbound.by_return_path(["judge+b2@example.org"])
    assert found is not None
    assert found.id == again.id
    assert storage.outbound.by_return_path([]) is None
    assert storage.outbound.by_return_path([""]) is None
    assert storage.outbound.by_return_path(["judge+b4@example.org"]) is None


def test_letters_are_counted_by_kind_time_and_reader(storage: Storage) -> None:
    for number in range(1, 5):
        letter(storage, number)
    letter(storage, 5, kind="welcome", to="bob@example.org")
    lately = storage.outbound.lately
    assert lately(("reply",), NOW, ANN) == 4
    assert lately(("reply",), NOW + timedelta(minutes=2), ANN) == 2
    assert lately(("welcome", "limit"), NOW) == 1
    assert lately(("welcome",), NOW, ANN) == 0
