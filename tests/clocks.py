"""A clock for tests."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta


class ManualClock:
    """A clock that stands until it is moved."""

    def __init__(self, now: datetime | None = None) -> None:
        """It shows `now` (aware) at first, by default a Monday noon."""
        self._now = (now or datetime(2026, 6, 1, 12, tzinfo=UTC)).astimezone(UTC)

    def now(self) -> datetime:
        return self._now

    def seconds_until(self, instant: datetime) -> float:
        """0 if `instant` is past, else infinity: no real time moves this clock."""
        return 0.0 if instant <= self._now else math.inf

    def real_seconds(self, lapse: timedelta) -> float:
        """0 for no lapse, else infinity: no real time moves this clock."""
        return math.inf if lapse else 0.0

    def set(self, instant: datetime) -> None:
        """Show `instant` (aware) from now on; it may lie in the past, as clocks do jump."""
        self._now = instant.astimezone(UTC)

    def advance(self, **lapse: float) -> datetime:
        """Move on by `timedelta(**lapse)` (`hours=3`) and return the new instant."""
        self._now += timedelta(**lapse)
        return self._now


class MovingClock(ManualClock):
    """A clock that goes on as fast as the one outside, as far as anybody asks it."""

    def seconds_until(self, instant: datetime) -> float:
        return max(0.0, self.real_seconds(instant - self.now()))

    def real_seconds(self, lapse: timedelta) -> float:
        return lapse.total_seconds()
