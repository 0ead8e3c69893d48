"""Dates and time zones as people write them, read in the writer's time zone.

A weekday is the next one after today, what is missing makes it the next occurrence, and what can
be read two ways is never guessed. All instants are aware datetimes in UTC.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from difflib import get_close_matches
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from judge.i18n import in_all_languages
from judge.schedule.deadlines import (
    TimeError,
    TimeFault,
    at_local,
    clock_in_words,
    read_hours,
    time_of_day,
)

FARTHEST = timedelta(days=120)
"""How far ahead a date may lie whose year was not written."""

LATEST = 23 * 60 + 30
"""The time of day where none is written and the game has none of its own: 23:30."""


def numbered(name: str, first: int = 0) -> dict[str, int]:
    """Return the words of a list about dates in all languages, each with the number of its line."""
    found: dict[str, int] = {}
    for lines in in_all_languages(name, "dates"):
        for number, line in enumerate(lines, first):
            found |= {word: found.get(word, number) for word in line.split()}
    return found


def _any(name: str) -> str:
    """Return a pattern for the words of a list."""
    return "|".join(map(re.escape, numbered(name)))


WEEKDAYS = numbered("weekdays")
_MONTHS = numbered("months", 1)
SHORT_MONTHS = (
    *("", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)
_NEAR = numbered("near")
_NOON, _MIDNIGHT = numbered("noon"), numbered("midnight")
_FILLERS = numbered("of_dates")

_TOKEN = re.compile(r"[^\s,]+")
_MOST_WORDS = 40
"""Words of a text that are looked at: a date has a dozen."""
_TIME = re.compile(r"(\d{1,2})(?:[:.h](\d{2})(?::00)?|h)?(am|pm)?\Z")
_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\Z")
_NUMBERS = re.compile(r"(\d{1,2})([-/.])(\d{1,2})(?:\2(\d{4}|\d{2}))?\.?\Z")
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th|er|\.)?\Z")
_GLUED = re.compile(r"(\d{1,2})[-.]?([^\W\d_]{3,})[-.]?(\d{4})?\Z|([^\W\d_]{3,})(\d{1,2})\Z")
_OF_HOURS = re.compile(rf"(?:{_any('of_hours')})\b")
_APART = re.compile(rf"(\d)\s+(am|pm|{_any('of_hours')})\b")
_FROM = re.compile(rf"^\s*(?:{_any('from')})\s+", re.IGNORECASE)
_IN = re.compile(r"(?:in\s+|\+\s*)(.+)\Z")


@dataclass
class _DateParts:
    """What was found in the text so far."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    near: int | None = None
    minutes: int | None = None
    swapped: tuple[int, int] | None = None
    rest: list[str] = field(default_factory=list)

    @property
    def has_date(self) -> bool:
        return self.day is not None or self.near is not None or self.weekday is not None


def read_date(
    text: str, now: datetime, zone: str, clock: int | None = None, earliest: datetime | None = None
) -> datetime:
    """Return the instant that `text` names: `Fri 20:00`, `15 Jun`, `Jun 15, 2026 23:30`,
    `2026-06-15`, `tomorrow 8pm`, `20:00`, `in 3 days`.

    It is read in `zone`, or in one named at its end (see `read_zone`). Where no time of day is
    written it is `clock`, minutes after midnight, or 23:30. What is not later than `earliest`, by
    default `now`, is past.

    Raises:
        TimeError: It is no date, reads two ways, is past, or is a guess more than 120 days ahead.
    """
    words = text.strip().strip(".!?").lower()
    if found := _IN.match(words):
        return _later(found[1], text, now)
    parts = _read(words, text)
    if parts.rest:
        zone = _zone(parts.rest, text)
    if not (parts.has_date or parts.minutes is not None):
        raise _unknown(text, "")
    if parts.year is not None and parts.day is None:
        # `Fri 2000` is eight o'clock to its writer, and no year.
        raise _unknown(text, str(parts.year))
    if parts.swapped is not None:
        raise TimeError(TimeFault.AMBIGUOUS, text, choices=tuple(_choices(parts)))
    return _resolve(parts, text, now, ZoneInfo(zone), clock, earliest or now)


