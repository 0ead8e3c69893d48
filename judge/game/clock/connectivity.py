"""Whether the judge can receive and send: while it cannot, no phase runs."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from judge.clock import Clock


class Connectivity(Protocol):
    """Knows how mail comes in and goes out."""

    def until(self) -> datetime | None:
        """Return up to when all mail was received and messages could be sent; None if unknown."""
        ...

    @property
    def disconnected(self) -> bool:
        """Whether a mailbox cannot be read, or nobody accepts messages."""
        ...


class AlwaysConnected:
    """The connectivity of a judge whose mail is brought and fetched: none waits elsewhere."""

    disconnected = False

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def until(self) -> datetime | None:
        """Return the current time."""
        return self._clock.now()
