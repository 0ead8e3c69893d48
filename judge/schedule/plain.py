"""A pace in plain words: `every Mon and Thu 20:00 Paris`, `twice a week`, `weekdays at 9pm`, `48h`.

What the words leave open stays as it was, but less than a day (`10 minutes`) begins anew, without a
time of day, a least time, or forbidden days. Where a time of day is named, the time to the next
deadline is an hour short of the full days, as in the classic pace (71, 23): a phase takes its
seconds to run, and the next deadline must not miss its time of day for them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from judge.i18n import in_all_languages
from judge.schedule.dates import WEEKDAYS, numbered, read_zone
from judge.schedule.deadlines import (
    WEEK,
    Pace,
    TimeError,
    TimeFault,
    read_clock,
    read_hours,
)

_COUNTS = numbered("counts")
_A_WEEK = {1: "week", 2: "-M--T--", 3: "-M-W-F-", 4: "-MT-TF-", 5: "-MTWTF-", 6: "-MTWTFS", 7: WEEK}
"""The days of so many deadlines a week; of a single one, nothing but the distance is known."""

_GROUPS = {
    **dict.fromkeys(numbered("workdays"), "-MTWTF-"),
    **dict.fromkeys(numbered("weekend"), "S-----S"),
}
_FILLERS = numbered("of_paces")
_CLOCK = re.compile(r"(\d{1,2}[:.]\d{2}(?:am|pm)?|\d{1,2}(?:am|pm))\Z")
_LENGTH = re.compile(r"\d+(?:\.\d+)?(?:w|d|h|m|hrs?|mins?)\Z")
_UNIT = re.compile(r"(minute|min|hour|hr|day|night|week|fortnight)s?\Z")
_HOURS: Mapping[str, float] = next(in_all_languages("hours", "dates"))


@dataclass
class _PlainWords:
    """What the words say."""

    clock: int | None = None
    any_time: bool = False
    hours: float | None = None
    exact: bool = False
    """Whether the time to the next deadline is written as a length (`48h`), not as a rhythm."""
    days: str | None = None
    zone: str | None = None


def read_plain(pace: Pace, text: str) -> tuple[Pace, str | None]:
    """Return `pace` with what `text` says about it, and the time zone it names, if it names one.

    Raises:
        TimeError: There are words that are not understood.
    """
    said = _read(text)
    if said.hours is not None and said.hours < 24:
        # Of a pace with a time of day nothing fits one of hours or minutes: anyone who is late gets
        # the time of a phase, not days.
        pace = replace(pace, clock=None, days=WEEK, min=0, delay=0, grace=said.hours)
    pace = replace(pace, days=said.days or pace.days, next=_next(said, pace))
    if said.clock is not None or said.any_time:
        pace = replace(pace, clock=said.clock)
    return pace, said.zone


def _next(said: _PlainWords, pace: Pace) -> float:
    if said.hours is None:
        # The days alone make the rhythm. Half the time between two of them: retreats have room in
        # it, and a phase that runs early leaves more than the rest of it to the next one.
        return max(23, 12 * _gap(said.days) - 1) if said.days else pace.next
    on_time = said.clock is not None or (pace.clock is not None and not said.any_time)
    if not said.exact and on_time and said.hours % 24 == 0:
        return said.hours - 1
    return said.hours


def _gap(days: str) -> int:
    """Return the least number of days from one allowed day to the next."""
    places = [place for place, letter in enumerate(days) if letter != "-"]
    return min(
        (after - place - 1) % 7 + 1
        for place, after in zip(places, [*places[1:], places[0]], strict=True)
    )


def _read(text: str) -> _PlainWords:
    words = re.sub(r"(\d)\s+(am|pm)\b", r"\1\2", text.lower())
    words = re.sub(r"(?<![\d:.])(\d{1,2})\s*o'clock\b", r"\1:00", words)
    words = re.sub(r"\b(\d{1,2})h(\d{2})\b", r"\1:\2", words)
    words = re.sub(r"\b([a-z]+)\s*(?:-|–|\bto\b|\bthrough\b)\s*([a-z]+)\b", _range, words)
    tokens = [token.strip(".;()") for token in re.split(r"[\s,&+]+", words) if token.strip(".;()")]
    said, place = _PlainWords(), 0
    while place < len(tokens):
        taken = _take(said, tokens, place)
        if not taken:
            said.zone = _zone(tokens[place:], text)
            break
        place += taken
    if said == _PlainWords():
        raise _unknown(text)
    return said


def _range(found: re.Match[str]) -> str:
    """`mon-fri` as all its days."""
    first, last = WEEKDAYS.get(found[1]), WEEKDAYS.get(found[2])
    if first is None or last is None:
        return found[0]
    names = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
    return " ".join(names[(first + step) % 7] for step in range((last - first) % 7 + 1))


def _take(said: _PlainWords, tokens: list[str], place: int) -> int:
    """Note what the words from `place` on say; how many of them that were, 0 for none."""
    token = tokens[place]
    following = tokens[place + 1] if place + 1 < len(tokens) else ""
    if token in WEEKDAYS:
        _add_days(said, WEEKDAYS[token])
    elif token in _GROUPS:
        said.days = _GROUPS[token]
    elif token in ("working", "work", "business") and following.startswith("day"):
        said.days = "-MTWTF-"
        return 2
    elif token in ("daily", "nightly"):
        said.days, said.hours = WEEK, 24
    elif token in ("weekly", "fortnightly"):
        said.hours = 168 if token == "weekly" else 336
    elif token in ("noon", "midday"):
        said.clock = 12 * 60
    elif _CLOCK.match(token):
        said.clock = read_clock(token)
    elif token in ("any", "no") and "time" in tokens[place + 1 : place + 3]:
        said.any_time = True
        return 2 + (following != "time")
    elif _LENGTH.match(token):
        said.hours, said.exact = (said.hours or 0) + read_hours(token), True
    elif found := _UNIT.match(token):
        # `every day`, `every night at 9pm`
        _rhythm(said, 1, found[1])
    else:
        return _take_count(said, tokens, place)
    return 1


def _take_count(said: _PlainWords, tokens: list[str], place: int) -> int:
    token, rest = tokens[place], tokens[place + 1 : place + 4]
    count = _COUNTS.get(token) or (int(token) if token.isdecimal() else 0)
    if count and rest and (found := _UNIT.match(rest[0])):
        _rhythm(said, count, found[1])
        said.exact = not ({"every", "each"} & set(tokens[:place])) and token.isdecimal()
        return 2
    times = 1 if rest[:1] in (["times"], ["time"], ["days"]) else 0
    a_week = rest[times : times + 2]
    if count and a_week[:1] in (["a"], ["per"], ["each"], ["every"]) and a_week[1:] == ["week"]:
        if count not in _A_WEEK:
            return 0
        if count == 1:
            said.hours = 168
        elif said.days is None:
            said.days = _A_WEEK[count]
        return 1 + times + 2
    return 1 if token in _FILLERS else 0


def _rhythm(said: _PlainWords, count: int, unit: str) -> None:
    said.hours = count * _HOURS[unit]
    if unit in ("day", "night") and count == 1 and said.days is None:
        said.days = WEEK


def _add_days(said: _PlainWords, weekday: int) -> None:
    place = (weekday + 1) % 7
    days = list(said.days or "-------")
    days[place] = WEEK[place]
    said.days = "".join(days)
    if said.hours == 168:
        # `weekly on Friday`: the day says it all.
        said.hours = None


def _zone(words: list[str], text: str) -> str:
    try:
        return read_zone(" ".join(words).removesuffix(" time"))
    except TimeError:
        raise _unknown(text, " ".join(words)) from None


def _unknown(text: str, rest: str = "") -> TimeError:
    return TimeError(TimeFault.NO_PACE, text, rest="" if rest == text.strip().lower() else rest)
