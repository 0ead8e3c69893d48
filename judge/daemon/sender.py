"""What empties the outbox, and the judge's connections to its players: mailboxes and senders."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime, timedelta
from functools import partial

from judge.clock import Clock
from judge.daemon.loop import POLL, Loop
from judge.mail.imap_receiver import ImapReceiver
from judge.mail.transport import (
    PermanentFailure,
    TemporaryFailure,
    Transport,
    Unreachable,
    next_try,
)
from judge.ops.metrics import Metrics
from judge.storage import OutboundMessage, Storage

log = logging.getLogger(__name__)

LONGEST_PAUSE = 60.0
"""Seconds after which an outbox that could not be emptied is tried again at the latest."""

MANY = 3
"""So many recipients who are refused for the time being one after the other are not to blame."""

POSTPONED = timedelta(minutes=1)
"""After how long a letter is tried again that nobody is to blame for: the others go first."""


class Refusals:
    """Tells a relay that takes nothing for the time being from recipients whose own servers do
    that: a full mailbox is no outage. Safe to use from any thread.

    `unnoted` are the ids of letters that it took when that could not be written down, each with
    when: they are not sent again.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._refused: dict[str, datetime] = {}
        """Who was refused since somebody's letter was taken, and when first."""
        self._to_blame: set[str] = set()
        """Who was refused when another one's letter was taken, and has not been sent one since."""
        self._taken: datetime | None = None
        """When somebody's letter was taken last."""
        self.unnoted: dict[int, datetime] = {}

    def __bool__(self) -> bool:
        """Return whether the last letter was refused."""
        return bool(self._refused)

    @property
    def since(self) -> datetime | None:
        """Since when everybody is refused; None where somebody is not, as far as is known."""
        with self._lock:
            counted = [at for who, at in self._refused.items() if who not in self._to_blame]
        return min(counted) if len(counted) >= MANY else None

    def refused(self, recipient: str, at: datetime) -> None:
        """Note that nobody took a letter that was begun at that time."""
        with self._lock:
            # Meanwhile another sender's may have been taken: not everybody was refused before that.
            self._refused.setdefault(recipient, max(at, self._taken or at))

    def taken(self, recipient: str, at: datetime) -> None:
        """Note that somebody took a letter at that time."""
        with self._lock:
            self._taken = max(at, self._taken or at)
            self._to_blame |= self._refused.keys()
            self._to_blame.discard(recipient)
            self._refused.clear()

    def forget(self) -> None:
        """Forget who was refused: nobody waits any more."""
        with self._lock:
            self._refused.clear()


