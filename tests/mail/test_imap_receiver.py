"""The IMAP receiver against a real dovecot."""

from __future__ import annotations

import contextlib
import dataclasses
import random
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError

from judge.game.clock import outage
from judge.mail import imap_receiver
from judge.mail.imap_receiver import ImapReceiver, ImapSettings
from judge.mail.transport import NoToken, token_by
from tests.mail.cutting import Cutting
from tests.mail.dovecot import PASSWORD, USER, Dovecot, dovecot, mailbox, token
from tests.mail.waiting import until

pytestmark = pytest.mark.dovecot


def mail(number: int) -> bytes:
    return (
        "Return-Path: <ann@example.org>\r\n"
        "Delivered-To: judge+paris@example.com\r\n"
        f"From: ann@example.org\r\nMessage-ID: <{number}@example.org>\r\n\r\nA Par - Bur\r\n"
    ).encode()


class Inbox:
    """What came in. `refuse` makes it say no as often as asked."""

    def __init__(self) -> None:
        self.got: list[tuple[bytes, str | None, list[str]]] = []
        self.refuse = 0
        self.refused = 0
        self.during: Any = None

    def __call__(self, raw: bytes, envelope_from: str | None, envelope_to: list[str]) -> None:
        if self.during is not None:
            self.during()
        if self.refuse:
            self.refuse -= 1
            self.refused += 1
            raise RuntimeError("the disk is full")
        self.got.append((raw, envelope_from, envelope_to))


@pytest.fixture(scope="module")
def server() -> Iterator[Dovecot]:
    with dovecot() as running:
        yield running


@pytest.fixture(scope="module")
def server_without_idle() -> Iterator[Dovecot]:
    with dovecot(capability="IMAP4rev1 SASL-IR LITERAL+") as running:
        yield running


def settings_for(server: Dovecot, **changes: Any) -> ImapSettings:
    plain = ImapSettings(
        host="127.0.0.1", port=server.port, user=USER, password=PASSWORD, security="none"
    )
    return dataclasses.replace(plain, **changes)


def empty(server: Dovecot) -> None:
    with mailbox(server) as client:
        for folder in ("INBOX", "Done"):
            if client.folder_exists(folder):
                client.select_folder(folder)
                client.delete_messages(client.search())
                client.expunge()


def put(server: Dovecot, *mails: bytes) -> None:
    with mailbox(server) as client:
        for raw in mails:
            client.append("INBOX", raw)


def lying(server: Dovecot, folder: str = "INBOX", *criteria: str) -> int:
    """How many messages lie in a folder."""
    with mailbox(server) as client:
        if not client.folder_exists(folder):
            return 0
        client.select_folder(folder, readonly=True)
        return len(client.search(list(criteria) or "ALL"))


@contextlib.contextmanager
def receiver(settings: ImapSettings, inbox: Inbox) -> Iterator[ImapReceiver]:
    opened = ImapReceiver(settings, inbox)
    opened.start()
    try:
        yield opened
    finally:
        opened.stop()


@pytest.mark.parametrize("moved_to", [None, "Done"])
def test_what_lies_there_is_brought_in_and_put_aside(server: Dovecot, moved_to: str | None) -> None:
    empty(server)
    put(server, mail(1), mail(2))
    inbox = Inbox()
    with receiver(settings_for(server, moved_to=moved_to), inbox):
        until(lambda: len(inbox.got) == 2)
        until(lambda: lying(server, "INBOX", "UNSEEN") == 0)
    assert inbox.got == [
        (mail(number), "ann@example.org", ["judge+paris@example.com"]) for number in (1, 2)
    ]
    assert lying(server, "INBOX") == (2 if moved_to is None else 0)
    assert lying(server, "Done") == (0 if moved_to is None else 2)
    # Nothing is brought in twice by a receiver opened later.
    with receiver(settings_for(server, moved_to=moved_to), inbox):
        put(server, mail(3))
        until(lambda: len(inbox.got) == 3)
    assert inbox.got[2][0] == mail(3)


