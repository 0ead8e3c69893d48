"""What everybody else notices when one person floods a judge."""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
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
    """How long a mail and a deadline wait while thousands of mails of one person do, and as many
    that he wrote in made-up names."""
    with databases(kind) as new, tempfile.TemporaryDirectory() as folder:
        url = new()
        with town(url, 1, datetime.now(UTC).replace(microsecond=0)) as made:
            say(f"{kind}: a flood of twice {sizes.flood} mails")
            for number in range(sizes.flood):
                _write(made, "eve@flood.example", "flood")
                _write(made, f"eve{number}@{number}.example", "flood")
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
    _wait(lambda: inbound.count(InboundState.NEW) < 2 * count)
    waits = []
    for number in range(OTHERS):
        mail_id = _write(made, f"ann{number}@elsewhere.example", "elsewhere")
        waits.append(_wait(partial(_is_worked, made, mail_id)))
    deadline = datetime.now(UTC) + timedelta(seconds=2)
    game = made.storage.games.by_name("paris")
    assert game is not None
    made.fall_due([0], deadline)
    _wait(partial(_has_run, made, game.id))
    late = (datetime.now(UTC) - deadline).total_seconds()
    left = inbound.count(InboundState.NEW)
    flood = f"{kind}: behind {count:,} mails of one sender and {count:,} of made-up ones"
    yield Row(f"{flood}, of which still wait at the end", f"{left:,}")
    slowest = max(waits)
    another = f"{flood}, seconds another's mail waits, the slowest of {OTHERS}"
    yield Row(another, f"{slowest:.1f}", "<= 5", slowest <= 5)
    yield Row(f"{flood}, seconds a deadline is late", f"{late:.1f}", "<= 10", late <= 10)


def _write(made: Town, sender: str, network: str) -> int:
    raw = f"From: {sender}\r\nMessage-ID: <{next(_numbers)}@flood.example>\r\n\r\nLIST\r\n"
    return made.storage.inbound.accept(
        raw.encode(),
        door="smtp",
        envelope_from=sender,
        envelope_to=[HOUSE.address],
        received_at=datetime.now(UTC),
        network=network,
    ).mail_id


def _is_worked(made: Town, mail_id: int) -> bool:
    mail = made.storage.inbound.find(mail_id)
    return mail is not None and mail.state is not InboundState.NEW


def _has_run(made: Town, game_id: int) -> bool:
    game = made.storage.games.find(game_id)
    return game is not None and game.phase != "S1901M"


def _wait(true: Callable[[], bool]) -> float:
    """Seconds until something is true."""
    begun = time.perf_counter()
    while not true():
        time.sleep(0.02)
    return time.perf_counter() - begun
