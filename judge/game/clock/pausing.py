"""A game that stands still: the clock stops and no phase runs until somebody lets it go on."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from judge.events import EventKind, Reader
from judge.game.clock.reminders import forget_reminders
from judge.game.clock.timing import full_minute, set_clock
from judge.game.state import State
from judge.game.state.answers import Refused, not_running
from judge.storage import GameState, Pause, Role

TOLD_AGAIN = timedelta(days=3)
"""How often those who can let a paused game go on are reminded of it."""


def pause(state: State, now: datetime, why: str, who: str = "", but: int | None = None) -> None:
    """Stop the clock of a game and tell everybody but the person `but`. `why`: set or vote.

    Raises Refused where no clock runs.
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
    """Let a paused game go on, with a deadline as for a fresh phase, and tell everybody but `but`.

    No phase ends before its deadline from before the pause, and the end of the game's time limit
    moves by as long as it stood still. Raises Refused where it is not paused.
    """
    game = state.game
    if game.state != GameState.PAUSED:
        raise Refused("not_paused", game=game.name)
    kept = game.options.pause or Pause(since=now, told=now)
    game.options = replace(game.options, pause=None)
    ends_at = state.settings.ends_at
    # One that was set while it stood still is meant as it was said.
    if ends_at is not None and ends_at == kept.ends_at:
        state.set(ends_at=full_minute(ends_at + (now - kept.since)))
    game.state = GameState.ACTIVE
    set_clock(state, now, kept.deadline)
    # Orders that were complete are not run at once: DELAY begins anew.
    game.last_change = now
    forget_reminders(state)
    state.tell(EventKind.RESUMED, {"why": why, "who": who}, but=(but,))


def told_at(state: State) -> datetime | None:
    """When somebody is to be told again that the game is paused; None where it is not."""
    kept = state.game.options.pause
    if state.game.state != GameState.PAUSED or kept is None:
        return None
    return kept.told + TOLD_AGAIN


def tell_again(state: State, now: datetime) -> None:
    """Remind those who can let the game go on: its masters, or where it has none its players."""
    kept = state.game.options.pause
    assert kept is not None
    state.game.options = replace(state.game.options, pause=replace(kept, told=now))
    facts = {"since": kept.since}
    seats = state.active(Role.MASTER) if state.game.moderated else state.active(Role.PLAYER)
    for person_id in dict.fromkeys(seat.person_id for seat in seats):
        if person_id is not None:
            state.tell(EventKind.STILL_PAUSED, facts, to=Reader(person_id))
