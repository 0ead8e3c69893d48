"""The question before the start: whether everybody who has a place is still there.

A game that waited weeks for its last player would else begin without those who have forgotten it.
One who wrote to the judge within a day is not asked. The others are, once, and lose their places if
they write nothing about the game until a phase's time is over, two days at most.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec.structs import replace

from judge.events import EventKind, reader
from judge.game.people.entry import addresses_of, begins_at, waiting_seats
from judge.game.state import State
from judge.storage import GameState, Role, Seat, SeatState

LATELY = timedelta(days=1)
"""Who wrote so lately is there without being asked."""

LONGEST = timedelta(days=2)
"""The most time there is for an answer."""


def ends_at(state: State) -> datetime | None:
    """Return when the time for answers ends, or ended; None where nobody was asked."""
    asked = state.game.options.mustered
    return asked and asked + min(timedelta(hours=state.settings.move.next), LONGEST)


def could_start(state: State) -> bool:
    """Return whether nobody is missing in a game that starts by itself; its date may be to come."""
    if state.game.state != GameState.FORMING or state.settings.manual_start:
        return False
    there = len(state.seats.active(Role.PLAYER))
    enough = there == state.terms.places or (state.settings.forced and there > 0)
    return enough and not waiting_seats(state)


def starts_now(state: State, now: datetime) -> bool:
    """Return whether a game starts as soon as the message that is processed is done."""
    return could_start(state) and not begins_at(state, now) and due_at(state, now) is None


def due_at(state: State, now: datetime) -> datetime | None:
    """Return when `act` has something to do, for a game that could start; None if it can."""
    if not state.terms.musters or state.settings.forced:
        return None
    end = ends_at(state)
    if end is not None and _asked(state):
        return end
    if end is not None and now < end:
        return None
    return now if _silent(state, now) else None


def act(state: State, now: datetime) -> None:
    """Ask those who did not write lately, or give away the places of those who did not answer."""
    if gone := _asked(state):
        _give_up(state, now, gone)
        return
    state.note(mustered=now)
    asked = _silent(state, now)
    for seat in asked:
        state.seats.mark(seat, asked=True)
        facts = {"until": ends_at(state), "lost": False}
        state.tell(EventKind.MUSTER, facts, to=reader(seat), claim="here")
    state.log(now, "asked who is there", {"people": [seat.person_id for seat in asked]})


def answered(state: State, person_id: int) -> None:
    """Take note that somebody has written about a forming game: they are there."""
    for seat in state.seats.of(person_id):
        if seat.options.asked:
            state.seats.mark(seat, asked=False)


def _give_up(state: State, now: datetime, gone: list[Seat]) -> None:
    people = [seat.person_id for seat in gone]
    state.note(mustered=None)
    for seat in gone:
        facts = {"until": None, "lost": True, "buttons": [f"JOIN {state.game.name}"]}
        state.tell(EventKind.MUSTER, facts, to=reader(seat))
    left = {"powers": [None] * len(gone), "started": False}
    state.tell(EventKind.RESIGNED, left, but=people)
    for seat in gone:
        seat.state, seat.options = SeatState.LEFT, replace(seat.options, asked=False)
        state.seats.keep(seat)
    state.log(now, "places given up", {"people": people})


def _asked(state: State) -> list[Seat]:
    """Return the seats of people who were asked and have not answered."""
    return [seat for seat in state.seats.active(Role.PLAYER) if seat.options.asked]


def _silent(state: State, now: datetime) -> list[Seat]:
    """Return the seats of people who wrote nothing lately."""
    since, inbound = now - LATELY, state.storage.inbound
    return [
        seat
        for seat in state.seats.active(Role.PLAYER)
        if seat.options.bot is None and seat.joined_at < since
        if not any(
            inbound.was_read_since(address, since)
            for address in addresses_of(state.storage, state.seats.person(seat))
        )
    ]
