"""Paused games: the clock stops and no phase runs until somebody resumes the game."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from judge.events import EventKind, Reader
from judge.game.clock.deadlines import forget_reminders, full_minute, set_clock
from judge.game.state import State
from judge.game.state.answers import Refused, not_running
from judge.storage import GameState, Pause, Role

TOLD_AGAIN = timedelta(days=3)
"""How often those who can resume a paused game are reminded of it."""


def pause(state: State, now: datetime, why: str, who: str = "", but: int | None = None) -> None:
    """Stop the clock of a game and tell everybody but the person `but`.

    `why` is set or vote. Raises Refused if no clock runs.
    """
    game = state.game
    if game.state != GameState.ACTIVE:
        raise not_running(state)
    game.state = GameState.PAUSED
    kept = Pause(since=now, told=now, deadline=game.deadline, ends_at=state.settings.ends_at)
    game.options = replace(game.options, pause=kept)
    game.deadline = game.grace_end = None
    state.tell(EventKind.PAUSED, {"why": why, "who": who}, but=(but,))


def resume(state: State, now: datetime, why: str, who: str = "", but: int | None = None) -> None:
    """Resume a paused game, with the deadline of a new phase, and tell everybody but `but`.

    The phase does not end before its deadline from before the pause, and the game's time limit
    moves by as long as the pause lasted. Raises Refused if the game is not paused.
    """
    game = state.game
    if game.state != GameState.PAUSED:
        raise Refused("not_paused", game=game.name)
    kept = game.options.pause or Pause(since=now, told=now)
    game.options = replace(game.options, pause=None)
    ends_at = state.settings.ends_at
    # A time limit that was set during the pause is meant as it was said.
    if ends_at is not None and ends_at == kept.ends_at:
        state.set(ends_at=full_minute(ends_at + (now - kept.since)))
    game.state = GameState.ACTIVE
    set_clock(state, now, kept.deadline)
    # DELAY begins again, so that complete orders are not adjudicated at once.
    game.last_change = now
    forget_reminders(state)
    state.tell(EventKind.RESUMED, {"why": why, "who": who}, but=(but,))


def told_at(state: State) -> datetime | None:
    """Return when somebody is next told that the game is paused; None if it is not."""
    kept = state.game.options.pause
    if state.game.state != GameState.PAUSED or kept is None:
        return None
    return kept.told + TOLD_AGAIN


def tell_again(state: State, now: datetime) -> None:
    """Remind those who can resume the game: its masters, or its players where it has none."""
    kept = state.game.options.pause
    assert kept is not None
    state.game.options = replace(state.game.options, pause=replace(kept, told=now))
    facts = {"since": kept.since}
    seats = state.active(Role.MASTER) if state.game.moderated else state.active(Role.PLAYER)
    for person_id in dict.fromkeys(seat.person_id for seat in seats):
        if person_id is not None:
            state.tell(EventKind.STILL_PAUSED, facts, to=Reader(person_id))