def test_what_arrives_during_idle_is_there_at_once(server: Dovecot) -> None:
    empty(server)
    inbox = Inbox()
    with receiver(settings_for(server, poll=600, renew=600), inbox) as opened:
        put(server, mail(1))
        until(lambda: len(inbox.got) == 1)
        time.sleep(1.0)
        before = time.monotonic()
        put(server, mail(2))
        until(lambda: len(inbox.got) == 2)
        assert time.monotonic() - before < 60
        assert opened.problem is None


def test_no_message_slips_between_a_look_and_idle(server: Dovecot) -> None:
    empty(server)
    inbox = Inbox()
    chance = random.Random(1)
    sent: list[bytes] = []
    with mailbox(server) as client, receiver(settings_for(server), inbox):
        for _ in range(20):
            for _ in range(chance.randint(1, 3)):
                sent.append(mail(len(sent)))
                client.append("INBOX", sent[-1])
                time.sleep(chance.random() * 0.01)
            until(lambda: len(inbox.got) == len(sent))
    assert sorted(raw for raw, _, _ in inbox.got) == sorted(sent)


def test_idle_is_renewed_with_a_look_at_what_nobody_announced(server: Dovecot) -> None:
    empty(server)
    inbox = Inbox()
    with mailbox(server) as client:
        client.append("INBOX", mail(1), [rb"\Seen"])
        with receiver(settings_for(server, renew=0.5), inbox):
            time.sleep(1)
            assert inbox.got == []
            # The server announces new messages, not that an old one became unread.
            client.select_folder("INBOX")
            client.remove_flags(client.search(), [rb"\Seen"])
            until(lambda: len(inbox.got) == 1, 120)


def test_a_server_without_idle_and_move_is_polled(server_without_idle: Dovecot) -> None:
    empty(server_without_idle)
    inbox = Inbox()
    with receiver(settings_for(server_without_idle, poll=0.2, moved_to="Done"), inbox):
        put(server_without_idle, mail(1))
        until(lambda: len(inbox.got) == 1)
        put(server_without_idle, mail(2))
        until(lambda: len(inbox.got) == 2)
        until(lambda: lying(server_without_idle) == 0)
    assert lying(server_without_idle, "Done") == 2


def test_a_message_is_put_aside_only_after_it_was_accepted(server: Dovecot) -> None:
    empty(server)
    inbox = Inbox()
    unseen: list[int] = []
    inbox.during = lambda: unseen.append(lying(server, "INBOX", "UNSEEN"))
    put(server, mail(1))
    with receiver(settings_for(server), inbox):
        until(lambda: len(inbox.got) == 1)
        until(lambda: lying(server, "INBOX", "UNSEEN") == 0)
    assert unseen == [1]


def test_a_message_that_cannot_be_accepted_stays_for_the_next_look(server: Dovecot) -> None:
    empty(server)
    inbox = Inbox()
    inbox.refuse = 2
    put(server, mail(1), mail(2), mail(3))
    with receiver(settings_for(server), inbox) as opened:
        until(lambda: inbox.refused == 2)
        until(lambda: len(inbox.got) == 1)
        until(lambda: opened.problem == "2 messages could not be accepted")
        assert lying(server, "INBOX", "UNSEEN") == 2
        until(lambda: len(inbox.got) == 3)
        until(lambda: opened.problem is None)
    assert [raw for raw, _, _ in inbox.got] == [mail(3), mail(1), mail(2)]


def test_a_server_that_was_away_is_found_again() -> None:
    inbox = Inbox()
    with dovecot() as server, receiver(settings_for(server), inbox) as opened:
        put(server, mail(1))
        until(lambda: len(inbox.got) == 1)
        server.stop()
        until(lambda: opened.problem is not None)
        server.start()
        put(server, mail(2))
        until(lambda: len(inbox.got) == 2, 120)
        until(lambda: opened.problem is None)


