"""The ways out: a Maildir on a disk, a relay behind a socket, and when to try again."""

from __future__ import annotations

import base64
import contextlib
import mailbox
import os
import socket
import ssl
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from judge.mail.transport import (
    Finishing,
    Maildir,
    PermanentFailure,
    RelayServer,
    TemporaryFailure,
    Unreachable,
    mailbox_name,
    next_try,
)

LETTER = b"From: judge@example.com\r\nSubject: x\r\n\r\n.\r\n..dots\r\nA Par - Bur\r\n"
ID = "<1@example.com>"
ANN = "ann@example.org"


class Sink:
    """A relay that takes mail, commands `together` where it says so; answers what `says` has for a
    step, once each."""

    def __init__(self, *, together: bool = False) -> None:
        self.together = together
        self.got: list[tuple[bytes, str, list[str]]] = []
        self.says: dict[str, list[str]] = {}
        self.connections: set[object] = set()
        self.users: list[bytes] = []

    def answer(self, step: str, otherwise: str) -> str:
        waiting = self.says.get(step, [])
        return waiting.pop(0) if waiting else otherwise

    async def handle_EHLO(
        self,
        server: SMTP,
        session: Session,
        envelope: Envelope,
        hostname: str,
        responses: list[str],
    ) -> list[str]:
        session.host_name = hostname
        return ["250-PIPELINING", *responses] if self.together else responses

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        self.connections.add(session.peer)
        said = self.answer("MAIL", "250 OK")
        if said.startswith("250"):
            envelope.mail_from = address
        return said

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        said = self.answer("RCPT", "250 OK")
        if said.startswith("250"):
            envelope.rcpt_tos.append(address)
        return said

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        said = self.answer("DATA", "250 OK")
        if said == "drop":
            assert server.transport is not None
            server.transport.close()
            return "250 never heard"
        if said.startswith("250"):
            raw = envelope.original_content or b""
            recipients = [str(each) for each in envelope.rcpt_tos]
            self.got.append((raw, envelope.mail_from or "", recipients))
        return said

    def authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any
    ) -> AuthResult:
        assert isinstance(data, LoginPassword)
        self.users.append(data.login)
        return AuthResult(success=data.password == b"right", handled=False)


class ByToken(Sink):
    """Wants XOAUTH2, and tells why it refuses in a challenge, as the large providers do."""

    async def auth_XOAUTH2(self, server: SMTP, args: list[str]) -> AuthResult:
        said = base64.b64decode(args[1])
        if said == b"user=judge\x01auth=Bearer good\x01\x01":
            return AuthResult(success=True, auth_data=said)
        assert await server.challenge_auth('{"status":"401"}') == b""
        return AuthResult(success=False, handled=False)


class _AnyPort(Controller):
    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]  # type: ignore[union-attr]
        super()._trigger_server()  # type: ignore[no-untyped-call]


@contextlib.contextmanager
def running(sink: Sink, port: int = 0, **options: Any) -> Iterator[int]:
    server = _AnyPort(sink, hostname="localhost", port=port, **options)
    server.start()
    try:
        yield server.port
    finally:
        server.stop()


@pytest.fixture(params=[False, True], ids=["one by one", "together"])
def sink(request: pytest.FixtureRequest) -> Sink:
    return Sink(together=request.param)


@contextlib.contextmanager
def relay_to(port: int, **options: Any) -> Iterator[RelayServer]:
    relay = RelayServer("localhost", port, **{"timeout": 5.0} | options)
    try:
        yield relay
    finally:
        relay.close()


@pytest.fixture
def relay(sink: Sink) -> Iterator[RelayServer]:
    with running(sink) as port, relay_to(port) as relay:
        yield relay


