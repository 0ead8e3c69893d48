"""What the trip of an order mail counts."""

from __future__ import annotations

from benchmarks.trip import order_mail, recorded
from judge.rules.phase import Phase
from judge.rules.position import Unit


def test_only_calls_that_enter_another_file_are_changes() -> None:
    unit, phase = Unit("A", "par"), Phase.read("S1901M")

    def work() -> None:
        str(phase)
        str(phase)
        str(unit)
        str(phase)

    trip = recorded(work)
    assert trip.changes == {
        ("rules/phase.py", "rules/position.py"): 1,
        ("rules/position.py", "rules/phase.py"): 1,
    }


def test_an_order_mail_goes_from_the_inbox_to_the_reply() -> None:
    trip = order_mail()
    assert {"service.py", "rules/position.py", "storage/outbound.py"} <= set(trip.calls)
