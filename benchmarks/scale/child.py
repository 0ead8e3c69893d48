"""What runs in processes of its own: `python -m benchmarks.scale.child door URL` takes mails and
works none, `work URL INSTANT` works all there are as if it were that instant, `sink` takes letters
and keeps none."""

from __future__ import annotations

import json
import sys
import time
from datetime import UTC, datetime
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP

from benchmarks.scale.places import HOST
from benchmarks.scale.town import HOUSE
from judge.commands import TABLE
from judge.daemon.loop import Loop
from judge.daemon.worker import Worker
from judge.mail.smtp_receiver import SmtpReceiver
from judge.service import Judge
from judge.storage import Storage
from tests.clocks import ManualClock
from tests.mail.postfix import free_port


def door(url: str) -> None:
    """Take mails until told to stop."""
    storage = Storage.open(url)

    def accept(raw: bytes, sender: str, recipients: list[str]) -> None:
        storage.inbound.accept(
            raw,
            door="smtp",
            envelope_from=sender,
            envelope_to=recipients,
            received_at=datetime.now(UTC),
        )

    opened = SmtpReceiver(HOST, 0, accept, addresses=[HOUSE.address])
    opened.start()
    _say(port=opened.port)
    before = time.process_time()
    sys.stdin.readline()
    opened.stop()
    _say(seconds=time.process_time() - before)
    storage.close()


def work(url: str, now: str) -> None:
    """Work mails until none is left, each time when told to."""
    clock = ManualClock(datetime.fromisoformat(now))
    storage = Storage.open(url)
    processed = 0

    def count() -> None:
        nonlocal processed
        processed += 1

    judge = Judge(storage, clock, HOUSE, TABLE)
    worker = Worker(storage, judge, clock, lambda moment: None, wrote=count)
    loop = Loop("worker", worker.step)
    _say()
    while sys.stdin.readline():
        processed = 0
        before = time.process_time()
        while storage.inbound.waiting_since() is not None:
            worker.step(loop)
        _say(seconds=time.process_time() - before, processed=processed)


def sink() -> None:
    """Take letters until told to stop."""
    controller = _Sink(_Handler(), hostname=HOST, port=free_port())
    controller.start()
    _say(port=controller.port)
    sys.stdin.readline()
    controller.stop()
    _say()


class _Sink(Controller):
    def factory(self) -> SMTP:
        # A connection is good for any number of letters.
        return SMTP(self.handler, command_call_limit=10**9)


class _Handler:
    async def handle_DATA(self, *_: object) -> str:  # noqa: N802 (the library's name)
        return "250 OK"


def _say(**facts: Any) -> None:
    print(json.dumps(facts), flush=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["door", url]:
            door(url)
        case ["work", url, now]:
            work(url, now)
        case _:
            sink()
