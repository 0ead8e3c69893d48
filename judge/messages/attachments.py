"""What goes with messages besides pictures of the board: calendar entries, and files."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import lru_cache

from judge import render
from judge.events import EventKind
from judge.game.phases import times
from judge.game.state import State
from judge.game.state.boards import tells, with_words
from judge.game.visibility.eyes import ANYBODY, Eyes, record, rules_in_force
from judge.i18n import DEFAULT_LANGUAGE, speaking
from judge.interchange import position_object, written
from judge.mail.compose import Attachment
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Convoy, Relay, Support, order_text
from judge.storage import Game, GameState, Person, PhaseRun, Role

CALENDAR = "text/calendar"

# Calendars


@lru_cache(64)
def calendar_entry(
    *,
    uid: str,
    sequence: int,
    now: datetime,
    deadline: datetime | None,
    summary: str,
    description: str,
    organizer: str,
    alarms: tuple[float, ...] = (),
) -> tuple[bytes, str]:
    """Return a deadline as an entry for calendars (RFC 5545), and its METHOD.

    Without a `deadline` it is the end of the entry (CANCEL). It is published (METHOD:PUBLISH, RFC
    5546 section 3.2.1), not an invitation: an invitation makes mail programs write to us that it
    was accepted, and shows its guests to each other. Gmail, Outlook, and Apple's programs take a
    published entry by one click, and know it by its UID and SEQUENCE.

    `organizer` is the judge's address, which both methods demand (sections 3.2.1 and 3.2.5).
    `uid` is the same for all entries of one game, `sequence` higher in each later one. `now` and
    `deadline` are aware. `alarms` are hours before the deadline at which the calendar rings.
    """
    # Loaded by the first entry: a start takes 28 ms less without it.
    import icalendar

    method = "CANCEL" if deadline is None else "PUBLISH"
    calendar = icalendar.Calendar()
    calendar.add("prodid", "-//judge//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", method)
    event = icalendar.Event()
    event.add("uid", uid)
    event.add("sequence", sequence)
    event.add("dtstamp", now.replace(microsecond=0))
    # Without an end an entry ends when it begins (RFC 5545 section 3.6.1).
    event.add("dtstart", (deadline or now).replace(microsecond=0))
    event.add("organizer", f"mailto:{organizer}")
    event.add("summary", summary)
    event.add("description", description)
    event.add("status", "CANCELLED" if deadline is None else "CONFIRMED")
    # Nobody is busy because of it.
    event.add("transp", "TRANSPARENT")
    for hours in alarms if deadline is not None else ():
        alarm = icalendar.Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", summary)
        alarm.add("trigger", -timedelta(hours=hours))
        event.add_component(alarm)
    calendar.add_component(event)
    content: bytes = calendar.to_ical()
    return content, method


def calendar_files(
    kind: EventKind, state: State, person: Person, address: str, now: datetime
) -> tuple[Attachment, ...]:
    """Return the entry that goes with a message of this kind to somebody who plays or runs the
    game; none where one person plays alone. `address` is the judge's."""
    game = state.game
    wanted = "stops" if game.deadline is None else "runs"
    had_one = game.started_at is not None or kind is EventKind.UNSTARTED
    # Where nobody waits there is nothing to be late for.
    if state.terms.private or kind.row.clock not in (wanted, "either") or not had_one:
        return ()
    if all(seat.role == Role.OBSERVER for seat in state.seats.of(person.id)):
        return ()
    told = render.message("calendar", {"game": game.name, "phase": game.phase}, person.language)
    content, method = calendar_entry(
        uid=f"{_nameless(state)}@{address.rpartition('@')[2]}",
        sequence=int((now - game.created_at).total_seconds()),
        now=now,
        deadline=game.deadline,
        summary=told.subject,
        description=told.text,
        organizer=address,
        alarms=tuple(times(person, state.settings.reminder)),
    )
    parameters = (("method", method), ("charset", "utf-8"))
    return (Attachment(f"{game.name}.ics", CALENDAR, content, parameters),)


def _nameless(state: State) -> str:
    """Return what stands for a game in all its entries, and tells nobody how many games there
    were."""
    said = f"calendar {state.game.id}".encode()
    return hmac.new(state.storage.tickets.secret, said, hashlib.sha256).hexdigest()[:24]


# Files


def phase_record(game: Game, run: PhaseRun) -> Attachment:
    """Return the record of a phase as a file, such as `paris-S1901M.json`."""
    text = json.dumps(record(game, run), ensure_ascii=False, separators=(",", ":")) + "\n"
    return Attachment(f"{game.name}-{run.phase}.json", "application/json", text.encode())


def position_file(state: State, person_id: int) -> Attachment | None:
    """Return the open phase for programs, such as `paris-F1901M-open.json`: the position that the
    reader knows, and what their powers can order; None for those who play none.

    Orders that would make it too large are left out: those that help other units.
    """
    seen = Eyes(state, person_id)
    powers = [power for power in seen.powers if power in state.variant.powers]
    if state.game.state != GameState.ACTIVE or not powers:
        return None
    game, kind = state.game, state.open_phase.kind
    position = seen.opened
    owed = {power: seen.power_view(power).due for power in powers}
    legal = {
        power: legal_orders(state.variant, position, power, state.rulebook) for power in powers
    }
    found: dict[str, object] = {
        "game": game.name,
        **position_object(state.variant, position),
        **rules_in_force(game, state.settings),
        "victory": state.victory,
        "deadline": game.deadline and game.deadline.isoformat(),
        "owed": {
            power: {
                "orders": [str(unit) for unit in each.units],
                "builds": each.builds,
                "removals": each.removals,
            }
            for power, each in owed.items()
        },
    }
    for complete in (True, False):
        texts = {
            power: {
                str(unit): [
                    order_text(order, kind)
                    for order in orders
                    if complete or not isinstance(order, Support | Convoy | Relay)
                ]
                for unit, orders in units.items()
            }
            for power, units in legal.items()
        }
        content = written(found | {"complete": complete, "legal": texts}).encode()
        if len(content) <= _MOST_OF_PHASE:
            break
    return Attachment(f"{game.name}-{state.open_phase}-open.json", "application/json", content)


_MOST_OF_PHASE = 24_000
"""The bytes of the open phase as a file: the letter has others."""


def archive(state: State) -> list[Attachment]:
    """Return what everybody gets of a game that is over, in English no matter who has ended it.

    These are `paris-diaries.txt`, if there are any, and, if anything has run, all orders to read in
    `paris-orders.txt`. Programs have the game file (GAME FILE).
    """
    name, files, seen = state.game.name, [], Eyes(state, ANYBODY)
    with speaking(DEFAULT_LANGUAGE):
        if diaries := seen.diaries():
            files.append(_text(f"{name}-diaries.txt", "_diaries", {"diaries": diaries}))
        if past := [each.report for each in seen.phases()]:
            reports = [with_words(each, state.variant) for each in past if tells(each)]
            facts = {"game": name, "reports": reports}
            files.append(_text(f"{name}-orders.txt", "_orders", facts))
    return files


def _text(name: str, template: str, facts: Mapping[str, object]) -> Attachment:
    text = render.answer(template, facts) + "\n"
    return Attachment(name, "text/plain", text.encode(), (("charset", "utf-8"),))
