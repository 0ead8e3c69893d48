"""Dates and time zones in commands, as people write them."""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache
from zoneinfo import available_timezones

from rapidfuzz import process

from judge.game.clock.timing import pace_of
from judge.game.state import State
from judge.game.state.answers import Refused
from judge.i18n import say
from judge.intake.context import MessageContext
from judge.schedule.dates import Ambiguous, TooFar, names_time, read_date, read_span
from judge.schedule.deadlines import Absence


def read_moment(
    context: MessageContext, state: State, text: str, command: str, example: str
) -> datetime:
    """The moment that `text` names behind `command`; a date without a time means CLOCK, as the
    game's zone has it, or 23:30. Raises Refused, offering `example` or all readings."""
    zone, clock = context.zone, None
    try:
        if state.phase is not None and not names_time(text):
            clock = pace_of(state).clock
            zone = zone if clock is None else state.settings.zone
        return read_date(text, context.now, zone, clock, read_zone)
    except ValueError as error:
        raise _refused(error, text, command, example) from None


def read_absence(context: MessageContext, text: str, command: str, example: str) -> Absence:
    """The stretch of time that `text` names behind `command`. Raises Refused as `read_moment`."""
    try:
        return Absence(*read_span(text, context.now, context.zone, read_zone))
    except ValueError as error:
        raise _refused(error, text, command, example) from None


def _refused(error: ValueError, text: str, command: str, example: str) -> Refused:
    if isinstance(error, Ambiguous):
        lines = tuple(f"{command} {choice}" for choice in error.choices)
        return Refused("two_dates", write=lines, text=text.strip())
    if isinstance(error, TooFar):
        example = error.choice
    problem = str(error) if text.strip(" .") else say("it takes a date, or a time of day")
    return Refused("bad_setting", write=f"{command} {example}", problem=problem)


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


def read_zone(text: str) -> str:
    """The IANA time zone that `text` names: `Europe/Paris`, `paris`, `UTC+2`, `GMT`.

    Raises ValueError, quoting `text` and naming what is spelled alike.
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
    near = [_zones()[name] for name, *_ in process.extract(word, _zones().keys(), limit=3)]
    raise ValueError(
        f"no time zone is called {text.strip()!r}; write a city such as Europe/Paris, or UTC+2"
        + (f" (near: {', '.join(dict.fromkeys(near))})" if near else "")
    )
