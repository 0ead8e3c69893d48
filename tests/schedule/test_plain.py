"""A pace in plain words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from judge.schedule.deadlines import CLASSIC, TimeError, next_deadline
from judge.schedule.plain import read_plain
from judge.sentences import in_words

MOVE = CLASSIC["M"]
EVERY = "SMTWTFS"
WORK = "-MTWTF-"


@pytest.mark.parametrize(
    ("text", "clock", "hours", "days", "zone"),
    [
        ("every Mon and Thu 20:00 Paris", 1200, 35, "-M--T--", "Europe/Paris"),
        ("every day at 9pm", 1260, 23, EVERY, None),
        ("daily 21:00", 1260, 23, EVERY, None),
        ("every night at 9 pm", 1260, 23, EVERY, None),
        ("twice a week", 1410, 35, "-M--T--", None),
        ("3 times a week", 1410, 23, "-M-W-F-", None),
        ("three times per week at 20:00", 1200, 23, "-M-W-F-", None),
        ("once a week", 1410, 167, WORK, None),
        ("weekly on Friday", 1410, 83, "-----F-", None),
        ("every Sunday 18:00 Europe/London", 1080, 83, "S------", "Europe/London"),
        ("mon, wed and fri 8pm new york", 1200, 23, "-M-W-F-", "America/New_York"),
        ("Mon-Fri 20:00", 1200, 23, WORK, None),
        ("weekdays", 1410, 23, WORK, None),
        ("weekdays 48h", 1410, 48, WORK, None),
        ("every working day 9 pm", 1260, 23, WORK, None),
        ("on weekends at noon", 720, 23, "S-----S", None),
        ("Mondays", 1410, 83, "-M-----", None),
        ("48h", 1410, 48, WORK, None),
        ("2 days", 1410, 48, WORK, None),
        ("1d 12h", 1410, 36, WORK, None),
        ("every 2 days", 1410, 47, WORK, None),
        ("every other day at 20:00", 1200, 47, WORK, None),
        ("every two weeks", 1410, 335, WORK, None),
        ("every 48 hours any time", None, 48, WORK, None),
        ("at 20:00", 1200, 71, WORK, None),
        ("no fixed time", None, 71, WORK, None),
    ],
)
def test_plain_words(text: str, clock: int | None, hours: float, days: str, zone: str) -> None:
    pace, found = read_plain(MOVE, text)
    assert (pace.clock, pace.next, pace.days, found) == (clock, hours, days, zone)
    assert (pace.min, pace.delay, pace.grace) == (MOVE.min, MOVE.delay, MOVE.grace)


@pytest.mark.parametrize("text", ["quickly", "every", "every blue moon", "9 times a week"])
def test_what_is_not_understood_is_quoted(text: str) -> None:
    with pytest.raises(TimeError) as refusal:
        read_plain(MOVE, text)
    assert f"'{text}' is neither" in in_words(refusal.value.problem)


def test_nothing_is_answered_with_what_could_be_there() -> None:
    with pytest.raises(TimeError) as refusal:
        read_plain(MOVE, "")
    assert in_words(refusal.value.problem).startswith("it takes CLOCK")


def test_every_monday_and_thursday_is_kept_over_retreats() -> None:
    pace, _ = read_plain(MOVE, "every Mon and Thu 20:00")
    monday = datetime(2026, 6, 1, 20, 0, 3, tzinfo=UTC)
    thursday = datetime(2026, 6, 4, 20, tzinfo=UTC)
    assert next_deadline(pace, monday, None, "UTC") == thursday
    retreats = datetime(2026, 6, 2, 20, 1, tzinfo=UTC)
    assert next_deadline(pace, retreats, None, "UTC") == thursday
    after = next_deadline(pace, thursday, thursday, "UTC")
    assert after == datetime(2026, 6, 8, 20, tzinfo=UTC)
