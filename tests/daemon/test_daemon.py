"""The whole daemon in this process, with a clock and a way out that the test holds in its hands."""

from __future__ import annotations

import asyncio
import smtplib
import sqlite3
import ssl
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parseaddr
from pathlib import Path

import pytest
import trustme
from aiosmtpd.smtp import SMTP, Envelope, Session
from click.testing import CliRunner

from judge import config
from judge.cli import main
from judge.daemon import Daemon, StartError
from judge.intake.reading import work_through
from judge.storage import OutboundMessage, OutboundState, Storage
from tests.clocks import ManualClock
from tests.mail.test_transport import Sink, running
from tests.mail.waiting import until

POWERS = "AEFGIRT"


class Out:
    """Takes letters, and lets the test wait for one."""

    def __init__(self) -> None:
        self._letters: list[tuple[str, EmailMessage]] = []
        self._news = threading.Condition()

    def deliver(self, raw: bytes, recipient: str, message_id: str, sender: str = "") -> None:
        letter = message_from_bytes(raw, policy=policy.default)
        assert isinstance(letter, EmailMessage)
        with self._news:
            self._letters.append((recipient, letter))
            self._news.notify_all()

    def close(self) -> None:
        pass

    def wait(self, recipient: str, says: str = "") -> str:
        """The text of the first letter that says this, taken away; waits for it."""
        return text_of(self.take(recipient, says))

    def take(self, recipient: str, says: str = "") -> EmailMessage:
        """That letter itself."""

        def found() -> tuple[str, EmailMessage] | None:
            for entry in self._letters:
                if entry[0] == recipient and says in flat(entry[1]):
                    return entry
            return None

        with self._news:
            assert self._news.wait_for(lambda: found() is not None, 120), self._letters
            entry = found()
            assert entry is not None
            self._letters.remove(entry)
        return entry[1]

    def count(self, recipient: str) -> int:
        with self._news:
            return sum(each == recipient for each, _ in self._letters)


def flat(letter: EmailMessage) -> str:
    """Subject and plain text of a letter on one line."""
    return " ".join(f"{letter['Subject']} {text_of(letter)}".split())


def text_of(letter: EmailMessage) -> str:
    """The plain text of a letter."""
    body = letter.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


class JudgeProfile:
    """A running daemon and what belongs to it."""

    def __init__(self, folder: Path, more: str = "") -> None:
        self.file = folder / "judge.toml"
        self.file.write_text(
            '[judge]\naddress = "judge@example.org"\nkeeper = "keeper@example.org"\n'
            f"[smtp]\nport = 0\nmax_size = 100000\n{more}"
        )
        self.config = config.load(self.file)
        self.clock = ManualClock()
        self.out = Out()
        self.daemon = Daemon(self.config, clock=self.clock, transport=self.out)
        self.sent = 0

    def hand_in(self, raw: bytes, sender: str, to: str = "judge@example.org") -> None:
        assert self.daemon.smtp_port is not None
        with smtplib.SMTP("127.0.0.1", self.daemon.smtp_port, timeout=120) as smtp:
            smtp.sendmail(sender, [to], raw)

    def write(self, sender: str, text: str, to: str = "judge@example.org") -> None:
        """A plain mail from `sender`@example.com."""
        self.sent += 1
        address = f"{sender}@example.com"
        self.hand_in(
            f"From: {sender} <{address}>\r\nTo: {to}\r\n"
            f"Message-ID: <{self.sent}@example.com>\r\n\r\n{text}\r\n".encode(),
            address,
            to,
        )


@pytest.fixture
def house(tmp_path: Path) -> Iterator[JudgeProfile]:
    made = JudgeProfile(tmp_path)
    made.daemon.start()
    yield made
    made.daemon.stop()


def test_a_stranger_is_welcomed(house: JudgeProfile) -> None:
    house.write("ann", "hello, what is this?")
    assert "JOIN" in house.out.wait("ann@example.com")


def test_pages_of_public_games_are_kept_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.daemon.factory.PAGES", 0.05)
    house = JudgeProfile(tmp_path, '[site]\nfolder = "pages"\n')
    house.daemon.start()
    try:
        house.write("mia", "CREATE ?paris standard, PUBLIC")
        house.out.wait("mia@example.com")
        page = tmp_path / "pages" / "games" / "paris" / "index.html"
        limit = time.monotonic() + 120
        while not page.exists() and time.monotonic() < limit:
            time.sleep(0.05)
        assert "paris" in page.read_text()
    finally:
        house.daemon.stop()