@dataclass
class LetterSender:
    """Empties the outbox. `step` sends what is due.

    `transport` is used by one thread at a time. `undelivered` ends a letter that will not be
    delivered, for what the other side said last (`Judge.message_failed`). `poll` says how many
    seconds from now to look for what nobody announced, `at_once` how many letters to keep from
    other senders at a time; `opened` is called once, when the way out `was_open`; `foresee` is told
    of letters that come next. Senders to one relay share their `refusals`.
    """

    storage: Storage
    transport: Transport
    clock: Clock
    undelivered: Callable[[OutboundMessage, str], None]
    _: KW_ONLY
    metrics: Metrics = field(default_factory=Metrics)
    poll: Callable[[], float] = lambda: POLL
    at_once: int = 50
    opened: Callable[[], None] = lambda: None
    foresee: Callable[[Sequence[bytes]], None] = lambda _: None
    refusals: Refusals = field(default_factory=Refusals)

    was_open: bool = field(default=False, init=False)
    """Whether somebody has taken a letter since the start, or none waited. Before that nobody
    knows how long the way has been closed."""
    shut: datetime | None = field(default=None, init=False)
    """Since when nobody takes letters; None while somebody does."""
    sent: datetime | None = field(default=None, init=False)
    """When somebody last took a letter; None before the first."""
    _failures: int = field(default=0, init=False)

    def step(self, loop: Loop) -> float:
        """Send the letters that are due; returns the seconds until the next look.

        While the way out is closed all letters wait, and it is tried less and less often.
        """
        began, more = self.clock.now(), False
        try:
            with self.storage.outbound.claimed(began, self.at_once) as letters:
                self.foresee([letter.raw for letter in letters])
                for letter in letters:
                    if loop.stopping:
                        break
                    began = self.clock.now()
                    # Who is told of one that is not delivered is told by a letter.
                    more = not self._send(letter) or more
                    # One that is refused for good says nothing of those that may be sent later.
                    if self._failures and self.refusals.since is None:
                        log.warning("letters can be sent again")
                        self._failures, self.shut = 0, None
                    if not self.refusals:
                        self._note_open()
                    loop.progress()
                if not letters and (self._failures or not self.was_open) and not self._waits():
                    # Nothing waits that could not be sent: whether it could is unknown.
                    self._failures, self.shut = 0, None
                    if self.refusals.since is not None:
                        self.refusals.forget()
                    self._note_open()
        except Unreachable as error:
            if not self._failures:
                log.error("letters cannot be sent: %s", error)
                # A server that says nothing is given up only after a while.
                self.shut = self.refusals.since or began
            self._failures += 1
            # To be alive and to wait is getting on, too.
            loop.progress()
            return min(2.0**self._failures, LONGEST_PAUSE)
        return 0 if more or letters.more else self.poll()

    def _note_open(self) -> None:
        if not self.was_open:
            self.was_open = True
            self.opened()

    def _waits(self) -> bool:
        """Return whether there are letters that are due: another sender may be trying them. While
        all are refused, those count as well that are to be tried later."""
        due = self.storage.outbound.next_due()
        return due is not None and (self.refusals.since is not None or due <= self.clock.now())

    def _send(self, letter: OutboundMessage) -> bool:
        """Send one, or note why not and when to try again; whether it was sent. Raises
        Unreachable, also where nobody's letters are taken for the time being."""
        began = self.clock.now()
        facts: dict[str, object] = {
            "letter": letter.id,
            "kind": letter.kind,
            "attempt": letter.attempts + 1,
        }
        about = {"game_id": letter.game_id, "mail": letter.mail_id}
        facts |= {key: value for key, value in about.items() if value is not None}
        facts["who"] = self.storage.tickets.mark(letter.recipient)
        count = partial(self.metrics.count, "attempt")

        def logged(error: Exception) -> str:
            # Mail servers repeat the address.
            return str(error).replace(letter.recipient, "its reader")

        unnoted = self.refusals.unnoted
        try:
            if letter.id not in unnoted:
                self.transport.deliver(
                    letter.raw, letter.recipient, letter.message_id, letter.envelope_from
                )
        except Unreachable:
            raise
        except PermanentFailure as error:
            count("refused")
            log.warning("letter refused", extra={**facts, "error": logged(error)})
            self.undelivered(letter, str(error))
        except Exception as error:
            count("delayed")
            if not isinstance(error, TemporaryFailure):
                log.exception("letter made the sender fail", extra=facts)
            else:
                self.refusals.refused(letter.recipient, began)
                if self.refusals.since is not None:
                    self.storage.outbound.postponed(letter.id, str(error), began + POSTPONED)
                    raise Unreachable(logged(error)) from error
            pause = next_try(letter.attempts + 1)
            again = None if pause is None else self.clock.now() + pause
            more = {"error": logged(error), "again": again}
            log.warning("letter not sent", extra=facts | more)
            if again is None:
                self.undelivered(letter, str(error) or repr(error))
            else:
                self.storage.outbound.failed(letter.id, str(error) or repr(error), again)
        else:
            self.sent = unnoted.setdefault(letter.id, self.clock.now())
            self.refusals.taken(letter.recipient, self.sent)
            self.storage.outbound.sent(letter.id, self.sent)
            del unnoted[letter.id]
            count("sent")
            log.info("letter sent", extra=facts)
            return True
        return False


class Connections:
    """How mail comes in and goes out (`judge.game.clock.outage.Connectivity`)."""

    def __init__(
        self, clock: Clock, mailboxes: Sequence[ImapReceiver], senders: Sequence[LetterSender]
    ) -> None:
        """Take senders, to which more may be added."""
        self._clock, self._mailboxes, self._senders = clock, mailboxes, senders

    def until(self) -> datetime | None:
        """Return up to when all mail has been taken in, and letters could go out; None before each
        mailbox was looked at and a way out was open once. Mail that comes in by other doors is
        there at once."""
        heard = [door.heard for door in self._mailboxes]
        known = [each for each in heard if each is not None]
        if len(known) < len(heard) or self._never_open():
            return None
        return min([self._clock.now(), *known, *self._shut()])

    @property
    def disconnected(self) -> bool:
        """Whether a mailbox cannot be read now, or nobody takes letters, as far as is known."""
        deaf = any(door.deaf for door in self._mailboxes)
        return deaf or self._never_open() or bool(self._shut())

    def _never_open(self) -> bool:
        """Return whether no way out is known to be open, and one has not been since the start: all
        may have been closed for long."""
        is_open = any(each.was_open and each.shut is None for each in self._senders)
        return not is_open and not all(each.was_open for each in self._senders)

    def _shut(self) -> list[datetime]:
        """Since when no letter can go out, where none can: one was that failed, and none has been
        sent since. The others may wait for a server that says nothing, or take one less."""
        shut = [each.shut for each in self._senders if each.shut is not None]
        sent = [each.sent for each in self._senders if each.sent is not None]
        return [each for each in shut if not sent or max(sent) <= each]

    def look(self) -> None:
        """Look at what has not been looked at for longest soon, if that is what somebody waits for.
        Another look at the others would help nobody before that one is over."""
        if self.disconnected:
            return
        oldest = min((door.heard for door in self._mailboxes if door.heard), default=None)
        for door in self._mailboxes:
            if door.heard == oldest:
                door.look()

    def problems(self) -> dict[str, str | None]:
        """Return what is wrong with each mailbox, None where nothing is."""
        return {door.name: door.problem for door in self._mailboxes}
