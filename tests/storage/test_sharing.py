"""Several judges on one PostgreSQL: who may take which mail, and who hears of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from judge.storage import Outward, Person, Storage, Turn, occupied
from tests.mail.waiting import until
from tests.storage.test_contract import letter, queue

NOW = datetime(2026, 6, 15, tzinfo=UTC)


@pytest.fixture
def two(postgres_url: str) -> Iterator[list[Storage]]:
    opened = [Storage.open(postgres_url), Storage.open(postgres_url)]
    yield opened
    for storage in opened:
        storage.close()


def accept(storage: Storage, sender: str, number: int, network: str = "") -> int:
    raw = f"From: Ann <{sender}>\r\nMessage-ID: <{number}@x>\r\n\r\nhelp".encode()
    return storage.inbound.accept(
        raw, door="smtp", envelope_from=None, envelope_to=[], received_at=NOW, network=network
    ).mail_id


def done(storage: Storage, mail_id: int) -> None:
    with storage.transaction():
        storage.inbound.done(mail_id, NOW)


def in_turn(storage: Storage, turn: Turn, count: int) -> list[int]:
    """Work so many mails, each when it is its turn."""
    found = []
    for _ in range(count):
        mail_id = next(storage.inbound.turns(turn))[0]
        done(storage, mail_id)
        found.append(mail_id)
    return found


def test_domains_and_networks_take_turns_and_of_each_its_senders(
    new_url: Callable[..., str],
) -> None:
    storage = Storage.open(new_url())
    flood = [accept(storage, "eve@flood", n, "here") for n in range(5)]
    ann = accept(storage, "ann@x", 10, "there")
    more = [accept(storage, f"fay{n}@flood", 20 + n, "here") for n in range(3)]
    bob, again = accept(storage, "bob@x", 30, "there"), accept(storage, "ann@x", 31, "there")
    nobody = accept(storage, "", 40)
    turn = Turn()
    assert in_turn(storage, turn, 10) == [
        *(nobody, flood[0], flood[1], ann, again, more[0]),
        *(more[1], bob, more[2], flood[2]),
    ]
    late = accept(storage, "cleo@y", 50)
    assert in_turn(storage, turn, 3) == [late, flood[3], flood[4]]
    assert list(storage.inbound.turns(turn)) == []
    storage.close()


@pytest.mark.parametrize(
    ("sender", "network"), [("x{n}@{n:02}.example", "evil"), ("x{n}@many", "net {n:02}")]
)
def test_neither_made_up_domains_nor_many_hosts_keep_others_waiting(
    tmp_path: Path, sender: str, network: str
) -> None:
    storage = Storage.open(f"sqlite:{tmp_path / 'judge.db'}")
    with storage.transaction():
        person = storage.people.add(Person(name=Outward("Ann"), created_at=NOW))
        storage.people.add_address(person.id, "ann@z", NOW)
    for n in range(30):
        accept(storage, sender.format(n=n), n, network.format(n=n))
    others = {accept(storage, "zoe@new", 40, "there"), accept(storage, "ann@z", 41, "evil")}
    assert others <= set(in_turn(storage, Turn(), 6))
    storage.close()


def test_who_cannot_be_worked_leaves_the_turn_to_others(new_url: Callable[..., str]) -> None:
    storage = Storage.open(new_url())
    ids = {accept(storage, f"{who}@{host}", n) for n, (who, host) in enumerate(
        [("ann", "x"), ("ann", "y"), ("bob", "y"), ("cleo", "y")]
    )}  # fmt: skip
    accept(storage, "ann@x", 9)
    assert {mail_id for mail_id, _ in storage.inbound.turns(Turn())} == ids
    storage.close()


@pytest.mark.postgres
def test_two_take_different_mails_and_never_overtake_one_sender(two: list[Storage]) -> None:
    one, other = two
    first, second, third = (accept(one, who, n) for n, who in enumerate(("a@x", "a@x", "b@x")))
    with one.transaction(), other.transaction():
        assert one.inbound.claim(first, in_turn=True) is not None
        assert other.inbound.claim(third, in_turn=True) is not None
        assert other.inbound.claim(first, in_turn=True) is None
        assert other.inbound.claim(second, in_turn=True) is None
        other.inbound.done(third, NOW)
    with other.transaction():
        assert other.inbound.claim(second, in_turn=True) is None
    done(one, first)
    with other.transaction():
        assert other.inbound.claim(second, in_turn=True) is not None


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
    queue(one, letter(1))
    until(lambda: heard[3:] == ["letter"], 120)
    listener.stop()


@pytest.mark.postgres
def test_a_judge_that_is_alone_tells_only_itself(two: list[Storage], postgres_url: str) -> None:
    heard: list[list[str]] = [[], []]
    listeners = [each.listener(to.append) for each, to in zip(two, heard, strict=True)]
    first, second = (each for each in listeners if each is not None)
    with occupied(postgres_url):
        first.start()
        until(lambda: two[0].alone)
        with psycopg.connect(postgres_url, autocommit=True) as other:
            other.execute("LISTEN judge")
            accept(two[0], "ann", 1)
            assert heard[0] == ["mail", "letter", "mail"]
            assert not list(other.notifies(timeout=0.5))
            accept(two[1], "ann", 2)
            until(lambda: heard[0][3:] == ["mail"])
        with occupied(postgres_url):
            second.start()
            until(lambda: not two[0].alone)
            accept(two[0], "ann", 3)
            until(lambda: heard[1][2:] == ["mail"])
            second.stop()
    first.stop()
    assert not two[0].alone


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
