"""The clock of one game: its next deadline, and what moves the one that is running.

`judge.schedule.deadlines` has the rules; here they meet the game's settings and its people.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from judge.game.clock.absence import of as absences_of
from judge.game.clock.reminders import forget_reminders
from judge.game.state import State
from judge.game.state.settings import PressRule
from judge.schedule.deadlines import (
    Absence,
    Pace,
    allowed_from,
    grace_end,
    moved_grace_end,
    next_deadline,
)
from judge.schedule.holidays import closed
from judge.storage import Role, RunningPace, SeatState


def is_held(state: State) -> bool:
    """Whether the deadline that is running lies later because somebody is away, or for a public
    holiday."""
    return state.phase is not None and state.game.options.held == state.game.phase


def pace_of(state: State) -> Pace:
    """The pace of the open phase; the game's first one has twice the time."""
    game = state.game
    first = game.opened_at is None or game.opened_at == game.started_at
    return state.settings.pace(state.opened.phase, first=first)


def running_pace(state: State) -> Pace:
    """The pace by which the open phase runs: MIN and DELAY are as they were when it opened."""
    pace, kept = pace_of(state), state.game.options.pace
    return pace if kept is None else replace(pace, min=kept.min, delay=kept.delay)


def set_clock(
    state: State,
    now: datetime,
    old_deadline: datetime | None,
    old_grace_end: datetime | None = None,
) -> None:
    """Set deadline and grace end of the open phase as for one that opens at `now`, after one that
    had `old_deadline` and `old_grace_end`."""
    game, settings = state.game, state.settings
    pace = pace_of(state)
    free = holidays(state, now)
    away = [*absences(state, now), *free]
    game.deadline = next_deadline(pace, now, old_deadline, settings.zone, away)
    without = next_deadline(pace, now, old_deadline, settings.zone)
    game.options = replace(
        game.options,
        pace=RunningPace(pace.min, pace.delay),
        held=game.phase if without < game.deadline else None,
        not_before=None,
    )
    strict = settings.strict_grace
    game.grace_end = grace_end(pace, game.deadline, old_grace_end, settings.zone, strict, free)


def absences(state: State, now: datetime) -> list[Absence]:
    """When those are away whom the open phase must not catch: with press everybody in the game but
    observers and who is eliminated, else only who owes orders."""
    found: list[Absence] = []
    for seat in state.seats:
        if seat.state != SeatState.ACTIVE or seat.role == Role.OBSERVER:
            continue
        power = seat.power
        if state.settings.press is PressRule.NONE:
            counts = power in state.owed
        else:
            counts = seat.role == Role.MASTER or (power is not None and state.alive(power))
        if counts:
            found += [
                Absence(each.start, each.end) for each in absences_of(seat, now) if each.approved
            ]
    if state.settings.gunboat:
        return [_whole_days(span, state.settings.zone) for span in found]
    return found


def _whole_days(span: Absence, zone: str) -> Absence:
    """The days of the game that somebody is away on: a deadline right after an absence that ends
    at his midnight would tell where he lives."""
    start, end = (instant.astimezone(ZoneInfo(zone)) for instant in span)
    first = start.replace(hour=0, minute=0, second=0, microsecond=0)
    last = end.replace(hour=23, minute=59, second=59, microsecond=0)
    return Absence(first.astimezone(UTC), last.astimezone(UTC))


def holidays(state: State, now: datetime) -> list[Absence]:
    """The public holidays on which no deadline of this game falls."""
    country = state.settings.holidays
    return [] if country is None else list(closed(country, state.settings.zone, now))


def not_before(state: State) -> datetime | None:
    """The moment before which the open phase does not run, or a game that is forming not start."""
    return state.game.options.not_before


def change_deadline(state: State, deadline: datetime) -> None:
    """Let the open phase have another deadline: a later one drags grace along, an earlier one does
    not. Reminders come anew."""
    game = state.game
    assert game.deadline is not None
    grace = game.grace_end or game.deadline
    game.grace_end = moved_grace_end(game.deadline, grace, deadline)
    game.deadline = deadline
    forget_reminders(state)


def give_time(state: State, lost: timedelta, now: datetime) -> None:
    """Move deadline and grace end of the open phase by `lost` at least, to an allowed day."""
    game = state.game
    assert game.deadline is not None
    days, zone = pace_of(state).days, state.settings.zone
    free = holidays(state, now)
    change_deadline(state, allowed_from(full_minute(game.deadline + lost), days, zone, free))
    start = not_before(state)
    if start is not None:
        game.options = replace(game.options, not_before=start + lost)


def full_minute(instant: datetime) -> datetime:
    """Rounded up to the minute, which is what letters name."""
    floor = instant.replace(second=0, microsecond=0)
    return floor if floor == instant else floor + timedelta(minutes=1)
