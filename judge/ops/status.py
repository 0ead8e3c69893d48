"""How the judge is: one picture of queues, lags, deadlines and what went wrong last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from judge.clock import Clock
from judge.storage import Storage

ALIVE = timedelta(minutes=3)
"""A judge that works has noted so within this time."""


def picture(storage: Storage, clock: Clock) -> dict[str, Any]:
    """All there is to tell, with times as aware datetimes.

    `running` by the time a judge last noted that it works (`seen`); `cut_off` since when it has not
    been able to read a mailbox or to send letters (some minutes at least); `lag` in seconds: how
    long the oldest mail has waited for work, the oldest letter to be sent, the longest overdue game
    for the clock to look at it.
    """
    now = clock.now()
    gauges = storage.queue_metrics
    seen, reached = storage.heartbeat.last(), storage.heartbeat.reached()
    letters = gauges.letters(now)
    late = gauges.late(now)
    waiting = storage.inbound.waiting_since()
    return {
        "now": now,
        "seen": seen,
        "running": seen is not None and now - seen < ALIVE,
        "cut_off": reached if seen and reached and seen - reached >= ALIVE else None,
        "mails": gauges.mails(),
        "letters": {key: letters[key] for key in ("queued", "due", "tried")},
        "games": gauges.games(),
        "lag": {
            "mails": _seconds(waiting, now),
            "letters": _seconds(letters["oldest"], now),
            "games": _seconds(late[0]["wake_at"] if late else None, now),
        },
        "next": [_of(each, "name", "phase", "deadline") for each in gauges.next()],
        "overdue": [_of(each, "name", "phase", "wake_at") for each in late],
        "alarms": [
            {"name": each.name, "kind": each.kind, "since": each.since, **each.facts}
            for each in storage.alarms.all()
        ],
        "errors": list(_errors(storage, letters["error"])),
    }


def _errors(storage: Storage, said: str | None) -> Iterator[str]:
    """What went wrong last, newest first, a line each."""
    if said is not None:
        yield f"letters wait: {said}"
    for mail in reversed(storage.inbound.held()[-5:]):
        why = (mail.problem or "").strip().rpartition("\n")[2]
        yield f"mail {mail.id} is held: {why or 'no problem on file'}"
    for letter in storage.queue_metrics.refused():
        yield f"letter {letter['id']} ({letter['kind']}) was given up: {letter['error']}"


def _of(row: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {"game" if key == "name" else key: row[key] for key in keys}


def _seconds(since: datetime | None, now: datetime) -> float:
    return 0.0 if since is None else max(0.0, (now - since).total_seconds())