def test_a_server_that_is_not_there_is_tried_again(server: Dovecot) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        nobody = probe.getsockname()[1]
        with receiver(settings_for(server, port=nobody), Inbox()) as opened:
            until(lambda: opened.problem is not None)
            assert "refused" in str(opened.problem)


def test_a_wrong_password_is_said(server: Dovecot) -> None:
    with receiver(settings_for(server, password="not it"), Inbox()) as opened:
        until(lambda: opened.problem is not None)
        assert str(opened.problem).startswith("[AUTHENTICATIONFAILED]")


def test_of_a_huge_message_only_so_much_is_read(server: Dovecot) -> None:
    empty(server)
    inbox = Inbox()
    put(server, mail(1) + b"x\r\n" * 1_000_000)
    with receiver(settings_for(server, max_size=10_000), inbox):
        until(lambda: len(inbox.got) == 1)
    assert len(inbox.got[0][0]) == 10_000


def test_an_empty_message_is_a_message(server: Dovecot) -> None:
    empty(server)
    inbox = Inbox()
    put(server, b"\r\n")
    with receiver(settings_for(server), inbox):
        until(lambda: len(inbox.got) == 1)
    assert inbox.got == [(b"\r\n", None, [])]


def test_what_another_judge_has_just_put_aside_is_no_message(server: Dovecot) -> None:
    empty(server)
    put(server, mail(1))
    opened = ImapReceiver(settings_for(server), Inbox())
    with mailbox(server) as client, mailbox(server) as other:
        client.select_folder("INBOX")
        (uid,) = client.search()
        assert opened._fetch(client, uid) == mail(1)
        other.select_folder("INBOX")
        other.delete_messages([uid])
        other.expunge()
        assert opened._fetch(client, uid) is None


def test_it_tells_up_to_when_it_has_heard_and_looks_when_asked(server: Dovecot) -> None:
    empty(server)
    inbox = Inbox()
    looks: list[None] = []
    opened = ImapReceiver(settings_for(server, renew=600), inbox, looked=lambda: looks.append(None))
    assert (opened.heard, opened.deaf) == (None, True)
    opened.start()
    try:
        until(lambda: opened.heard is not None)
        for _ in range(8):
            asked = datetime.now(UTC)
            opened.look()
            until(lambda asked=asked: opened.heard is not None and opened.heard >= asked)  # type: ignore[misc]
        assert opened.deaf is False
        assert len(looks) >= 8
    finally:
        opened.stop()


@pytest.mark.parametrize("poll", [0.05, 3600.0])
def test_a_mailbox_without_announcements_is_looked_at_when_asked(
    server_without_idle: Dovecot, poll: float
) -> None:
    empty(server_without_idle)
    inbox = Inbox()
    with receiver(settings_for(server_without_idle, poll=poll), inbox) as opened:
        until(lambda: opened.heard is not None)
        put(server_without_idle, mail(1))
        opened.look()
        until(lambda: len(inbox.got) == 1, 120)


def test_what_was_heard_stays_while_the_server_is_away() -> None:
    with dovecot() as server, receiver(settings_for(server), Inbox()) as opened:
        until(lambda: not opened.deaf)
        server.stop()
        until(lambda: opened.deaf)
        heard = opened.heard
        opened.look()
        time.sleep(1.5)
        assert opened.heard == heard
        server.start()
        until(lambda: not opened.deaf, 120)
        assert opened.heard is not None
        assert heard is not None
        assert opened.heard > heard


