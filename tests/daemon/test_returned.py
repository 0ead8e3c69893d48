"""A letter out by SMTP, its bounce back in by SMTP: the address is marked, and healed by a mail.

The world outside is an SMTP server of its own, with the mailboxes of all players.
"""

from __future__ import annotations

import smtplib
import threading
import time
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import dkim
import pytest

from judge import config
from judge.daemon import Daemon, StartError
from judge.mail.smtp_receiver import SmtpReceiver
from judge.storage import InboundState, OutboundState, Storage
from tests.clocks import ManualClock
from tests.daemon.test_daemon import flat
from tests.mail.keys import key_pair

CLEO = "cleo@example.com"


class World:
    """The judge, and the server all its letters go to."""

    def __init__(self, folder: Path, more: str = "", hour: int = 5) -> None:
        """`more` is configuration, `hour` how many answers a person gets in one."""
        self.letters: list[tuple[EmailMessage, bytes, str, str]] = []
        self.news = threading.Condition()
        self.server = SmtpReceiver(
            "127.0.0.1", 0, self.take, patterns=["*@example.com", "*@example.org"]
        )
        self.server.start()
        private, self.record = key_pair()
        (folder / "dkim.pem").write_bytes(private)
        file = folder / "judge.toml"
        file.write_text(
            '[judge]\naddress = "judge@example.org"\nkeeper = "keeper@example.org"\n'
            f"[smtp]\nport = 0\n[limits]\nhour = {hour}\n{more}"
            '[dkim]\nselector = "s1"\nkey_file = "dkim.pem"\n'
            f'[outgoing.relay]\nhost = "127.0.0.1"\nport = {self.server.port}\n'
            'security = "none"\n'
        )
        self.config = config.load(file)
        self.clock = ManualClock()
        self.daemon = Daemon(self.config, clock=self.clock)
        self.daemon.start()
        self.storage = Storage.open(self.config.database.url)
        self.sent = 0

    def close(self) -> None:
        self.storage.close()
        self.daemon.stop()
        self.server.stop()

    def take(self, raw: bytes, path: str, recipients: list[str]) -> None:
        message = message_from_bytes(raw, policy=policy.default)
        assert isinstance(message, EmailMessage)
        with self.news:
            self.letters += [(message, raw, path, recipient) for recipient in recipients]
            self.news.notify_all()

    def wait(self, recipient: str, subject: str) -> tuple[EmailMessage, bytes, str]:
        """The next letter to somebody that says this: message, bytes, return path."""

        def found() -> int | None:
            for place, (message, _, _, to) in enumerate(self.letters):
                if to == recipient and subject in flat(message):
                    return place
            return None

        with self.news:
            assert self.news.wait_for(lambda: found() is not None, 20), [
                (to, str(message["Subject"])) for message, _, _, to in self.letters
            ]
            place = found()
            assert place is not None
            message, raw, path, _ = self.letters.pop(place)
        return message, raw, path

    def write(self, who: str, text: str, to: str = "judge@example.org") -> None:
        self.sent += 1
        raw = (
            f"From: {who}@example.com\r\nMessage-ID: <{self.sent}@example.com>\r\n"
            f"Subject: no. {self.sent}\r\n\r\n{text}\r\n"
        )
        self.hand_in(raw.encode(), f"{who}@example.com", to)

    def hand_in(self, raw: bytes, path: str, to: str) -> None:
        assert self.daemon.smtp_port is not None
        with smtplib.SMTP("127.0.0.1", self.daemon.smtp_port, timeout=120) as smtp:
            smtp.sendmail(path, [to], raw)

    def state(self) -> str:
        person = self.storage.people.by_address(CLEO)
        assert person is not None
        return self.storage.people.addresses(person.id)[0].state

    def until(self, what: Callable[[], bool]) -> None:
        limit = time.monotonic() + 120
        while not what():
            assert time.monotonic() < limit
            time.sleep(0.02)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.close()


