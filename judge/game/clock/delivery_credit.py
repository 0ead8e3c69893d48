"""You are not late if the judge's message did not reach you: the deadline moves for everybody.

When a deadline has passed and orders are missing, those who owe them must have had the message that
opened the phase as long as the others. If it arrived more than an hour later, the deadline moves by
that; by a day at a time while it is on its way; and by one day if it bounced, because somebody else
has to fix its address.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

from judge.game.clock.deadlines import give_time, tell_deadline
from judge.game.state import State
from judge.storage import OutboundMessage, OutboundState, Seat, TimeGiven

LEAST = timedelta(hours=1)
A_DAY = timedelta(days=1)


def give_time_for_letters(state: State, now: datetime) -> bool:
    """Move a deadline that has passed if messages about its phase were late; return if it moved."""
    game = state.game
    old = game.deadline
    if old is None or old > now or state.complete():
        return False
    given = _given(state)
    needed = max((_needed(state, seat, given, now) for seat in _missing(state)),
                 default=timedelta(0))  # fmt: skip
    if needed - given < LEAST:
        return False
    more = needed - given
    # What is over cannot be given back: the time counts from now on, if that is later.
    give_time(state, max(more, now + LEAST - old), now)
    credit = TimeGiven(game.phase, needed.total_seconds())
    game.options = replace(game.options, given=credit)
    facts = {"phase": game.phase, "seconds": more.total_seconds()}
    state.log(now, "undelivered", facts)
    tell_deadline(state, old, "undelivered")
    return True


def _missing(state: State) -> list[Seat]:
    seats = [state.player(power) for power in state.owed if not state.sheet(power).complete]
    return [seat for seat in seats if seat is not None and seat.person_id is not None]


def _given(state: State) -> timedelta:
    kept = state.game.options.given
    if kept is None or kept.phase != state.game.phase:
        return timedelta(0)
    return timedelta(seconds=kept.seconds)


def _needed(state: State, seat: Seat, given: timedelta, now: datetime) -> timedelta:
    """Return how much longer than others somebody waited for the message that opened the phase."""
    opened = state.game.opened_at
    assert opened is not None
    assert seat.person_id is not None
    since = max(opened, seat.joined_at)
    letters = state.storage.outbound.to_person(state.game.id, seat.person_id, since)
    if not letters:
        return timedelta(0)
    arrived = [each.sent_at for each in letters if each.sent_at and not _came_back(state, each)]
    if arrived:
        return min(arrived) - since
    # Later messages, such as a note on being late, start nothing again if the first bounced.
    if letters[0].state == OutboundState.QUEUED:
        return min(now - since, given + A_DAY)
    return A_DAY


def _came_back(state: State, letter: OutboundMessage) -> bool:
    back = state.storage.bounces.of(letter.recipient)
    return any(each.hard and each.letter_id == letter.id for each in back)


Delivery = Literal["delivered", "pending", "failed"]
"""Of the messages about the open phase, one has arrived, all are on their way, or none will."""


def delivery(state: State, seat: Seat) -> Delivery:
    """Return whether the person of `seat` got a message about this game since its phase opened."""
    game = state.game
    assert game.opened_at is not None
    assert seat.person_id is not None
    letters = state.storage.outbound.to_person(game.id, seat.person_id, game.opened_at)
    if any(each.state == OutboundState.SENT and not _came_back(state, each) for each in letters):
        return "delivered"
    return "pending" if any(each.state == OutboundState.QUEUED for each in letters) else "failed"
