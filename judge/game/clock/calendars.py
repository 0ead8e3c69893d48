"""Which letters carry the deadline as an entry for calendars."""

from __future__ import annotations

from datetime import datetime

from judge.game.clock.reminder_times import times
from judge.game.state import State
from judge.mail.compose import Attachment
from judge.render import calendar, letters
from judge.storage import Person, Role

NAME_ONE = ("start", "results", "reminder", "deadline", "resumed", "late", "outage")
"""Kinds of letters that name a deadline."""

END_ONE = ("paused", "end")
"""Kinds of letters after which no clock runs."""


def files(
    kind: str, state: State, person: Person, domain: str, now: datetime
) -> tuple[Attachment, ...]:
    """The entry that goes with a letter of this kind to somebody who plays or runs the game."""
    game = state.game
    if kind not in (*NAME_ONE, *END_ONE) or game.started_at is None:
        return ()
    if (game.deadline is None) != (kind in END_ONE):
        return ()
    if all(seat.role == Role.OBSERVER for seat in state.seats_of(person.id)):
        return ()
    told = letters.letter("calendar", {"game": game.name, "phase": game.phase}, person.language)
    content, method = calendar.entry(
        uid=f"{game.name}-{game.id}-deadline@{domain}",
        sequence=int((now - game.created_at).total_seconds()),
        now=now,
        deadline=game.deadline,
        summary=told.subject,
        description=told.text,
        alarms=times(state, person),
    )
    parameters = (("method", method), ("charset", "utf-8"))
    return (Attachment(f"{game.name}.ics", calendar.TYPE, content, parameters),)
