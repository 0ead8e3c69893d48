"""The SMTP receiver, spoken to over a socket."""

from __future__ import annotations

import asyncio
import contextlib
import re
import smtplib
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP

from judge.mail.smtp_receiver import Flow, Refusal, SmtpReceiver, _Smtp
from tests.mail.waiting import until

JUDGE = "judge@example.com"
ANN = "ann@example.org"
MAIL = b"From: ann@example.org\r\n\r\nA Par - Bur\r\n"


class Inbox:
    """What came in; says no while `full`."""

    def __init__(self) -> None:
        self.got: list[tuple[bytes, str, list[str]]] = []
        self.full = False
        self.during: Any = None

    def __call__(self, raw: bytes, mail_from: str, rcpt_to: list[str]) -> None:
        if self.during is not None:
            self.during()
        if self.full:
            raise OSError("no space left")
        first, second, rest = raw.split(b"\r\n", 2)
        assert re.fullmatch(rb"Received: from \S+ \(\[127\.0\.0\.1\]\) by \S+", first)
        assert second in (b" with ESMTP", b" with LMTP")
        self.got.append((rest, mail_from, rcpt_to))


@contextlib.contextmanager
def opened(inbox: Inbox, **options: Any) -> Iterator[SmtpReceiver]:
    options = {"addresses": [JUDGE]} | options
    receiver = SmtpReceiver("127.0.0.1", 0, inbox, **options)
    receiver.start()
    try:
        yield receiver
    finally:
        receiver.stop()


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def receiver(inbox: Inbox) -> Iterator[SmtpReceiver]:
    with opened(inbox) as receiver:
        yield receiver


def refusal(call: Any, *arguments: Any) -> tuple[int, bytes]:
    """The code and text a delivery is refused with."""
    with pytest.raises(smtplib.SMTPException) as raised:
        call(*arguments)
    error = raised.value
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return next(iter(error.recipients.values()))
    assert isinstance(error, smtplib.SMTPResponseException)
    said = error.smtp_error
    return error.smtp_code, said if isinstance(said, bytes) else said.encode()


