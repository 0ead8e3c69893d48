"""One letter a day to each master of a running game: how far all are, and what waits for him."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from judge.events import EventKind, reader
from judge.game.orders.consistency import hints
from judge.game.orders.order_context import OrderContext
from judge.game.people.admission import waiting_seats
from judge.game.people.lateness import is_late
from judge.game.state import State
from judge.storage import Person, Role, Seat

PROPOSALS = "proposals"
"""Where the options of a game keep what players have asked for and nobody has decided yet."""

_HOUR = time(7)
"""When it is sent, in the master's own time zone."""


def wants(person: Person) -> bool:
    """Whether somebody gets the letter, if he runs a game."""
    return person.options.daily is not False


def begin(state: State, person: Person, now: datetime) -> None:
    """Follow somebody's wish in this game: the first letter is the next one from now on."""
    state.known(person)
    for seat in state.seats_of(person.id):
        if seat.role == Role.MASTER:
            seat.options = replace(seat.options, daily=now)
            state.seat(seat)


def next_look(state: State) -> datetime | None:
    """When the next letter is due; None where nobody gets any."""
    return min((moment for moment, _ in _due(state)), default=None)


def step(state: State, now: datetime) -> bool:
    """Write to the masters whose hour has come; whether there were any."""
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
    """The first time that it is `hour` in `zone` later than `after`."""
    day = after.astimezone(zone).date()
    while (moment := datetime.combine(day, hour, zone).astimezone(after.tzinfo)) <= after:
        day += timedelta(days=1)
    return moment


def facts(state: State) -> dict[str, Any]:
    """Each power's state, without its orders, and what the master is asked to decide."""
    return {
        "rows": [_row(state, power) for power in state.variant.powers if state.alive(power)],
        "newcomers": [
            {"who": state.person(seat).name, "power": seat.power} for seat in waiting_seats(state)
        ],
        "asked": [
            {"kind": each["kind"], "who": each["as"]}
            for each in state.game.options.get(PROPOSALS, {}).values()
            if each["phase"] == state.game.phase
        ],
        "vacant": state.vacant(),
    }


def _row(state: State, power: str) -> dict[str, Any]:
    seat = state.player(power)
    sheet = state.sheet(power)
    desk = OrderContext(state.variant, state.opened, state.rulebook, (power,))
    return {
        "power": power,
        "condition": state.condition(power),
        "owes": sheet.owes,
        "missing": sheet.missing,
        "doubts": len(list(hints(desk, power, state.orders.get(power, ())))),
        "late": seat is not None and is_late(state, seat),
        "wait": seat is not None and seat.wait,
    }
