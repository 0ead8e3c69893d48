"""The clocks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from judge.clock import SystemClock
from tests.clocks import ManualClock


def test_the_system_clock_is_aware_and_in_utc() -> None:
    clock = SystemClock()
    now = clock.now()
    assert now.tzinfo is UTC
    assert 50 < clock.seconds_until(now + timedelta(minutes=1)) <= 60
    assert clock.seconds_until(now - timedelta(days=1)) == 0


def test_a_fast_clock_shows_the_same_to_everybody_with_the_same_start() -> None:
    start = datetime.now(UTC) - timedelta(seconds=10)
    one, other = SystemClock(3600, start), SystemClock(3600, start)
    assert abs(one.now() - other.now()) < timedelta(hours=1)
    assert one.now() - start >= timedelta(hours=10)
    assert one.seconds_until(one.now() + timedelta(hours=2)) == pytest.approx(2, abs=0.1)


def test_a_fast_clock_does_not_run_backwards() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        SystemClock(0.5, datetime.now(UTC))


def test_a_manual_clock_stands_until_it_is_moved() -> None:
    clock = ManualClock(datetime(2026, 6, 1, tzinfo=UTC))
    assert clock.now() == clock.now() == datetime(2026, 6, 1, tzinfo=UTC)
    assert clock.advance(hours=3) == clock.now() == datetime(2026, 6, 1, 3, tzinfo=UTC)
    clock.set(datetime(2020, 1, 1, tzinfo=UTC))
    assert clock.now().year == 2020
    assert clock.seconds_until(clock.now()) == 0
    assert clock.seconds_until(clock.now() + timedelta(seconds=1)) == float("inf")


def test_a_fast_clock_may_be_as_slow_as_time_and_waits_for_nothing_that_is_past() -> None:
    for speed in (1, 1.5):
        clock = SystemClock(speed, datetime.now(UTC))
        assert clock.real_seconds(timedelta(seconds=3)) == 3 / speed
        assert clock.seconds_until(clock.now() - timedelta(hours=1)) == 0


def test_only_hands_move_a_manual_clock() -> None:
    clock = ManualClock()
    assert clock.now() == datetime(2026, 6, 1, 12, tzinfo=UTC)
    assert clock.real_seconds(timedelta(0)) == 0
    assert clock.real_seconds(timedelta(seconds=1)) == float("inf")
