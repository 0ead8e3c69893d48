"""Reminders of a deadline, at the times each person chose, each once before a deadline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from judge.events import EventKind, reader
from judge.game.clock.reminder_times import times
from judge.game.state import State
from judge.intake.returned import warn
from judge.schedule.deadlines import remind_at
from judge.storage import Seat


def _open(state: State) -> Iterator[tuple[Seat, float, datetime]]:
    """The reminders of the open phase that were not sent, to those whose orders are missing."""
    game = state.game
    if game.deadline is None or game.opened_at is None:
        return
    for power in state.owed:
        seat = state.player(power)
        if seat is None or state.sheet(power).complete:
            continue
        sent = seat.options.reminded
        for hours in times(state, state.person(seat)):
            moment = remind_at(game.deadline, game.opened_at, hours)
            if moment is not None and hours not in sent:
                yield seat, hours, moment


def next_reminder(state: State) -> datetime | None:
    """When the next reminder is due."""
    return min((moment for _, _, moment in _open(state)), default=None)


def remind(state: State, now: datetime) -> bool:
    """Send the reminders that are due, one letter to each however many are; whether any were."""
    deadline = state.game.deadline
    due: dict[int | None, list[Seat]] = {}
    for seat, hours, moment in list(_open(state)):
        if moment <= now:
            sent = (*seat.options.reminded, hours)
            seat.options = replace(seat.options, reminded=sent)
            state.seat(seat)
            due.setdefault(seat.person_id, []).append(seat)
    for first, *_ in due.values():
        if deadline is not None and now < deadline:
            state.tell(EventKind.REMINDER, {"power": first.power}, to=reader(first))
            warn(state, now, first)
    return bool(due)
