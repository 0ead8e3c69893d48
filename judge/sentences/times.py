"""Why a time cannot be read or used, in the language that is spoken."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from judge.i18n import language, say
from judge.schedule.dates import SHORT_MONTHS
from judge.schedule.problems import TimeFault, TimeProblem

_PLAIN: Final = "every Mon and Thu 20:00 Paris; twice a week; weekdays at 9pm; every 2 days"


def time_problem_words(problem: TimeProblem) -> str:
    """Return a problem with a time as a clause: no capital at its beginning, no full stop."""
    return "; ".join(filter(None, _WORDS[problem.fault](problem)))


def _day(when: datetime | None) -> str:
    assert when is not None
    return f"{when.day} {SHORT_MONTHS[when.month]} {when.year}"


def _moment(when: datetime | None, *, zone: bool = False) -> str:
    assert when is not None
    place = f" ({when.tzinfo.key})" if zone and isinstance(when.tzinfo, ZoneInfo) else ""
    return f"{_day(when)}, {when:%H:%M}{place}"


def _weekday(when: datetime | None) -> str:
    assert when is not None
    if language() == "en":
        return f"{when:%A}"
    # English needs no library.
    from babel.dates import get_day_names

    return str(get_day_names("wide", locale=language())[when.weekday()])


def _no_zone(p: TimeProblem) -> tuple[str, ...]:
    write = say("write a city such as Europe/Paris, or UTC+2")
    if p.choices:
        near = ", ".join(p.choices)
        write = say("write a city such as Europe/Paris, or UTC+2 (near: {lines})", lines=near)
    return say("no time zone is called '{word}'", word=p.text), write


def _no_holidays(p: TimeProblem) -> tuple[str, ...]:
    unknown = say("no public holidays are known of '{word}'", word=p.text)
    if p.country and p.choices:
        parts = say(
            "the parts of {word} are {lines}. For days on which somebody is away: SET ABSENCE",
            word=p.country,
            lines=", ".join(p.choices),
        )
        write = say("write a country or its code, such as Germany, US or DE-BY")
        return unknown, write, parts
    write = say(
        "write a country or its code, such as Germany, US or DE-BY. For days on which somebody is"
        " away: SET ABSENCE"
    )
    return unknown, write


def _no_pace(p: TimeProblem) -> tuple[str, ...]:
    takes = say(
        "it takes CLOCK, MIN, NEXT, GRACE, DELAY or DAYS, each with a value, or plain words such"
        " as: {word}",
        word=_PLAIN,
    )
    if not p.text:
        return (takes,)
    if p.rest:
        neither = say(
            "'{word}' is neither ('{word2}' is not understood)", word=p.text, word2=p.rest
        )
        return takes, neither
    return takes, say("'{word}' is neither", word=p.text)


def _no_date(p: TimeProblem) -> tuple[str, ...]:
    words = say("'{word}' is no date", word=p.text)
    if p.rest:
        words = say("'{word}' is no date ('{word2}' is not understood)", word=p.text, word2=p.rest)
    return words, say("write for example Fri 20:00, 15 Jun, or 2026-06-15 23:30")


_WORDS: Final[Mapping[TimeFault, Callable[[TimeProblem], tuple[str, ...]]]] = {
    TimeFault.CLOCK_RANGE: lambda p: (
        say("CLOCK is a time of day, 00:00 to 23:59, not {word} minutes", word=p.count),
    ),
    TimeFault.HOURS_RANGE: lambda p: (say("{word} is 0 hours to one year", word=p.text),),
    TimeFault.DAYS_LETTERS: lambda p: (
        say(
            "DAYS '{word}' are not seven letters from Sunday, such as -MTWTF-: each the day's"
            " letter, a small one for afternoons only, or - for never",
            word=p.text,
        ),
    ),
    TimeFault.NO_DAYS: lambda p: (say("DAYS must allow at least one day"),),
    TimeFault.AFTERNOONS_ONLY: lambda p: (
        say("DAYS allow afternoons only, but CLOCK is before noon"),
    ),
    TimeFault.NO_LENGTH: lambda p: (
        say("'{word}' is no length of time", word=p.text),
        say("write hours, or 90M, 48H, 3D or 2W"),
    ),
    TimeFault.NO_CLOCK: lambda p: (
        say("'{word}' is no time of day", word=p.text),
        say("write 20:00, minutes after midnight (1200), or none"),
    ),
    TimeFault.NO_ZONE: _no_zone,
    TimeFault.NO_HOLIDAYS: _no_holidays,
    TimeFault.NO_HOLIDAY_CALENDARS: lambda p: (
        say("this judge knows no public holidays"),
        say("its keeper can install {word}", word=p.text),
    ),
    TimeFault.NO_PACE: _no_pace,
    TimeFault.NO_DATE: _no_date,
    TimeFault.MONTH_ONLY: lambda p: (
        say("'{word}' names a month without a day", word=p.text),
        say("write for example 15 Jun"),
    ),
    TimeFault.MIDNIGHT: lambda p: (
        say("midnight is the end of one day and the beginning of the next"),
        say("write 00:00 or 23:59"),
    ),
    TimeFault.NO_SUCH_DAY: lambda p: (
        say("'{word}' is no date: there is no such day", word=p.text),
    ),
    TimeFault.WRONG_WEEKDAY: lambda p: (
        say(
            "'{word}' is no date: {time} is a {day}",
            word=p.text,
            time=_day(p.when),
            day=_weekday(p.when),
        ),
    ),
    TimeFault.AMBIGUOUS: lambda p: (
        say("'{word}' can be read two ways: {lines}", word=p.text, lines=" / ".join(p.choices)),
    ),
    TimeFault.PAST: lambda p: (
        say("'{word}' is past: it is {time}", word=p.text, time=_moment(p.when, zone=True)),
    ),
    TimeFault.TOO_FAR: lambda p: (
        say(
            "'{word}' would be {time}, more than {count} days ahead",
            word=p.text,
            time=_moment(p.when),
            count=p.count,
        ),
        say("if you mean that, write the year"),
    ),
    TimeFault.NOT_AHEAD: lambda p: (
        say("'{word}' is not between now and {count} days ahead", word=p.text, count=p.count),
    ),
    TimeFault.ENDS_EARLY: lambda p: (
        say("'{word}' ends before it begins, or is past", word=p.text),
    ),
}