def bounce(letter: bytes, path: str) -> bytes:
    """What a mail server sends back (RFC 3464), the letter's header included."""
    head = letter.partition(b"\r\n\r\n")[0]
    return (
        b"From: MAILER-DAEMON@example.com\r\nTo: <" + path.encode() + b">\r\n"
        b"Subject: Undelivered Mail Returned to Sender\r\nAuto-Submitted: auto-replied\r\n"
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
        b"--b\r\nContent-Type: text/plain\r\n\r\nIt could not be delivered.\r\n"
        b"--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; example.com"
        b"\r\n\r\nFinal-Recipient: rfc822; cleo@example.com\r\nAction: failed\r\n"
        b"Status: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 No such user\r\n\r\n"
        b"--b\r\nContent-Type: text/rfc822-headers\r\n\r\n" + head + b"\r\n--b--\r\n"
    )


def test_a_bounce_marks_an_address_and_a_mail_heals_it(world: World) -> None:
    world.write("mia", "CREATE ?paris\nSET MOVE NEXT 24H CLOCK NONE DAYS SMTWTFS")
    world.wait("mia@example.com", "JUDGE:paris")
    people = ["cleo", "ann", "bob", "dan", "eva", "fay", "gus"]
    for who in people:
        world.write(who, "JOIN paris")
        world.wait(f"{who}@example.com", "JUDGE:paris")
    _, raw, path = world.wait(CLEO, "You play")
    assert path not in ("", "judge@example.org")

    # A forged one, to the address everybody knows, is stored and does nothing.
    world.hand_in(bounce(raw, "judge@example.org"), "", "judge@example.org")
    world.until(lambda: world.storage.inbound.next_new() is None)
    assert world.state() == "active"

    world.hand_in(bounce(raw, path), "", path)
    told, _, _ = world.wait("mia@example.com", "in paris bounce")
    body = told.get_body(("plain",))
    assert body is not None
    assert "cleo@example.com" not in body.get_content()
    assert world.state() == "failing"

    world.write("cleo", "STATUS")
    reply, _, _ = world.wait(CLEO, "Re: no. ")
    body = reply.get_body(("plain",))
    assert body is not None
    assert "No such user" in body.get_content()
    assert world.state() == "active"


def test_a_flood_over_smtp_gets_one_notice_and_loses_no_order(world: World) -> None:
    world.write("cleo", "REGISTER\nName: Cleo\nEND")
    world.wait(CLEO, "JUDGE")
    for _ in range(12):
        world.write("cleo", "VERSION")
    world.wait(CLEO, "No more answers")
    world.until(lambda: world.storage.inbound.next_new() is None)
    world.until(lambda: world.storage.outbound.count(OutboundState.QUEUED) == 0)
    assert world.storage.inbound.count(InboundState.DONE) == 13
    with world.news:
        subjects = [str(message["Subject"]) for message, _, _, to in world.letters if to == CLEO]
    assert len(subjects) == 4
    assert all(subject.startswith("Re: ") for subject in subjects)


def test_letters_are_signed(world: World) -> None:
    world.write("zoe", "HELP")
    _, raw, _ = world.wait("zoe@example.com", "JUDGE")
    assert dkim.verify(raw, dnsfunc=lambda name, timeout=5: world.record)
    assert b"d=example.org" in raw


def test_a_key_that_cannot_sign_is_said_at_the_start(tmp_path: Path) -> None:
    file = tmp_path / "judge.toml"
    file.write_text(
        '[judge]\naddress = "judge@example.org"\npipe = true\n[smtp]\nenabled = false\n'
        '[dkim]\nselector = "s1"\nkey_file = "dkim.pem"\n'
    )
    with pytest.raises(StartError, match=r"dkim\.pem"):
        Daemon(config.load(file)).start()
    (tmp_path / "dkim.pem").write_text("no key")
    with pytest.raises(StartError, match="no RSA or Ed25519 private key"):
        Daemon(config.load(file)).start()
