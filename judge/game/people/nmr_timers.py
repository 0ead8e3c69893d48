"""How long a game waits for missing orders: the instants at which that has consequences."""

from __future__ import annotations

from datetime import datetime, timedelta

from judge.game.state import State
from judge.game.state.settings import NOTICE
from judge.storage import Condition, Seat, SeatState

NOTICED = timedelta(hours=NOTICE)

MERCY = timedelta(days=1)
"""The time, at least, that players who come back after the deadline have to send orders."""

DESERTED_AFTER = timedelta(days=30)
"""How long a game that nobody plays waits for somebody."""


def grace_of(state: State) -> datetime:
    """Return when the grace period of the open phase ends."""
    game = state.game
    assert game.deadline is not None
    grace = timedelta(hours=state.settings.pace(state.opened.phase).grace)
    return game.grace_end or game.deadline + grace


def abandoned_at(state: State, seat: Seat, grace_end: datetime | None = None) -> datetime:
    """Return when the power of `seat` counts as abandoned if its orders stay incomplete.

    `grace_end` is what `grace_of` says, where that is known already.
    A player who came back has a day; one who took over after the deadline, the grace period.
    """
    deadline = state.game.deadline
    assert deadline is not None
    notice = NOTICED if state.settings.nmr else timedelta(0)
    moments = [deadline, (grace_end or grace_of(state)) - notice]
    if seat.joined_at > deadline:
        grace = state.settings.pace(state.opened.phase).grace
        moments.append(seat.joined_at + timedelta(hours=grace) - notice)
    if (back := back_at(state, seat)) is not None:
        moments.append(back + MERCY)
    return max(moments)


def forced_at(state: State) -> datetime | None:
    """Return when the open phase runs without missing orders; None if it waits for them."""
    if not state.settings.nmr:
        return None
    moments = [grace_of(state)]
    for power in state.missing():
        seat = state.holder(power)
        assert seat is not None
        since = abandoned_at(state, seat) if seat.state == SeatState.ACTIVE else since_of(seat)
        moments.append(since + NOTICED)
    return max(moments)


def deserted_at(state: State) -> datetime | None:
    """Return when the game ends because nobody plays it; None while anybody does.

    That is at once if everybody has resigned, after `DESERTED_AFTER` if somebody may come back.
    """
    if is_played(state):
        return None
    seats = [
        seat
        for power in state.variant.powers
        if state.alive(power) and (seat := state.holder(power))
    ]
    assert state.game.opened_at is not None
    last = max((since_of(seat) for seat in seats), default=state.game.opened_at)
    return (
        last + DESERTED_AFTER if any(seat.state == SeatState.ABANDONED for seat in seats) else last
    )


def is_played(state: State) -> bool:
    """Return whether anybody plays a power that is still on the board."""
    return any(
        state.condition(power) == Condition.PLAYED and state.alive(power)
        for power in state.variant.powers
    )


def since_of(seat: Seat) -> datetime:
    """Return since when nobody plays the power of a seat."""
    return seat.options.since or seat.joined_at


def back_at(state: State, seat: Seat) -> datetime | None:
    """Return when the player of a seat came back in this phase; None if never away."""
    back = seat.options.back
    return None if back is None or back.phase != state.game.phase else back.at
