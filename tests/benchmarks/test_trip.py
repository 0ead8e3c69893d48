"""What the trip of an order mail counts."""

from __future__ import annotations

from benchmarks.trip import order_mail, recorded
from judge.clock import SystemClock
from judge.sentences import in_words


def test_only_calls_that_enter_another_file_are_changes() -> None:
    clock = SystemClock()

    def work() -> None:
        clock.now()
        clock.now()
        in_words("text")
        clock.now()

    trip = recorded(work)
    assert trip.changes == {
        ("clock.py", "sentences/__init__.py"): 1,
        ("sentences/__init__.py", "clock.py"): 1,
    }


def test_an_order_mail_goes_from_the_inbox_to_the_reply() -> None:
    trip = order_mail()
    assert {"service.py", "rules/legality.py", "storage/outbound.py"} <= set(trip.calls)