def names_time(text: str) -> bool:
    """Return whether a date that can be read says a time of day."""
    words = text.strip().strip(".!?").lower()
    return _IN.match(words) is not None or _read(words, text).minutes is not None


def _later(length: str, text: str, now: datetime) -> datetime:
    try:
        hours = read_hours(length)
    except TimeError:
        raise _unknown(text, length) from None
    if not 0 < hours <= 24 * FARTHEST.days:
        raise TimeError(TimeFault.NOT_AHEAD, text, count=FARTHEST.days)
    return now + timedelta(hours=hours)


def _zone(words: list[str], text: str) -> str:
    try:
        return read_zone(" ".join(words).strip("()"))
    except TimeError:
        raise _unknown(text, " ".join(words)) from None


def _unknown(text: str, rest: str) -> TimeError:
    return TimeError(TimeFault.NO_DATE, text, rest=rest)


def _read(words: str, text: str) -> _DateParts:
    parts = _DateParts()
    words = re.sub(r"(?<=[\d\s])([ap])\.\s?m\b\.?", r"\1m", words)
    words = _APART.sub(r"\1\2", words).replace("t00:", " 00:")
    words = re.sub(r"(\d{4}-\d{1,2}-\d{1,2})t(\d)", r"\1 \2", words)
    tokens = [token.strip("()") for token in _TOKEN.findall(words)]
    parts.rest += tokens[_MOST_WORDS:]
    for place, token in enumerate(tokens[:_MOST_WORDS]):
        following = tokens[place + 1] if place + 1 < len(tokens) else ""
        if not _take(parts, token, following):
            parts.rest.append(token)
    if parts.month is not None and parts.day is None:
        raise TimeError(TimeFault.MONTH_ONLY, text)
    return parts


def _take(parts: _DateParts, token: str, following: str) -> bool:
    """Note what one word says; False where it says nothing about a date."""
    plain = token.rstrip(".")
    if plain in WEEKDAYS and parts.weekday is None:
        parts.weekday = WEEKDAYS[plain]
    elif plain in _MONTHS and parts.month is None:
        parts.month = _MONTHS[plain]
    elif plain in _NEAR:
        parts.near = _NEAR[plain]
        if plain == "tonight" and parts.minutes is None:
            parts.minutes = LATEST
    elif plain in _NOON:
        parts.minutes = 12 * 60
    elif plain in _MIDNIGHT:
        raise TimeError(TimeFault.MIDNIGHT)
    elif plain in _FILLERS:
        pass
    else:
        return _take_numbers(parts, token, following)
    return True


def _is_clock(found: re.Match[str], following: str) -> bool:
    """Return whether numbers are a time: 20.30 before an hour's word; else it is a German date."""
    dotted = found[2] == "." and _clock(found.string) is not None
    return dotted and _OF_HOURS.match(following) is not None


def _take_numbers(parts: _DateParts, token: str, following: str) -> bool:
    if found := _ISO.match(token):
        parts.year, parts.month, parts.day = (int(part) for part in found.groups())
        return True
    found = _NUMBERS.match(token)
    if found and not parts.has_date and not _is_clock(found, following):
        _take_date(parts, found)
        return True
    if (found := _GLUED.match(token)) and (found[2] or found[4]) in _MONTHS:
        parts.day, parts.month = int(found[1] or found[5]), _MONTHS[found[2] or found[4]]
        parts.year = int(found[3]) if found[3] else parts.year
        return True
    minutes = _clock(_OF_HOURS.sub("", token))
    if minutes is not None and (not token.isdecimal() or _OF_HOURS.fullmatch(following)):
        if parts.minutes is not None:
            return False
        parts.minutes = minutes
        return True
    if re.fullmatch(r"(?:19|20)\d\d", token) and parts.year is None:
        parts.year = int(token)
        return True
    if (found := _DAY.match(token)) and parts.day is None:
        parts.day = int(found[1])
        return True
    return False


