"""The judge's connections to its players: the mailboxes it watches, and its senders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from judge.clock import Clock
from judge.daemon.sender import Sender
from judge.mail.imap_receiver import ImapReceiver


class Connections:
    """How mail comes in and goes out (`judge.game.clock.outage.Connectivity`)."""

    def __init__(
        self, clock: Clock, mailboxes: Sequence[ImapReceiver], senders: Iterable[Sender] = ()
    ) -> None:
        self._clock = clock
        self._mailboxes = mailboxes
        self._senders = list(senders)

    def add(self, sender: Sender) -> None:
        """Count a sender among the ways out."""
        self._senders.append(sender)

    def until(self) -> datetime | None:
        """Up to when all mail has been taken in, and letters could go out; None before each mailbox
        was looked at and a way out was open once. Mail that comes in by other doors is there at
        once."""
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
        """Whether no way out is known to be open, and one has not been since the start: all may
        have been closed for long."""
        is_open = any(each.was_open and each.shut is None for each in self._senders)
        return not is_open and not all(each.was_open for each in self._senders)

    def _shut(self) -> list[datetime]:
        """Since when no letter can go out, where none can: one was tried in vain, and none has been
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
        """What is wrong with each mailbox, None where nothing is."""
        return {door.name: door.problem for door in self._mailboxes}
