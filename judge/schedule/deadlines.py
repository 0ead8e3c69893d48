"""Deadlines: pure functions of a game's pace, its phase and the calendar.

The rules are those the classic mail judges fixed: CLOCK, NEXT, MIN, DELAY, GRACE and DAYS for each
type of phase. All instants are aware datetimes in UTC; a zone is the name of an IANA time zone, in
which times of day and days of the week are read, so that 20:00 stays 20:00 when clocks change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

WEEK = "SMTWTFS"
NOON = 12 * 60
LAST_MINUTE = 24 * 60 - 1

Number: TypeAlias = int | float
"""A number that is shown and stored as it was given: 8 is no 8.0."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast one type of phase goes.

    `clock` is the time of day of deadlines in minutes after midnight, None for any time. `next` is
    the hours from processing to the deadline, `min` the least hours between two phases, `delay`
    the hours between the last needed order and processing, `grace` the hours from the deadline to
    its consequences. `days` are seven letters from Sunday: a capital allows the day, a small
    letter allows it from noon on, `-` forbids it.

    Raises:
        TimeError: A value is out of range, or no deadline could ever fall on an allowed day.
    """

    clock: int | None
    next: Number
    min: Number
    delay: Number
    grace: Number
    days: str = WEEK

    def __post_init__(self) -> None:
        if self.clock is not None and not 0 <= self.clock <= LAST_MINUTE:
            raise TimeError(TimeFault.CLOCK_RANGE, count=self.clock)
        for name in ("next", "min", "delay", "grace"):
            if not 0 <= getattr(self, name) <= 24 * 366:
                raise TimeError(TimeFault.HOURS_RANGE, name.upper())
        if len(self.days) != len(WEEK) or not all(
            day in ("-", letter, letter.lower())
            for day, letter in zip(self.days, WEEK, strict=True)
        ):
            raise TimeError(TimeFault.DAYS_LETTERS, self.days)
        letters = self.days.replace("-", "")
        if not letters:
            raise TimeError(TimeFault.NO_DAYS)
        if self.clock is not None and self.clock < NOON and letters.islower():
            raise TimeError(TimeFault.AFTERNOONS_ONLY)

    def first_phase(self, press: bool) -> Pace:
        """Return pace of a game's first phase: NEXT and DELAY double, unless there is no press."""
        return replace(self, next=2 * self.next, delay=2 * self.delay) if press else self


CLASSIC: Mapping[str, Pace] = MappingProxyType(
    {
        "M": Pace(clock=1410, next=71, min=12, delay=0.5, grace=167, days="-MTWTF-"),
        "R": Pace(clock=None, next=23, min=0, delay=0.5, grace=71, days="-MTWTF-"),
        "A": Pace(clock=None, next=23, min=0, delay=0.5, grace=71, days="-MTWTF-"),
    }
)
"""The pace of the classic judges, by the letter of the phase."""


class Absence(NamedTuple):
    """A time in which no deadline may fall; both ends are instants in UTC."""

    start: datetime
    end: datetime


def next_deadline(
    pace: Pace,
    processed_at: datetime,
    old_deadline: datetime | None,
    zone: str,
    absences: Iterable[Absence] = (),
) -> datetime:
    """Return the deadline of the phase that opens when another has run at `processed_at`.

    `old_deadline` is that of the phase that has run, None before the first. `absences` are those
    of the people who will owe orders. The result is a full minute, not earlier than
    `processed_at` + NEXT and `old_deadline`, at a CLOCK time, on an allowed day, in no absence.
    """
    deadline = processed_at + timedelta(hours=pace.next)
    if old_deadline is not None:
        deadline = max(deadline, old_deadline)
    return allowed_from(full_minute(deadline), pace.days, zone, absences, pace.clock)


def _past(instant: datetime, away: Iterable[Absence]) -> datetime:
    """Return instant, moved to the end of every absence (in order of beginning) that holds it."""
    for absence in away:
        if absence.start <= instant < absence.end:
            instant = full_minute(absence.end)
    return instant


def grace_end(
    pace: Pace,
    deadline: datetime,
    old_grace_end: datetime | None,
    zone: str,
    strict: bool = False,
    closed: Iterable[Absence] = (),
) -> datetime:
    """Return when missing orders have their consequences: `deadline` + GRACE.

    It is moved to an allowed day that is not `closed` (a public holiday) unless `strict`, and
    never lies before `old_grace_end`.
    """
    end = full_minute(deadline + timedelta(hours=pace.grace))
    if not strict:
        end = allowed_from(end, pace.days, zone, closed)
    return end if old_grace_end is None else max(end, old_grace_end)