def _take_date(parts: _DateParts, found: re.Match[str]) -> None:
    """Take a date of numbers only: `15.6.`, `15/06/2026`, `3/4`."""
    first, second = int(found[1]), int(found[3])
    if found[4]:
        parts.year = int(found[4]) + (2000 if len(found[4]) == 2 else 0)
    parts.day, parts.month = first, second
    # With points the day always comes first; else Americans write the month first.
    if found[2] == "." or first == second:
        return
    if first <= 12 and second <= 12:
        parts.swapped = (first, second)
    elif second > 12:
        parts.day, parts.month = second, first


def _clock(token: str) -> int | None:
    found = _TIME.match(token)
    return time_of_day(*found.groups()) if found else None


def _choices(parts: _DateParts) -> Iterator[str]:
    assert parts.swapped is not None
    first, second = parts.swapped
    for day, month in ((first, second), (second, first)):
        year = f" {parts.year}" if parts.year else ""
        clock = "" if parts.minutes is None else f" {clock_in_words(parts.minutes)}"
        yield f"{day} {SHORT_MONTHS[month]}{year}{clock}"


def _resolve(
    parts: _DateParts,
    text: str,
    now: datetime,
    zone: ZoneInfo,
    clock: int | None,
    earliest: datetime,
) -> datetime:
    minutes = parts.minutes
    if minutes is None:
        minutes = LATEST if clock is None else clock
    today = now.astimezone(zone).date()
    instant: datetime | None = None
    for day in _days(parts, text, today):
        instant = at_local(day, minutes, zone)
        # Only what was left out is made up for: a day that was named in full may be past.
        if instant > earliest or parts.year is not None or parts.near is not None:
            break
    assert instant is not None
    shown = instant.astimezone(zone)
    if instant <= earliest:
        raise TimeError(TimeFault.PAST, text, when=shown)
    if parts.year is None and instant - now > FARTHEST:
        choice = f"{shown.day} {SHORT_MONTHS[shown.month]} {shown.year}"
        if parts.minutes is not None:
            choice += f" {shown:%H:%M}"
        raise TimeError(TimeFault.TOO_FAR, text, choices=(choice,), when=shown, count=FARTHEST.days)
    return instant


def _days(parts: _DateParts, text: str, today: date) -> Iterator[date]:
    """Yield the days that can be meant, the nearest first."""
    if parts.near is not None:
        yield today + timedelta(days=parts.near)
    elif parts.day is not None:
        yield from _calendar(parts, text, today)
    elif parts.weekday is not None:
        yield today + timedelta(days=(parts.weekday - today.weekday() - 1) % 7 + 1)
    else:
        yield today
        yield today + timedelta(days=1)


def _calendar(parts: _DateParts, text: str, today: date) -> Iterator[date]:
    assert parts.day is not None
    # Month by month from this one on; nine years hold every 29 February.
    first = today.year * 12 + today.month - 1
    months: Iterable[int] = range(first, first + 12 * 9)
    if parts.year is not None:
        months = [parts.year * 12 + (parts.month or today.month) - 1]
    found = False
    for year, month in (divmod(count, 12) for count in months):
        try:
            day = date(year, month + 1, parts.day)
        except ValueError:
            continue
        if parts.month not in (None, month + 1):
            continue
        if parts.weekday not in (None, day.weekday()):
            raise TimeError(TimeFault.WRONG_WEEKDAY, text, when=datetime.combine(day, time(12)))
        if parts.year is not None or day >= today:
            found = True
            yield day
    if not found:
        raise TimeError(TimeFault.NO_SUCH_DAY, text)


_NUMBERED_SPAN = re.compile(
    r"^(\d{1,2}([./])\d{1,2}(?:\2(?:\d{4}|\d{2}))?\.?|\d{4}([-/.])\d{1,2}\3\d{1,2})\s*-\s*"
    r"(?=\d{1,2}\2|\d{4}\3)"
)
_BARE_DAY = re.compile(r"\d{1,2}(?:st|nd|rd|th|\.)?")
_SPAN = re.compile(rf"\s+(?:{_any('to')})\s+|\s*[–—]\s*|\s+-\s+|(?<=\.)-(?=\d)|\s*\.\.+\s*")


