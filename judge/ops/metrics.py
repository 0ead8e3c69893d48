"""What the judge counts of its own work; `judge.ops.prometheus` serves it."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext


class Metrics:
    """Counters of one judge that keep nothing. Safe to use from any thread."""

    def stored(self, door: str) -> None:
        """Count a message that came in through a receiver."""

    def message(self) -> AbstractContextManager[object]:
        """Time the processing of one message."""
        return nullcontext()

    def game(self) -> AbstractContextManager[object]:
        """Time one step of a game: a start, a phase, a reminder."""
        return nullcontext()

    def attempt(self, outcome: str) -> None:
        """Count an attempt to send a message: sent, refused, or delayed."""

    def failure(self, loop: str) -> None:
        """Count a step of a thread that failed."""
