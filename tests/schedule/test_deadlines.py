"""Deadlines, section by section: CLOCK, NEXT, MIN, DELAY, GRACE, DAYS, absences, running."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.render import hours_in_words
from judge.schedule.deadlines import (
    CLASSIC,
    WEEK,
    Absence,
    Pace,
    TimeError,
    TimeFault,
    TimeProblem,
    allowed_from,
    clock_in_words,
    grace_end,
    moved_grace_end,
    next_deadline,
    read_clock,
    read_hours,
    remind_at,
    run_at,
)
from judge.sentences import in_words

BERLIN = "Europe/Berlin"


def local(text: str, zone: str = BERLIN, fold: int = 0) -> datetime:
    """An instant in UTC from a local wall time such as `2026-06-01 20:00`."""
    wall = datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold)
    return wall.astimezone(UTC)


def pace(
    clock: int | None = None,
    next: float = 24,
    min: float = 0,
    delay: float = 0.5,
    grace: float = 24,
    days: str = WEEK,
) -> Pace:
    return Pace(clock, next, min, delay, grace, days)


# 2026-06-01 is a Monday.


def test_next_counts_from_processing() -> None:
    assert next_deadline(pace(), local("2026-06-01 12:00"), None, BERLIN) == local(
        "2026-06-02 12:00"
    )


def test_a_deadline_is_a_full_minute_and_never_early() -> None:
    processed = local("2026-06-01 12:00:07.5")
    assert next_deadline(pace(), processed, None, BERLIN) == local("2026-06-02 12:01")


def test_a_game_that_runs_early_keeps_the_old_deadline_as_its_least() -> None:
    deadline = next_deadline(
        pace(next=24), local("2026-06-01 12:00"), local("2026-06-04 20:00"), BERLIN
    )
    assert deadline == local("2026-06-04 20:00")


def test_clock_moves_on_to_the_time_of_day() -> None:
    deadline = next_deadline(pace(clock=20 * 60), local("2026-06-01 12:00"), None, BERLIN)
    assert deadline == local("2026-06-02 20:00")
    late = next_deadline(pace(clock=20 * 60), local("2026-06-01 20:01"), None, BERLIN)
    assert late == local("2026-06-03 20:00")
    sharp = next_deadline(pace(clock=20 * 60), local("2026-06-01 20:00"), None, BERLIN)
    assert sharp == local("2026-06-02 20:00")


@pytest.mark.parametrize(
    ("processed", "deadline"),
    [
        # Clocks go forward on Sunday 29 March 2026 and back on Sunday 25 October 2026.
        ("2026-03-28 12:00", "2026-03-29 20:00"),
        ("2026-10-24 12:00", "2026-10-25 20:00"),
    ],
)
def test_the_time_of_day_stays_when_clocks_change(processed: str, deadline: str) -> None:
    found = next_deadline(pace(clock=20 * 60), local(processed), None, BERLIN)
    assert found == local(deadline)
    assert found.astimezone(ZoneInfo(BERLIN)).strftime("%H:%M") == "20:00"


def test_a_time_of_day_that_is_left_out_falls_an_hour_later() -> None:
    found = next_deadline(pace(clock=150, next=1), local("2026-03-29 00:00"), None, BERLIN)
    assert found == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    assert found.astimezone(ZoneInfo(BERLIN)).strftime("%H:%M") == "03:30"


def test_of_a_time_of_day_that_comes_twice_the_first_counts() -> None:
    found = next_deadline(pace(clock=150, next=1), local("2026-10-25 00:00"), None, BERLIN)
    assert found == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    after = next_deadline(pace(clock=150, next=0), local("2026-10-25 02:31", fold=0), None, BERLIN)
    assert after == local("2026-10-26 02:30")


def test_next_counts_real_hours_over_a_change_of_clocks() -> None:
    found = next_deadline(pace(next=24), local("2026-03-28 12:00"), None, BERLIN)
    assert found == local("2026-03-29 13:00")


def test_a_forbidden_day_moves_on_to_midnight_of_the_next() -> None:
    # Friday noon + 24 h is Saturday; Saturday and Sunday are forbidden.
    found = next_deadline(pace(days="-MTWTF-"), local("2026-06-05 12:00"), None, BERLIN)
    assert found == local("2026-06-08 00:00")


def test_after_a_forbidden_day_the_clock_time_is_looked_for_again() -> None:
    found = next_deadline(
        pace(clock=20 * 60, days="-MTWTF-"), local("2026-06-05 12:00"), None, BERLIN
    )
    assert found == local("2026-06-08 20:00")


def test_a_small_letter_allows_the_afternoon_only() -> None:
    days = "-mTWTF-"
    found = next_deadline(pace(days=days), local("2026-06-05 12:00"), None, BERLIN)
    assert found == local("2026-06-08 12:00")
    afternoon = next_deadline(pace(days=days), local("2026-06-07 15:00"), None, BERLIN)
    assert afternoon == local("2026-06-08 15:00")


def test_a_clock_time_before_noon_passes_over_afternoon_days() -> None:
    found = next_deadline(
        pace(clock=10 * 60, days="-mTWTF-"), local("2026-06-05 12:00"), None, BERLIN
    )
    assert found == local("2026-06-09 10:00")


def test_the_day_of_the_week_is_that_of_the_zone() -> None:
    # 23:30 on Friday in New York is Saturday in UTC.
    found = next_deadline(
        CLASSIC["M"], datetime(2026, 6, 2, 17, tzinfo=UTC), None, "America/New_York"
    )
    assert found == local("2026-06-05 23:30", "America/New_York")


def test_the_first_hour_of_a_day_on_which_midnight_is_left_out() -> None:
    # In Santiago clocks go from 24:00 on Saturday 5 September 2026 to 01:00 on Sunday.
    found = next_deadline(
        pace(days="SMTWTF-", next=0),
        local("2026-09-05 12:00", "America/Santiago"),
        None,
        "America/Santiago",
    )
    assert found == datetime(2026, 9, 6, 4, tzinfo=UTC)


def test_an_absence_holds_the_deadline_to_its_end() -> None:
    away = Absence(local("2026-06-02 00:00"), local("2026-06-04 23:59"))
    found = next_deadline(pace(), local("2026-06-01 12:00"), None, BERLIN, [away])
    assert found == local("2026-06-04 23:59")


def test_after_an_absence_clock_days_and_other_absences_are_looked_at_again() -> None:
    absences = [
        Absence(local("2026-06-06 00:00"), local("2026-06-08 23:59")),
        Absence(local("2026-06-02 00:00"), local("2026-06-04 23:59")),
    ]
    found = next_deadline(
        pace(clock=20 * 60, days="-MTWT--"), local("2026-06-01 12:00"), None, BERLIN, absences
    )
    # Tuesday to Thursday away, Friday and the weekend forbidden, Monday away: Tuesday.
    assert found == local("2026-06-09 20:00")


def test_an_absence_that_ends_before_the_deadline_changes_nothing() -> None:
    away = Absence(local("2026-06-01 00:00"), local("2026-06-02 11:00"))
    found = next_deadline(pace(), local("2026-06-01 12:00"), None, BERLIN, [away])
    assert found == local("2026-06-02 12:00")


def test_the_first_phase_doubles_next_and_delay_where_there_is_press() -> None:
    first = CLASSIC["M"].first_phase(press=True)
    assert (first.next, first.delay) == (142, 1)
    assert (first.min, first.grace, first.clock) == (12, 167, 1410)
    assert CLASSIC["M"].first_phase(press=False) == CLASSIC["M"]


def test_the_classic_pace() -> None:
    assert CLASSIC["M"] == Pace(1410, 71, 12, 0.5, 167, "-MTWTF-")
    assert CLASSIC["R"] == CLASSIC["A"] == Pace(None, 23, 0, 0.5, 71, "-MTWTF-")


# Grace.


def test_grace_ends_on_an_allowed_day_unless_strict() -> None:
    deadline = local("2026-06-05 20:00")
    days = pace(grace=24, days="-MTWTF-")
    assert grace_end(days, deadline, None, BERLIN) == local("2026-06-08 00:00")
    assert grace_end(days, deadline, None, BERLIN, strict=True) == local("2026-06-06 20:00")


def test_grace_never_ends_before_the_old_end() -> None:
    old = local("2026-06-20 20:00")
    assert grace_end(pace(), local("2026-06-05 20:00"), old, BERLIN) == old


def test_a_later_deadline_drags_grace_along_and_an_earlier_one_does_not() -> None:
    deadline, grace = local("2026-06-05 20:00"), local("2026-06-07 20:00")
    assert moved_grace_end(deadline, grace, local("2026-06-06 20:00")) == local("2026-06-08 20:00")
    assert moved_grace_end(deadline, grace, local("2026-06-04 20:00")) == grace


def test_grace_may_not_precede_the_deadline() -> None:
    deadline = local("2026-06-05 20:00")
    assert moved_grace_end(deadline, deadline - timedelta(hours=1), deadline) == deadline


# Running.

OPENED = datetime(2026, 6, 1, 12, tzinfo=UTC)
DEADLINE = datetime(2026, 6, 4, 12, tzinfo=UTC)


def runs(
    complete: bool = True,
    waiting: bool = False,
    changed: datetime | None = None,
    forced_at: datetime | None = None,
    least: float = 12,
) -> datetime | None:
    return run_at(
        pace(min=least, delay=0.5),
        opened_at=OPENED,
        deadline=DEADLINE,
        complete=complete,
        waiting=waiting,
        last_change=changed,
        forced_at=forced_at,
    )


def hours(count: float) -> datetime:
    return OPENED + timedelta(hours=count)


def test_complete_orders_run_after_the_delay() -> None:
    assert runs(changed=hours(20)) == hours(20.5)


def test_a_change_within_the_delay_restarts_it() -> None:
    assert runs(changed=hours(20.4)) == hours(20.9)


def test_no_phase_runs_before_min() -> None:
    assert runs(changed=hours(1)) == hours(12)
    assert runs(changed=None) == hours(12)


def test_the_delay_does_not_reach_past_the_deadline() -> None:
    assert runs(changed=DEADLINE - timedelta(minutes=10)) == DEADLINE


def test_min_counts_even_past_the_deadline() -> None:
    assert runs(changed=hours(1), least=100) == hours(100)
    assert runs(waiting=True, least=100) == hours(100)
    assert runs(complete=False, forced_at=DEADLINE, least=100) == hours(100)


def test_somebody_who_waits_holds_the_phase_to_the_deadline() -> None:
    assert runs(waiting=True, changed=hours(20)) == DEADLINE


def test_the_last_missing_set_runs_a_late_phase_without_delay() -> None:
    late = DEADLINE + timedelta(hours=5)
    assert runs(changed=late) == late


def test_missing_orders_wait_for_the_grace_end_or_for_ever() -> None:
    grace = DEADLINE + timedelta(days=2)
    assert runs(complete=False, forced_at=grace) == grace
    assert runs(complete=False, forced_at=DEADLINE) == DEADLINE
    assert runs(complete=False, forced_at=None) is None


def test_a_wait_means_nothing_while_orders_are_missing() -> None:
    assert runs(complete=False, waiting=True, forced_at=DEADLINE) == DEADLINE


def test_the_reminder_comes_well_before_the_deadline_or_not_at_all() -> None:
    assert remind_at(DEADLINE, OPENED) == DEADLINE - timedelta(hours=8)
    assert remind_at(DEADLINE, OPENED, before=24) == DEADLINE - timedelta(hours=24)
    assert remind_at(OPENED + timedelta(hours=8), OPENED) is None
    assert remind_at(OPENED + timedelta(hours=9), OPENED) == OPENED + timedelta(hours=1)


# What a pace refuses.


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"clock": 1440}, "CLOCK"),
        ({"clock": -1}, "CLOCK"),
        ({"next": -1}, "NEXT"),
        ({"grace": 24 * 400}, "GRACE"),
        ({"delay": float("nan")}, "DELAY"),
        ({"days": "MTWTF--"}, "seven letters"),
        ({"days": "-MTWTF"}, "seven letters"),
        ({"days": "-------"}, "at least one day"),
        ({"clock": 600, "days": "-mtwtf-"}, "before noon"),
    ],
)
def test_a_pace_that_cannot_be_is_refused(values: dict[str, object], said: str) -> None:
    with pytest.raises(TimeError) as refusal:
        pace(**values)  # type: ignore[arg-type]
    assert said in in_words(refusal.value.problem)


# Reading and writing.


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("71", 71),
        ("0.5", 0.5),
        (".5", 0.5),
        ("3D", 72),
        ("48H", 48),
        ("90M", 1.5),
        ("2W", 336),
        ("2 w", 336),
        ("1d12h", 36),
        ("1d 12h 30m", 36.5),
        ("3 days", 72),
        ("1 day", 24),
        ("45 min", 0.75),
        ("2 hrs", 2),
        ("0", 0),
    ],
)
def test_hours_are_read_in_every_form(text: str, expected: float) -> None:
    assert read_hours(text) == pytest.approx(expected)


@pytest.mark.parametrize("text", ["", "soon", "3x", "3D 5", "-3", "D3", "3 months", "1e5", "nan"])
def test_what_is_no_length_of_time_is_refused_and_quoted(text: str) -> None:
    with pytest.raises(TimeError) as refusal:
        read_hours(text)
    assert refusal.value.problem == TimeProblem(TimeFault.NO_LENGTH, text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("20:00", 1200),
        ("20.30", 1230),
        ("8pm", 1200),
        ("8:30 PM", 1230),
        ("12am", 0),
        ("12pm", 720),
        ("0:05", 5),
        ("1410", 1410),
        ("0", 0),
        ("-1", None),
        ("none", None),
    ],
)
def test_a_time_of_day_is_read_in_every_form(text: str, expected: int | None) -> None:
    assert read_clock(text) == expected


@pytest.mark.parametrize("text", ["", "24:00", "20:60", "1440", "0800", "13pm", "0pm", "noonish"])
def test_what_is_no_time_of_day_is_refused_and_quoted(text: str) -> None:
    with pytest.raises(TimeError) as refusal:
        read_clock(text)
    assert refusal.value.problem == TimeProblem(TimeFault.NO_CLOCK, text)


def test_lengths_and_times_in_words() -> None:
    assert hours_in_words(71) == "2 days 23 hours"
    assert hours_in_words(0.5) == "30 minutes"
    assert hours_in_words(24) == "1 day"
    assert hours_in_words(0) == "no time"
    assert clock_in_words(1410) == "23:30"
    assert clock_in_words(5) == "00:05"
    assert clock_in_words(None) == "any time"


# Properties.

ZONES = st.sampled_from(
    ["UTC", BERLIN, "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu",
     "America/Santiago", "Africa/Cairo", "Pacific/Apia", "Pacific/Kiritimati"]
)  # fmt: skip
INSTANTS = st.datetimes(datetime(2009, 1, 1), datetime(2035, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001 - hypothesis adds the zone
DAYS = st.tuples(*(st.sampled_from((letter, letter.lower(), "-")) for letter in WEEK)).map("".join)


@st.composite
def paces(draw: st.DrawFn) -> Pace:
    days = draw(DAYS.filter(lambda text: text != "-------"))
    clocks = st.none() | st.integers(
        720 if not any(letter.isupper() for letter in days) else 0, 1439
    )
    return Pace(
        clock=draw(clocks),
        next=draw(st.floats(0, 500)),
        min=draw(st.floats(0, 48)),
        delay=draw(st.floats(0, 48)),
        grace=draw(st.floats(0, 500)),
        days=days,
    )


@st.composite
def absence_lists(draw: st.DrawFn, around: datetime) -> list[Absence]:
    spans = draw(st.lists(st.tuples(st.integers(-300, 1000), st.integers(0, 600)), max_size=4))
    return [
        Absence(around + timedelta(hours=start), around + timedelta(hours=start + length))
        for start, length in spans
    ]


def allowed(instant: datetime, days: str, zone: str) -> bool:
    here = instant.astimezone(ZoneInfo(zone))
    letter = days[(here.weekday() + 1) % 7]
    return letter != "-" and (letter.isupper() or here.hour >= 12)


@given(st.data(), paces(), INSTANTS, st.none() | INSTANTS, ZONES)
def test_a_deadline_keeps_every_promise(
    data: st.DataObject, chosen: Pace, processed: datetime, old: datetime | None, zone: str
) -> None:
    absences = data.draw(absence_lists(processed))
    found = next_deadline(chosen, processed, old, zone, absences)
    assert found.tzinfo is UTC
    assert found >= processed + timedelta(hours=chosen.next)
    assert old is None or found >= old
    assert found.second == found.microsecond == 0
    assert allowed(found, chosen.days, zone)
    assert not any(away.start <= found < away.end for away in absences)
    if chosen.clock is not None:
        here = found.astimezone(ZoneInfo(zone))
        shown = here.hour * 60 + here.minute
        # Up to an hour later on the day on which clocks leave that time out.
        assert 0 <= (shown - chosen.clock) % 1440 <= 60
    # Stable: from there on the same rules change nothing.
    again = next_deadline(Pace(chosen.clock, 0, 0, 0, 0, chosen.days), found, found, zone, absences)
    assert again == found


@given(paces(), INSTANTS, st.none() | INSTANTS, ZONES)
def test_grace_ends_after_the_deadline_on_an_allowed_day(
    chosen: Pace, deadline: datetime, old: datetime | None, zone: str
) -> None:
    end = grace_end(chosen, deadline, old, zone)
    assert end >= deadline + timedelta(hours=chosen.grace)
    assert (old is not None and end == old) or allowed(end, chosen.days, zone)
    assert grace_end(chosen, deadline, old, zone, strict=True) <= end


@given(
    paces(), INSTANTS, st.floats(0, 500), st.booleans(), st.booleans(), st.floats(0, 1000),
    st.booleans(),
)  # fmt: skip
def test_a_phase_runs_never_before_min_and_if_complete_at_the_deadline_at_latest(
    chosen: Pace,
    opened: datetime,
    length: float,
    complete: bool,
    waiting: bool,
    change: float,
    forced: bool,
) -> None:
    deadline = opened + timedelta(hours=length)
    changed = opened + timedelta(hours=change)
    found = run_at(
        chosen,
        opened_at=opened,
        deadline=deadline,
        complete=complete,
        waiting=waiting,
        last_change=changed,
        forced_at=deadline if forced else None,
    )
    earliest = opened + timedelta(hours=chosen.min)
    if found is None:
        assert not complete
        assert not forced
        return
    assert found >= earliest
    if complete:
        assert found <= max(deadline, earliest, changed)
    else:
        assert found >= deadline


@given(st.floats(0, 10_000).map(lambda value: round(value, 2)))
def test_hours_written_in_words_are_read_back(count: float) -> None:
    words = hours_in_words(count)
    if words != "no time":
        assert read_hours(words) == pytest.approx(count, abs=1 / 60)


@given(st.integers(0, 1439))
def test_times_of_day_are_read_back(minutes: int) -> None:
    assert read_clock(clock_in_words(minutes)) == minutes


def test_grace_does_not_end_on_a_closed_day_unless_strict() -> None:
    closed = [Absence(local("2026-06-08 00:00"), local("2026-06-09 00:00"))]
    days = pace(grace=24, days="-MTWTF-")
    deadline = local("2026-06-05 20:00")
    assert grace_end(days, deadline, None, BERLIN, closed=closed) == local("2026-06-09 00:00")
    strict = grace_end(days, deadline, None, BERLIN, strict=True, closed=closed)
    assert strict == local("2026-06-06 20:00")


def test_a_start_date_holds_a_phase_as_min_does() -> None:
    complete = run_at(
        pace(),
        opened_at=OPENED,
        deadline=DEADLINE,
        complete=True,
        waiting=False,
        last_change=OPENED,
        forced_at=None,
        not_before=hours(40),
    )
    assert complete == hours(40)


def test_a_phase_is_not_forced_before_its_deadline() -> None:
    opened = datetime(2026, 6, 1, 12, tzinfo=UTC)
    deadline = opened + timedelta(days=2)
    early = run_at(
        CLASSIC["M"], opened_at=opened, deadline=deadline, complete=False, waiting=False,
        last_change=None, forced_at=deadline - timedelta(hours=1),
    )  # fmt: skip
    assert early == deadline


def test_a_time_that_summer_time_moves_to_the_next_day_is_found() -> None:
    # In Nuuk 23:00 to 24:00 was left out on 30 March 2024.
    after = datetime(2024, 3, 31, 1, 10, tzinfo=UTC)
    found = allowed_from(after, WEEK, "America/Nuuk", clock=23 * 60 + 30)
    assert found == datetime(2024, 3, 31, 1, 30, tzinfo=UTC)