def test_the_keeper_hears_of_a_folder_that_is_none_any_more(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    made = JudgeProfile(tmp_path, '[site]\nkeeper_folder = "mine"\n')
    made.daemon.start()
    try:
        until(lambda: any((tmp_path / "mine").glob("*.html")))
        (tmp_path / "mine").rename(tmp_path / "away")
        (tmp_path / "mine").touch()
        made.daemon.wake("keeper's page")
        until(lambda: any(each.lacks for each in made.daemon._loops))
        made.clock.advance(minutes=3)
        made.daemon.wake("watch")
        assert "File exists" in made.out.wait("keeper@example.org", "machine")
        (tmp_path / "mine").unlink()
        until(lambda: not any(each.lacks for each in made.daemon._loops), 60)
        assert any((tmp_path / "mine").glob("*.html"))
    finally:
        made.daemon.stop()


def seven_join(house: JudgeProfile, more: str = "") -> None:
    """Let a game be made and its seven powers be taken, each by who has its letter for a name."""
    house.write("mia", f"CREATE ?paris\nSET MOVE NEXT 24H CLOCK NONE DAYS SMTWTFS{more}")
    house.out.wait("mia@example.com")
    for letter in POWERS:
        house.write(letter.lower(), f"JOIN paris\nSET PREFERENCE {letter}")


def test_a_letter_without_a_keyword_goes_out_after_a_yes(house: JudgeProfile) -> None:
    seven_join(house)
    house.out.wait("f@example.com", "You play")
    house.write("f", "Dear Germany,\r\n\r\nshall we ally?\r\n\r\nFrance")
    asked = house.out.take("f@example.com", "Should I do this for you?")
    assert "PRESS TO Germany" in text_of(asked)
    house.write("f", "YES", to=parseaddr(asked["Reply-To"])[1])
    assert "shall we ally?" in house.out.wait("g@example.com", "Press from")
    house.write("f", "who is late?")
    house.out.wait("f@example.com", "Not all orders")


def test_a_database_that_somebody_locks_shuts_no_door(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Senders hear that they should come back, others are talked to meanwhile, and once the lock is
    gone all goes on by itself."""
    monkeypatch.setattr("judge.storage.databases._BUSY_SECONDS", 0.3)
    monkeypatch.setattr("judge.mail.smtp_receiver._SLOW", 0.2)
    house = JudgeProfile(tmp_path)
    house.daemon.start()
    assert house.daemon.smtp_port is not None
    try:
        with closing(sqlite3.connect(tmp_path / "judge.db", isolation_level=None)) as somebody:
            somebody.execute("BEGIN IMMEDIATE")
            with ThreadPoolExecutor(8) as senders:
                tries = [
                    senders.submit(house.write, f"sender{number}", "HELP") for number in range(8)
                ]
                begun = time.monotonic()
                with smtplib.SMTP("127.0.0.1", house.daemon.smtp_port, timeout=5) as other:
                    assert other.ehlo()[0] == 250
                    assert other.mail("zoe@example.com")[0] == 250
                    assert other.rcpt("judge@example.org")[0] == 250
                assert time.monotonic() - begun < 1
                errors = [each.exception() for each in tries]
            assert [getattr(each, "smtp_code", None) for each in errors] == [451] * 8
            assert all(each.alive for each in house.daemon._loops)
            somebody.execute("ROLLBACK")
        house.write("zoe", "HELP")
        house.daemon.wake()
        assert "Diplomacy" in house.out.wait("zoe@example.com")
    finally:
        house.daemon.stop()


def test_a_deadline_and_its_grace_pass_and_the_phase_runs(house: JudgeProfile) -> None:
    seven_join(house, " GRACE 48H, NMR")
    assert "You play France" in house.out.wait("f@example.com", "You play")
    house.write("f", "A Par - Bur")
    house.out.wait("f@example.com", "Spring 1901, movement)")
    house.clock.advance(hours=41)
    assert "NO ORDER YET" in house.out.wait("t@example.com", "NO ORDER YET")
    house.clock.advance(hours=8)
    assert "has passed" in house.out.wait("t@example.com", "are late")
    house.clock.advance(hours=48)
    assert "Burgundy" in house.out.wait("f@example.com", "ALL ORDERS OF SPRING 1901")


def test_a_mail_that_makes_the_judge_fail_is_held_told_of_once_and_worked_again(
    house: JudgeProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bad(context: object) -> None:
        raise ValueError("a bug in the judge")

    monkeypatch.setattr("judge.service.reading.work_through", bad)
    house.write("ann", "help")
    assert "I keep it" in " ".join(house.out.wait("ann@example.com").split())
    assert "ValueError: a bug in the judge" in house.out.wait("keeper@example.org")
    listed = CliRunner().invoke(main, ["held", "list", "--config", str(house.file)])
    assert "a bug in the judge" in listed.output
    # Others go on.
    monkeypatch.setattr("judge.service.reading.work_through", work_through)
    house.write("bob", "help")
    house.out.wait("bob@example.com")
    # The cause is mended, the keeper tries again.
    retried = CliRunner().invoke(main, ["held", "retry", "1", "--config", str(house.file)])
    assert retried.exit_code == 0
    assert "HELP" in house.out.wait("ann@example.com")


def test_a_mail_that_fails_again_is_not_told_of_again(
    house: JudgeProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bad(context: object) -> None:
        raise ValueError("a bug in the judge")

    monkeypatch.setattr("judge.service.reading.work_through", bad)
    house.write("ann", "help")
    house.out.wait("ann@example.com")
    house.out.wait("keeper@example.org")
    CliRunner().invoke(main, ["held", "retry", "--all", "--config", str(house.file)])
    house.out.wait("keeper@example.org")
    time.sleep(0.3)
    assert house.out.count("ann@example.com") == 0


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\r\n",
        b"\xff\xfe\x00\r\n\r\n\x80\x81",
        b"From: ann@example.com\r\nContent-Type: text/plain; charset=klingon\r\n\r\n\xff\xfe\r\n",
        b"From: ann@example.com\r\nContent-Type: multipart/mixed\r\n\r\n--\r\n",
        b"From: \r\nSubject: =?utf-8?b?////?=\r\n\r\nhelp\r\n",
        b"From: ann@example.com\r\n\r\n" + b"A par - bur\r\n" * 5000,
    ],
)
def test_whatever_comes_in_the_daemon_goes_on(house: JudgeProfile, raw: bytes) -> None:
    house.hand_in(raw, "ann@example.com")
    house.write("bob", "help")
    house.out.wait("bob@example.com")
    assert house.daemon.healthy()


def test_a_mail_of_five_megabytes_is_refused_at_the_door(house: JudgeProfile) -> None:
    with pytest.raises((smtplib.SMTPResponseException, smtplib.SMTPServerDisconnected)) as caught:
        house.hand_in(b"From: ann@example.com\r\n\r\n" + b"x" * 70 * 70_000, "ann@example.com")
    if isinstance(caught.value, smtplib.SMTPResponseException):
        assert caught.value.smtp_code == 552
    house.write("bob", "help")
    house.out.wait("bob@example.com")


def test_no_mail_is_taken_for_others(house: JudgeProfile) -> None:
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        house.hand_in(b"From: ann@example.com\r\n\r\nhi", "ann@example.com", "bob@example.net")


def test_a_judge_with_a_certificate_takes_mail_encrypted(tmp_path: Path) -> None:
    authority = trustme.CA()
    shown = authority.issue_cert("localhost")
    shown.private_key_and_cert_chain_pem.write_to_path(tmp_path / "both.pem")
    house = JudgeProfile(tmp_path, 'certificate_file = "both.pem"\n')
    house.daemon.start()
    context = ssl.create_default_context()
    authority.configure_trust(context)
    try:
        assert house.daemon.smtp_port is not None
        with smtplib.SMTP("localhost", house.daemon.smtp_port, timeout=120) as server:
            server.starttls(context=context)
            server.sendmail("ann@x", ["judge@example.org"], b"From: ann@example.com\r\n\r\nhelp")
        assert "JOIN" in house.out.wait("ann@example.com")
    finally:
        house.daemon.stop()


def test_a_certificate_that_is_none_is_said_at_the_start(tmp_path: Path) -> None:
    house = JudgeProfile(tmp_path, 'certificate_file = "both.pem"\n')
    with pytest.raises(StartError, match=r"both\.pem and its key cannot be used"):
        house.daemon.start()
    (tmp_path / "both.pem").write_text("none")
    with pytest.raises(StartError, match=r"both\.pem and its key cannot be used"):
        house.daemon.start()


@pytest.mark.parametrize("section", ["outgoing.relay", "imap"])
def test_a_password_that_is_missing_is_said_at_the_start(tmp_path: Path, section: str) -> None:
    head = f"[[{section}]]" if section == "imap" else f"[{section}]"
    more = f'{head}\nhost = "127.0.0.1"\nuser = "judge"\npassword_file = "word"\n'
    daemon = Daemon(JudgeProfile(tmp_path, more).config)
    with pytest.raises(StartError, match=rf"{section}: password_file .*word cannot be read"):
        daemon.start()


def test_two_daemons_do_not_share_a_sqlite_database(house: JudgeProfile) -> None:
    other = Daemon(house.config, clock=house.clock, transport=house.out)
    with pytest.raises(StartError, match="another judge runs on"):
        other.start()
    house.daemon.stop()
    other.start()
    other.stop()


class Far(Sink):
    """A mail server that is far away."""

    def __init__(self) -> None:
        super().__init__()
        self.most = self._now = 0

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self._now += 1
        self.most = max(self.most, self._now)
        await asyncio.sleep(0.2)
        self._now -= 1
        return await super().handle_DATA(server, session, envelope)


def test_letters_go_out_over_as_many_connections_as_are_configured(tmp_path: Path) -> None:
    file = tmp_path / "judge.toml"
    url = f"sqlite:{tmp_path}/judge.db"
    storage = Storage.open(url)
    clock = ManualClock()
    with storage.transaction():
        for number in range(12):
            storage.outbound.queue(
                OutboundMessage(
                    message_id=f"<{number}@judge>", recipient=f"p{number}@people.example",
                    kind="reply", subject="", raw=b"Subject: x\r\n\r\nx\r\n",
                    next_try=clock.now(), queued_at=clock.now(),
                )
            )  # fmt: skip
    far = Far()
    with running(far) as port:
        file.write_text(
            f"[judge]\naddress = 'judge@judge.example'\n[database]\nurl = '{url}'\n"
            "[smtp]\nport = 0\n[outgoing.relay]\nhost = 'localhost'\nsecurity = 'none'\n"
            f"port = {port}\nconnections = 3\n"
        )
        daemon = Daemon(config.load(file), clock=clock)
        daemon.start()
        until(lambda: storage.outbound.count(OutboundState.SENT) == 12)
        daemon.stop()
    storage.close()
    assert len(far.got) == 12
    assert far.most == 3


def test_a_thread_that_dies_is_noticed(house: JudgeProfile) -> None:
    assert house.daemon.healthy()
    worker = house.daemon._loops[0]
    worker.stop()
    assert worker.join(120)
    assert not house.daemon.healthy()


def test_a_door_that_falls_shut_is_noticed(house: JudgeProfile) -> None:
    house.daemon._receivers[0].stop()
    assert not house.daemon.healthy()


def test_after_an_outage_the_next_daemon_gives_everybody_his_time_back(house: JudgeProfile) -> None:
    seven_join(house)
    assert "in 2 days" in house.out.wait("f@example.com", "You play")
    house.daemon.stop()
    house.clock.advance(days=5)
    house.daemon = Daemon(house.config, clock=house.clock, transport=house.out)
    house.daemon.start()
    told = " ".join(house.out.wait("f@example.com", "Deadlines moved").split())
    assert "The judge could not work for 5 days" in told
    house.write("f", "STATUS")
    assert "in 2 days" in house.out.wait("f@example.com", "Spring 1901, movement)")


def test_metrics_without_their_extra_are_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    monkeypatch.delitem(sys.modules, "judge.ops.prometheus", raising=False)
    house = JudgeProfile(tmp_path, "[metrics]\nenabled = true\n")
    with pytest.raises(StartError, match=r"pbem-judge\[metrics\]"):
        house.daemon.start()
