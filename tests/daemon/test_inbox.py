"""What receivers take in is stored, of strangers no more than their network may bring."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from judge.daemon.daemon import Inbox
from judge.mail.headers import trace
from judge.mail.smtp_receiver import Refusal
from judge.ops.metrics import Metrics
from judge.storage import Outward, Person, Storage, Unavailable
from tests.clocks import ManualClock
from tests.storage.laid import lay


def test_a_network_brings_ten_times_what_a_stranger_may(tmp_path: Path) -> None:
    lay(tmp_path / "judge.db")
    storage, clock = Storage.open(f"sqlite:{tmp_path / 'judge.db'}"), ManualClock()
    inbox = Inbox(storage, clock, Metrics(), lambda: None, 1_000)
    with storage.transaction():
        person = storage.people.add(Person(name=Outward("Ann"), created_at=clock.now()))
        storage.people.add_address(person.id, "ann@example.org", clock.now())

    def take(who: str, host: str = "93.184.216.34", door: str = "smtp") -> bytes:
        head = f"From: {who}\r\nMessage-ID: <{who}{clock.now()}>\r\n\r\n".encode()
        came = trace(host, "x", "judge.example", "ESMTP")
        inbox.accept(came + head + b"x" * 800, "", ["judge@judge.example"], door)
        mail = storage.inbound.find(storage.inbound.newest())
        assert mail is not None
        return mail.raw

    for number in range(10):
        take(f"eve{number}@{number}.example", f"93.184.216.{number}")
    with pytest.raises(Refusal, match="network"):
        take("eve10@10.example")
    assert b"xxx" not in take("eve11@11.example", door="imap")
    assert b"xxx" in take("ann@example.org")
    assert b"xxx" in take("zoe@example.org", "81.2.69.142")
    assert b"xxx" in take("joe@example.org", "127.0.0.1")
    clock.advance(days=1)
    assert b"xxx" in take("eve12@12.example")
    storage.close()


def test_the_keeper_hears_that_no_mail_can_be_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A judge without descriptors left writes by the connections that it has: it looks well."""
    lay(tmp_path / "judge.db")
    storage, clock = Storage.open(f"sqlite:{tmp_path / 'judge.db'}"), ManualClock()
    inbox = Inbox(storage, clock, Metrics(), lambda: None, 1_000)
    accept = inbox.accept

    def take(number: int, *, works: bool) -> None:
        raw = f"From: eve@x.example\r\nMessage-ID: <{number}@x>\r\n\r\nHELP".encode()
        with monkeypatch.context() as lacking:
            if works:
                accept(raw, "", ["judge@judge.example"], "smtp")
                return
            lacking.setattr(storage.inbound, "accept", fail)
            with pytest.raises(Unavailable):
                accept(raw, "", ["judge@judge.example"], "smtp")

    def fail(*_: object, **__: object) -> None:
        raise Unavailable("unable to open database file")

    def lacks() -> tuple[datetime, str] | None:
        return inbox.lacks

    begun = clock.now()
    take(1, works=False)
    assert lacks() is None, "it may have been a moment"
    clock.advance(minutes=3)
    take(1, works=False)
    since, why = lacks() or (None, "")
    assert since == begun
    assert "unable to open" in why
    take(1, works=True)
    assert lacks() is None
    take(2, works=False)
    take(2, works=False)
    clock.advance(hours=1)
    assert lacks() is None, "nobody has tried for long"
    storage.close()
