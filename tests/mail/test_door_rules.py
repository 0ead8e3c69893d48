"""The door rule by rule, without a socket."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import pytest
from aiosmtpd.smtp import SMTP

from judge.mail.smtp_receiver import Flow, Refusal, SmtpReceiver, _BulkReader, _Lmtp, _Smtp

MAIL = b"From: ann@example.org\r\n\r\nA Par - Bur\r\n"
Got = tuple[bytes, str, list[str]]
Result = TypeVar("Result")


def run(task: Coroutine[Any, Any, Result]) -> Result:
    """Run a task in a thread: a browser that other tests have opened has a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, task).result()


class Door:
    """A receiver that listens nowhere, and what it has passed on."""

    def __init__(self, lmtp: bool = False, **options: Any) -> None:
        self.got: list[Got] = []
        self.fails: Exception | None = None
        self.receiver = SmtpReceiver(
            "127.0.0.1", 0, self._accept, lmtp=lmtp, addresses=["judge@example.com"], **options
        )
        _MADE.append(self.receiver)
        self.server: Any = object.__new__(_Lmtp if lmtp else _Smtp)
        self.server.hostname, self.server.event_handler = "judge.example", self.receiver
        self.receiver.guests[self.server] = "192.0.2.7"

    def _accept(self, raw: bytes, sender: str, recipients: list[str]) -> None:
        if self.fails is not None:
            raise self.fails
        self.got.append((raw, sender, recipients))

    def data(
        self, sender: str | None = "ann@x", greeting: str | None = "mx.x", raw: bytes = MAIL
    ) -> str:
        session = cast("Any", SimpleNamespace(host_name=greeting))
        envelope = cast(
            "Any", SimpleNamespace(rcpt_tos=["j"], original_content=raw, mail_from=sender)
        )
        return run(self.receiver.handle_DATA(self.server, session, envelope))


_MADE: list[SmtpReceiver] = []


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    """Each receiver has a loop and threads, listening or not."""
    yield
    while _MADE:
        receiver = _MADE.pop()
        receiver.stop()
        receiver.loop.close()


@pytest.fixture
def door() -> Door:
    return Door()


@pytest.mark.parametrize(("lmtp", "protocol"), [(False, b"ESMTP"), (True, b"LMTP")])
def test_a_mail_is_passed_on_below_from_where_it_came(lmtp: bool, protocol: bytes) -> None:
    door = Door(lmtp)
    assert door.data().startswith("250")
    ((raw, sender, recipients),) = door.got
    assert raw == (
        b"Received: from mx.x ([192.0.2.7]) by judge.example\r\n with " + protocol + b"\r\n" + MAIL
    )
    assert (sender, recipients) == ("ann@x", ["j"])
    door.data(greeting=None)
    assert door.got[-1][0].startswith(b"Received: from unknown ")
    for nobody in (None, "<>"):
        door.data(nobody)
        assert door.got[-1][1] == ""


