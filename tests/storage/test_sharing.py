"""Several judges on one PostgreSQL: who may take which mail, and who hears of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest

from judge.storage import Storage
from tests.mail.waiting import until

NOW = datetime(2026, 6, 15, tzinfo=UTC)


@pytest.fixture
def two(postgres_url: str) -> Iterator[list[Storage]]:
    opened = [Storage.open(postgres_url), Storage.open(postgres_url)]
    yield opened
    for storage in opened:
        storage.close()


def accept(storage: Storage, sender: str, number: int) -> int:
    raw = f"From: {sender.title()} <{sender}@x>\r\nMessage-ID: <{number}@x>\r\n\r\nhelp".encode()
    return storage.inbound.accept(
        raw, door="smtp", envelope_from=None, envelope_to=[], received_at=NOW
    ).mail_id


def done(storage: Storage, mail_id: int) -> None:
    with storage.transaction():
        storage.inbound.done(mail_id, NOW)


def test_one_judge_takes_mails_in_their_order(new_url: Callable[..., str]) -> None:
    storage = Storage.open(new_url())
    ids = [accept(storage, who, n) for n, who in enumerate(("ann", "bob", "ann"))]
    last = 0
    for mail_id in ids:
        with storage.inbound.taken(last) as taken:
            assert taken == mail_id
            done(storage, mail_id)
        last = mail_id
    with storage.inbound.taken(last) as taken:
        assert taken is None
    storage.close()


@pytest.mark.postgres
def test_two_take_different_mails_and_never_overtake_one_sender(two: list[Storage]) -> None:
    one, other = two
    first, second, third = (accept(one, who, n) for n, who in enumerate(("ann", "ann", "bob")))
    with one.inbound.taken() as mine:
        assert mine == first
        with other.inbound.taken() as theirs:
            assert theirs == third
            done(other, third)
        with other.inbound.taken(third) as theirs:
            assert theirs is None
        done(one, first)
    with other.inbound.taken() as theirs:
        assert theirs == second


@pytest.mark.postgres
def test_a_mail_given_back_is_worked_before_the_next_of_its_sender(two: list[Storage]) -> None:
    one, other = two
    first, second = accept(one, "ann", 1), accept(one, "ann", 2)
    with one.inbound.taken() as mine:
        assert mine == first
    # Whoever has looked behind it already leaves it to those who have not, and the next one, too.
    with other.inbound.taken(first) as theirs:
        assert theirs is None
    with other.inbound.taken() as theirs:
        assert theirs == first
    assert second == first + 1


@pytest.mark.postgres
def test_what_is_announced_is_heard_by_all(two: list[Storage]) -> None:
    one, other = two
    heard: list[str] = []
    news = threading.Event()

    def hear(what: str) -> None:
        heard.append(what)
        news.set()

    listener = other.listener(hear)
    assert listener is not None
    listener.start()
    until(lambda: listener.connected)
    until(lambda: heard == ["mail", "letter"])
    accept(one, "ann", 1)
    until(lambda: heard[2:] == ["mail"], 120)
    listener.stop()


def test_sqlite_needs_no_listener(tmp_path: object) -> None:
    storage = Storage.open(f"sqlite:{tmp_path}/judge.db")
    assert storage.listener(lambda what: None) is None
    storage.close()


@pytest.mark.postgres
def test_after_an_outage_one_of_several_gives_the_time_back(two: list[Storage]) -> None:
    one, other = two
    order: list[str] = []
    inside = threading.Event()

    def second() -> None:
        inside.wait(120)
        with other.transaction():
            other.heartbeat.alone()
            order.append(f"second saw {other.heartbeat.last()}")

    thread = threading.Thread(target=second)
    thread.start()
    with one.transaction():
        one.heartbeat.alone()
        inside.set()
        thread.join(0.5)
        order.append("first")
        one.heartbeat.beat(NOW)
    thread.join(120)
    assert order == ["first", f"second saw {NOW}"]
