"""What time it is: the only place the judge asks. Passed in wherever time matters."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Something that knows the time."""

    def now(self) -> datetime:
        """Return the present instant, aware, in UTC."""
        ...

    def seconds_until(self, instant: datetime) -> float:
        """Return how many real seconds pass before this clock shows `instant`; 0 if it is past."""
        ...

    def real_seconds(self, lapse: timedelta) -> float:
        """Return how many real seconds a lapse of this clock takes; infinity if only hands move
        it."""
        ...


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class SystemClock:
    """The machine's clock; for demos and soak tests run `speed` times as fast from `start` on.

    Every process that is given the same `start` and `speed` sees the same time, so a daemon that
    is killed and started again goes on where it would have been.
    """

    def __init__(self, speed: float = 1, start: datetime = _EPOCH) -> None:
        """`speed` is at least 1 (3600: an hour a second); `start` is the real instant, aware."""
        if speed < 1:
            raise ValueError(f"a clock's speed must be at least 1, not {speed}")
        self.speed = speed
        self.start = start.astimezone(UTC)

    def now(self) -> datetime:
        now = datetime.now(UTC)
        return now if self.speed == 1 else self.start + (now - self.start) * self.speed

    def seconds_until(self, instant: datetime) -> float:
        return max(0.0, self.real_seconds(instant - self.now()))

    def real_seconds(self, lapse: timedelta) -> float:
        return lapse.total_seconds() / self.speed
