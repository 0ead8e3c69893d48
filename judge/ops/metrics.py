"""What the judge counts of its own work; `judge.ops.prometheus` serves it."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext


class Metrics:
    """Counters of one judge that keep nothing. Safe to use from any thread."""

    def count(self, name: str, what: str) -> None:
        """Count a message `stored`, by its door; an `attempt` to send one, by how it ended (sent,
        refused, or delayed); or the `failure` of a step, by its thread."""

    def time(self, name: str) -> AbstractContextManager[object]:
        """Time the processing of one `message`, or one step of a `game`."""
        return nullcontext()