def test_a_message_that_is_never_accepted_keeps_nothing_waiting_for_ever(
    server: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.mail.imap_receiver._PAUSES", (0.1,))
    monkeypatch.setattr("judge.mail.imap_receiver._STUBBORN", 2.0)
    empty(server)
    inbox = Inbox()
    inbox.refuse = 10**6
    put(server, mail(1))
    with receiver(settings_for(server), inbox) as opened:
        until(lambda: inbox.refused == 8)
        assert opened.heard is None
        until(lambda: opened.heard is not None)
        assert lying(server, "INBOX", "UNSEEN") == 1


def test_what_cannot_be_stored_is_waited_for_longer_than_an_outage_may_be_short() -> None:
    """Else a database that is away for two minutes costs people who wrote in time their orders."""
    assert outage.SHORTEST.total_seconds() < imap_receiver._STUBBORN


def test_a_message_the_server_does_not_hand_out_keeps_back_none_behind_it(
    server: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = IMAPClient.fetch

    def fetch(client: IMAPClient, messages: list[int], data: list[str]) -> Any:
        if messages == first:
            raise IMAPClientError("FETCH failed: [SERVERBUG] Internal error occurred")
        return real(client, messages, data)

    empty(server)
    put(server, mail(1), mail(2))
    with mailbox(server) as client:
        client.select_folder("INBOX", readonly=True)
        first = client.search()[:1]
    monkeypatch.setattr(IMAPClient, "fetch", fetch)
    inbox = Inbox()
    with receiver(settings_for(server), inbox) as opened:
        until(lambda: len(inbox.got) == 1)
        until(lambda: opened.problem == "1 messages could not be accepted")
    assert inbox.got[0][0] == mail(2)


class Heap:
    """A mailbox of very many messages, half of which cannot be moved away; it counts what it is
    asked for."""

    def __init__(self, count: int) -> None:
        self.here = list(range(1, count + 1))
        self.asked: Counter[str] = Counter()

    def search(self, wanted: list[str]) -> list[int]:
        self.asked["search"] += 1
        return list(self.here)

    def fetch(self, uids: list[int], data: list[str]) -> dict[int, dict[bytes, bytes]]:
        self.asked["fetch"] += 1
        return {uid: {b"BODY[]<0>": mail(uid)} for uid in uids}

    def has_capability(self, name: str) -> bool:
        return True

    def move(self, uids: list[int], folder: str) -> None:
        self.asked["move"] += 1
        if uids[0] % 2:
            raise IMAPClientError("MOVE failed: [OVERQUOTA] Quota exceeded")
        self.here = [uid for uid in self.here if uid != uids[0]]


def test_five_thousand_messages_are_taken_in_once_each_though_a_quota_is_full() -> None:
    inbox, heap = Inbox(), Heap(5_000)
    settings = ImapSettings("127.0.0.1", 1, USER, moved_to="Done")
    opened = ImapReceiver(settings, inbox)
    for _ in range(2):
        opened._take_all(cast(IMAPClient, heap), patient=False)
    assert [each[0] for each in inbox.got] == [mail(uid) for uid in range(1, 5_001)]
    assert heap.asked == {"search": 4, "fetch": 5_000, "move": 7_500}


def test_a_message_over_which_the_server_hangs_up_keeps_back_none_behind_it(
    server: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.mail.imap_receiver._PAUSES", (0.05,))
    monkeypatch.setattr("judge.mail.imap_receiver._STUBBORN", 0.5)
    real = IMAPClient.fetch
    asked: list[None] = []

    def fetch(client: IMAPClient, messages: list[int], data: list[str]) -> Any:
        if messages == first:
            asked.append(None)
            client.shutdown()
            raise IMAPClientAbortError("BYE Internal error occurred")
        return real(client, messages, data)

    empty(server)
    put(server, mail(1), mail(2))
    with mailbox(server) as client:
        client.select_folder("INBOX", readonly=True)
        first = client.search()[:1]
    monkeypatch.setattr(IMAPClient, "fetch", fetch)
    inbox = Inbox()
    with receiver(settings_for(server), inbox) as opened:
        until(lambda: len(inbox.got) == 1)
        until(lambda: opened.heard is not None)
        assert opened.problem == "1 messages could not be accepted"
        assert not opened.deaf
        assert len(asked) == 5
        # Under the same number there is another message in a mailbox that was made anew.
        monkeypatch.setattr(IMAPClient, "fetch", real)
        numbers = IMAPClient.select_folder
        monkeypatch.setattr(
            IMAPClient, "select_folder", lambda *told: {**numbers(*told), b"UIDVALIDITY": 1}
        )

        def hang_up(client: IMAPClient) -> None:
            monkeypatch.setattr(IMAPClient, "noop", noop)
            raise IMAPClientAbortError("BYE")

        noop = IMAPClient.noop
        monkeypatch.setattr(IMAPClient, "noop", hang_up)
        until(lambda: len(inbox.got) == 2)
    assert [raw for raw, _, _ in inbox.got] == [mail(2), mail(1)]


def test_a_message_that_cannot_be_put_aside_is_taken_in_once_and_keeps_back_none(
    server: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.mail.imap_receiver._PAUSES", (0.05,))
    real, full = IMAPClient.move, [True]

    def move(client: IMAPClient, messages: list[int], folder: str) -> Any:
        if full[0]:
            raise IMAPClientError("move failed: [OVERQUOTA] Quota exceeded")
        return real(client, messages, folder)

    monkeypatch.setattr(IMAPClient, "move", move)
    empty(server)
    put(server, mail(1), mail(2))
    inbox = Inbox()
    with receiver(settings_for(server, moved_to="Done"), inbox) as opened:
        until(lambda: opened.problem == "2 messages could not be put aside")
        assert opened.heard is not None
        time.sleep(0.3)
        assert len(inbox.got) == 2
        full[0] = False
        until(lambda: lying(server, "Done") == 2)
        until(lambda: opened.problem is None)
    assert len(inbox.got) == 2


def test_what_is_old_and_cannot_be_deleted_keeps_back_nothing(
    server: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(client: IMAPClient, messages: list[int], flags: Any, silent: bool = False) -> None:
        raise IMAPClientError("store failed: [NOPERM] Permission denied")

    empty(server)
    monkeypatch.setattr(IMAPClient, "add_flags", refuse)
    with mailbox(server) as client:
        if not client.folder_exists("Done"):
            client.create_folder("Done")
        client.append("Done", mail(1), msg_time=datetime.now(UTC) - timedelta(days=400))
    put(server, mail(2))
    inbox = Inbox()
    with receiver(settings_for(server, moved_to="Done", keep_days=30), inbox) as opened:
        until(lambda: len(inbox.got) == 1)
        put(server, mail(3))
        until(lambda: len(inbox.got) == 2)
        assert opened.problem is None
    assert lying(server, "Done") == 3


def test_a_fast_clock_makes_nothing_old(server: Dovecot) -> None:
    empty(server)
    put(server, mail(1))
    inbox = Inbox()
    later = datetime.now(UTC) + timedelta(days=1000)
    looks: list[None] = []
    opened = ImapReceiver(
        settings_for(server, moved_to="Done", keep_days=30, renew=0.1), inbox,
        lambda: later, looked=lambda: looks.append(None),
    )  # fmt: skip
    opened._tidied = time.monotonic()
    opened.start()
    try:
        until(lambda: len(inbox.got) == 1)
        opened._tidied = None
        seen = len(looks)
        until(lambda: len(looks) > seen + 3)
    finally:
        opened.stop()
    assert lying(server, "Done") == 1


def test_a_line_that_was_dropped_and_is_made_anew_at_once_is_not_dead(
    server: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Servers hang up on who is silent for half an hour (RFC 3501 section 5.4): a mailbox that
    is polled once an hour would be cut off each time, and everybody get an hour back."""
    empty(server)
    inbox = Inbox()
    deaf: list[bool] = []
    opened = ImapReceiver(settings_for(server), inbox)
    real = ImapReceiver._wait

    def wait(self: ImapReceiver, client: IMAPClient) -> None:
        if len(deaf) < 3:
            client.shutdown()
            deaf.append(self.deaf)
        real(self, client)

    monkeypatch.setattr(ImapReceiver, "_wait", wait)
    monkeypatch.setattr(
        imap_receiver, "_pause", lambda failures: deaf.append(opened.deaf) or 0.05  # type: ignore[func-returns-value]
    )  # fmt: skip
    opened.start()
    try:
        until(lambda: len(deaf) >= 3)
        put(server, mail(1))
        until(lambda: len(inbox.got) == 1)
    finally:
        opened.stop()
    assert not any(deaf)


@pytest.mark.parametrize("keep_days", [0, 30])
@pytest.mark.parametrize("at_once", [1, 500])
def test_what_was_put_aside_long_ago_is_deleted(
    server: Dovecot, monkeypatch: pytest.MonkeyPatch, keep_days: int, at_once: int
) -> None:
    monkeypatch.setattr("judge.mail.imap_receiver._AT_ONCE", at_once)
    empty(server)
    now = datetime.now(UTC)
    with mailbox(server) as client:
        if not client.folder_exists("Done"):
            client.create_folder("Done")
        for number, days in enumerate((29, 33, 400), 1):
            client.append("Done", mail(number), msg_time=now - timedelta(days=days))
    # What lies in the inbox is to be processed, however old it is.
    with mailbox(server) as client:
        client.append("INBOX", mail(4), msg_time=now - timedelta(days=29))
    inbox = Inbox()
    settings = settings_for(server, moved_to="Done", keep_days=keep_days, renew=0.1)
    with receiver(settings, inbox):
        until(lambda: len(inbox.got) == 1)
        until(lambda: lying(server, "Done") == (2 if keep_days else 4))
        put(server, mail(5))
        until(lambda: len(inbox.got) == 2)
    assert lying(server, "Done") == (3 if keep_days else 5)


def test_stopping_is_quick_and_finishes_what_is_in_hand(server: Dovecot) -> None:
    empty(server)
    inbox = Inbox()
    started, go = threading.Event(), threading.Event()

    def slow() -> None:
        started.set()
        go.wait(120)

    inbox.during = slow
    put(server, mail(1))
    opened = ImapReceiver(settings_for(server), inbox)
    opened.start()
    assert started.wait(120)
    threading.Timer(0.2, go.set).start()
    before = time.monotonic()
    opened.stop()
    assert time.monotonic() - before < 60
    assert len(inbox.got) == 1
    assert lying(server, "INBOX", "UNSEEN") == 0


def test_the_password_is_not_shown() -> None:
    shown = repr(ImapSettings(host="h", port=1, user="u", password="s3cret"))
    assert "s3cret" not in shown


def test_a_kind_of_security_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="none, starttls or tls"):
        ImapSettings(host="h", port=1, user="u", password="p", security="ssl")


# OAuth 2


def test_a_token_opens_a_mailbox_and_is_asked_for_at_each_login(server: Dovecot) -> None:
    empty(server)
    inbox = Inbox()
    asked: list[str] = []

    def fresh() -> str:
        asked.append(token())
        return asked[-1]

    put(server, mail(1))
    by_token = settings_for(server, password="", token=fresh)
    with receiver(by_token, inbox):
        until(lambda: len(inbox.got) == 1)
    with receiver(by_token, inbox):
        put(server, mail(2))
        until(lambda: len(inbox.got) == 2)
    assert len(asked) == 2


def test_a_token_that_has_expired_is_said_and_the_next_one_taken(server: Dovecot) -> None:
    empty(server)
    inbox = Inbox()
    tokens = iter([token(lasts=-30), token()])
    put(server, mail(1))
    with receiver(settings_for(server, password="", token=lambda: next(tokens)), inbox) as opened:
        until(lambda: opened.problem is not None)
        assert "eyJ" not in str(opened.problem)
        until(lambda: len(inbox.got) == 1)
        until(lambda: opened.problem is None)


def test_a_program_that_gives_no_token_is_said_and_asked_again(
    server: Dovecot, tmp_path: Path
) -> None:
    empty(server)
    put(server, mail(1))
    inbox = Inbox()
    program = tmp_path / "token"
    settings = settings_for(server, password="", token=lambda: token_by([str(program)]))
    with receiver(settings, inbox) as opened:
        until(lambda: "gives no token" in str(opened.problem))
        program.write_text(f"#!/bin/sh\necho {token()}\n")
        program.chmod(0o700)
        until(lambda: len(inbox.got) == 1)


@pytest.mark.parametrize("script", ["exit 1", "echo", "echo secret; exit 3"])
def test_what_a_program_said_instead_of_a_token_is_told_nobody(tmp_path: Path, script: str) -> None:
    program = tmp_path / "token"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o700)
    with pytest.raises(NoToken) as raised:
        token_by([str(program)])
    assert "secret" not in str(raised.value)


# What servers do


def test_a_mailbox_that_was_made_anew_loses_and_repeats_nothing(server: Dovecot) -> None:
    """UIDs mean something else then (RFC 9051 section 2.3.1.1); none is kept."""
    empty(server)
    inbox = Inbox()
    put(server, mail(1), mail(2))
    with mailbox(server) as client:
        before = client.select_folder("INBOX")[b"UIDVALIDITY"]
    with receiver(settings_for(server), inbox) as opened:
        until(lambda: len(inbox.got) == 2)
        until(lambda: lying(server, "INBOX", "UNSEEN") == 0)
        server.stop()
        until(lambda: opened.problem is not None)
        for path in server.box.glob("dovecot*"):
            path.unlink()
        server.start()
        put(server, mail(3))
        until(lambda: len(inbox.got) == 3, 120)
    with mailbox(server) as client:
        assert client.select_folder("INBOX")[b"UIDVALIDITY"] != before
    assert [raw for raw, _, _ in inbox.got] == [mail(1), mail(2), mail(3)]


def test_a_connection_that_breaks_anywhere_loses_and_repeats_nothing(
    server: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the greeting, the login, the search, in the middle of a message, before it is moved."""
    monkeypatch.setattr("judge.mail.imap_receiver._PAUSES", (0.05,))
    empty(server)
    big = [mail(number) + b"x" * 70 + b"\r\n" * 3000 for number in range(4)]
    put(server, *big)
    after = [10, 150, 300, 600, 900, 1500, 2000, 5000, 9000, 14000, 20000]
    inbox = Inbox()
    with (
        Cutting(server.port, after) as way,
        receiver(settings_for(server, port=way.port, moved_to="Done"), inbox),
    ):
        until(lambda: lying(server) == 0 and lying(server, "Done") == 4, 60)
    assert way.cut >= 8
    # What was accepted, but not moved before the line broke, comes again: the inbox knows it.
    assert {raw for raw, _, _ in inbox.got} == set(big)


def test_several_mailboxes_are_watched_at_once(server: Dovecot) -> None:
    empty(server)
    with mailbox(server) as client:
        if not client.folder_exists("Games"):
            client.create_folder("Games")
    inbox = Inbox()
    with (
        receiver(settings_for(server, moved_to="Done"), inbox),
        receiver(settings_for(server, folder="Games", moved_to="Done"), inbox) as second,
    ):
        put(server, mail(1))
        with mailbox(server) as client:
            client.append("Games", mail(2))
        until(lambda: len(inbox.got) == 2)
        assert second.name == f"{USER} on 127.0.0.1 (Games)"


def test_idle_is_renewed_long_before_servers_drop_it() -> None:
    """RFC 2177: at least every 29 minutes; routers forget a silent connection after five."""
    assert ImapSettings(host="h", port=1, user="u").renew < 5 * 60


def test_a_server_in_trouble_is_asked_less_and_less_often() -> None:
    pauses = [imap_receiver._pause(failures) for failures in range(1, 20)]
    assert pauses == sorted(pauses)
    assert pauses[0] <= 1
    assert pauses[-1] == 300
    assert imap_receiver._longest(LoginError("no such password")) == 300
    # Phases wait for one that is only away.
    assert imap_receiver._longest(ConnectionRefusedError()) == 60