def read_span(text: str, now: datetime, zone: str) -> tuple[datetime, datetime]:
    """Return a stretch of time: `24 Dec to 2 Jan`, `Fri - Sun`, `24 Dec 18:00 to 26 Dec 12:00`,
    `Fri`.

    It begins at 00:00 and ends at 23:59 where no times are written, and lasts a day where there is
    no end; both ends are instants in UTC. Today counts, though it has begun.

    Raises:
        TimeError: As `read_date`, or it ends before it begins.
    """
    words = _FROM.sub("", text)
    # `24-27 Dec`, `24 to 27 Dec`: the month stands behind the last day.
    words = re.sub(r"^(\d{1,2})\.?\s*[-–—]\s*(?=\d{1,2}\.?\s*[^\W\d_]{3,})", r"\1 to ", words)
    # `Dec 24-28`, and before it.
    words = re.sub(
        r"^([^\W\d_]{3,}\.?\s+\d{1,2})\s*[-–—]\s*(\d{1,2})(?![\d/.:-])", r"\1 to \2", words
    )
    # `24/12-28/12`, `24.12-28.12.`
    words = _NUMBERED_SPAN.sub(r"\1 to ", words)
    pieces = _SPAN.split(words.strip(), maxsplit=1)
    if (alike := _alike(pieces)) != [" ".join(each.split()) for each in pieces]:
        with suppress(TimeError):
            return read_span(" to ".join(alike), now, zone)
    first = pieces[0]
    if len(pieces) == 2 and _BARE_DAY.fullmatch(first.strip()):
        first = _BARE_DAY.sub(first.strip(), pieces[1], count=1)
    place = ZoneInfo(zone)
    midnight = at_local(now.astimezone(place).date(), 0, place) - timedelta(microseconds=1)
    try:
        start = read_date(first, now, zone, 0, midnight)
    except TimeError as error:
        start = _unclear_start(error, text, pieces[1:], now, zone)
    if len(pieces) == 1:
        day = start.astimezone(place).date()
        return start, at_local(day, 24 * 60 - 1, place)
    try:
        end = read_date(pieces[1], max(start, now), zone, 1439)
    except TimeError as error:
        problem = error.problem
        if not problem.choices:
            raise
        choices = tuple(f"{first.strip()} to {choice}" for choice in problem.choices)
        said = text if problem.fault is TimeFault.AMBIGUOUS else problem.text
        raise TimeError(
            problem.fault, said, choices=choices, when=problem.when, count=problem.count
        ) from None
    if end <= max(start, now):
        raise TimeError(TimeFault.ENDS_EARLY, text)
    return start, end.astimezone(UTC)


def _unclear_start(
    error: TimeError, text: str, rest: Sequence[str], now: datetime, zone: str
) -> datetime:
    """Return when a stretch began that has begun already; else raise what is wrong with all of
    it."""
    problem = error.problem
    match problem.fault:
        case TimeFault.TOO_FAR:
            started = _running(problem.choices[0], rest, now, zone)
            if started is not None:
                return started
            whole, far = " to ".join([*problem.choices, *rest]), problem.when
            raise TimeError(
                problem.fault, problem.text, choices=(whole,), when=far, count=problem.count
            )
        case TimeFault.AMBIGUOUS:
            both = _both(problem.choices, rest, now, zone)
            raise TimeError(TimeFault.AMBIGUOUS, text, choices=both)
    raise error


def _alike(pieces: Sequence[str]) -> list[str]:
    """Return both ends of a stretch, where one of two dates of numbers tells whether the day or the
    month comes first: anyone who writes two writes them alike."""
    numbers = [found for each in pieces for found in map(_NUMBERS.match, each.split()) if found]
    tell = {
        int(found[1]) > 12
        for found in numbers
        if found[2] != "." and (int(found[1]) > 12) != (int(found[3]) > 12)
    }
    if len(tell) != 1:
        return list(pieces)
    day_first = tell.pop()

    def clear(found: re.Match[str]) -> str:
        day, month = (int(found[1]), int(found[3]))[:: 1 if day_first else -1]
        if found[2] == "." or max(day, month) > 12:
            return found[0]
        return f"{day} {SHORT_MONTHS[month]} {found[4] or ''}".rstrip()

    return [
        " ".join(clear(found) if (found := _NUMBERS.match(word)) else word for word in each.split())
        for each in pieces
    ]


