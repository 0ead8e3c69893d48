"""How the judge is: its queues, lags, deadlines, and what went wrong last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import asdict

from judge.clock import Clock
from judge.ops.machine import Machine, last_backup
from judge.storage import (
    Alarm,
    DueGame,
    GameState,
    InboundState,
    OutboundQueue,
    Storage,
    Unavailable,
)

ALIVE = timedelta(minutes=3)
"""A judge that works has noted so within this time. One that hangs is there, and has not."""


class Lag(Struct, frozen=True):
    """Seconds that the oldest message has waited to be processed, the oldest one to be sent, and
    the longest overdue game for the clock to look at it."""

    mails: float
    letters: float
    games: float


class Status(Struct, frozen=True):
    """How the judge is at one moment.

    `running`: a judge is there, last noted not long ago that it works (`seen`), and not later that
    it stops (`stopped`). `cut_off`: since when it has not been able to read a mailbox or to send
    messages, for some minutes at least. `next` and `overdue` are games with the moment something
    is, or was, due in them. `errors` are lines, the newest first. `backup`: when the last one was
    made in the folder that is configured.
    """

    now: datetime
    seen: datetime | None
    running: bool
    stopped: datetime | None
    cut_off: datetime | None
    mails: Mapping[InboundState, int]
    letters: OutboundQueue
    games: Mapping[GameState, int]
    lag: Lag
    next: Sequence[DueGame]
    overdue: Sequence[DueGame]
    alarms: Sequence[Alarm]
    errors: Sequence[str]
    backup: datetime | None = None

    def to_json(self) -> dict[str, object]:
        """Return what `judge status --json` prints, but for its instants."""
        return {
            "now": self.now,
            "seen": self.seen,
            "running": self.running,
            "stopped": self.stopped,
            "cut_off": self.cut_off,
            "mails": self.mails,
            "letters": self.letters.counts,
            "games": self.games,
            "lag": asdict(self.lag),
            "next": [{"game": e.name, "phase": e.phase, "deadline": e.at} for e in self.next],
            "overdue": [{"game": e.name, "phase": e.phase, "wake_at": e.at} for e in self.overdue],
            "alarms": [
                {"name": each.name, "kind": each.kind, "since": each.since, **each.facts}
                for each in self.alarms
            ],
            "errors": self.errors,
            "backup": self.backup,
        }


def status(storage: Storage, clock: Clock, machine: Machine | None = None) -> Status:
    """Return how the judge is; with what is wrong with this machine now, whether or not a judge
    runs to tell of it."""
    now = clock.now()
    metrics = storage.queue_metrics
    seen, reached = storage.heartbeat.last(), storage.heartbeat.reached()
    stopped = storage.heartbeat.stopped()
    if stopped is not None and (seen is None or stopped < seen):
        stopped = None
    letters = metrics.letters(now)
    late = metrics.late(now)
    waiting = storage.inbound.waiting_since()
    alarms = list(storage.alarms.all())
    told = {each.name for each in alarms}
    alarms += [each for each in (machine.troubles(now) if machine else ()) if each.name not in told]
    return Status(
        now=now,
        seen=seen,
        running=seen is not None and stopped is None and now - seen < ALIVE and storage.is_served(),
        stopped=stopped,
        cut_off=reached if seen and reached and seen - reached >= ALIVE else None,
        mails=metrics.mails(),
        letters=letters,
        games=metrics.games(),
        lag=Lag(
            mails=_seconds(waiting, now),
            letters=_seconds(letters.oldest, now),
            games=_seconds(late[0].at if late else None, now),
        ),
        next=metrics.next(),
        overdue=late,
        alarms=alarms,
        backup=last_backup(machine.backups) if machine and machine.backups else None,
        errors=list(_errors(storage, letters.error)),
    )


def queues(now: Status) -> list[tuple[str, int, str]]:
    """Return each queue in words, with how many wait in it, and for how long."""
    mails, letters, lag = now.mails, now.letters, now.lag
    return [
        ("mails to be processed", mails[InboundState.NEW], _long(lag.mails)),
        ("mails held", mails[InboundState.HELD], ""),
        ("mails whose senders were asked", mails[InboundState.ASKED], ""),
        ("letters to be sent", letters.queued, _long(lag.letters)),
        ("of those that failed", letters.tried, ""),
        ("games overdue", len(now.overdue), _long(lag.games)),
    ]


def _long(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min" if minutes else f"{rest} s"


def takes_writes(storage: Storage, now: datetime) -> bool:
    """Return whether the database takes what is written, by writing something."""
    try:
        with storage.transaction():
            storage.heartbeat.try_out(now)
    except Unavailable:
        return False
    return True


def _errors(storage: Storage, said: str | None) -> Iterator[str]:
    """Yield what went wrong last, newest first, a line each."""
    if said is not None:
        yield f"messages wait: {said}"
    for mail in reversed(storage.inbound.held()[-5:]):
        why = (mail.problem or "").strip().rpartition("\n")[2]
        yield f"mail {mail.id} is held: {why or 'no problem on file'}"
    for letter_id, kind, error in storage.queue_metrics.refused():
        yield f"letter {letter_id} ({kind}) was given up: {error}"


def _seconds(since: datetime | None, now: datetime) -> float:
    return 0.0 if since is None else max(0.0, (now - since).total_seconds())
