"""The keeper hears of what is wrong: once when it begins, once when it is over.

What they have been told stands in the database, so that neither a restart nor a second judge
repeats it. Times are counted as they pass outside: a fast clock raises no alarm.
"""

from __future__ import annotations

import logging
import math
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from judge.clock import Clock
from judge.events import Event, EventKind, HouseKeeper
from judge.game.state.profile import JudgeProfile
from judge.messages.outbox import Outbox
from judge.storage import Alarm, InboundState, Storage

log = logging.getLogger(__name__)

PATIENCE = timedelta(minutes=10)
"""How long a mailbox, a mail or a deadline may be in trouble before it is the keeper's business."""

LETTERS_WAIT = timedelta(hours=1)
"""How long a letter may wait to be sent before it is."""

LEAST_SHARE, LEAST_FREE = 0.05, 1_000_000_000
"""A disk is nearly full when less than this share of it, and less than these bytes, are free."""

_QUIET = ("held",)
"""What a letter of its own has told already when it begins."""


@dataclass
class Watch:
    """Looks at everything now and then, and writes to the keeper.

    `machine` names this one: troubles of its own are for nobody else to end. `mailboxes` tells what
    is wrong with each, None where nothing is; `disconnected` whether one of them, or the way out,
    cannot be reached now. `folders` are those whose disks the judge writes to.
    """

    storage: Storage
    profile: JudgeProfile
    clock: Clock
    machine: str
    mailboxes: Callable[[], Mapping[str, str | None]] = dict
    folders: Sequence[Path] = ()
    disconnected: Callable[[], bool] = lambda: False
    _since: dict[str, datetime] = field(default_factory=dict, init=False)

    def look(self) -> None:
        """Find out what is wrong, and tell what has begun and what is over."""
        present = {each.name: each for each in self._troubles()}
        known = {alarm.name: alarm for alarm in self.storage.alarms.all()}
        # No phase runs then; of what is in the way the keeper hears by itself.
        waits = ("deadline",) if self.disconnected() else ()
        for name, alarm in present.items():
            if name not in known and alarm.kind not in waits:
                self._begin(alarm)
        for name, alarm in known.items():
            is_mine = alarm.facts.get("machine") in (None, self.machine)
            if name not in present and is_mine:
                self._end(alarm)

    def _begin(self, alarm: Alarm) -> None:
        with self.storage.transaction():
            if not self.storage.alarms.begin(alarm):
                return
            self._log(alarm, "alarm", alarm.since)
            if alarm.kind not in _QUIET:
                self._tell(EventKind.ALARM, alarm, alarm.since)
        log.error("alarm", extra={"alarm": alarm.name, **alarm.facts})

    def _end(self, alarm: Alarm) -> None:
        now = self.clock.now()
        with self.storage.transaction():
            if not self.storage.alarms.end(alarm.name):
                return
            self._log(alarm, "all clear", now)
            self._tell(EventKind.ALL_CLEAR, alarm, now)
        log.warning("all clear", extra={"alarm": alarm.name})

    def _log(self, alarm: Alarm, what: str, now: datetime) -> None:
        facts = {"alarm": alarm.name, **alarm.facts}
        self.storage.events.log(now, what, facts)

    def _tell(self, kind: EventKind, alarm: Alarm, now: datetime) -> None:
        facts = {"what": alarm.kind, "since": alarm.since, **alarm.facts}
        event = Event(kind=kind, to=HouseKeeper(), facts=facts)
        Outbox(self.storage, self.profile, now).dispatch([event])

    # What is wrong

    def _troubles(self) -> Iterator[Alarm]:
        yield from self._of_mailboxes()
        yield from self._of_disks()
        yield from self._of_queues()

    def _alarm(self, name: str, kind: str, **facts: object) -> Alarm:
        """`kind` is mailbox, letters, mails, deadline, held or disk."""
        return Alarm(name=name, kind=kind, since=self.clock.now(), facts=facts)

    def _of_mailboxes(self) -> Iterator[Alarm]:
        problems = {name: said for name, said in self.mailboxes().items() if said is not None}
        now, here = self.clock.now(), self.machine
        self._since = {name: self._since.get(name, now) for name in problems}
        for name, said in problems.items():
            if self._is_over(self._since[name], now, PATIENCE):
                facts = {"mailbox": name, "said": said, "machine": here}
                yield self._alarm(f"mailbox {name} at {here}", "mailbox", **facts)

    def _of_disks(self) -> Iterator[Alarm]:
        for folder in self.folders:
            try:
                disk = shutil.disk_usage(folder)
            except OSError:
                continue
            if disk.free < min(LEAST_FREE, disk.total * LEAST_SHARE):
                free, here = disk.free // 1_000_000, self.machine
                facts = {"folder": str(folder), "free": free, "machine": here}
                yield self._alarm(f"disk {folder} at {here}", "disk", **facts)

    def _of_queues(self) -> Iterator[Alarm]:
        now = self.clock.now()
        gauges = self.storage.queue_metrics
        letters, mails = gauges.letters(now), gauges.mails()
        if letters.oldest is not None and self._is_over(letters.oldest, now, LETTERS_WAIT):
            facts = {"count": letters.queued, "oldest": letters.oldest.isoformat()}
            yield self._alarm("letters", "letters", **facts, said=letters.error or "")
        oldest = self.storage.inbound.waiting_since()
        if oldest is not None and self._is_over(oldest, now, PATIENCE):
            count = mails[InboundState.NEW]
            yield self._alarm("mails", "mails", count=count, oldest=oldest.isoformat())
        if held := mails[InboundState.HELD]:
            yield self._alarm("held", "held", count=held)
        for game in gauges.late(now):
            if self._is_over(game.at, now, PATIENCE):
                facts = {"game": game.name, "phase": game.phase}
                yield self._alarm(f"deadline {game.name}", "deadline", **facts)

    def _is_over(self, since: datetime, now: datetime, patience: timedelta) -> bool:
        """Whether `patience` has passed outside since an instant of the judge's clock."""
        if since >= now:
            return False
        real = self.clock.real_seconds(now - since)
        passed = now - since if math.isinf(real) else timedelta(seconds=real)
        return passed >= patience
