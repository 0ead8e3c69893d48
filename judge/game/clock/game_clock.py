"""The clock of one game: its next deadline, and what moves the current one.

`judge.schedule.deadlines` has the rules; here they meet the game's settings and its people. No
phase ends before the time last promised to somebody who owes orders: an earlier deadline or grace
end is accepted only when everybody who owes orders has a complete set on file. While a game is
paused its clock stops, and no phase runs until somebody resumes it. After an outage of the judge a
game gets its time back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct, structs

from judge.events import EventKind, Recipient
from judge.game.state import State
from judge.game.state.answers import Refused, not_running
from judge.game.state.settings import PressRule
from judge.i18n import say
from judge.limits import BOUNDS
from judge.schedule.deadlines import (
    LAST_MINUTE,
    Absence,
    Pace,
    allowed_from,
    full_minute,
    grace_end,
    moved_grace_end,
    next_deadline,
    read_hours,
)
from judge.schedule.holidays import closed
from judge.storage import (
    Away,
    ClockChange,
    GameState,
    Pause,
    Role,
    RunningPace,
    Seat,
    SeatState,
    Storage,
)


def pace_of(state: State) -> Pace:
    """Return the pace of the open phase; the game's first phase has twice the time."""
    game = state.game
    first = game.opened_at is None or game.opened_at == game.started_at
    return state.settings.pace(state.opened.phase, first=first)


def running_pace(state: State) -> Pace:
    """Return the pace of the open phase with MIN and DELAY as they were when it opened."""
    pace, kept = pace_of(state), state.game.options.pace
    return pace if kept is None else replace(pace, min=kept.min, delay=kept.delay)


def spread_out(state: State, pace: Pace) -> Pace:
    """Return a pace with the minutes that keep the deadlines of many games from being one; they
    never lead to another day."""
    if pace.clock is None:
        return pace
    return replace(pace, clock=min(pace.clock + state.game.options.spread, LAST_MINUTE))


def set_clock(
    state: State,
    now: datetime,
    old_deadline: datetime | None,
    old_grace_end: datetime | None = None,
) -> None:
    """Set deadline and grace end of the open phase, as if it opened at `now`.

    `old_deadline` and `old_grace_end` are those of the phase before.
    """
    game, settings = state.game, state.settings
    pace = spread_out(state, pace_of(state))
    free = holidays(state, now)
    away = [*absences(state, now), *free]
    game.deadline = next_deadline(pace, now, old_deadline, settings.zone, away)
    without = next_deadline(pace, now, old_deadline, settings.zone)
    state.note(
        pace=RunningPace(pace.min, pace.delay),
        held=game.phase if without < game.deadline else None,
        not_before=None,
    )
    strict = settings.strict_grace
    game.grace_end = grace_end(pace, game.deadline, old_grace_end, settings.zone, strict, free)


def absences(state: State, now: datetime) -> list[Absence]:
    """Return the absences that the open phase must not end in.

    With press, those of everyone but observers and eliminated players; without, only of those who
    owe orders. Gunboat games count whole days.
    """
    found: list[Absence] = []
    for seat in state.seats:
        if seat.state != SeatState.ACTIVE:
            continue
        power = seat.power
        if state.settings.press is PressRule.NONE:
            counts = power in state.owed
        else:
            counts = seat.role == Role.MASTER or (power is not None and state.powers.alive(power))
        if counts:
            found += [
                Absence(each.start, each.end) for each in absences_of(seat, now) if each.approved
            ]
    if state.settings.gunboat:
        return [_whole_days(span, state.settings.zone) for span in found]
    return found


def _whole_days(span: Absence, zone: str) -> Absence:
    """Return an absence as whole days in the game's zone: a deadline right after midnight somewhere
    would tell where that player lives."""
    start, end = (instant.astimezone(ZoneInfo(zone)) for instant in span)
    first = start.replace(hour=0, minute=0, second=0, microsecond=0)
    last = end.replace(hour=23, minute=59, second=59, microsecond=0)
    return Absence(first.astimezone(UTC), last.astimezone(UTC))