def allowed_from(
    instant: datetime,
    days: str,
    zone: str,
    closed: Iterable[Absence] = (),
    clock: int | None = None,
) -> datetime:
    """Return the first instant from `instant` on that `days` allow and that is in no time of
    `closed`; at the time of day `clock`, if there is one."""
    away = sorted(closed)
    before = None
    while instant != before:
        before = instant
        instant = _to_allowed_day(_to_clock(instant, clock, zone), days, zone)
        instant = _past(instant, away)
    return instant


def moved_grace_end(deadline: datetime, grace: datetime, new_deadline: datetime) -> datetime:
    """Return the grace end after somebody set a new deadline: a later one drags it along."""
    later = max(timedelta(0), new_deadline - deadline)
    return max(grace + later, new_deadline)


def run_at(
    pace: Pace,
    *,
    opened_at: datetime,
    deadline: datetime,
    complete: bool,
    waiting: bool,
    last_change: datetime | None,
    forced_at: datetime | None,
    not_before: datetime | None = None,
) -> datetime | None:
    """Return when the phase that opened at `opened_at` runs, as things stand; None: not until they
    change.

    `complete`: every power that owes orders has a valid set; `waiting`: somebody asked to wait for
    the deadline; `last_change`: when orders or waits last changed in this phase. `forced_at` is
    when the phase runs without the missing orders: the deadline or the grace end; None: never.
    `not_before` is when it may run at the earliest, if MIN alone does not say so.
    """
    earliest = max(opened_at + timedelta(hours=pace.min), not_before or opened_at)
    if not complete:
        return None if forced_at is None else max(forced_at, deadline, earliest)
    if waiting:
        return max(deadline, earliest)
    changed = opened_at if last_change is None else last_change
    # Who was waited for has thought long enough: past the deadline there is no DELAY.
    settled = min(changed + timedelta(hours=pace.delay), max(deadline, changed))
    return max(settled, earliest)


def remind_at(deadline: datetime, opened_at: datetime, before: float = 8) -> datetime | None:
    """Return when to remind those who owe orders: `before` hours ahead of the deadline.

    None when the phase opened later than that: the letter that opened it was reminder enough.
    """
    moment = deadline - timedelta(hours=before)
    return moment if moment > opened_at else None


def full_minute(instant: datetime) -> datetime:
    """Round up, so that the minute a letter names is the deadline itself."""
    floor = instant.astimezone(UTC).replace(second=0, microsecond=0)
    return floor if floor == instant else floor + timedelta(minutes=1)


