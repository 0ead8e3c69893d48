"""Dates in commands: read in the writer's time zone, asked about where they read two ways."""

from __future__ import annotations

from datetime import datetime

from judge.game.clock.timing import pace_of
from judge.game.clock.zones import read_zone
from judge.game.command import Refused
from judge.game.state import State
from judge.game.visit import Visit
from judge.i18n import say
from judge.schedule.dates import Ambiguous, TooFar, names_time, read_date, read_span
from judge.schedule.deadlines import Absence


def read_moment(visit: Visit, state: State, text: str, command: str, example: str) -> datetime:
    """The moment that `text` names behind `command`; a date without a time means CLOCK, as the
    game's zone has it, or 23:30. Raises Refused, offering `example` or all readings."""
    zone, clock = visit.post.zone(visit.person), None
    try:
        if state.phase is not None and not names_time(text):
            clock = pace_of(state).clock
            zone = zone if clock is None else state.settings.zone
        return read_date(text, visit.now, zone, clock, read_zone)
    except ValueError as error:
        raise _refused(error, text, command, example) from None


def read_absence(visit: Visit, text: str, command: str, example: str) -> Absence:
    """The stretch of time that `text` names behind `command`. Raises Refused as `read_moment`."""
    try:
        return Absence(*read_span(text, visit.now, visit.post.zone(visit.person), read_zone))
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
