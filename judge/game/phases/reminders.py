"""What is written at a time: reminders of a deadline, and one message a day to each game master."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from judge.events import EventKind, reader
from judge.game.clock.reminders import times
from judge.game.orders.consistency import hints
from judge.game.orders.interpret import OrderContext
from judge.game.people.contact import warn
from judge.game.people.entry import waiting_seats
from judge.game.people.lateness import is_late
from judge.game.state import State
from judge.schedule.deadlines import remind_at
from judge.storage import Person, Role, Seat


def _open(state: State) -> Iterator[tuple[Seat, float, datetime]]:
    """Yield the unsent reminders of the open phase to those whose orders are missing."""
    game = state.game
    if game.deadline is None or game.opened_at is None:
        return
    players = state.players()
    for power in state.unfinished():
        seat = players.get(power)
        if seat is None:
            continue
        sent = seat.options.reminded
        for hours in times(state, state.person(seat)):
            moment = remind_at(game.deadline, game.opened_at, hours)
            if moment is not None and hours not in sent:
                yield seat, hours, moment


def next_reminder(state: State) -> datetime | None:
    """Return when the next reminder is due, if any is."""
    return min((moment for _, _, moment in _open(state)), default=None)


def remind(state: State, now: datetime) -> bool:
    """Send due reminders, one message a person however many are due; return whether any were."""
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


_HOUR = time(7)
"""When the daily message is sent, in the game master's own time zone."""


def wants(person: Person) -> bool:
    """Return whether somebody gets the daily message, if they run a game."""
    return person.options.daily is not False


def begin_daily(state: State, person: Person, now: datetime) -> None:
    """Start daily messages to a game master: the first is the next one due after `now`."""
    state.known(person)
    for seat in state.seats_of(person.id):
        if seat.role == Role.MASTER:
            seat.options = replace(seat.options, daily=now)
            state.seat(seat)


def next_daily(state: State) -> datetime | None:
    """Return when the next daily message is due; None if nobody gets any."""
    return min((moment for moment, _ in _due(state)), default=None)


def write_daily(state: State, now: datetime) -> bool:
    """Write to the game masters whose hour has come; return whether there were any."""
    seats = [seat for moment, seat in _due(state) if moment <= now]
    for seat in seats:
        seat.options = replace(seat.options, daily=now)
        state.seat(seat)
        state.tell(EventKind.DAILY, facts(state), to=reader(seat))
    return bool(seats)


def _due(state: State) -> Iterator[tuple[datetime, Seat]]:
    if not state.game.moderated or state.game.started_at is None:
        return
    for seat in state.active(Role.MASTER):
        person = state.person(seat)
        if wants(person):
            after = max(seat.options.daily or seat.joined_at, state.game.started_at)
            zone = ZoneInfo(person.time_zone or state.settings.zone)
            yield next_hour(after, zone, _HOUR), seat


def next_hour(after: datetime, zone: ZoneInfo, hour: time) -> datetime:
    """Return the first time after `after` that it is `hour` in `zone`."""
    day = after.astimezone(zone).date()
    while (moment := datetime.combine(day, hour, zone).astimezone(after.tzinfo)) <= after:
        day += timedelta(days=1)
    return moment


def facts(state: State) -> dict[str, object]:
    """Return each power's state, without its orders, and what the game master must decide."""
    return {
        "rows": [_row(state, power) for power in state.variant.powers if state.alive(power)],
        "newcomers": [
            {"who": state.person(seat).name, "power": seat.power} for seat in waiting_seats(state)
        ],
        "asked": [
            {"kind": each.kind, "who": each.asker}
            for each in state.game.options.proposals.values()
            if each.phase == state.game.phase
        ],
        "vacant": state.vacant(),
    }


def _row(state: State, power: str) -> dict[str, object]:
    seat = state.player(power)
    sheet = state.sheet(power)
    orders = OrderContext(state.variant, state.opened, state.rulebook, (power,))
    return {
        "power": power,
        "condition": state.condition(power),
        "owes": sheet.owes,
        "missing": sheet.missing,
        "doubts": len(list(hints(orders, power, state.orders.get(power, ())))),
        "late": seat is not None and is_late(state, seat),
        "wait": seat is not None and seat.wait,
    }
