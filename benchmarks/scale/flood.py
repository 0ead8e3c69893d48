"""What everybody else notices when one person floods a judge."""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from benchmarks.rows import Row, say
from benchmarks.scale.places import Kind, databases
from benchmarks.scale.sizes import Sizes
from benchmarks.scale.town import HOUSE, Town, town
from judge.demo.server import Server
from judge.storage import InboundState

OTHERS = 5
"""Mails of other people, one after the other."""

_numbers = itertools.count(1)


def flooded(kind: Kind, sizes: Sizes) -> Iterator[Row]:
    """How long a mail waits while thousands of mails of one person do."""
    with databases(kind) as new, tempfile.TemporaryDirectory() as folder:
        url = new()
        with town(url, 1, datetime.now(UTC).replace(microsecond=0)) as made:
            say(f"{kind}: a flood of {sizes.flood} mails")
            for _ in range(sizes.flood):
                _write(made, "eve@flood.example")
            server = Server(Path(folder), speed=1)
            text = server.config.read_text().replace("sqlite:judge.db", url)
            server.config.write_text(text)
            server.start()
            try:
                yield from _measured(kind, made, sizes.flood)
            finally:
                server.kill()


def _measured(kind: Kind, made: Town, count: int) -> Iterator[Row]:
    inbound = made.storage.inbound
    _wait(lambda: inbound.count(InboundState.NEW) < count)
    waits = []
    for number in range(OTHERS):
        mail_id = _write(made, f"ann{number}@elsewhere.example")
        waits.append(_wait(partial(_is_done, made, mail_id)))
    left = inbound.count(InboundState.NEW)
    yield Row(f"{kind}: mails of a flood of {count:,} still waiting at the end", f"{left:,}")
    slowest = max(waits)
    yield Row(
        f"{kind}: seconds another's mail waits, the slowest of {OTHERS}",
        f"{slowest:.1f}",
        "<= 5",
        slowest <= 5,
    )


def _write(made: Town, sender: str) -> int:
    raw = f"From: {sender}\r\nMessage-ID: <{next(_numbers)}@flood.example>\r\n\r\nLIST\r\n"
    return made.storage.inbound.accept(
        raw.encode(),
        door="smtp",
        envelope_from=sender,
        envelope_to=[HOUSE.address],
        received_at=datetime.now(UTC),
    ).mail_id


def _is_done(made: Town, mail_id: int) -> bool:
    mail = made.storage.inbound.find(mail_id)
    return mail is not None and mail.state == InboundState.DONE


def _wait(true: Callable[[], bool]) -> float:
    """Seconds until something is true."""
    begun = time.perf_counter()
    while not true():
        time.sleep(0.02)
    return time.perf_counter() - begun
