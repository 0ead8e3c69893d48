"""How fast mails come in and letters go out, beside Postfix's own programs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from statistics import median

from benchmarks.rows import Row, say
from benchmarks.scale import postfix
from benchmarks.scale.meter import Meter
from benchmarks.scale.places import HOST, Child, Kind, databases
from benchmarks.scale.sizes import Sizes
from benchmarks.scale.town import HOUSE, town
from judge.daemon.loop import Loop
from judge.daemon.sender import LetterSender
from judge.mail.transport import RelayServer
from judge.storage import InboundState, OutboundMessage, Storage
from tests.clocks import ManualClock

SIZE = 2_000
"""Bytes of a mail as players write them."""

SESSIONS = 10
"""How many mail servers deliver at once."""


def taken(kind: Kind, sizes: Sizes) -> Iterator[Row]:
    """Mails a second that are on disk when their sender hears so, beside a sink that keeps none."""
    if not postfix.installed():
        yield Row(f"{kind}: mails taken", postfix.MISSING)
        return
    count = sizes.taken
    ours, ceiling, spent = [], [], 0.0
    with databases(kind) as new, postfix.sink() as sink:
        url = new()
        Storage.open(url).close()
        with Child("door", url) as child:
            for turn in range(sizes.turns):
                say(f"{kind}: taking mails, turn {turn + 1} of {sizes.turns}")
                port = child.ready["port"]
                ceiling.append(postfix.send(sink, count, SIZE, SESSIONS, HOUSE.address))
                ours.append(postfix.send(port, count, SIZE, SESSIONS, HOUSE.address))
            child.go()
            spent = child.done()["seconds"]
        storage = Storage.open(url)
        kept = storage.inbound.count(InboundState.NEW)
        storage.close()
    sent = count * sizes.turns
    if kept != sent:
        raise RuntimeError(f"{sent} mails were taken and {kept} are there")
    ratio = median(ceiling) / median(ours)
    yield Row(f"{kind}: mails taken durably a second", f"{count / median(ours):,.0f}")
    yield Row(
        f"{kind}: smtp-source to smtp-sink, mails a second", f"{count / median(ceiling):,.0f}"
    )
    yield Row(f"{kind}: mails taken, as a part of that ceiling", f"{ratio:.2f}")
    yield Row(f"{kind}: milliseconds of the processor a mail taken", f"{spent / sent * 1e3:.2f}")


def sent(kind: Kind, sizes: Sizes) -> Iterator[Row]:
    """Letters sent a second over one connection, beside `smtp-source` over one."""
    count = sizes.sent
    ours, base, spent, size = [], [], 0.0, 0
    with databases(kind) as new, postfix.sink() as sink, town(new(), 1) as made:
        storage = made.storage
        raw = _letter(storage, made.judge.process_message, made.write(0, "France"))
        size = len(raw)
        transport = RelayServer(HOST, sink)
        sender = LetterSender(storage, transport, made.clock, lambda letter, said: None)
        loop = Loop("sender", sender.step)
        meter = Meter(storage)
        for turn in range(sizes.turns):
            say(f"{kind}: sending letters, turn {turn + 1} of {sizes.turns}")
            _queue(storage, made.clock, raw, turn, count)
            begun, before = time.perf_counter(), meter.spent()
            while storage.outbound.next_due() is not None:
                sender.step(loop)
            ours.append(time.perf_counter() - begun)
            spent += meter.spent() - before
            if postfix.installed():
                base.append(postfix.send(sink, count, size, 1, HOUSE.address, keep=True))
        transport.close()
    each = spent / count / sizes.turns * 1e3
    yield Row(
        f"{kind}: letters of {size / 1000:.0f} kB sent a second", f"{count / median(ours):,.0f}"
    )
    yield Row(f"{kind}: milliseconds of the processor a letter sent", f"{each:.2f}")
    if base:
        yield Row(f"{kind}: smtp-source, one connection, a second", f"{count / median(base):,.0f}")
        yield Row(f"{kind}: letters sent, as a part of that", f"{median(base) / median(ours):.2f}")
    else:
        yield Row(f"{kind}: smtp-source", postfix.MISSING)


def _letter(storage: Storage, work: Callable[[int], object], mail_id: int) -> bytes:
    """A letter such as people get: the answer to a mail."""
    work(mail_id)
    answer = storage.outbound.of_mail(mail_id)[0]
    storage.outbound.sent(answer.id, answer.queued_at)
    return answer.raw


def _queue(storage: Storage, clock: ManualClock, raw: bytes, turn: int, count: int) -> None:
    now = clock.now()
    with storage.transaction():
        for number in range(count):
            storage.outbound.queue(
                OutboundMessage(
                    message_id=f"<{turn}.{number}@players.example>",
                    recipient="somebody@players.example",
                    kind="reply",
                    subject="",
                    raw=raw,
                    next_try=now,
                    queued_at=now,
                )
            )
