"""The keeper hears of what is wrong: once when it begins, once when it is over.

What they have been told stands in the database, so that neither a restart nor a second judge
repeats it. Times are counted as they pass outside: a fast clock raises no alarm.
"""

from __future__ import annotations

import logging
import math
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from judge.clock import Clock
from judge.events import Event, EventKind, Keeper
from judge.game.state.profile import JudgeProfile
from judge.messages.outbox import Outbox
from judge.storage import Alarm, InboundState, Storage
from judge.storage import Event as LogEntry

log = logging.getLogger(__name__)

PATIENCE = timedelta(minutes=10)
"""How long a mailbox, a mail or a deadline may be in trouble before it is the keeper's business."""

LETTERS_WAIT = timedelta(hours=1)
"""How long a letter may wait to be sent before it is."""

LEAST_SHARE, LEAST_FREE = 0.05, 1_000_000_000
"""A disk is nearly full when less than this share of it, and less than these bytes, are free."""

_QUIET = ("held",)
"""What a letter of its own has told already when it begins."""


class Trouble(Struct, frozen=True):
    """Something that is wrong now. `name` is the same as long as it is the same trouble, `kind` one
    of mailbox, letters, mails, deadline, held and disk."""

    name: str
    kind: str
    facts: Mapping[str, Any] = field(default_factory=dict)


class Watch:
    """Looks at everything now and then, and writes to the keeper."""

    def __init__(
        self,
        storage: Storage,
        profile: JudgeProfile,
        clock: Clock,
        *,
        machine: str,
        mailboxes: Callable[[], Mapping[str, str | None]] = dict,
        folders: Sequence[Path] = (),
        disconnected: Callable[[], bool] = lambda: False,
    ) -> None:
        """`mailboxes` tells what is wrong with each, None where nothing is; `disconnected` whether
        one of them, or the way out, cannot be reached now. `folders` are those
        whose disks the judge writes to. `machine` names this one: troubles of its own are for
        nobody else to end."""
        self._storage = storage
        self._profile = profile
        self._clock = clock
        self._machine = machine
        self._mailboxes = mailboxes
        self._folders = folders
        self._disconnected = disconnected
        self._since: dict[str, datetime] = {}

    def look(self) -> None:
        """Find out what is wrong, and tell what has begun and what is over."""
        present = {each.name: each for each in self._troubles()}
        known = {alarm.name: alarm for alarm in self._storage.alarms.all()}
        # No phase runs then; of what is in the way the keeper hears by itself.
        waits = ("deadline",) if self._disconnected() else ()
        for name, trouble in present.items():
            if name not in known and trouble.kind not in waits:
                self._begin(trouble)
        for name, alarm in known.items():
            is_mine = alarm.facts.get("machine") in (None, self._machine)
            if name not in present and is_mine:
                self._end(alarm)

    def _begin(self, trouble: Trouble) -> None:
        now = self._clock.now()
        facts = dict(trouble.facts)
        alarm = Alarm(name=trouble.name, kind=trouble.kind, since=now, facts=facts)
        with self._storage.transaction():
            if not self._storage.alarms.begin(alarm):
                return
            self._log(alarm, "alarm", now)
            if trouble.kind not in _QUIET:
                self._tell(EventKind.ALARM, alarm, now)
        log.error("alarm", extra={"alarm": trouble.name, **facts})

    def _end(self, alarm: Alarm) -> None:
        now = self._clock.now()
        with self._storage.transaction():
            if not self._storage.alarms.end(alarm.name):
                return
            self._log(alarm, "all clear", now)
            self._tell(EventKind.ALL_CLEAR, alarm, now)
        log.warning("all clear", extra={"alarm": alarm.name})

    def _log(self, alarm: Alarm, what: str, now: datetime) -> None:
        facts = {"alarm": alarm.name, **alarm.facts}
        self._storage.events.add(
            LogEntry(at=now, game_id=None, actor="judge", what=what, facts=facts)
        )

    def _tell(self, kind: EventKind, alarm: Alarm, now: datetime) -> None:
        facts = {"what": alarm.kind, "since": alarm.since, **alarm.facts}
        event = Event(kind=kind, to=Keeper(), facts=facts)
        Outbox(self._storage, self._profile, now).dispatch([event])

    # What is wrong

    def _troubles(self) -> Iterator[Trouble]:
        yield from self._of_mailboxes()
        yield from self._of_disks()
        yield from self._of_queues()

    def _of_mailboxes(self) -> Iterator[Trouble]:
        problems = {name: said for name, said in self._mailboxes().items() if said is not None}
        now = self._clock.now()
        self._since = {name: self._since.get(name, now) for name in problems}
        for mailbox, said in problems.items():
            if self._is_over(self._since[mailbox], now, PATIENCE):
                facts = {"mailbox": mailbox, "said": said, "machine": self._machine}
                yield Trouble(f"mailbox {mailbox} at {self._machine}", "mailbox", facts)

    def _of_disks(self) -> Iterator[Trouble]:
        for folder in self._folders:
            try:
                disk = shutil.disk_usage(folder)
            except OSError:
                continue
            if disk.free < min(LEAST_FREE, disk.total * LEAST_SHARE):
                facts = {
                    "folder": str(folder),
                    "free": disk.free // 1_000_000,
                    "machine": self._machine,
                }
                yield Trouble(f"disk {folder} at {self._machine}", "disk", facts)

    def _of_queues(self) -> Iterator[Trouble]:
        now = self._clock.now()
        gauges = self._storage.queue_metrics
        letters = gauges.letters(now)
        if self._is_over(letters.oldest, now, LETTERS_WAIT):
            assert letters.oldest is not None
            facts = {"count": letters.queued, "oldest": letters.oldest.isoformat()}
            yield Trouble("letters", "letters", {**facts, "said": letters.error or ""})
        oldest = self._storage.inbound.waiting_since()
        if self._is_over(oldest, now, PATIENCE):
            assert oldest is not None
            count = gauges.mails()[InboundState.NEW]
            yield Trouble("mails", "mails", {"count": count, "oldest": oldest.isoformat()})
        held = gauges.mails()[InboundState.HELD]
        if held:
            yield Trouble("held", "held", {"count": held})
        for game in gauges.late(now):
            if self._is_over(game.at, now, PATIENCE):
                facts = {"game": game.name, "phase": game.phase}
                yield Trouble(f"deadline {game.name}", "deadline", facts)

    def _is_over(self, since: datetime | None, now: datetime, patience: timedelta) -> bool:
        """Whether `patience` has passed outside since an instant of the judge's clock."""
        if since is None or since >= now:
            return False
        real = self._clock.real_seconds(now - since)
        passed = now - since if math.isinf(real) else timedelta(seconds=real)
        return passed >= patience