def _running(choice: str, rest: Sequence[str], now: datetime, zone: str) -> datetime | None:
    """Return when a stretch began whose beginning, by its day and month, is past and whose end
    (`rest`) is near; None where it has not begun."""
    before = re.sub(r"\b\d{4}\b", lambda year: str(int(year[0]) - 1), choice, count=1)
    begun = None
    for end in rest:
        with suppress(ValueError):
            read_date(end, now, zone, 1439)
            begun = read_date(before, now, zone, 0, now - timedelta(days=400))
    return begun if begun is not None and now - begun <= FARTHEST else None


def _both(starts: Sequence[str], rest: Sequence[str], now: datetime, zone: str) -> tuple[str, ...]:
    """Return each way to read the beginning of a stretch, with its end (`rest`) read the same
    way."""
    if not rest:
        return tuple(starts)
    ends: Sequence[str] = [rest[0]] * len(starts)
    try:
        read_date(rest[0], now, zone, 1439)
    except TimeError as error:
        # What else is wrong with it is said when its beginning is clear.
        if error.problem.fault is TimeFault.AMBIGUOUS:
            ends = error.problem.choices
    return tuple(f"{start} to {end}" for start, end in zip(starts, ends, strict=True))


_OFFSET = re.compile(r"(?:utc|gmt)\s*(?:([+-])\s*(\d{1,2})(?::?00)?)?\Z")


@cache
def _zones() -> dict[str, str]:
    """IANA names by their lower case, and by the city they end with where only one does."""
    found: dict[str, str] = {}
    cities: dict[str, list[str]] = {}
    for zone in sorted(available_timezones()):
        found[zone.lower()] = zone
        area, _, city = zone.rpartition("/")
        if area and area.partition("/")[0] not in ("Etc", "posix", "right", "SystemV"):
            cities.setdefault(city.lower(), []).append(zone)
    for city, zones in cities.items():
        if len(zones) == 1:
            found.setdefault(city, zones[0])
    return found


_LETTERS = {
    **dict.fromkeys(("est", "edt", "et"), ("America/New_York", "Australia/Sydney", "UTC-5")),
    **dict.fromkeys(("cst", "cdt", "ct"), ("America/Chicago", "Asia/Shanghai", "UTC-6")),
    **dict.fromkeys(("mst", "mdt", "mt"), ("America/Denver", "America/Phoenix", "UTC-7")),
    **dict.fromkeys(("pst", "pdt", "pt"), ("America/Los_Angeles", "Asia/Manila", "UTC-8")),
    "hst": ("Pacific/Honolulu", "UTC-10"),
    "bst": ("Europe/London", "Asia/Dhaka", "UTC+1"),
    "ist": ("Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"),
    "ast": ("America/Halifax", "Asia/Riyadh", "UTC-4"),
}
"""Letters that several zones share, or that people write the whole year for a place whose clocks
change, with what they may mean: the likeliest first."""


def read_home_zone(text: str) -> str:
    """Return the time zone that `text` names, as `read_zone` does, for all year.

    Raises:
        TimeError: It names none, or by letters that may mean several.
    """
    choices = _LETTERS.get(text.strip(" .").lower())
    if choices is not None:
        raise TimeError(TimeFault.WHICH_ZONE, text.strip(" ."), choices=choices)
    return read_zone(text)


def read_zone(text: str) -> str:
    """Return the IANA time zone that `text` names: `Europe/Paris`, `paris`, `UTC+2`, `GMT`.

    Raises:
        TimeError: It names none; the problem holds those that are spelled alike.
    """
    word = "_".join(text.strip().lower().split())
    if found := _OFFSET.match(word.replace("_", " ")):
        hours = int(found[2] or 0)
        if not hours:
            return "UTC"
        if hours <= 12:
            # POSIX counts offsets westward: Etc/GMT-2 is two hours ahead of UTC.
            return f"Etc/GMT{'-' if found[1] == '+' else '+'}{hours}"
    zone = _zones().get(word)
    if zone is not None:
        return zone
    near = dict.fromkeys(_zones()[name] for name in get_close_matches(word, _zones(), n=3))
    raise TimeError(TimeFault.NO_ZONE, text, choices=tuple(near))
