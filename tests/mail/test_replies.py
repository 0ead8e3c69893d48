"""Replies of mail programs are cut to what their writers wrote: see replies.py."""

from __future__ import annotations

from tests.mail.programs import cases
from tests.mail.replies import held_back, read, taken_wrongly


def test_replies_of_all_programs_are_read_exactly() -> None:
    cases = held_back()
    wrong = [(case, got) for case in cases if (got := read(case)) != case.wrote]
    assert len(cases) > 180
    assert len(wrong) * 553 <= len(cases) * 8, [case.name for case, _ in wrong]
    assert [case.name for case, got in wrong if taken_wrongly(case, got)] == []


def test_other_programs_and_languages_are_read_too() -> None:
    found = [(case, read(case)) for case in cases()]
    wrong = [(case, got) for case, got in found if got != case.wrote]
    assert len(wrong) <= 1, [(case.name, got[:5]) for case, got in wrong]
    assert [case.name for case, got in wrong if taken_wrongly(case, got)] == []