class TestRelay:
    def test_a_letter_arrives_as_it_is(self, sink: Sink, relay: RelayServer) -> None:
        relay.deliver(LETTER, ANN, ID, "judge+b1@example.com")
        relay.deliver(LETTER, ANN, ID)
        assert sink.got == [
            (LETTER, "judge+b1@example.com", [ANN]),
            (LETTER, "<>", [ANN]),
        ]

    def test_dots_and_an_end_without_a_line_end_arrive(
        self, sink: Sink, relay: RelayServer
    ) -> None:
        relay.deliver(b".a\r\n.\r\n..b", ANN, ID)
        assert [raw for raw, _, _ in sink.got] == [b".a\r\n.\r\n..b\r\n"]

    def test_one_connection_serves_many(self, sink: Sink, relay: RelayServer) -> None:
        for _ in range(5):
            relay.deliver(LETTER, ANN, ID)
        sink.says = {"RCPT": ["550 no"], "DATA": ["451 later"]}
        with pytest.raises(PermanentFailure):
            relay.deliver(LETTER, ANN, ID)
        with pytest.raises(TemporaryFailure):
            relay.deliver(LETTER, ANN, ID)
        relay.deliver(LETTER, ANN, ID)
        assert len(sink.got) == 6
        assert len(sink.connections) == 1

    @pytest.mark.parametrize(
        ("step", "said", "failure"),
        [
            ("RCPT", "450 4.2.0 greylisted", TemporaryFailure),
            ("RCPT", "550 5.1.1 no such user", PermanentFailure),
            ("DATA", "452 4.3.1 disk full", TemporaryFailure),
            ("DATA", "554 5.6.0 looks like spam", PermanentFailure),
            ("MAIL", "451 4.3.0 later", TemporaryFailure),
            # Our account's fault, not the letter's: it waits until a keeper has mended it.
            ("MAIL", "530 5.7.0 authenticate first", TemporaryFailure),
            ("MAIL", "552 5.3.4 too big", PermanentFailure),
            # What is wrong between the relay and us may be mended.
            ("RCPT", "554 5.7.1 <ann@example.org>: Relay access denied", TemporaryFailure),
            ("RCPT", "550 relaying to <ann@example.org> prohibited", TemporaryFailure),
            ("RCPT", "550 5.7.54 SMTP; Unable to relay recipient", TemporaryFailure),
            ("RCPT", "530 5.7.0 Authentication required", TemporaryFailure),
            ("DATA", "550 5.4.5 Daily user sending limit exceeded", TemporaryFailure),
            ("DATA", "550 it has exceeded the max emails per hour (100/100)", TemporaryFailure),
            ("RCPT", "552 5.2.2 over quota", PermanentFailure),
            ("RCPT", "550 5.2.1 daily mailbox maintenance", PermanentFailure),
            ("RCPT", "421 4.3.2 closing down", TemporaryFailure),
            ("DATA", "drop", TemporaryFailure),
        ],
    )
    def test_what_the_other_side_says_decides(
        self, sink: Sink, relay: RelayServer, step: str, said: str, failure: type[Exception]
    ) -> None:
        sink.says = {step: [said]}
        with pytest.raises((TemporaryFailure, PermanentFailure)) as raised:
            relay.deliver(LETTER, ANN, ID)
        assert type(raised.value) is failure
        if said != "drop":
            assert said[4:] in str(raised.value)
        relay.deliver(LETTER, ANN, ID)
        assert len(sink.got) == 1

    def test_what_a_relay_takes_together_goes_out_at_once(self) -> None:
        heard: list[bytes] = []
        # It says nothing before it has all three; to the first letter, that it goes to nobody.
        answers = [
            (1, b"250-relay\r\n250 PIPELINING\r\n"),
            (3, b"250 ok\r\n550 5.1.1 no such user\r\n354 go on\r\n"),
            (1, b"554 5.5.1 to whom?\r\n"),
            (1, b"250 ok\r\n"),
            (3, b"250 ok\r\n250 ok\r\n354 go on\r\n"),
            (LETTER.count(b"\n") + 1, b"250 ok\r\n"),
        ]
        with socket.create_server(("127.0.0.1", 0)) as server:

            def serve() -> None:
                connection, _ = server.accept()
                with connection, connection.makefile("rb") as lines:
                    connection.sendall(b"220 relay\r\n")
                    for count, answer in answers:
                        heard.extend(lines.readline() for _ in range(count))
                        connection.sendall(answer)

            thread = threading.Thread(target=serve)
            thread.start()
            relay = RelayServer("127.0.0.1", server.getsockname()[1], timeout=5)
            with pytest.raises(PermanentFailure, match="no such user"):
                relay.deliver(LETTER, ANN, ID)
            relay.deliver(LETTER, ANN, ID)
            thread.join(120)
            relay.close()
        text = LETTER.replace(b"\n.", b"\n..") + b".\r\n"
        assert heard[4:6] == [b".\r\n", b"rset\r\n"]
        assert b"".join(heard[6:]).endswith(b"data\r\n" + text)

    @pytest.mark.parametrize("address", ["ann@example.org>\r\nrset", "ann@example.org\n"])
    def test_an_address_that_is_none_is_not_sent(
        self, sink: Sink, relay: RelayServer, address: str
    ) -> None:
        with pytest.raises(TemporaryFailure):
            relay.deliver(LETTER, address, ID)
        relay.deliver(LETTER, ANN, ID)
        assert [recipients for _, _, recipients in sink.got] == [[ANN]]

    def test_an_address_beyond_ascii_goes_out_where_the_relay_takes_it(self, sink: Sink) -> None:
        with running(sink, enable_SMTPUTF8=True) as port, relay_to(port) as relay:
            for address in ("jürgen@bücher.example", "ann@bücher.example", ANN):
                relay.deliver(LETTER, address, ID)
        told = [recipients for _, _, recipients in sink.got]
        assert told == [["jürgen@bücher.example"], ["ann@xn--bcher-kva.example"], [ANN]]

    def test_else_it_is_refused_for_good(self, sink: Sink) -> None:
        with running(sink, enable_SMTPUTF8=False) as port, relay_to(port) as relay:
            with pytest.raises(PermanentFailure, match=r"5\.6\.7"):
                relay.deliver(LETTER, "jürgen@bücher.example", ID)
            relay.deliver(LETTER, ANN, ID)
        assert len(sink.got) == 1

    def test_nobody_there_is_for_now(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            relay = RelayServer("127.0.0.1", probe.getsockname()[1])
            with pytest.raises(TemporaryFailure, match="refused"):
                relay.deliver(LETTER, ANN, ID)

    def test_a_name_that_leads_nowhere_is_for_now(self) -> None:
        relay = RelayServer("no-such-host.invalid", 25, timeout=5)
        with pytest.raises(TemporaryFailure):
            relay.deliver(LETTER, ANN, ID)

    def test_silence_is_for_now(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            relay = RelayServer("127.0.0.1", silent.getsockname()[1], timeout=0.3)
            with pytest.raises(TemporaryFailure, match="timed out"):
                relay.deliver(LETTER, ANN, ID)

    @pytest.mark.parametrize("greeting", [b"hello?\r\n", b"554 go away\r\n", b"\xff" * 20_000])
    def test_garbage_is_for_now(self, greeting: bytes) -> None:
        with socket.create_server(("127.0.0.1", 0)) as strange:

            def serve() -> None:
                connection, _ = strange.accept()
                with connection:
                    connection.sendall(greeting)

            thread = threading.Thread(target=serve)
            thread.start()
            relay = RelayServer("127.0.0.1", strange.getsockname()[1], timeout=2)
            with pytest.raises(TemporaryFailure):
                relay.deliver(LETTER, ANN, ID)
            thread.join(120)

    def test_a_connection_the_other_side_closed_is_made_again(self, sink: Sink) -> None:
        with running(sink) as port, relay_to(port) as relay:
            relay.deliver(LETTER, ANN, ID)
            assert relay._server is not None
            assert relay._server.sock is not None
            relay._server.sock.shutdown(socket.SHUT_RDWR)
            relay.deliver(LETTER, ANN, ID)
        assert len(sink.got) == 2
        assert len(sink.connections) == 2

    def test_a_kept_connection_may_be_refused_for_the_next_letter(self, sink: Sink) -> None:
        with running(sink) as port, relay_to(port) as relay:
            relay.deliver(LETTER, ANN, ID)
            sink.says = {"MAIL": ["421 4.7.0 enough letters"]}
            relay.deliver(LETTER, ANN, ID)
            sink.says = {"MAIL": ["421 4.7.0 enough letters", "421 4.3.2 closing down"]}
            with pytest.raises(TemporaryFailure, match="closing down"):
                relay.deliver(LETTER, ANN, ID)
        assert len(sink.got) == 2
        assert len(sink.connections) == 3

    def test_an_old_connection_is_not_trusted(self, sink: Sink) -> None:
        with running(sink) as port, relay_to(port, idle=0.0) as relay:
            relay.deliver(LETTER, ANN, ID)
            relay.deliver(LETTER, ANN, ID)
        assert len(sink.connections) == 2

    def test_certificates_are_read_once_and_only_for_what_is_encrypted(
        self, sink: Sink, server_tls: ssl.SSLContext, client_tls: ssl.SSLContext,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        read: list[str] = []

        def context() -> ssl.SSLContext:
            read.append("certificates")
            return client_tls

        monkeypatch.setattr(ssl, "create_default_context", context)
        with running(sink, tls_context=server_tls) as port:
            for security in ("none", "starttls"):
                with relay_to(port, security=security, idle=0.0) as relay:
                    relay.deliver(LETTER, ANN, ID)
                    relay.deliver(LETTER, ANN, ID)
        assert len(sink.connections) == 4
        assert len(read) == 1

    def test_login_goes_over_starttls(
        self, sink: Sink, server_tls: ssl.SSLContext, client_tls: ssl.SSLContext
    ) -> None:
        options: dict[str, Any] = {"authenticator": sink.authenticate, "auth_required": True}
        account: dict[str, Any] = {"security": "starttls", "context": client_tls, "user": "judge"}
        with running(sink, tls_context=server_tls, **options) as port:
            with relay_to(port, **account, password="right") as relay:
                relay.deliver(LETTER, ANN, ID)
            stranger = RelayServer("localhost", port, **account, password="wrong")
            with pytest.raises(TemporaryFailure, match="535"):
                stranger.deliver(LETTER, ANN, ID)
        assert len(sink.got) == 1
        assert set(sink.users) == {b"judge"}

    def test_a_token_in_place_of_a_password(
        self, server_tls: ssl.SSLContext, client_tls: ssl.SSLContext
    ) -> None:
        tokens = ["stale", "good"]
        sink = ByToken()
        with (
            running(sink, tls_context=server_tls, auth_required=True) as port,
            relay_to(
                port, security="starttls", context=client_tls, user="judge",
                token=lambda: tokens.pop(0),
            ) as relay,
        ):  # fmt: skip
            with pytest.raises(Unreachable, match="535") as raised:
                relay.deliver(LETTER, ANN, ID)
            assert "stale" not in str(raised.value)
            relay.deliver(LETTER, ANN, ID)
            assert "encrypted, and knows us" in relay.probe()
        assert len(sink.got) == 1

    def test_a_server_that_is_not_who_it_should_be_gets_nothing(
        self, sink: Sink, server_tls: ssl.SSLContext
    ) -> None:
        with running(sink, tls_context=server_tls) as port:
            relay = RelayServer("localhost", port, security="starttls")
            with pytest.raises(TemporaryFailure, match="certificate"):
                relay.deliver(LETTER, ANN, ID)
        assert sink.got == []

    def test_a_server_without_starttls_gets_nothing_when_it_is_wanted(self, sink: Sink) -> None:
        with running(sink) as port:
            relay = RelayServer("localhost", port, security="starttls")
            with pytest.raises(TemporaryFailure, match="STARTTLS"):
                relay.deliver(LETTER, ANN, ID)
        assert sink.got == []

    def test_no_secret_in_its_repr(self) -> None:
        assert repr(RelayServer("h", 25, user="u", password="s3cret")) == "Relay(h:25)"

    def test_a_kind_of_security_that_is_none_is_refused(self) -> None:
        with pytest.raises(ValueError, match="none, starttls or tls"):
            RelayServer("h", 25, security="ssl")


class TestMaildir:
    def test_a_letter_is_there_once_however_often_it_is_delivered(self, tmp_path: Path) -> None:
        out = Maildir(tmp_path)
        for _ in range(3):
            out.deliver(LETTER, "Ann@Example.org", ID)
        out.deliver(LETTER, "ann@example.org", "<2@example.com>")
        box = mailbox.Maildir(tmp_path / "ann@example.org", create=False)
        assert len(box) == 2
        assert all(message["Subject"] == "x" for message in box)
        assert list((tmp_path / "ann@example.org" / "tmp").iterdir()) == []

    def test_a_letter_that_was_read_does_not_come_again(self, tmp_path: Path) -> None:
        out = Maildir(tmp_path)
        out.deliver(LETTER, ANN, ID)
        (path,) = (tmp_path / ANN / "new").iterdir()
        path.rename(tmp_path / ANN / "cur" / f"{path.name}:2,S")
        out.deliver(LETTER, ANN, ID)
        assert list((tmp_path / ANN / "new").iterdir()) == []

    def test_a_letter_is_on_the_disk_before_it_has_its_name(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        named: list[int] = []

        def fsync(descriptor: int) -> None:
            named.append(len(list((tmp_path / ANN / "new").iterdir())))

        monkeypatch.setattr(os, "fsync", fsync)
        Maildir(tmp_path).deliver(LETTER, ANN, ID)
        # The file, then the folder with its name in it.
        assert named == [0, 1]

    @pytest.mark.parametrize("address", ["../../etc@x", "a/b@x.org", "..", "", "ü@x.org", ".@x"])
    def test_no_address_leads_out_of_the_folder(self, tmp_path: Path, address: str) -> None:
        Maildir(tmp_path / "out").deliver(LETTER, address, ID)
        assert [path.name for path in tmp_path.iterdir()] == ["out"]
        (box,) = (tmp_path / "out").iterdir()
        assert box.name == mailbox_name(address)
        assert len(list((box / "new").iterdir())) == 1

    def test_a_disk_that_fails_is_for_now(self, tmp_path: Path) -> None:
        (tmp_path / ANN).write_text("in the way")
        with pytest.raises(TemporaryFailure):
            Maildir(tmp_path).deliver(LETTER, ANN, ID)


class TestNextTry:
    def test_pauses_grow_and_end_after_about_five_days(self) -> None:
        pauses = []
        attempts = 1
        while (pause := next_try(attempts)) is not None:
            pauses.append(pause)
            attempts += 1
        assert pauses == sorted(pauses)
        assert pauses[0] == timedelta(minutes=1)
        assert pauses[-1] == timedelta(hours=4)
        assert timedelta(days=5) <= sum(pauses, timedelta()) < timedelta(days=5, hours=8)
        assert next_try(attempts + 100) is None

    def test_what_was_not_tried_is_due(self) -> None:
        assert next_try(0) == timedelta(0)


def test_letters_that_come_next_are_finished_side_by_side_and_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    both, sent = threading.Barrier(2, timeout=20), list[bytes]()
    finished: list[tuple[bytes, int]] = []

    class Out:
        def deliver(self, raw: bytes, recipient: str, message_id: str, sender: str = "") -> None:
            sent.append(raw)

        def close(self) -> None: ...

    def finish(raw: bytes) -> bytes:
        # The first two, and the next two, which may be about the same board.
        if raw in (b"one", b"three"):
            both.wait()
        finished.append((raw, threading.get_ident()))
        return raw + b"!"

    way = Finishing(Out(), finish)
    way._threads._max_workers = 2
    monkeypatch.setattr("judge.mail.transport.MANY_LETTERS", 4)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    way.foresee([b"one", b"two", b"three", b"four"])
    for raw in (b"one", b"two", b"three", b"four", b"last"):
        way.deliver(raw, "ann@players.example", "<1@judge.example>")
    way.close()
    assert sent == [b"one!", b"two!", b"three!", b"four!", b"last!"]
    assert sorted(raw for raw, _ in finished) == [b"four", b"last", b"one", b"three", b"two"]
    by = dict(finished)
    assert by[b"one"] == by[b"two"] != by[b"three"] == by[b"four"]
