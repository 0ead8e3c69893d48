"""When people want to be reminded of a deadline."""

from __future__ import annotations

import re
from dataclasses import replace

from judge.game.state import State
from judge.i18n import say
from judge.schedule.deadlines import read_hours
from judge.storage import Person

MOST = 5
EARLIEST = 14 * 24

_SEPARATOR = re.compile(r"\s*(?:[,;/&]|\band\b|\bund\b|\bet\b|\s(?=[\d.]))\s*", re.IGNORECASE)


def read_reminders(text: str) -> tuple[float, ...]:
    """Return the times that `text` names, in hours before a deadline, earliest first.

    Such texts are `24 8` and `2D, 24H and 90M`; NONE gives none.

    Raises ValueError, quoting what cannot be read.
    """
    words = text.strip().strip(".")
    if words.lower() in ("none", "no", "never", "off", "-"):
        return ()
    hours = {round(read_hours(piece), 2) for piece in _SEPARATOR.split(words) if piece}
    if not hours:
        raise ValueError(say("it takes times before the deadline, such as 24H 8H, or NONE"))
    if len(hours) > MOST or not all(0 < each <= EARLIEST for each in hours):
        days = EARLIEST // 24
        raise ValueError(
            say("up to {most} reminders, at most {days} days ahead", most=MOST, days=days)
        )
    return tuple(sorted(hours, reverse=True))


def times(state: State, person: Person) -> tuple[float, ...]:
    """Return when somebody wants to be reminded, in hours before the deadline."""
    chosen = person.options.reminders
    return (state.settings.reminder,) if chosen is None else chosen


def forget_reminders(state: State) -> None:
    """Forget which reminders of the open phase were sent, because its deadline changed."""
    for seat in state.seats:
        if seat.options.reminded:
            seat.options = replace(seat.options, reminded=())
            state.seat(seat)
