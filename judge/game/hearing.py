"""Whether the judge hears its players: no phase runs while their orders may lie unread."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from judge.clock import Clock


class Hearing(Protocol):
    """Something that knows what mail has been taken in."""

    def until(self) -> datetime | None:
        """Up to when all mail that came for the judge has been taken in; None: nothing is known."""
        ...

    @property
    def deaf(self) -> bool:
        """Whether there is a mailbox that cannot be read now."""
        ...


class AtTheDoor:
    """Where all mail is brought to the judge, none waits elsewhere."""

    deaf = False

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def until(self) -> datetime | None:
        """Now."""
        return self._clock.now()
