"""How long, from when and until when, as sentences say it.

Dates are read as commands read them (`judge.schedule.dates`); the words for lengths and for "until"
are those of every language (`[lengths]` in `templates/locale/*/words.toml`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

from judge.i18n import in_all_languages
from judge.language.wish_model import plain
from judge.schedule.dates import WEEKDAYS, numbered, read_date, read_span
from judge.schedule.deadlines import TimeError

_MONTHS, _FILLERS = numbered("months"), numbered("of_dates")
_DAYS = {**WEEKDAYS, **_MONTHS, **numbered("near"), **numbered("noon")}
"""Words of dates."""

DATES = frozenset(plain(word) for word in _DAYS if len(word) > 3)
"""Those that are nothing else."""


def days_in(text: str, now: datetime, zone: str) -> str | None:
    """Return from which day to which a sentence says, as commands have it (`5 Jan to 9 Jan`), where
    it is written at `now` in a time zone."""
    today = now.astimezone(ZoneInfo(zone)).date()
    said = f" {' '.join(plain(text).split())} "
    monday = today - timedelta(days=today.weekday())
    for kind, first, last in (("this_week", 0, 6), ("next_week", 7, 13), ("weekend", 5, 6)):
        if any(f" {words}" in said for words in _words()[kind]):
            return _days(max(today, monday + timedelta(days=first)), monday + timedelta(days=last))
    hours = hours_in(text)
    length = timedelta(hours=max(hours, 24)) if hours else None
    dates = next(_dates(text), None)
    if dates is None:
        return _days(today, today + length) if length else None
    try:
        span = read_span(dates[0], now, zone)
        start, end = (each.astimezone(ZoneInfo(zone)).date() for each in span)
    except TimeError:
        return None
    if dates[1] and start == end:
        return _days(today, end)
    return _days(start, start + length if length and start == end else end)


def end_in(text: str, now: datetime, zone: str) -> str | None:
    """Return until when a sentence says, to the minute; None where it says a length or nothing. Who
    is away until one day asks for time until a later one."""
    dates = [*_dates(text)]
    until = [said for said, until in dates if until]
    ends: list[datetime] = []
    for said in until or ([] if hours_in(text) else [said for said, _ in dates]):
        with suppress(TimeError):
            ends.append(read_date(said.rpartition(" to ")[2], now, zone))
    end = max(ends, default=now).astimezone(ZoneInfo(zone))
    return f"{end.day} {end:%b %H:%M}" if ends else None


def hours_in(text: str) -> int | None:
    """Return how many hours a sentence says."""
    words, known = [word.rstrip(".") for word in _tokens(plain(text))], _words()
    for place, word in enumerate(words):
        glued = _GLUED.fullmatch(word)
        unit = known["units"].get(glued[2] if glued else word)
        if unit is None:
            continue
        if glued:
            return int(glued[1]) * unit
        before = words[max(0, place - _FAR) : place][::-1]
        numbers = (
            int(each) if each.isdecimal() else known["counts"].get(each)
            for each in before
            if not each.isdecimal() or len(each) < 4
        )
        if number := next(filter(None, numbers), None):
            return number * unit
    return None


def length_of(hours: int) -> str:
    """Return a length as commands have it: `12 hours`, `2 days`."""
    number, unit = (hours // 24, "day") if hours % 24 == 0 else (hours, "hour")
    return f"{number} {unit}{'s' if number != 1 else ''}"


def _dates(text: str) -> Iterator[tuple[str, bool]]:
    """Yield what a sentence says of dates, as commands write it, and whether it is until when."""
    words, known, place = _tokens(text), _words(), 0
    bare = [plain(word).rstrip(".") for word in words]
    found = [
        (word, each, _is_day(word, each, after))
        for word, each, after in zip(words, bare, [*bare[1:], ""], strict=False)
    ]
    while place < len(found):
        if not found[place][2]:
            place += 1
            continue
        end = last = place + 1
        while end < len(found) and _goes_on(found, end):
            end += 1
            last = end if found[end - 1][2] else last
        here = found[place:last]
        until = not known["until"].keys().isdisjoint(bare[max(0, place - _FAR) : place])
        sure = any(word[0].isdigit() or len(word) > 3 for _, word, _ in here)
        if sure or until or sum(day for *_, day in here) > 1:
            said = [
                "to" if not day and _joins(each) else word
                for word, each, day in here
                if day or word.lower() in _FILLERS or _joins(each)
            ]
            yield " ".join(said), until
        place = last


def _is_day(word: str, bare: str, after: str) -> bool:
    """Return whether a word is part of a date: no number before a unit, or with one (`3h`)."""
    units, glued = _words()["units"], _GLUED.fullmatch(bare)
    counts = after in units or (glued is not None and glued[2] in units)
    named = word.lower().rstrip(".") in _DAYS or bare in DATES
    return named or (word[0].isdigit() and not counts)


def _goes_on(found: Sequence[tuple[str, str, bool]], at: int) -> bool:
    """Return whether a date goes on with a word, as with any behind "until" (`12. bis zum 19.`)."""
    word, bare, day = found[at]
    until = found[at - 1][1] in _words()["until"] and any(day for *_, day in found[at : at + _FAR])
    return day or until or word.lower() in _FILLERS or _joins(bare)


def _joins(bare: str) -> bool:
    return bare in _JOINTS or bare in _words()["until"] or bare in _words()["join"]


_JOINTS = ("-", "–", "—", "to")
_FAR = 3
"""Words between a number and its unit, and between "until" and a date."""

_GLUED = re.compile(r"(\d{1,3})-?([a-z]+)")
_TOKEN = re.compile(r"[^\s,;()!?\"]+")


def _tokens(text: str) -> list[str]:
    return [
        part
        for word in _TOKEN.findall(text.replace("’", "'"))
        for part in re.split(r"(?<=[jJ]usqu')|-(?=(?:day|week|hour)s?\b)", word)
        if part
    ]


def _days(start: date, end: date) -> str:
    return f"{start.day} {start:%b} to {end.day} {end:%b}"


@cache
def _words() -> Mapping[str, dict[str, int]]:
    """Return the words of each kind, with the hours of a unit and the worth of a number."""
    found: dict[str, dict[str, int]] = {}
    for entry in in_all_languages("lengths"):
        for kind, words in entry.items():
            rows = enumerate(words) if isinstance(words, list) else [(1, words)]
            mine = found.setdefault(kind if kind not in _HOURS else "units", {})
            for worth, row in rows:
                worth = _HOURS.get(kind, worth)
                mine |= {plain(each.strip()): worth for each in row.split(",") if each.strip()}
    return found


_HOURS = {"hour": 1, "day": 24, "week": 168}
