"""Dates as people write them, in the writer's zone; what reads two ways is never guessed."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.schedule import holidays
from judge.schedule.dates import FARTHEST, read_date, read_span
from judge.schedule.deadlines import TimeError, TimeFault
from judge.schedule.holidays import closed, read_country
from judge.sentences import in_words

BERLIN = "Europe/Berlin"
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
"""A Monday, 14:00 in Berlin."""


def wall(instant: datetime, zone: str = BERLIN) -> str:
    return instant.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Those of the command language first.
        ("Fri 20:00", "2026-06-05 20:00"),
        ("15 Jun", "2026-06-15 20:00"),
        ("Jun 15, 2026 23:30", "2026-06-15 23:30"),
        ("2026-06-15", "2026-06-15 20:00"),
        ("2026-06-15 8:05", "2026-06-15 08:05"),
        ("2026-06-15T08:05", "2026-06-15 08:05"),
        ("Fri", "2026-06-05 20:00"),
        ("Mon", "2026-06-08 20:00"),
        ("next Friday at 8pm.", "2026-06-05 20:00"),
        ("20:00 fri", "2026-06-05 20:00"),
        ("Fri 5 Jun", "2026-06-05 20:00"),
        ("today", "2026-06-01 20:00"),
        ("tomorrow 8 pm", "2026-06-02 20:00"),
        ("20:00", "2026-06-01 20:00"),
        ("10:00", "2026-06-02 10:00"),
        ("in 3 days", "2026-06-04 14:00"),
        ("+48H", "2026-06-03 14:00"),
        ("15/06", "2026-06-15 20:00"),
        ("6/15/2026 8pm", "2026-06-15 20:00"),
        ("06/06", "2026-06-06 20:00"),
        ("15.6.", "2026-06-15 20:00"),
        ("15.06.2026 20.30", "2026-06-15 20:30"),
        ("the 15th at noon", "2026-06-15 12:00"),
        ("15-Jun-2026", "2026-06-15 20:00"),
        ("Freitag 20 Uhr", "2026-06-05 20:00"),
        ("le 15 juin 20h30", "2026-06-15 20:30"),
        ("Fri 20:00 New York", "2026-06-06 02:00"),
        ("24 Dec 2026", "2026-12-24 20:00"),
        ("28 Sep", "2026-09-28 20:00"),
    ],
)
def test_a_date_is_read_as_people_write_it(text: str, expected: str) -> None:
    assert wall(read_date(text, NOW, BERLIN, 1200)) == expected


def test_without_a_time_it_is_half_past_eleven_where_the_game_has_none() -> None:
    assert wall(read_date("Fri", NOW, BERLIN)) == "2026-06-05 23:30"


def test_the_zone_is_the_writers() -> None:
    assert wall(read_date("Fri 20:00", NOW, "Asia/Tokyo"), "Asia/Tokyo") == "2026-06-05 20:00"
    # In Kiritimati it is Tuesday already.
    assert wall(read_date("today 23:00", NOW, "Pacific/Kiritimati"), "Pacific/Kiritimati") == (
        "2026-06-02 23:00"
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is no date"),
        ("soon", "'soon' is no date"),
        ("1410", "is no date"),
        ("Jun", "a month without a day"),
        ("31 Feb", "there is no such day"),
        ("29 Feb 2027", "there is no such day"),
        ("Fri 6 Jun", "6 Jun 2026 is a Saturday"),
        ("2020-01-01", "is past: it is 1 Jan 2020"),
        ("today 13:00", "is past"),
        ("31 May", "31 May 2027, 20:00, more than 120 days ahead"),
        ("30 Sep", "write the year"),
        ("midnight", "write 00:00 or 23:59"),
        ("Fri 20:00 Atlantis", "'atlantis' is not understood"),
        ("Fri 20:00 21:00", "'21:00' is not understood"),
        ("Fri 2000", "'2000' is not understood"),
        ("in a while", "'a while' is not understood"),
        ("in 200 days", "120 days ahead"),
    ],
)
def test_what_is_no_date_or_past_or_a_far_guess_is_refused(text: str, problem: str) -> None:
    with pytest.raises(TimeError) as refusal:
        read_date(text, NOW, BERLIN, 1200)
    assert problem in in_words(refusal.value.problem)


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("03/07", ("3 Jul", "7 Mar")),
        ("3/7/26 20:00", ("3 Jul 2026 20:00", "7 Mar 2026 20:00")),
        ("07-03", ("7 Mar", "3 Jul")),
    ],
)
def test_what_reads_two_ways_is_asked_with_both(text: str, choices: tuple[str, ...]) -> None:
    with pytest.raises(TimeError) as asked:
        read_date(text, NOW, BERLIN, 1200)
    assert asked.value.problem.fault is TimeFault.AMBIGUOUS
    assert asked.value.problem.choices == choices
    with pytest.raises(TimeError):
        read_date("7 Mar", NOW, BERLIN, 1200)
    assert wall(read_date("3 Jul", NOW, BERLIN, 1200)) == "2026-07-03 20:00"


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("24 Jun to 2 Jul", "2026-06-24 00:00", "2026-07-02 23:59"),
        ("from 24 Jun until 2 Jul", "2026-06-24 00:00", "2026-07-02 23:59"),
        ("24-27 Jun", "2026-06-24 00:00", "2026-06-27 23:59"),
        ("24 to 27 Jun", "2026-06-24 00:00", "2026-06-27 23:59"),
        ("Fri", "2026-06-05 00:00", "2026-06-05 23:59"),
        ("Fri - Sun", "2026-06-05 00:00", "2026-06-07 23:59"),
        ("today to Fri", "2026-06-01 00:00", "2026-06-05 23:59"),
        ("24 Jun 18:00 to 26 Jun 12:00", "2026-06-24 18:00", "2026-06-26 12:00"),
        ("2026-12-24 - 2027-01-02", "2026-12-24 00:00", "2027-01-02 23:59"),
        ("24.6. bis 2.7.", "2026-06-24 00:00", "2026-07-02 23:59"),
        ("24.6.-2.7.", "2026-06-24 00:00", "2026-07-02 23:59"),
        ("Jun 24-28", "2026-06-24 00:00", "2026-06-28 23:59"),
    ],
)
def test_a_stretch_of_time(text: str, start: str, end: str) -> None:
    found = read_span(text, NOW, BERLIN)
    assert (wall(found[0]), wall(found[1])) == (start, end)


def test_the_new_years_holidays_of_the_manual() -> None:
    december = datetime(2026, 12, 1, tzinfo=UTC)
    found = read_span("24 Dec to 2 Jan", december, BERLIN)
    assert (wall(found[0]), wall(found[1])) == ("2026-12-24 00:00", "2027-01-02 23:59")


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        # Begun, and running still.
        ("30 May to 5 Jun", "2026-05-30 00:00", "2026-06-05 23:59"),
        ("30 May 18:00 to 5 Jun", "2026-05-30 18:00", "2026-06-05 23:59"),
        ("30/5-5/6", "2026-05-30 00:00", "2026-06-05 23:59"),
        # One of two dates tells how the other is meant.
        ("24/6-28/6", "2026-06-24 00:00", "2026-06-28 23:59"),
        ("6/24-6/28", "2026-06-24 00:00", "2026-06-28 23:59"),
        ("24/6 - 3/7", "2026-06-24 00:00", "2026-07-03 23:59"),
        ("7/3-7/24", "2026-07-03 00:00", "2026-07-24 23:59"),
        ("24/06/2026-03/07/2026", "2026-06-24 00:00", "2026-07-03 23:59"),
        ("24.6-28.6", "2026-06-24 00:00", "2026-06-28 23:59"),
        ("2026-06-24-2026-06-28", "2026-06-24 00:00", "2026-06-28 23:59"),
    ],
)
def test_a_stretch_that_is_clear_is_read(text: str, start: str, end: str) -> None:
    assert tuple(map(wall, read_span(text, NOW, BERLIN))) == (start, end)


@pytest.mark.parametrize("text", ["30 May", "1 Jan to 20 May", "20 Jan to 5 Jun"])
def test_what_is_over_or_began_long_ago_is_no_stretch_that_runs(text: str) -> None:
    with pytest.raises(TimeError) as refusal:
        read_span(text, NOW, BERLIN)
    assert refusal.value.problem.fault is TimeFault.TOO_FAR


@pytest.mark.parametrize("text", ["5 Jun 2026 to 3 Jun 2026", "31 May 2026", "", "to Fri"])
def test_what_is_no_stretch_of_time_is_refused(text: str) -> None:
    with pytest.raises(TimeError):
        read_span(text, NOW, BERLIN)


@given(
    st.integers(0, 100_000),
    st.sampled_from(["UTC", BERLIN, "America/New_York", "Asia/Kathmandu", "Pacific/Apia"]),
    st.sampled_from(["%Y-%m-%d %H:%M", "%d %b %Y %H:%M", "%B %d, %Y %I:%M %p", "%d.%m.%Y %H:%M"]),
)
def test_a_date_in_full_is_read_back(minutes: int, zone: str, form: str) -> None:
    instant = NOW + timedelta(minutes=minutes + 1)
    written = instant.astimezone(ZoneInfo(zone)).strftime(form)
    found = read_date(written, NOW, zone)
    # Of an hour that comes twice it is the first.
    assert instant - found in (timedelta(0), timedelta(hours=1))


@given(st.text(max_size=30))
def test_any_text_is_a_date_ahead_or_refused(text: str) -> None:
    try:
        found = read_date(text, NOW, BERLIN)
    except ValueError:
        return
    assert found > NOW


@given(
    st.sampled_from(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]),
    st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001 - hypothesis adds the zone
)
def test_a_weekday_is_the_next_one_after_today(day: str, now: datetime) -> None:
    found = read_date(day, now, BERLIN).astimezone(ZoneInfo(BERLIN))
    today = now.astimezone(ZoneInfo(BERLIN)).date()
    assert found.strftime("%a") == day
    assert 1 <= (found.date() - today).days <= 7
    assert found - now < FARTHEST


@pytest.mark.parametrize(
    ("text", "code"), [("DE", "DE"), ("germany", "DE"), ("de-by", "DE-BY"), ("USA", "US")]
)
def test_a_country_is_read(text: str, code: str) -> None:
    assert read_country(text) == code


def test_what_is_no_country_is_refused_with_the_word_for_absences() -> None:
    with pytest.raises(TimeError) as refusal:
        read_country("24 Dec to 2 Jan")
    assert "SET ABSENCE" in in_words(refusal.value.problem)
    with pytest.raises(TimeError) as refusal:
        read_country("DE-XX")
    assert "the parts of DE are" in in_words(refusal.value.problem)


def test_without_the_extra_its_name_is_said(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "holidays", None)
    for each in (holidays._supported, holidays._days):
        each.cache_clear()
    try:
        with pytest.raises(TimeError) as refusal:
            read_country("DE")
        assert "pbem-judge[holidays]" in in_words(refusal.value.problem)
        assert list(closed("DE", BERLIN, NOW)) == []
        assert "pbem-judge[holidays]" in caplog.text
    finally:
        for each in (holidays._supported, holidays._days):
            each.cache_clear()


def test_public_holidays_are_whole_days_in_the_zone() -> None:
    days = {wall(each.start): wall(each.end) for each in closed("DE", BERLIN, NOW)}
    assert days["2026-12-25 00:00"] == "2026-12-26 00:00"
    assert "2027-01-01 00:00" in days


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("3/7", ("3 Jul", "7 Mar")),
        ("3/7 to 5/7", ("3 Jul to 5 Jul", "7 Mar to 7 May")),
        ("3/7 to 20 Jul", ("3 Jul to 20 Jul", "7 Mar to 20 Jul")),
        ("6/24 to 3/7", ("6/24 to 3 Jul", "6/24 to 7 Mar")),
    ],
)
def test_a_stretch_that_reads_two_ways_is_asked_whole(text: str, choices: tuple[str, ...]) -> None:
    with pytest.raises(TimeError) as asked:
        read_span(text, NOW, BERLIN)
    assert asked.value.problem.fault is TimeFault.AMBIGUOUS
    assert asked.value.problem.choices == choices


def test_the_afternoon_with_points() -> None:
    assert wall(read_date("Jun. 5th, 9 p.m.", NOW, BERLIN)) == "2026-06-05 21:00"
