"""A whole judge: mails in by SMTP, worked, and their answers out by SMTP."""

from __future__ import annotations

import smtplib
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.rows import Row, say
from benchmarks.scale import postfix
from benchmarks.scale.meter import load, memory, processor
from benchmarks.scale.places import HOST, Kind, databases
from benchmarks.scale.sizes import Sizes
from benchmarks.scale.town import Town, town
from judge.demo.server import Server
from judge.storage import InboundState, OutboundState

GAMES = 1_000
AHEAD = 200
"""Mails that may wait to be worked."""

EACH = 50
"""Mails over one connection."""


def worked(kind: Kind, sizes: Sizes) -> Iterator[Row]:
    """Mails worked a second from door to relay, and how much memory that takes."""
    with (
        databases(kind) as new,
        tempfile.TemporaryDirectory() as folder,
        postfix.sink() as sink,
    ):
        url = new()
        games = max(1, min(GAMES, sizes.lasting))
        say(f"{kind}: making {games} games")
        with town(url, games, datetime.now(UTC).replace(microsecond=0)) as made:
            server = _server(Path(folder), url, sink)
            server.start()
            try:
                yield from _measured(kind, made, server, sizes.lasting)
            finally:
                server.kill()


def _measured(kind: Kind, made: Town, server: Server, count: int) -> Iterator[Row]:
    storage = made.storage
    writers = made.writers(count)
    sent, warm, early, early_at = 0, max(count // 10, 1), 0.0, 0
    answered = -storage.outbound.count(OutboundState.SENT)
    begun = time.perf_counter()
    before = processor(server.pid)
    while sent < count:
        with smtplib.SMTP(HOST, server.port) as door:
            for _ in range(min(EACH, count - sent)):
                raw, sender, to = made.mail(*next(writers))
                door.sendmail(sender, [to], raw)
                sent += 1
        while storage.inbound.count(InboundState.NEW) > AHEAD:
            time.sleep(0.05)
        if sent >= warm and not early:
            early, early_at = memory(server.pid), sent
        if sent % 1_000 == 0:
            say(f"{kind}: {sent} of {count} mails, {memory(server.pid):.0f} MB; load {load()}")
    while storage.inbound.count(InboundState.NEW) or storage.outbound.count(OutboundState.QUEUED):
        time.sleep(0.05)
    seconds = time.perf_counter() - begun
    spent = processor(server.pid) - before
    late = memory(server.pid)
    answered += storage.outbound.count(OutboundState.SENT)
    if storage.inbound.count(InboundState.HELD) or answered < count:
        raise RuntimeError(f"{count} mails were sent, {answered} letters came")
    yield Row(f"{kind}: mails worked a second, from door to relay", f"{count / seconds:,.1f}")
    yield Row(f"{kind}: milliseconds of the judge's processor each", f"{spent / count * 1e3:.1f}")
    ratio = late / early
    yield Row(f"{kind}: memory after {early_at:,} mails", f"{early:.0f} MB")
    value = f"{late:.0f} MB ({ratio:.2f})"
    yield Row(f"{kind}: memory after {count:,} mails", value, "<= 1.1 times that", ratio <= 1.1)


def _server(folder: Path, url: str, relay: int) -> Server:
    server = Server(folder, speed=1)
    text = server.config.read_text().replace("sqlite:judge.db", url)
    text += f'\n[outgoing.relay]\nhost = "{HOST}"\nport = {relay}\nsecurity = "none"\n'
    text += "\n[limits]\nhour = 1000000\nstranger = 1000000\nstrangers = 1000000\n"
    server.config.write_text(text)
    return server