def at_local(day: date, minutes: int, zone: ZoneInfo) -> datetime:
    """Return the instant of a local time of day, `minutes` after midnight.

    A time that the change to summer time leaves out is read in the offset before it (02:30 is
    then 03:30); of a time that comes twice it is the first.
    """
    wall = datetime.combine(day, time(minutes // 60, minutes % 60), tzinfo=zone)
    return wall.astimezone(UTC)


def _to_clock(instant: datetime, clock: int | None, zone: str) -> datetime:
    if clock is None:
        return instant
    place = ZoneInfo(zone)
    # A time left out on its own day may come out on the day after, so look from the day before.
    day = instant.astimezone(place).date() - timedelta(days=1)
    while (moment := at_local(day, clock, place)) < instant:
        day += timedelta(days=1)
    return moment


def _to_allowed_day(instant: datetime, days: str, zone: str) -> datetime:
    place = ZoneInfo(zone)
    while True:
        local = instant.astimezone(place)
        letter = days[local.isoweekday() % 7]
        if letter == "-":
            instant = at_local(local.date() + timedelta(days=1), 0, place)
        elif letter.islower() and local.hour < 12:
            instant = at_local(local.date(), NOON, place)
        else:
            return instant


_UNITS = {"w": 168.0, "d": 24.0, "h": 1.0, "m": 1 / 60}
_DURATION = re.compile(
    r"(\d+(?:\.\d+)?|\.\d+)\s*(weeks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|m|)(?![a-z])\s*"
)


def read_hours(text: str) -> float:
    """Return hours that `text` names: `71`, `0.5`, `3D`, `48H`, `90M`, `2W`, `1d 12h`, `3 days`.

    Raises:
        TimeError: It is none of these.
    """
    rest = text.strip().lower()
    hours, place = 0.0, 0
    while place < len(rest) and (found := _DURATION.match(rest, place)):
        # A bare number is hours, and only when it is all there is.
        if not found[2] and found[0] != rest:
            break
        hours += float(found[1]) * _UNITS[found[2][:1] or "h"]
        place = found.end()
    if not rest or place < len(rest):
        raise TimeError(TimeFault.NO_LENGTH, text)
    return hours


_TIME = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm)?\Z")


def read_clock(text: str) -> int | None:
    """Return time of day that `text` names, in minutes after midnight; None for `-1` and `none`.

    Read are `20:00`, `8pm`, `8:30 pm`, and the classic minutes after midnight, `1410`.
    Raises:
        TimeError: It is none of these.
    """
    word = text.strip().lower()
    if word in ("-1", "none", "no"):
        return None
    # 0800 is refused: it would be eight o'clock to one reader and 13:20 to another.
    if word.isdecimal() and word == str(int(word)) and int(word) < 24 * 60:
        return int(word)
    found = _TIME.match(word)
    minutes = time_of_day(*found.groups()) if found and (found[2] or found[3]) else None
    if minutes is not None:
        return minutes
    raise TimeError(TimeFault.NO_CLOCK, text)


def time_of_day(hours: str, minutes: str | None, half: str | None) -> int | None:
    """Return the minutes after midnight of a time as it is written, `half` being am or pm where
    there is one; None where no day has that time."""
    hour, minute = int(hours), int(minutes or 0)
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0) if 1 <= hour <= 12 else 24
    return hour * 60 + minute if hour < 24 and minute < 60 else None


def clock_in_words(clock: int | None) -> str:
    """Return a time of day for letters: "20:00", or "any time"."""
    return "any time" if clock is None else f"{clock // 60:02}:{clock % 60:02}"


# -- why a date, a time or a length of time could not be read -------------------------------------

# `judge.sentences.problem_words` words them.


class TimeFault(Enum):
    """The kinds of problems; behind each stands which pieces it has, besides the text."""

    # of values
    CLOCK_RANGE = "clock_range"  # count: minutes after midnight
    HOURS_RANGE = "hours_range"  # text: the setting
    DAYS_LETTERS = "days_letters"
    NO_DAYS = "no_days"
    AFTERNOONS_ONLY = "afternoons_only"
    NO_LENGTH = "no_length"
    NO_CLOCK = "no_clock"
    NO_ZONE = "no_zone"  # choices: zones spelled alike
    WHICH_ZONE = "which_zone"  # choices: what the letters may mean
    NO_HOLIDAYS = "no_holidays"  # country, choices: its parts, if only the part is unknown
    NO_HOLIDAY_CALENDARS = "no_holiday_calendars"  # text: the extra to install
    NO_PACE = "no_pace"  # rest
    # of dates
    NO_DATE = "no_date"  # rest: what of it is not understood
    MONTH_ONLY = "month_only"
    MIDNIGHT = "midnight"
    NO_SUCH_DAY = "no_such_day"
    WRONG_WEEKDAY = "wrong_weekday"  # when
    AMBIGUOUS = "ambiguous"  # choices: each written so that it reads one way only
    PAST = "past"  # when
    TOO_FAR = "too_far"  # when; count: days; choices: the same with the year written
    NOT_AHEAD = "not_ahead"  # count: days
    ENDS_EARLY = "ends_early"


@dataclass(frozen=True, slots=True)
class TimeProblem:
    """Why a text is no time: its kind, and the pieces that kind has.

    Attributes:
        text: What was written.
        rest: The words of it that are not understood.
        choices: What may have been meant.
        when: The instant it names, in the zone it was read in.
    """

    fault: TimeFault
    text: str = ""
    rest: str = ""
    choices: tuple[str, ...] = ()
    when: datetime | None = None
    count: int = 0
    country: str = ""


class TimeError(ValueError):
    """A text that names no time, or none that can be used; `problem` says why."""

    def __init__(self, fault: TimeFault, text: str = "", **facts: Any) -> None:
        """`facts` are what else the problem says, besides the text."""
        self.problem = TimeProblem(fault, text.strip(), **facts)
        super().__init__(self.problem)
