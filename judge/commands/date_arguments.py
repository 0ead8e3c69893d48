"""Dates in commands, as people write them."""

from __future__ import annotations

from datetime import datetime

from judge.game.clock.deadlines import pace_of
from judge.game.state import State
from judge.game.state.answers import Refused
from judge.i18n import say
from judge.intake.context import MessageContext
from judge.schedule.dates import names_time, read_date, read_span
from judge.schedule.deadlines import Absence
from judge.schedule.problems import TimeError, TimeFault
from judge.schedule.zones import read_zone
from judge.sentences import Wording


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
    except TimeError as error:
        raise _refused(error, text, command, example) from None


def read_absence(context: MessageContext, text: str, command: str, example: str) -> Absence:
    """The stretch of time that `text` names behind `command`. Raises Refused as `read_moment`."""
    try:
        return Absence(*read_span(text, context.now, context.zone, read_zone))
    except TimeError as error:
        raise _refused(error, text, command, example) from None


def _refused(error: TimeError, text: str, command: str, example: str) -> Refused:
    found = error.problem
    if found.fault is TimeFault.AMBIGUOUS:
        lines = tuple(f"{command} {choice}" for choice in found.choices)
        return Refused("two_dates", write=lines, text=text.strip())
    if found.fault is TimeFault.TOO_FAR:
        (example,) = found.choices
    problem = Wording(found if text.strip(" .") else say("it takes a date, or a time of day"))
    return Refused("bad_setting", write=f"{command} {example}", problem=problem)
