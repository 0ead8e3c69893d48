"""A whole judge: mails in by SMTP, processed, and their answers out by SMTP."""

from __future__ import annotations

import compileall
import smtplib
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol, TypeVar

import judge
from benchmarks.rows import Row, say
from benchmarks.scale import postfix
from benchmarks.scale.meter import Meter, load, memory, processor
from benchmarks.scale.places import HOST, Kind, databases
from benchmarks.scale.sizes import Sizes
from benchmarks.scale.town import town
from judge.demo.server import Server
from judge.storage import InboundState, OutboundState, Storage

GAMES = 1_000
AHEAD = 200
"""Mails that may wait to be processed."""

PATIENCE = 120.0
"""Seconds in which what was sent last must come out."""

EACH = 50
"""Mails over one connection."""


_STILL = 20.0
"""Milliseconds of the processor in half a second, below which it does nothing."""


@dataclass(frozen=True)
class Running:
    """A judge on games, with what it has spent."""

    storage: Storage
    server: Server
    meter: Meter
    begun: float
    """Milliseconds of the processor until it took mail."""
    hello: str | None = None
    """How who sends it mail calls itself."""

    def spent(self) -> float:
        """Milliseconds of the processor so far, PostgreSQL's included."""
        return (processor(self.server.pid) + self.meter.served()) * 1e3

    def settled(self) -> float:
        """Wait until it has started: what it loads then is no mail's. Returns what it has spent."""
        before, spent = 0.0, self.spent()
        while spent - before > _STILL:
            time.sleep(0.5)
            before, spent = spent, self.spent()
        return spent

    def rest(self, letters: int) -> None:
        """Wait until so many letters have been sent in all. Raises RuntimeError."""
        storage = self.storage
        limit = time.monotonic() + PATIENCE
        while self._busy() or storage.outbound.count(OutboundState.SENT) < letters:
            if storage.inbound.count(InboundState.HELD) or time.monotonic() > limit:
                sent = storage.outbound.count(OutboundState.SENT)
                raise RuntimeError(f"{sent} of {letters} letters came")
            time.sleep(0.05)

    def _busy(self) -> bool:
        """Whether something waits."""
        storage = self.storage
        # In the order in which one leads to the next.
        waits = storage.inbound.next_new() or storage.games.due(datetime.now(UTC))
        return bool(waits or storage.outbound.count(OutboundState.QUEUED))

    def send(
        self, mails: Iterator[tuple[bytes, str, str]], each: Callable[[int], None] = lambda _: None
    ) -> None:
        """Send these, and never let many wait; `each` hears how many there were after each."""
        sent = 0
        while batch := [mail for _, mail in zip(range(EACH), mails, strict=False)]:
            with smtplib.SMTP(HOST, self.server.port, self.hello) as door:
                for raw, sender, to in batch:
                    door.sendmail(sender, [to], raw)
                    sent += 1
                    each(sent)
            while self.storage.inbound.count(InboundState.NEW) > AHEAD:
                time.sleep(0.05)


def processed(kind: Kind, sizes: Sizes) -> Iterator[Row]:
    """Mails processed a second from door to relay, and how much memory that takes: of copies of one
    game, whose people all answer a letter, without pictures."""
    count = sizes.lasting
    games, now = max(1, min(GAMES, count)), datetime.now(UTC).replace(microsecond=0)
    say(f"{kind}: making {games} games")
    with running(kind, lambda url: town(url, games, now), pictures=False) as (judge, made):
        writers = made.writers(count)
        warm, early, spent = max(count // 10, 1), 0.0, 0.0
        sent = judge.storage.outbound.count(OutboundState.SENT)
        begun = time.perf_counter()

        def look(number: int) -> None:
            nonlocal early, spent
            if number == warm:
                # What starting cost is no mail's.
                judge.rest(sent + warm)
                early, spent = memory(judge.server.pid), judge.spent()
            if number % 1_000 == 0:
                now = memory(judge.server.pid)
                say(f"{kind}: {number} of {count} mails, {now:.0f} MB; load {load()}")

        judge.send((made.mail(*writer) for writer in writers), look)
        judge.rest(sent + count)
        seconds = time.perf_counter() - begun
        each = (judge.spent() - spent) / (count - warm)
        late = memory(judge.server.pid)
        start = judge.begun
    yield Row(
        f"{kind}: milliseconds of the processor to start", f"{start:.0f}", "<= 600", start <= 600
    )
    yield Row(f"{kind}: mails processed a second, from door to relay", f"{count / seconds:,.1f}")
    yield Row(f"{kind}: milliseconds each, copies of one game, no picture", f"{each:.1f}")
    ratio = late / early
    yield Row(f"{kind}: memory after {warm:,} mails", f"{early:.0f} MB")
    value = f"{late:.0f} MB ({ratio:.2f})"
    yield Row(f"{kind}: memory after {count:,} mails", value, "<= 1.1 times that", ratio <= 1.1)


class Place(Protocol):
    """What a database was filled with."""

    @property
    def storage(self) -> Storage:
        """The database."""


Made = TypeVar("Made", bound=Place)


@contextmanager
def running(
    kind: Kind,
    fill: Callable[[str], AbstractContextManager[Made]],
    *,
    pictures: bool,
    hello: str | None = None,
) -> Iterator[tuple[Running, Made]]:
    """Run a judge on a database of that kind which `fill` has filled, and let it go in the end."""
    with (
        databases(kind) as new,
        tempfile.TemporaryDirectory() as folder,
        postfix.sink() as sink,
    ):
        url = new()
        with fill(url) as made:
            server = server_of(Path(folder), url, sink, pictures=pictures)
            server.start()
            spent = processor(server.pid) * 1e3
            meter = Meter(made.storage, own=False)
            try:
                yield Running(made.storage, server, meter, spent, hello), made
            finally:
                server.kill()


def server_of(folder: Path, url: str, relay: int, *, pictures: bool) -> Server:
    """A judge in a folder, not started yet, on the database at `url`: all by default, but that it
    cuts nobody short and sends to the port `relay`; without `pictures` nobody gets any."""
    # As it is wherever it is installed; a checkout may never have been compiled.
    compileall.compile_dir(Path(judge.__file__).parent, quiet=1)
    server = Server(folder, speed=1, pictures=pictures)
    text = server.config.read_text().replace("sqlite:judge.db", url)
    text += f'\n[outgoing.relay]\nhost = "{HOST}"\nport = {relay}\nsecurity = "none"\n'
    text += "\n[limits]\nhour = 1000000\nstranger = 1000000\nstrangers = 1000000\n"
    server.config.write_text(text)
    return server
