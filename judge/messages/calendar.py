"""A deadline as an entry for calendars (RFC 5545), which a later one of the same game moves.

It is published (METHOD:PUBLISH, RFC 5546 section 3.2.1), not an invitation: an invitation makes
mail programs write to us that it was accepted, and shows its guests to each other. Gmail, Outlook
and Apple's programs take a published entry by one click, and know it by its UID and SEQUENCE.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from icalendar import Alarm, Calendar, Event

from judge.events import EventKind
from judge.game.clock.reminders import times
from judge.game.state import State
from judge.mail.compose import Attachment
from judge.render import templates
from judge.storage import Person, Role

TYPE = "text/calendar"


def entry(
    *,
    uid: str,
    sequence: int,
    now: datetime,
    deadline: datetime | None,
    summary: str,
    description: str,
    alarms: Sequence[float] = (),
) -> tuple[bytes, str]:
    """Return the file and its METHOD: an entry at `deadline`, or, without one, its end (CANCEL).

    `uid` is the same for all entries of one game, `sequence` higher in each later one. `now` and
    `deadline` are aware. `alarms` are hours before the deadline at which the calendar rings.
    """
    method = "CANCEL" if deadline is None else "PUBLISH"
    calendar = Calendar()
    calendar.add("prodid", "-//judge//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", method)
    event = Event()
    event.add("uid", uid)
    event.add("sequence", sequence)
    event.add("dtstamp", now.replace(microsecond=0))
    # Without an end an entry ends when it begins (RFC 5545 section 3.6.1).
    event.add("dtstart", (deadline or now).replace(microsecond=0))
    event.add("summary", summary)
    event.add("description", description)
    event.add("status", "CANCELLED" if deadline is None else "CONFIRMED")
    # Nobody is busy because of it.
    event.add("transp", "TRANSPARENT")
    for hours in alarms if deadline is not None else ():
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", summary)
        alarm.add("trigger", -timedelta(hours=hours))
        event.add_component(alarm)
    calendar.add_component(event)
    content: bytes = calendar.to_ical()
    return content, method


def files(
    kind: EventKind, state: State, person: Person, domain: str, now: datetime
) -> tuple[Attachment, ...]:
    """Return the entry that goes with a message of this kind to somebody who plays or runs the
    game."""
    game = state.game
    wanted = "stops" if game.deadline is None else "runs"
    if kind.row.clock != wanted or game.started_at is None:
        return ()
    if all(seat.role == Role.OBSERVER for seat in state.seats_of(person.id)):
        return ()
    told = templates.message("calendar", {"game": game.name, "phase": game.phase}, person.language)
    content, method = entry(
        uid=f"{game.name}-{game.id}-deadline@{domain}",
        sequence=int((now - game.created_at).total_seconds()),
        now=now,
        deadline=game.deadline,
        summary=told.subject,
        description=told.text,
        alarms=times(state, person),
    )
    parameters = (("method", method), ("charset", "utf-8"))
    return (Attachment(f"{game.name}.ics", TYPE, content, parameters),)