def test_what_is_refused_is_told_in_the_log(
    door: Door, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level("INFO")

    def told(answer: str, code: str) -> str:
        assert answer.startswith(code)
        said = caplog.text
        caplog.clear()
        return said

    assert "two ways" in told(door.data(raw=b"A: x\r\n\r\na\n.\r\nb\r\n"), "554")
    door.fails = Refusal("552 5.3.4 Too long")
    assert "552 5.3.4 Too long" in told(door.data(), "552")
    door.fails = OSError("no space left")
    assert "no space left" in told(door.data(), "451 4.3.0")
    failed = run(door.receiver.handle_exception(OSError("a cable")))
    assert "a cable" in told(failed, "451")
    busy = Door(per_minute=1)
    busy.receiver.guests[busy.server] = "8.8.8.8"
    session, envelope = SimpleNamespace(), SimpleNamespace()

    def begin() -> str:
        return run(
            busy.receiver.handle_MAIL(
                busy.server, cast("Any", session), cast("Any", envelope), "ann@x.example", []
            )
        )

    assert told(begin(), "250") == ""
    assert "sends more than it may" in told(begin(), "450")


@pytest.mark.parametrize(
    ("began", "taken"),
    [([], True), ([1] * 3, True), ([1, 1, 1, 9], False), ([9, 1, 9, 9], False),
     ([5] * 4, True), ([4.9] * 4, False), ([9] * 4, True)],
)  # fmt: skip
def test_a_sender_is_let_go_while_storing_takes_long(
    door: Door,
    began: list[float],
    taken: bool,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 10.0)
    door.receiver._begun = {object(): each for each in began}
    assert door.data().startswith("250" if taken else "451 4.3.2")
    assert ("take long" in caplog.text) is not taken


# Beginning and ending


def test_the_log_tells_where_it_listens(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    receiver = Door().receiver
    assert not receiver.alive
    receiver.stop()
    receiver = Door().receiver
    receiver.start()
    told = [receiver.alive]
    assert f"listening for mail on 127.0.0.1 port {receiver.port}" in caplog.text
    begun, ended = threading.Event(), []

    def slow() -> None:
        begun.set()
        time.sleep(0.1)
        ended.append(True)

    receiver._threads.submit(slow)
    begun.wait()
    receiver.stop()
    assert ended, "what is being stored is stored"
    assert [*told, receiver.alive] == [True, False]
    with pytest.raises(RuntimeError):
        receiver._threads.submit(slow)


def test_a_port_that_is_taken_leaves_nothing_behind() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        receiver = SmtpReceiver("127.0.0.1", other.getsockname()[1], lambda *_: None)
        with pytest.raises(OSError, match="in use"):
            receiver.start()
    assert receiver.loop.is_closed()
    assert not receiver.alive
    with pytest.raises(RuntimeError):
        receiver._threads.submit(int)


def test_what_the_library_is_told() -> None:
    given = Door(max_size=500, timeout=7.0).receiver.SMTP_kwargs
    assert given["hostname"] == "localhost"
    assert given["command_call_limit"] == {"*": 200}
    assert Door(hostname="judge.example").receiver.SMTP_kwargs["hostname"] == "judge.example"

    async def made() -> Any:
        return Door(max_size=500).receiver.factory()  # it wants the loop that runs

    assert run(made()).line_length_limit == 100_500


# Who is there


class Transport(asyncio.Transport):
    """One end of a connection."""

    def __init__(self, peer: Any) -> None:
        super().__init__({"peername": peer})
        self.said, self.closed = b"", False

    def write(self, data: Any) -> None:
        self.said += data

    def close(self) -> None:
        self.closed = True


def test_a_host_has_so_many_connections_and_an_encrypted_one_is_the_same(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []
    lost: list[object] = []
    monkeypatch.setattr(SMTP, "connection_made", lambda self, _: made.append(self))
    monkeypatch.setattr(SMTP, "connection_lost", lambda self, _: lost.append(self))
    guests = door.receiver.guests
    guests.clear()
    guests.update({cast("Any", each): "8.8.8.8" for each in range(50)})
    refused = Transport(("8.8.8.8", 1))
    door.server.connection_made(refused)
    assert (refused.said[:4], refused.closed, made) == (b"421 ", True, [])
    door.server.connection_lost(None)
    assert lost == [], "it was never one of the library's"
    guests[door.server] = "8.8.8.8"
    encrypted = Transport(("8.8.8.8", 1))
    door.server.connection_made(encrypted)
    assert (encrypted.closed, made) == (False, [door.server])
    door.server.connection_lost(None)
    assert (lost, door.server in guests) == ([door.server], False)
    for peer in (None, ("9.9.9.9", 1)):
        door.server.connection_made(Transport(peer))
        assert guests[door.server] == (peer[0] if peer else "")


def test_a_network_of_one_is_counted_as_one() -> None:
    flow = Flow(1)
    assert flow.allows("2a00:1450:1:2::7")
    assert not flow.allows("2a00:1450:1:2:8000::1")
    assert flow.allows("2a00:1450:1:3::7")
    assert not flow.allows("2a00:1450:1:3::8")
    assert Flow(0).allows("8.8.8.8")


# LMTP


def test_the_end_of_the_data_is_answered_for_each_and_nothing_else_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[str] = []

    async def push(_: object, status: str) -> None:
        said.append(status)

    async def data(server: Any, _: str) -> None:
        await server.push("354 go on")
        await server.push("250 stored")
        await server.push("250 no more")

    monkeypatch.setattr(SMTP, "push", push)
    monkeypatch.setattr(SMTP, "smtp_DATA", data)
    server = Door(lmtp=True).server

    async def talk(recipients: list[str]) -> list[str]:
        said.clear()
        server.envelope = SimpleNamespace(rcpt_tos=recipients)
        await server.smtp_DATA("")
        await server.push("250 noop")
        return list(said)

    more = ["250 no more", "250 noop"]
    assert run(talk(["a", "b"])) == ["354 go on", "250 stored", "250 stored", *more]
    assert run(talk([])) == ["354 go on", "250 stored", *more]

    async def fails(server: Any, _: str) -> None:
        await server.push("354 go on")
        raise OSError

    monkeypatch.setattr(SMTP, "smtp_DATA", fails)

    async def talk_on() -> list[str]:
        with pytest.raises(OSError):
            await talk(["a", "b"])
        said.clear()
        await server.push("451 failed")
        await server.push("354 is only data's")
        await server.push("250 once")
        return list(said)

    assert run(talk_on()) == ["451 failed", "354 is only data's", "250 once"]


# Texts


def lines(*pieces: bytes, most: int = 100, limit: int = 10) -> list[bytes]:
    """What is handed out of a text that comes in pieces, to its end."""

    async def read() -> list[bytes]:
        reader = _BulkReader(limit=limit)
        reader.most = most
        found = []
        waiting = asyncio.ensure_future(reader.readuntil(b"\r\n"))
        for piece in pieces:
            reader.feed_data(piece)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            while waiting.done():
                found.append(waiting.result())
                waiting = asyncio.ensure_future(reader.readuntil(b"\r\n"))
                await asyncio.sleep(0)
        waiting.cancel()
        return found

    return run(read())


def test_lines_are_handed_out_together_as_far_as_none_begins_with_a_dot() -> None:
    assert lines(b"a\r\nb\r\nc") == [b"a\r\nb\r\n"]
    assert lines(b"a\r\n.b\r\nc\r\n") == [b"a\r\n", b".b\r\n", b"c\r\n"]
    assert lines(b"\r\n.\r\n") == [b"\r\n", b".\r\n"]
    assert lines(b"a\r\nb\r\nc\r\nd\r\ne\r\n") == [b"a\r\nb\r\nc\r\n", b"d\r\ne\r\n"]


def test_a_long_line_is_put_together_up_to_the_most_that_is_taken() -> None:
    assert lines(b"x" * 12, b"\r\n", most=11) == [b"x" * 12 + b"\r\n"]
    assert lines(b"x" * 12, b"y" * 12, b"\r\n") == [b"x" * 12 + b"y" * 12 + b"\r\n"]
    with pytest.raises(asyncio.LimitOverrunError):
        lines(b"x" * 12, b"y" * 12, b"\r\n", most=20)
    with pytest.raises(asyncio.LimitOverrunError):
        lines(b"x" * 13, most=11)