def holidays(state: State, now: datetime) -> list[Absence]:
    """Return the public holidays on which no deadline of this game falls."""
    country = state.settings.holidays
    return [] if country is None else list(closed(country, state.settings.zone, now))


def earliest(state: State, now: datetime) -> datetime | None:
    """Return when the open phase can run if all orders are in; None if that is as good as now."""
    opened = state.game.opened_at
    if state.game.state != GameState.ACTIVE or opened is None:
        return None
    first = max(
        opened + timedelta(hours=running_pace(state).min), state.game.options.not_before or opened
    )
    return first if first > now + timedelta(hours=1) else None


def change_deadline(state: State, deadline: datetime, back: ClockChange | None = None) -> None:
    """Give the open phase another deadline, and send its reminders again.

    A later deadline moves the grace end, too; an earlier one only where a change is taken `back`.
    """
    game = state.game
    assert game.deadline is not None
    grace = game.grace_end or game.deadline
    game.grace_end = (
        moved_grace_end(game.deadline, grace, deadline)
        if back is None
        else max(deadline, back.grace, grace + (deadline - game.deadline))
    )
    game.deadline = deadline
    forget_reminders(state)


def give_time(state: State, lost: timedelta, now: datetime) -> None:
    """Move deadline and grace end of the open phase by at least `lost`, to an allowed day."""
    game = state.game
    assert game.deadline is not None
    days, zone = pace_of(state).days, state.settings.zone
    free = holidays(state, now)
    change_deadline(state, allowed_from(full_minute(game.deadline + lost), days, zone, free))
    start = state.game.options.not_before
    if start is not None:
        state.note(not_before=start + lost)


def running(state: State) -> datetime:
    """Return the current deadline. Raises Refused if no clock runs."""
    game = state.game
    if game.state != GameState.ACTIVE or game.deadline is None:
        raise not_running(state)
    return game.deadline


TAKES_BACK = timedelta(hours=1)
"""How long anyone who changed a deadline can take that back, and what is left to everybody then."""


def note_change(state: State, now: datetime, by: int) -> None:
    """Note what the clock is before the person `by` changes it."""
    game, last = state.game, _last_change(state)
    assert game.deadline is not None
    before = game.deadline, game.grace_end or game.deadline
    if last is not None and last.by == by and _untouched(state, last, now):
        # Both changes are taken back together.
        before = last.deadline, last.grace
    first = game.deadline if last is None else last.first
    missing = tuple(state.sheets.missing())
    state.note(changed=ClockChange(game.phase, by, now, *before, first, missing))


def _last_change(state: State) -> ClockChange | None:
    last = state.game.options.changed
    return last if last is not None and last.phase == state.game.phase else None


def _untouched(state: State, change: ClockChange, now: datetime) -> bool:
    """Return whether a change is an hour old at most, and nobody has relied on the time that it
    gave: no orders are missing that were not then, nobody has announced an absence."""
    if now > change.at + TAKES_BACK or not set(state.sheets.missing()) <= set(change.missing):
        return False
    return not state.storage.events.lately("absence", change.at, state.game.id)


def taken_back_to(state: State, now: datetime, by: int, keeps: bool) -> ClockChange | None:
    """Return the change that the person `by` can take back: an untouched one of their own, any
    where the keeper does it (`keeps`); None if there is none."""
    last = _last_change(state)
    if last is None or keeps:
        return last and structs.replace(last, deadline=last.first, grace=last.first)
    return last if last.by == by and _untouched(state, last, now) else None


def keep_promise(
    state: State, old: datetime, new: datetime, master: bool, floor: datetime | None = None
) -> None:
    """Raise Refused if `new` breaks the promise of `old` to somebody who owes orders.

    It does not from `floor` on, which was promised before a change that is taken back. A `master`
    is told what to write instead.
    """
    if floor is not None and new >= floor.replace(second=0, microsecond=0):
        return
    if new < old and not state.sheets.complete():
        raise Refused(
            "promised",
            write=f"PROCESS {state.game.phase}" if master else None,
            old=old,
            master=master,
        )


