"""The mailboxes that are watched, together."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from judge.clock import Clock
from judge.mail.imap_door import ImapDoor


class Mailboxes:
    """What the judge has heard of all its mailboxes (`judge.game.hearing.Hearing`)."""

    def __init__(self, clock: Clock, doors: Sequence[ImapDoor]) -> None:
        self._clock = clock
        self._doors = doors

    def until(self) -> datetime | None:
        """Up to when all mail has been taken in; None before each mailbox was looked at once. Mail
        that comes in by other doors is there at once."""
        heard = [door.heard for door in self._doors]
        known = [each for each in heard if each is not None]
        return None if len(known) < len(heard) else min(known, default=self._clock.now())

    @property
    def deaf(self) -> bool:
        """Whether one of them cannot be read now."""
        return any(door.deaf for door in self._doors)

    def look(self) -> None:
        """Look at all of them soon."""
        for door in self._doors:
            door.look()

    def problems(self) -> dict[str, str | None]:
        """What is wrong with each, None where nothing is."""
        return {door.name: door.problem for door in self._doors}
