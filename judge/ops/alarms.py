"""The keeper hears of what is wrong: once when it begins, once when it is over.

What they have been told stands in the database, so that neither a restart nor a second judge
repeats it. Times are counted as they pass outside: a fast clock raises no alarm.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from judge.clock import Clock
from judge.events import Event, EventKind, HouseKeeper
from judge.game.state.profile import JudgeProfile
from judge.mail import headers
from judge.messages.outbox import Outbox
from judge.ops.machine import Machine, clock_off
from judge.storage import Alarm, InboundState, Storage, Unavailable

log = logging.getLogger(__name__)

PATIENCE = timedelta(minutes=10)
"""How long a mailbox, a mail or a deadline may be in trouble before it is the keeper's business."""

LETTERS_WAIT = timedelta(hours=1)
"""How long a letter may wait to be sent before it is."""

LACKING = timedelta(minutes=2)
"""How long the machine may lack something that work needs before it is."""

HOUR = timedelta(hours=1)

_LOOKED_AT = 20
"""Mails of people on file by whose dates the clock is judged."""

_QUIET = ("held",)
"""What a letter of its own has told already when it begins."""


@dataclass
class Watch:
    """Looks at everything now and then, and writes to the keeper.

    `machine` is this one: troubles of its own are for nobody else to end. `mailboxes` tells what
    is wrong with each, None where nothing is; `disconnected` whether one of them, or the way out,
    cannot be reached now; `lacks` since when the machine lacks something, and what. `cry` takes
    what is wrong as a line, for anyone who listens where no letter goes out.
    """

    storage: Storage
    profile: JudgeProfile
    clock: Clock
    machine: Machine
    mailboxes: Callable[[], Mapping[str, str | None]] = dict
    disconnected: Callable[[], bool] = lambda: False
    lacks: Callable[[], tuple[datetime, str] | None] = lambda: None
    cry: Callable[[str], None] = lambda line: None
    _since: dict[str, datetime] = field(default_factory=dict, init=False)
    _cried: set[str] = field(default_factory=set, init=False)
    _clock_seen: tuple[datetime, Alarm | None] | None = field(default=None, init=False)

    def look(self) -> None:
        """Find out what is wrong, and tell what has begun and what is over. Raises Unavailable:
        then it has been cried out, and so has what the machine has wrong itself."""
        try:
            self._look()
        except Unavailable as error:
            for alarm in self.machine.troubles(self.clock.now()):
                self._cry(alarm.name)
            self._cry(_NO_WRITES, f": {error}")
            raise
        if _NO_WRITES in self._cried:
            self._cry_over(_NO_WRITES)

    def _cry(self, name: str, more: str = "") -> None:
        """Cry out what begins, once."""
        if name not in self._cried:
            self._cried.add(name)
            self.cry(f"alarm: {name}{more}")

    def _cry_over(self, name: str) -> None:
        self._cried.discard(name)
        self.cry(f"all clear: {name}")

    def _look(self) -> None:
        present = {each.name: each for each in self._troubles()}
        known = {alarm.name: alarm for alarm in self.storage.alarms.all()}
        # No phase runs then; of what is in the way the keeper hears by itself.
        waits = ("deadline",) if self.disconnected() else ()
        for name, alarm in present.items():
            if name not in known and alarm.kind not in waits:
                self._begin(alarm)
        for name, alarm in known.items():
            is_mine = alarm.facts.get("machine") in (None, self.machine.name)
            if name not in present and is_mine:
                self._end(alarm)

    def _begin(self, alarm: Alarm) -> None:
        # First: whatever is wrong may be in the way of all else.
        self._cry(alarm.name)
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
        self._cry_over(alarm.name)
        log.warning("all clear", extra={"alarm": alarm.name})

    def _log(self, alarm: Alarm, what: str, now: datetime) -> None:
        facts = {"alarm": alarm.name, **alarm.facts}
        self.storage.events.log(now, what, facts)

    def _tell(self, kind: EventKind, alarm: Alarm, now: datetime) -> None:
        facts = {"what": alarm.kind, "since": alarm.since, **alarm.facts}
        event = Event(kind=kind, to=HouseKeeper(), facts=facts)
        # Who keeps the main house may be on file in others.
        Outbox(self.storage.of(""), self.profile, now).dispatch([event])

    # What is wrong

    def _troubles(self) -> Iterator[Alarm]:
        now = self.clock.now()
        yield from self._of_mailboxes()
        yield from self.machine.troubles(now)
        yield from self._of_lacks(now)
        yield from self._of_clock(now)
        yield from self._of_queues()

    def _alarm(self, name: str, kind: str, **facts: object) -> Alarm:
        """`kind` is mailbox, letters, mails, deadline or held, or one of a machine."""
        return Alarm(name=name, kind=kind, since=self.clock.now(), facts=facts)

    def _of_lacks(self, now: datetime) -> Iterator[Alarm]:
        if (lack := self.lacks()) is not None and self._is_over(lack[0], now, LACKING):
            yield self.machine.alarm(now, "lacking", "something", said=lack[1])

    def _of_clock(self, now: datetime) -> Iterator[Alarm]:
        """Yield the clock, looked at once an hour by the dates of mails."""
        if self._clock_seen is None or now - self._clock_seen[0] >= HOUR:
            self._clock_seen = now, self._clock_alarm(now)
        if (alarm := self._clock_seen[1]) is not None:
            yield alarm

    def _clock_alarm(self, now: datetime) -> Alarm | None:
        if self.clock.real_seconds(_SECOND) < 1:
            # It runs faster than those of the senders.
            return None
        found = [
            (came, headers.date(headers.raw(headers.of(raw), "Date")))
            for came, raw in self.storage.inbound.latest_of_known(now - 24 * HOUR, _LOOKED_AT)
        ]
        off = clock_off([(came, written) for came, written in found if written is not None])
        if off is None:
            return None
        minutes = round(off / timedelta(minutes=1))
        facts = {"minutes": abs(minutes), "ahead": minutes > 0}
        return self.machine.alarm(now, "clock", "off", **facts)

    def _of_mailboxes(self) -> Iterator[Alarm]:
        problems = {name: said for name, said in self.mailboxes().items() if said is not None}
        now, here = self.clock.now(), self.machine.name
        self._since = {name: self._since.get(name, now) for name in problems}
        for name, said in problems.items():
            if self._is_over(self._since[name], now, PATIENCE):
                facts = {"mailbox": name, "said": said, "machine": here}
                yield self._alarm(f"mailbox {name} at {here}", "mailbox", **facts)

    def _of_queues(self) -> Iterator[Alarm]:
        now = self.clock.now()
        gauges = self.storage.queue_metrics
        letters, mails = gauges.letters(now), gauges.mails()
        # Where nothing at all goes out, nobody else will say so.
        patience = PATIENCE if self.disconnected() else LETTERS_WAIT
        if letters.oldest is not None and self._is_over(letters.oldest, now, patience):
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
        """Return whether `patience` has passed outside since an instant of the judge's clock."""
        if since >= now:
            return False
        real = self.clock.real_seconds(now - since)
        passed = now - since if math.isinf(real) else timedelta(seconds=real)
        return passed >= patience


_SECOND = timedelta(seconds=1)

_NO_WRITES = "the database takes no writes"