def set_deadline(
    state: State,
    new: datetime,
    why: str,
    who: str = "",
    but: int | None = None,
    back: ClockChange | None = None,
) -> datetime:
    """End the open phase at `new`, tell all but the person `but`, and return the old deadline.

    `why` is set, vote, undelivered or back; `who` is the name of who did it, if anybody did;
    `back` a change that can be taken back.
    """
    old = running(state)
    change_deadline(state, new, back)
    tell_deadline(state, old, why, who, but)
    return old


def tell_deadline(
    state: State, old: datetime | None, why: str, who: str = "", but: int | None = None
) -> None:
    """Tell everybody but `but` that the deadline has changed."""
    state.tell(EventKind.DEADLINE, {"old": old, "why": why, "who": who}, but=(but,))


def absences_of(seat: Seat, now: datetime) -> list[Away]:
    """Return the absences of a seat that are not over, in order."""
    return sorted((each for each in seat.absence or () if each.end > now), key=_span)


def change_absences(
    state: State, seats: Iterable[Seat], now: datetime, change: Callable[[list[Away]], list[Away]]
) -> None:
    """Replace the absences of seats that are not over by what `change` makes of them."""
    for seat in seats:
        seat.absence = tuple(sorted(change(absences_of(seat, now)), key=_span)) or None
        state.seats.keep(seat)


def overlaps(known: Sequence[Away], span: Absence) -> Away | None:
    """Return an absence that overlaps `span`, if there is one."""
    return next(
        (each for each in known if each.start <= span.end and span.start <= each.end),
        None,
    )


def _span(away: Away) -> Absence:
    return Absence(away.start, away.end)


EARLIEST = 14 * 24

_SEPARATOR = re.compile(r"\s*(?:[,;/&]|\band\b|\bund\b|\bet\b|\s(?=[\d.]))\s*", re.IGNORECASE)


def read_reminders(text: str) -> tuple[float, ...]:
    """Return the times that `text` names, in hours before a deadline, earliest first.

    Such texts are `24 8` and `2D, 24H and 90M`; NONE gives none.

    Raises ValueError, quoting what cannot be read.
    """
    words = text.strip().strip(".")
    if words.lower() in ("none", "no", "never", "off", "-"):
        return ()
    hours = {round(read_hours(piece), 2) for piece in _SEPARATOR.split(words) if piece}
    if not hours:
        raise ValueError(say("it takes times before the deadline, such as 24H 8H, or NONE"))
    if len(hours) > BOUNDS.reminders or not all(0 < each <= EARLIEST for each in hours):
        days = EARLIEST // 24
        raise ValueError(
            say(
                "up to {most} reminders, at most {days} days ahead",
                most=BOUNDS.reminders,
                days=days,
            )
        )
    return tuple(sorted(hours, reverse=True))


def forget_reminders(state: State) -> None:
    """Forget which reminders of the open phase were sent, because its deadline changed."""
    for seat in state.seats:
        if seat.options.reminded:
            state.seats.mark(seat, reminded=())


TOLD_AGAIN = timedelta(days=3)
"""How often those who can resume a paused game are reminded of it."""


def pause(
    state: State,
    now: datetime,
    why: str,
    who: str = "",
    but: int | None = None,
    until: datetime | None = None,
) -> None:
    """Stop the clock of a game, `until` then at the latest, and tell everybody but `but`.

    `why` is set or vote. Raises Refused if no clock runs.
    """
    game = state.game
    if game.state != GameState.ACTIVE:
        raise not_running(state)
    game.state = GameState.PAUSED
    ends_at = state.settings.ends_at
    kept = Pause(since=now, told=now, deadline=game.deadline, ends_at=ends_at, until=until)
    state.note(pause=kept)
    game.deadline = game.grace_end = None
    state.tell(EventKind.PAUSED, {"why": why, "who": who, "until": until}, but=(but,))


def resume(state: State, now: datetime, why: str, who: str = "", but: int | None = None) -> None:
    """Resume a paused game, with the deadline of a new phase, and tell everybody but `but`.

    `why` is set, vote or over, where the pause had an end.
    The phase does not end before its deadline from before the pause, and the game's time limit
    moves by as long as the pause lasted. Raises Refused if the game is not paused.
    """
    game = state.game
    if game.state != GameState.PAUSED:
        raise Refused("not_paused", game=game.name)
    kept = game.options.pause or Pause(since=now, told=now)
    state.note(pause=None)
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


