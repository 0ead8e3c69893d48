"""Whether players can reach the judge and hear from it: while they cannot, no phase runs."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from judge.clock import Clock


class Reach(Protocol):
    """Something that knows how mail comes in and goes out."""

    def until(self) -> datetime | None:
        """Up to when all mail that came for the judge has been taken in, and letters could go out;
        None: nothing is known."""
        ...

    @property
    def cut_off(self) -> bool:
        """Whether there is a mailbox that cannot be read now, or nobody takes letters."""
        ...


class AtTheDoor:
    """Where all mail is brought to the judge and its letters are fetched, none waits elsewhere."""

    cut_off = False

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def until(self) -> datetime | None:
        """Now."""
        return self._clock.now()
