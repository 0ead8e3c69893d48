"""The alarm clock wakes at the instant set last, on any clock, however often it is set."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from queue import Empty, Queue

import pytest

from judge.clock import Clock, SystemClock
from judge.schedule.waker import Waker
from tests.clocks import ManualClock

Start = Callable[[Clock], Waker]


@pytest.fixture
def calls() -> Queue[float]:
    return Queue()


@pytest.fixture
def start(calls: Queue[float]) -> Iterator[Start]:
    wakers: list[Waker] = []

    def start(clock: Clock) -> Waker:
        waker = Waker(clock, lambda: calls.put(time.monotonic()))
        wakers.append(waker)
        return waker

    yield start
    for waker in wakers:
        waker.stop()


def test_it_wakes_at_the_instant_and_once(start: Start, calls: Queue[float]) -> None:
    began = time.monotonic()
    start(SystemClock()).set(datetime.now(UTC) + timedelta(seconds=0.3))
    assert calls.get(timeout=120) - began >= 0.29
    with pytest.raises(Empty):
        calls.get(timeout=0.4)


def test_a_past_instant_wakes_at_once(start: Start, calls: Queue[float]) -> None:
    start(SystemClock()).set(datetime.now(UTC) - timedelta(days=400))
    calls.get(timeout=120)


def test_only_the_instant_set_last_counts(start: Start, calls: Queue[float]) -> None:
    waker = start(SystemClock())
    waker.set(datetime.now(UTC) + timedelta(seconds=2))
    waker.set(datetime.now(UTC) + timedelta(hours=3))
    with pytest.raises(Empty):
        calls.get(timeout=3)
    waker.set(datetime.now(UTC))
    waker.set(None)
    waker.set(datetime.now(UTC))
    calls.get(timeout=120)


def test_a_fast_clock_shortens_the_wait(start: Start, calls: Queue[float]) -> None:
    clock = SystemClock(3600, datetime.now(UTC))
    start(clock).set(clock.now() + timedelta(minutes=30))
    began = time.monotonic()
    assert calls.get(timeout=120) - began >= 0.3


def test_a_clock_that_stands_wakes_for_what_is_past_only(start: Start, calls: Queue[float]) -> None:
    clock = ManualClock()
    waker = start(clock)
    waker.set(clock.now() + timedelta(seconds=0.01))
    with pytest.raises(Empty):
        calls.get(timeout=0.3)
    waker.set(clock.now())
    calls.get(timeout=120)


def test_what_is_far_ahead_keeps_no_time_before_it_is_near(
    start: Start, calls: Queue[float]
) -> None:
    before, waker = threading.active_count(), start(SystemClock())
    waker.set(datetime.now(UTC) + timedelta(hours=2))
    assert threading.active_count() == before
    waker.set(datetime.now(UTC) + timedelta(seconds=0.1))
    calls.get(timeout=120)


def test_one_that_has_ended_wakes_nobody(calls: Queue[float]) -> None:
    before, waker = threading.active_count(), Waker(SystemClock(), lambda: calls.put(0.0))
    waker.stop()
    waker.set(datetime.now(UTC) + timedelta(seconds=0.2))
    waker.stop()
    assert threading.active_count() == before
    with pytest.raises(Empty):
        calls.get(timeout=0.4)