class Raw:
    """A client that says exactly what it is told to."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), 10)
        self.file = self.socket.makefile("rb")
        self.answer()

    def __enter__(self) -> Raw:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()
        self.socket.close()

    def answer(self) -> bytes:
        while True:
            line = self.file.readline()
            if line[3:4] != b"-":
                return line

    def say(self, data: bytes) -> bytes:
        self.socket.sendall(data)
        return self.answer()


def test_a_mail_is_taken_as_it_is(receiver: SmtpReceiver, inbox: Inbox) -> None:
    raw = b"From: x\r\n\r\n..leading dot\r\n.\xff\xfe bytes\r\nbare\nline\r\n"
    with smtplib.SMTP("127.0.0.1", receiver.port) as client:
        client.sendmail(ANN, [JUDGE, "Judge+paris@EXAMPLE.com"], raw)
    ((got, mail_from, rcpt_to),) = inbox.got
    assert got == raw
    assert (mail_from, rcpt_to) == (ANN, [JUDGE, "Judge+paris@EXAMPLE.com"])


@pytest.mark.parametrize(
    "path",
    [
        *(b"root", b'"a b"@x', b"@x.example", b"ann@", b"\xff@x.example"),
        *(b"a\0@x.example", b"a\x07@x.example", b"a@x\x7f.example"),
    ],
)
def test_who_cannot_be_answered_is_refused(
    receiver: SmtpReceiver, inbox: Inbox, path: bytes
) -> None:
    with Raw(receiver.port) as client:
        client.say(b"EHLO x\r\n")
        assert client.say(b"MAIL FROM:<" + path + b">\r\n")[:3] == b"553"
        assert client.say(b"MAIL FROM:<ann@example.org>\r\n")[:3] == b"250"


def test_a_bounce_has_an_empty_return_path(receiver: SmtpReceiver, inbox: Inbox) -> None:
    with smtplib.SMTP("127.0.0.1", receiver.port) as client:
        client.sendmail("", [JUDGE], MAIL)
    assert inbox.got == [(MAIL, "", [JUDGE])]


def test_250_is_said_only_after_it_was_accepted(receiver: SmtpReceiver, inbox: Inbox) -> None:
    go = threading.Event()
    inbox.during = lambda: go.wait(120)
    answered: list[bytes] = []

    def deliver() -> None:
        with Raw(receiver.port) as client:
            client.say(b"EHLO x\r\n")
            client.say(b"MAIL FROM:<ann@example.org>\r\n")
            client.say(b"RCPT TO:<judge@example.com>\r\n")
            client.say(b"DATA\r\n")
            answered.append(client.say(MAIL + b".\r\n"))

    thread = threading.Thread(target=deliver)
    thread.start()
    time.sleep(0.5)
    assert answered == []
    go.set()
    thread.join(120)
    assert answered == [b"250 2.0.0 Stored\r\n"]
    assert len(inbox.got) == 1


def test_the_receiver_serves_others_while_one_is_being_stored(
    receiver: SmtpReceiver, inbox: Inbox
) -> None:
    first, go = threading.Event(), threading.Event()

    def during() -> None:
        if not first.is_set():
            first.set()
            go.wait(120)

    def deliver() -> None:
        with smtplib.SMTP("127.0.0.1", receiver.port) as client:
            client.sendmail(ANN, [JUDGE], MAIL)

    inbox.during = during
    slow = threading.Thread(target=deliver)
    slow.start()
    assert first.wait(120)
    deliver()
    assert len(inbox.got) == 1
    go.set()
    slow.join(120)
    assert len(inbox.got) == 2


def test_what_cannot_be_stored_stays_with_its_sender(receiver: SmtpReceiver, inbox: Inbox) -> None:
    inbox.full = True
    with smtplib.SMTP("127.0.0.1", receiver.port) as client:
        code, said = refusal(client.sendmail, ANN, [JUDGE], MAIL)
        assert code == 451
        assert b"try again" in said
        assert b"space" not in said
        inbox.full = False
        client.sendmail(ANN, [JUDGE], MAIL)
    assert len(inbox.got) == 1


def test_five_megabytes_are_refused(inbox: Inbox) -> None:
    huge = MAIL + (b"x" * 70 + b"\r\n") * 70_000
    with opened(inbox, max_size=1_000_000) as receiver:
        with smtplib.SMTP("127.0.0.1", receiver.port) as client:
            # At once, since the client says how long it is (RFC 1870).
            assert refusal(client.sendmail, ANN, [JUDGE], huge)[0] == 552
        with smtplib.SMTP("127.0.0.1", receiver.port) as client:
            # And at the end, when it does not.
            client.helo()
            assert refusal(client.sendmail, ANN, [JUDGE], huge)[0] == 552
            client.sendmail(ANN, [JUDGE], MAIL)
    assert inbox.got == [(MAIL, ANN, [JUDGE])]


def test_a_line_longer_than_the_standard_allows_is_taken(
    receiver: SmtpReceiver, inbox: Inbox
) -> None:
    raw = MAIL + b"x" * 20_000 + b"\r\n"
    with smtplib.SMTP("127.0.0.1", receiver.port) as client:
        client.sendmail(ANN, [JUDGE], raw)
    assert inbox.got[0][0] == raw


def test_a_file_on_one_line_of_base64_is_taken(receiver: SmtpReceiver, inbox: Inbox) -> None:
    raw = MAIL + b"QUJD" * 200_000 + b"\r\n.x\r\n"
    with smtplib.SMTP("127.0.0.1", receiver.port) as client:
        client.sendmail(ANN, [JUDGE], raw)
        # A line that is longer than a mail may be is refused, and the next mail is taken.
        client.ehlo()
        client.docmd("MAIL FROM:<ann@example.org>")
        client.docmd("RCPT TO:<judge@example.com>")
        assert client.data(b"x" * 3_000_000)[0] in (500, 552)
        client.sendmail(ANN, [JUDGE], MAIL)
    assert [got for got, _, _ in inbox.got] == [raw, MAIL]


def test_no_command_is_kept_that_is_longer_than_a_mail(receiver: SmtpReceiver) -> None:
    with Raw(receiver.port) as client:
        assert client.say(b"NOOP " + b"x" * 3_000_000 + b"\r\n")[:3] == b"500"


def test_senders_of_any_script_are_taken(receiver: SmtpReceiver, inbox: Inbox) -> None:
    sender = "jürgen@bücher.example"
    with smtplib.SMTP("127.0.0.1", receiver.port) as client:
        client.ehlo()
        assert client.has_extn("smtputf8")
        client.sendmail(sender, [JUDGE], MAIL, mail_options=["SMTPUTF8", "BODY=8BITMIME"])
    assert inbox.got == [(MAIL, sender, [JUDGE])]


@pytest.mark.parametrize("recipient", ["postmaster", "Postmaster@Example.com"])
def test_the_postmaster_is_taken_where_there_is_one(inbox: Inbox, recipient: str) -> None:
    own = {"addresses": [JUDGE, "postmaster@example.com"], "hostname": "example.com"}
    with opened(inbox, **own) as receiver, smtplib.SMTP("127.0.0.1", receiver.port) as client:
        client.sendmail(ANN, [recipient], MAIL)
    assert inbox.got[0][2][0].lower() == "postmaster@example.com"


def test_who_waits_for_a_database_that_is_slow_is_let_go(
    receiver: SmtpReceiver, inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.mail.smtp_receiver._SLOW", 0.2)
    go = threading.Event()
    inbox.during = lambda: go.wait(60)

    def deliver() -> None:
        with smtplib.SMTP("127.0.0.1", receiver.port) as client:
            client.sendmail(ANN, [JUDGE], MAIL)

    threads = [threading.Thread(target=deliver) for _ in range(4)]
    for each in threads:
        each.start()
    until(lambda: len(receiver._begun) == 4)
    time.sleep(0.3)
    with smtplib.SMTP("127.0.0.1", receiver.port, timeout=10) as client:
        assert refusal(client.sendmail, ANN, [JUDGE], MAIL)[0] == 451
    go.set()
    for each in threads:
        each.join()
    with smtplib.SMTP("127.0.0.1", receiver.port) as client:
        client.sendmail(ANN, [JUDGE], MAIL)
    assert len(inbox.got) == 5


def test_a_text_is_the_same_however_it_is_cut(receiver: SmtpReceiver, inbox: Inbox) -> None:
    long = b"x" * 90_000
    text = b"From: x\r\n\r\n.\r\n..a\r\n%b\r\n%b\r\n\r\n. \r\nlast\r\n" % (long, long)
    sent = text.replace(b"\r\n.", b"\r\n..") + b".\r\n"
    for size in (7_001, len(sent) - 4, len(sent)):
        with Raw(receiver.port) as client:
            for line in (b"EHLO x", b"MAIL FROM:<a@b.example>", b"RCPT TO:<judge@example.com>"):
                client.say(line + b"\r\n")
            client.say(b"DATA\r\n")
            for start in range(0, len(sent), size):
                client.socket.sendall(sent[start : start + size])
                time.sleep(0.01)
            assert client.answer().startswith(b"250")
    assert [raw for raw, _, _ in inbox.got] == [text] * 3


def test_one_client_does_not_shorten_the_lines_of_another(receiver: SmtpReceiver) -> None:
    long = b"a" * 490 + b"@example.org"
    with Raw(receiver.port) as first:
        first.say(b"EHLO x\r\n")
        with Raw(receiver.port):
            said = first.say(b"MAIL FROM:<" + long + b"> SIZE=1000\r\n")
    assert said.startswith(b"250")


@pytest.mark.parametrize(
    "recipient",
    ["someone@else.example", "other@example.com", "judge@example.com.evil.example", "judge"],
)
def test_it_is_no_open_relay(receiver: SmtpReceiver, inbox: Inbox, recipient: str) -> None:
    with smtplib.SMTP("127.0.0.1", receiver.port) as client:
        code, said = refusal(client.sendmail, ANN, [recipient], MAIL)
    assert code == 550
    assert b"relayed" in said
    assert inbox.got == []


def test_a_domain_of_its_own_takes_all_its_addresses(inbox: Inbox) -> None:
    with (
        opened(inbox, addresses=[], patterns=["*@Play.Example.com"]) as receiver,
        smtplib.SMTP("127.0.0.1", receiver.port) as client,
    ):
        client.sendmail(ANN, ["paris.x1y2@play.example.COM"], MAIL)
        assert refusal(client.sendmail, ANN, [JUDGE], MAIL)[0] == 550
    assert len(inbox.got) == 1


def test_recipients_are_counted(receiver: SmtpReceiver, inbox: Inbox) -> None:
    with smtplib.SMTP("127.0.0.1", receiver.port) as client:
        refused = client.sendmail(ANN, [f"judge+{n}@example.com" for n in range(60)], MAIL)
    assert len(refused) == 10
    assert {code for code, _ in refused.values()} == {452}
    assert len(inbox.got[0][2]) == 50


INSIDE = b"MAIL FROM:<forged@example.org>\r\nRCPT TO:<judge@example.com>\r\nDATA\r\nforged\r\n"


def smuggle(receiver: SmtpReceiver, end: bytes, lmtp: bool) -> bytes:
    """Hand in one mail with another transaction behind `end`; the one answer to it."""
    with Raw(receiver.port) as client:
        client.say(b"LHLO x\r\n" if lmtp else b"EHLO x\r\n")
        client.say(b"MAIL FROM:<ann@example.org>\r\n")
        client.say(b"RCPT TO:<judge@example.com>\r\n")
        client.say(b"DATA\r\n")
        said = client.say(b"From: ann@example.org\r\n\r\none" + end + INSIDE + b"\r\n.\r\n")
        assert client.say(b"QUIT\r\n").startswith(b"221")
        assert client.answer() == b""
    return said


@pytest.mark.parametrize("lmtp", [False, True])
@pytest.mark.parametrize(
    "end",
    [b"\n.\n", b"\r.\r", b"\n.\r\n", b"\r\n.\r", b"\r.\r\n", b"\r\r\n.\r\r\n", b"\r\n.\r\r\n"],
)
def test_what_other_servers_take_for_an_end_is_refused(
    inbox: Inbox, end: bytes, lmtp: bool
) -> None:
    """CVE-2023-51764 and its kin: one transaction, one answer, and it is no."""
    with opened(inbox, lmtp=lmtp) as receiver:
        assert smuggle(receiver, end, lmtp).startswith(b"554 5.6.0")
    assert inbox.got == []


@pytest.mark.parametrize("lmtp", [False, True])
@pytest.mark.parametrize("end", [b"\r\n.\n", b"\r\n\0.\r\n", b"\n\n"])
def test_nothing_is_smuggled_in_behind_another_line_end(
    inbox: Inbox, end: bytes, lmtp: bool
) -> None:
    with opened(inbox, lmtp=lmtp) as receiver:
        assert smuggle(receiver, end, lmtp).startswith(b"250")
    ((raw, mail_from, _),) = inbox.got
    assert mail_from == ANN
    assert raw.endswith(INSIDE + b"\r\n")


def test_a_script_that_writes_its_text_with_lf_is_understood(
    receiver: SmtpReceiver, inbox: Inbox
) -> None:
    raw = b"From: ann@example.org\r\n\r\n\nA Par - Bur\nA Mar - Spa\n\r\n"
    with smtplib.SMTP("127.0.0.1", receiver.port) as client:
        client.sendmail(ANN, [JUDGE], raw)
    assert [raw for raw, _, _ in inbox.got] == [raw]


def test_a_script_that_knows_no_cr_is_understood(receiver: SmtpReceiver, inbox: Inbox) -> None:
    raw = MAIL.replace(b"\r\n", b"\n")
    with smtplib.SMTP("127.0.0.1", receiver.port) as client:
        client.sendmail(ANN, [JUDGE], raw)
    assert [raw for raw, _, _ in inbox.got] == [raw + b"\r\n"]


@pytest.mark.parametrize("bare", [b"\r", b"\n"])
def test_a_bare_line_end_makes_no_header_field(
    receiver: SmtpReceiver, inbox: Inbox, bare: bytes
) -> None:
    raw = b"From: eve@example.net\r\nX-Note: x" + bare + b"From: ann@example.org\r\n\r\nA Par H\r\n"
    with smtplib.SMTP("127.0.0.1", receiver.port) as client:
        code, said = refusal(client.sendmail, ANN, [JUDGE], raw)
        assert (code, said[:5]) == (554, b"5.6.0")
        client.sendmail(ANN, [JUDGE], MAIL)
    assert [raw for raw, _, _ in inbox.got] == [MAIL]


def test_a_silent_client_is_let_go(inbox: Inbox) -> None:
    with opened(inbox, timeout=0.3) as receiver, Raw(receiver.port) as client:
        assert client.answer() == b""


def test_a_slow_client_is_not(inbox: Inbox) -> None:
    with opened(inbox, timeout=0.5) as receiver, Raw(receiver.port) as client:
        for _ in range(4):
            time.sleep(0.25)
            assert client.say(b"NOOP\r\n").startswith(b"250")
        assert client.answer() == b""


def test_a_client_that_leaves_in_the_middle_does_no_harm(
    receiver: SmtpReceiver, inbox: Inbox
) -> None:
    with Raw(receiver.port) as client:
        client.say(b"EHLO x\r\n")
        client.say(b"MAIL FROM:<ann@example.org>\r\n")
        client.say(b"RCPT TO:<judge@example.com>\r\n")
        client.say(b"DATA\r\n")
        client.socket.sendall(MAIL)
    with smtplib.SMTP("127.0.0.1", receiver.port) as client:
        client.sendmail(ANN, [JUDGE], MAIL)
    assert len(inbox.got) == 1


def test_a_port_that_is_taken_is_said(receiver: SmtpReceiver, inbox: Inbox) -> None:
    second = SmtpReceiver("127.0.0.1", receiver.port, inbox, addresses=[JUDGE])
    # At once: the library's own patience would let it wait for as long as this.
    second.ready_timeout = 3600
    with pytest.raises(OSError, match="in use"):
        second.start()


def test_stopping_is_clean_with_clients_still_there(inbox: Inbox) -> None:
    with opened(inbox) as receiver:
        client = Raw(receiver.port)
        client.say(b"EHLO x\r\n")
    assert client.answer() == b""
    client.__exit__()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", receiver.port), 1)


def test_starttls_is_offered_where_there_is_a_certificate(
    inbox: Inbox, server_tls: ssl.SSLContext, client_tls: ssl.SSLContext
) -> None:
    with (
        opened(inbox, tls=server_tls) as receiver,
        smtplib.SMTP("localhost", receiver.port) as client,
    ):
        client.starttls(context=client_tls)
        client.ehlo()
        # Nobody has an account here.
        assert not client.has_extn("auth")
        assert client.docmd("AUTH", "PLAIN AGEAYg==")[0] == 500
        client.sendmail(ANN, [JUDGE], MAIL)
    assert inbox.got == [(MAIL, ANN, [JUDGE])]


def test_nobody_takes_all_the_connections_there_are(
    inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.mail.smtp_receiver._MOST_FROM_ONE", 3)
    monkeypatch.setattr("judge.mail.smtp_receiver._MOST_GUESTS", 5)
    with opened(inbox) as receiver, contextlib.ExitStack() as open_ones:

        def connect(source: str) -> bytes:
            there = ("127.0.0.1", receiver.port)
            client = socket.create_connection(there, 5, source_address=(source, 0))
            client.settimeout(5)
            open_ones.enter_context(client)
            return client.recv(100)

        assert [connect("127.0.0.2")[:3] for _ in range(4)] == [b"220"] * 3 + [b"421"]
        assert [connect("127.0.0.3")[:3] for _ in range(3)] == [b"220"] * 2 + [b"421"]
        open_ones.close()
        # Who leaves makes room.
        until(lambda: connect("127.0.0.2").startswith(b"220"))


def test_hosts_of_one_network_are_one_guest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.mail.smtp_receiver._MOST_FROM_ONE", 2)
    monkeypatch.setattr("judge.mail.smtp_receiver._network", lambda address: address[:9])
    with opened(Inbox()) as receiver, contextlib.ExitStack() as open_ones:
        said = []
        for source in ("127.0.0.21", "127.0.0.22", "127.0.0.23", "127.0.0.31"):
            there = ("127.0.0.1", receiver.port)
            client = socket.create_connection(there, 5, source_address=(source, 0))
            client.settimeout(5)
            open_ones.enter_context(client)
            said.append(client.recv(100)[:3])
    assert said == [b"220", b"220", b"421", b"220"]


def test_what_is_not_wanted_is_refused_in_its_words() -> None:
    def refuse(raw: bytes, mail_from: str, rcpt_to: list[str]) -> None:
        raise Refusal("552 5.2.2 Too much")

    receiver = SmtpReceiver("127.0.0.1", 0, refuse, addresses=[JUDGE])
    receiver.start()
    try:
        with smtplib.SMTP("127.0.0.1", receiver.port) as client:
            with pytest.raises(smtplib.SMTPDataError, match="Too much") as refused:
                client.sendmail(ANN, [JUDGE], MAIL)
            assert refused.value.smtp_code == 552
    finally:
        receiver.stop()


def test_a_host_that_sends_without_end_is_asked_to_come_back(
    inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.mail.smtp_receiver._network", lambda address: address or None)
    with opened(inbox, per_minute=3) as receiver, Raw(receiver.port) as client:
        client.say(b"EHLO x\r\n")
        said = []
        for _ in range(5):
            said.append(client.say(b"MAIL FROM:<ann@example.org>\r\n")[:3])
            client.say(b"RSET\r\n")
        # A minute may end in between.
        assert said[:3] == [b"250"] * 3
        assert b"450" in said


def test_each_host_has_a_minute_of_its_own() -> None:
    now = 0.0
    flow = Flow(2, lambda: now)
    ann, bob = "2001:4860:4860::8888", "8.8.8.8"
    # Who has one address of IPv6 has 2^64.
    assert [flow.allows(each) for each in (ann, "2001:4860:4860::1", ann)] == [True, True, False]
    assert [flow.allows(each) for each in (bob, f"::ffff:{bob}", bob)] == [True, True, False]
    now = 60.0
    assert flow.allows(ann)
    assert flow.allows(bob)


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.88.0.1", "::1", "fe80::1%eth0", "fd00::7", ""]
)
def test_mail_servers_of_the_own_network_send_what_they_have(address: str) -> None:
    flow = Flow(1, lambda: 0.0)
    assert all(flow.allows(address) for _ in range(10))


class TestLmtp:
    def test_each_recipient_gets_an_answer(self, inbox: Inbox) -> None:
        with opened(inbox, lmtp=True) as receiver, Raw(receiver.port) as client:
            assert client.say(b"LHLO x\r\n").startswith(b"250")
            for _ in range(2):
                client.say(b"MAIL FROM:<ann@example.org>\r\n")
                client.say(b"RCPT TO:<judge@example.com>\r\n")
                client.say(b"RCPT TO:<judge+paris@example.com>\r\n")
                assert client.say(b"RCPT TO:<x@else.example>\r\n").startswith(b"550")
                client.say(b"DATA\r\n")
                assert client.say(MAIL + b".\r\n") == b"250 2.0.0 Stored\r\n"
                assert client.answer() == b"250 2.0.0 Stored\r\n"
            assert client.say(b"QUIT\r\n").startswith(b"221")
        assert [rcpt_to for _, _, rcpt_to in inbox.got] == [
            [JUDGE, "judge+paris@example.com"],
            [JUDGE, "judge+paris@example.com"],
        ]

    def test_a_refusal_is_said_to_each_too(self, inbox: Inbox) -> None:
        inbox.full = True
        with opened(inbox, lmtp=True) as receiver, Raw(receiver.port) as client:
            client.say(b"LHLO x\r\n")
            client.say(b"MAIL FROM:<ann@example.org>\r\n")
            client.say(b"RCPT TO:<judge@example.com>\r\n")
            client.say(b"RCPT TO:<judge+x@example.com>\r\n")
            client.say(b"DATA\r\n")
            assert client.say(MAIL + b".\r\n").startswith(b"451")
            assert client.answer().startswith(b"451")
            assert client.say(b"NOOP\r\n").startswith(b"250")

    def test_the_standard_client_is_content(self, inbox: Inbox) -> None:
        with (
            opened(inbox, lmtp=True) as receiver,
            smtplib.LMTP("127.0.0.1", receiver.port) as client,
        ):
            client.sendmail(ANN, [JUDGE], MAIL)
        assert inbox.got == [(MAIL, ANN, [JUDGE])]

    def test_smtp_is_not_spoken_there(self, inbox: Inbox) -> None:
        with opened(inbox, lmtp=True) as receiver, Raw(receiver.port) as client:
            assert client.say(b"EHLO x\r\n").startswith(b"500")


def test_sub_addresses_may_look_as_the_keeper_likes(inbox: Inbox) -> None:
    patterns = ["judge-*@example.com", "*@games.example.com"]
    with (
        opened(inbox, patterns=patterns) as receiver,
        smtplib.SMTP("127.0.0.1", receiver.port) as client,
    ):
        client.ehlo()
        client.mail(ANN)
        for good in ("Judge-RABC@Example.com", "rabc@games.example.com", JUDGE):
            assert client.rcpt(good)[0] == 250, good
        for bad in ("judges@example.com", "rabc@evil.example", "judge-x@example.com.evil.example"):
            assert client.rcpt(bad)[0] == 550, bad


@pytest.mark.parametrize(
    "written",
    [
        *(
            "<ann@example.org>",
            "<ann@example.org> SIZE=1000 body=8bitmime",
            "<a.b+c=d@x-y.example>",
        ),
        *("<>", "<> SIZE=1", "ann@example.org", "<ann>", "<ann@>", "<@example.org>", "<ann@@x>"),
        *(
            "<a..b@example.org>",
            "<.a@example.org>",
            "<a@example..org>",
            "<ann@example.org",
            "<a b@c>",
        ),
        *('<"a b"@example.org>', "<ann@[127.0.0.1]>", "<a@example.org>x", "<a@example.org> (x)"),
        *(
            "<=?utf-8?q?a?=@example.org>",
            "<änn@example.org>",
            "<@a,@b:c@example.org>",
            " <a@x.org> ",
        ),
    ],
)
def test_addresses_are_read_as_the_library_does(written: str) -> None:
    with contextlib.closing(asyncio.new_event_loop()) as loop:
        server = _Smtp(object(), loop=loop)
        assert server._getaddr(written) == SMTP._getaddr(server, written)


def test_what_follows_the_end_of_a_text_in_one_packet_is_a_command(
    receiver: SmtpReceiver, inbox: Inbox
) -> None:
    with Raw(receiver.port) as client:
        client.say(b"EHLO x\r\n")
        client.say(b"MAIL FROM:<" + ANN.encode() + b">\r\n")
        client.say(b"RCPT TO:<" + JUDGE.encode() + b">\r\n")
        client.say(b"DATA\r\n")
        assert client.say(b"From: x\r\n\r\n..HELP\r\n.\r\nRSET\r\nQUIT\r\n")[:3] == b"250"
        assert [client.answer()[:3], client.answer()[:3]] == [b"250", b"221"]
    ((raw, _, _),) = inbox.got
    assert raw == b"From: x\r\n\r\n.HELP\r\n"
