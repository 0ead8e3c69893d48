"""The alarm clock: calls back at an instant, and decides nothing.

What is due is read from the database by one who is woken. A wake-up may therefore come late, twice
or for nothing without harm, and nothing needs to be kept over a restart.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from apscheduler.schedulers.background import BackgroundScheduler

from judge.clock import Clock

_ALARM = "alarm"
_FAR = timedelta(hours=1)
"""No alarm is set for an instant further ahead in real time: a machine's clock may be corrected."""

_SAME = 10.0
"""Seconds after which an alarm is set anew, for the same reason."""


class Waker:
    """One alarm, to be set again every few minutes. It keeps time from the first one on that is
    near; `stop` it after use."""

    def __init__(self, clock: Clock, wake: Callable[[], None]) -> None:
        """`wake` is called in a thread of the alarm's own, at instants of `clock`."""
        self._clock = clock
        self._wake = wake
        self._scheduler: BackgroundScheduler | None = None
        self._set: tuple[datetime | None, float] = (None, -math.inf)
        """What was set last, and until when, by `time.monotonic`, the same need not be set anew."""

    def _started(self) -> BackgroundScheduler:
        scheduler = BackgroundScheduler(timezone=UTC)
        # A job that always has a next run: one that ends is removed, which fails when the
        # scheduler is stopped at that very moment.
        scheduler.add_job(
            self._wake, "interval", seconds=_FAR.total_seconds(), id=_ALARM, misfire_grace_time=None
        )
        scheduler.start()
        return scheduler

    def stop(self) -> None:
        """Stop; a call in progress is waited for."""
        if self._scheduler is not None:
            self._scheduler.shutdown(wait=True)

    def set(self, instant: datetime | None) -> None:
        """Wake at `instant` (UTC), and no longer at the one set before; None: not at all.

        A past instant wakes at once. One that is an hour of real time ahead or more is to be set
        again before.
        """
        now = time.monotonic()
        if instant == self._set[0] and now < self._set[1]:
            return
        seconds = math.inf if instant is None else self._clock.seconds_until(instant)
        # One that may be about to wake is always set anew.
        self._set = instant, now + min(_SAME, seconds - _SAME)
        if seconds > _FAR.total_seconds():
            if self._scheduler is not None:
                self._scheduler.pause_job(_ALARM)
            return
        if self._scheduler is None:
            self._scheduler = self._started()
        moment = datetime.now(UTC) + timedelta(seconds=seconds)
        self._scheduler.modify_job(_ALARM, next_run_time=moment)
