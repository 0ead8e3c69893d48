"""How long a game waits for orders that do not come: the moments at which that has consequences."""

from __future__ import annotations

from datetime import datetime, timedelta

from judge.game.state import State
from judge.game.state.settings import NOTICE
from judge.storage import Condition, Seat, SeatState

NOTICED = timedelta(hours=NOTICE)

MERCY = timedelta(days=1)
"""How long whoever comes back after the deadline has, at least, to send orders."""

DESERTED_AFTER = timedelta(days=30)
"""How long a game in which nobody plays any more waits for somebody."""


def grace_of(state: State) -> datetime:
    """When missing orders of the open phase have their consequences."""
    game = state.game
    assert game.deadline is not None
    grace = timedelta(hours=state.settings.pace(state.opened.phase).grace)
    return game.grace_end or game.deadline + grace


def abandoned_at(state: State, seat: Seat) -> datetime:
    """When the power of `seat` counts as abandoned if its orders stay incomplete.

    Who came back has a day from then on; who took the power over after the deadline, GRACE.
    """
    deadline = state.game.deadline
    assert deadline is not None
    notice = NOTICED if state.settings.nmr else timedelta(0)
    moments = [deadline, grace_of(state) - notice]
    if seat.joined_at > deadline:
        grace = state.settings.pace(state.opened.phase).grace
        moments.append(seat.joined_at + timedelta(hours=grace) - notice)
    if (back := back_at(state, seat)) is not None:
        moments.append(back + MERCY)
    return max(moments)


def forced_at(state: State) -> datetime | None:
    """When the open phase runs without the orders that are missing; None: it waits for them."""
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
    """When the game is over because nobody plays it: at once when everybody has resigned, after
    `DESERTED_AFTER` when somebody may come back. None while anybody plays."""
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
    """Whether anybody plays a power that is still on the board."""
    return any(
        state.condition(power) == Condition.PLAYED and state.alive(power)
        for power in state.variant.powers
    )


def since_of(seat: Seat) -> datetime:
    """Since when nobody plays the power of a seat."""
    return seat.options.since or seat.joined_at


def back_at(state: State, seat: Seat) -> datetime | None:
    """When its player came back in this phase, None where he was never away."""
    back = seat.options.back
    return None if back is None or back.phase != state.game.phase else back.at