def pause_ends_at(state: State) -> datetime | None:
    """Return when a pause ends by itself; None if it does not, or there is none."""
    kept = state.game.options.pause
    return kept.until if state.game.state == GameState.PAUSED and kept is not None else None


def pause_told_at(state: State) -> datetime | None:
    """Return when somebody is next told that the game is paused; None if it is not."""
    kept = state.game.options.pause
    if state.game.state != GameState.PAUSED or kept is None:
        return None
    return kept.told + TOLD_AGAIN


def tell_paused_again(state: State, now: datetime) -> None:
    """Remind those who can resume the game: its masters, or its players where it has none."""
    kept = state.game.options.pause
    assert kept is not None
    state.note(pause=structs.replace(kept, told=now))
    facts = {"since": kept.since, "until": kept.until}
    seats = (
        state.seats.active(Role.MASTER) if state.game.moderated else state.seats.active(Role.PLAYER)
    )
    for person_id in dict.fromkeys(seat.person_id for seat in seats):
        if person_id is not None:
            state.tell(EventKind.STILL_PAUSED, facts, to=Recipient(person_id))


# What is owed after an outage


_OWED = "time owed"
"""The value that says for which outages games are still to be moved, or people told."""


class Outage(Struct, frozen=True, omit_defaults=True):
    """An outage that is being made up for (`judge.game.clock.outage`)."""

    last: datetime
    """When the judge was last seen before it."""
    now: datetime
    """When it was noticed."""
    game: int = 0
    """All games up to this id have been moved."""
    person: int | None = None
    """All people up to this id have been told; None while games are still moved."""

    @property
    def lost(self) -> timedelta:
        """The time that every deadline then to come moves by."""
        return self.now - self.last


def time_owed(storage: Storage) -> list[Outage]:
    """Return the outages that are not made up for yet, the first one first."""
    return msgspec.convert(storage.keeper_settings.get(_OWED) or [], list[Outage])


def owe_all(storage: Storage, owed: Sequence[Outage]) -> None:
    """Replace the outages that are not made up for yet."""
    storage.keeper_settings.put(_OWED, msgspec.to_builtins(list(owed)) or None)


def credit(state: State) -> None:
    """Give a game the time back that is still owed to it, before anything else is done with it.
    Runs inside the caller's transaction."""
    owed = [each for each in time_owed(state.storage) if each.person is None]
    game = state.game
    for outage in owed:
        if game.id <= outage.game or credited(state.storage, game.id, outage) is not None:
            continue
        facts: dict[str, Any] = {"lost": outage.lost.total_seconds()}
        if game.state == GameState.ACTIVE and game.deadline is not None:
            old = _move(state, outage.last, outage.lost, outage.now)
            # The clock looks at every game again.
            game.wake_at = outage.now
            facts["deadline"] = game.deadline.isoformat()
            facts["old"] = old.isoformat() if old else None
        state.log(outage.now, "outage", facts)
        state.save()


def credited(storage: Storage, game_id: int, outage: Outage) -> dict[str, Any] | None:
    """Return what the log says of a game and an outage; None where it has not been seen to."""
    found = storage.events.at(game_id, "outage", outage.now)
    return None if found is None else found.facts


def _move(state: State, last: datetime, lost: timedelta, now: datetime) -> datetime | None:
    """Give a game its time back; return its deadline before, None if that had passed already."""
    game = state.game
    old = game.deadline
    assert old is not None
    ends_at = state.settings.ends_at
    if ends_at is not None and ends_at > last:
        state.set(ends_at=full_minute(ends_at + lost))
    if game.last_change is not None:
        # Nobody could be heard, so DELAY counts from here; but no change is later than now.
        game.last_change = min(game.last_change + lost, now)
    if old > last:
        give_time(state, lost, now)
        return old
    if game.grace_end is not None and game.grace_end > last:
        game.grace_end += lost
    return None
