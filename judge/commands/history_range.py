"""A stretch of a game's past, from one phase or day to another, as HISTORY takes it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from judge.language.phases import read_phase
from judge.language.problems import ReadError
from judge.rules.phase import Calendar, Phase
from judge.rules.variant import Variant
from judge.schedule.dates import read_date
from judge.schedule.zones import read_zone

WEEK = timedelta(days=7)
"""What is shown where nothing is asked for."""

_LOOK_BACK = tuple(timedelta(days=days) for days in (7, 119, 238, 357, 366))
"""From where the day is looked for that a date without a year means, the nearest first: each time
it is the next one from there."""


@dataclass(frozen=True)
class Span:
    """From `first` to `last`: phases, instants, or None where it is open. Open on both sides it is
    the time from `since` on."""

    calendar: Calendar
    first: Phase | datetime | None
    last: Phase | datetime | None
    since: datetime

    @property
    def asked(self) -> bool:
        """Whether somebody has set a bound."""
        return self.first is not None or self.last is not None

    def holds(self, phase: str | None, at: datetime) -> bool:
        """Whether something of that phase, None before the start, and instant lies within it."""
        if not self.asked:
            return at >= self.since
        return self._is_after(self.first, phase, at) and self._is_before(self.last, phase, at)

    def _is_after(self, bound: Phase | datetime | None, phase: str | None, at: datetime) -> bool:
        if bound is None or isinstance(bound, datetime):
            return bound is None or at >= bound
        return phase is not None and self._key(phase) >= self.calendar.key(bound)

    def _is_before(self, bound: Phase | datetime | None, phase: str | None, at: datetime) -> bool:
        if bound is None or isinstance(bound, datetime):
            return bound is None or at <= bound
        return phase is None or self._key(phase) <= self.calendar.key(bound)

    def _key(self, phase: str) -> tuple[int, int]:
        return self.calendar.key(Phase.read(phase))


def read_bound(
    text: str | None, variant: Variant, now: datetime, zone: str, *, last: bool
) -> Phase | datetime | None:
    """The phase or the day that `text` names; of a day its beginning, or its end where it is the
    `last`. `zone` is the reader's.

    Raises ReadError when it names neither.
    """
    if not text:
        return None
    try:
        return read_phase(text, variant)
    except ReadError:
        day = _day(text, now, zone)
        if day is None:
            raise
    at = time.max if last else time.min
    return datetime.combine(day, at, ZoneInfo(zone))


def _day(text: str, now: datetime, zone: str) -> date | None:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        pass
    today = now.astimezone(ZoneInfo(zone)).date()
    for back in _LOOK_BACK:
        try:
            found = read_date(text, now - back, zone, None, read_zone)
        except ValueError:
            continue
        if (day := found.astimezone(ZoneInfo(zone)).date()) <= today:
            return day
    return None
