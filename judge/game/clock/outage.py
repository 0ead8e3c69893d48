"""After an outage people get their time back: every deadline moves by the time that was lost.

While the judge works it notes the time in its database, once a minute. If it finds a longer gap, it
was down or asleep, or its machine's clock jumped ahead. The judge cannot tell which, and need not:
no phase runs before people had the time they were promised. A clock that jumps back makes nothing
run early either. A judge that works but cannot read its mailbox or send its messages is an outage
for its players, too; so are breaks of a few minutes that add up within a day.

You are not late if the judge's message did not reach you, either. When a deadline has passed and
orders are missing, those who owe them must have had the message that opened the phase as long as
the others. If it arrived more than an hour later, the deadline moves for everybody by that; by a
day at a time while it is on its way; and by one day if it bounced, because somebody else has to fix
its address.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Literal, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from judge.clock import Clock
from judge.events import Event, EventKind, Recipient
from judge.game.clock import game_clock
from judge.game.state import State
from judge.storage import GameState, OutboundMessage, OutboundState, Seat, Storage, TimeGiven

log = logging.getLogger(__name__)

BEAT = timedelta(minutes=1)
"""How often the time is noted."""

SHORTEST = timedelta(minutes=3)
"""A shorter gap is no outage: the judge restarted, or was busy."""

DISCONNECTED = timedelta(minutes=15)
"""How long a mailbox or the transport may be down before that is an outage, too: phases wait in any
case, and servers restart sometimes."""

A_DAY = timedelta(days=1)
"""How long a break is remembered that was too short for an outage."""

_BREAKS = "breaks"
"""The value that says when the judge was disconnected lately."""

AT_ONCE = 50
"""Games moved, and people told, in one transaction: thousands take longer than anybody should wait
for a reply, or systemd for a sign of life."""


def owe(storage: Storage, last: datetime, now: datetime) -> None:
    """Note that every deadline that was to come when the judge was last seen, at `last`, is to
    move by the time since then: `give_back` does it in steps. Runs inside the caller's
    transaction."""
    game_clock.owe_all(storage, [*game_clock.time_owed(storage), game_clock.Outage(last, now)])


def owing(storage: Storage) -> bool:
    """Return whether games are left to move, or people to tell."""
    return bool(game_clock.time_owed(storage))


def give_back(storage: Storage, progress: Callable[[], None]) -> list[Event] | None:
    """Move the deadlines of some games; when all have moved, return an event for each of some
    people of theirs. None when all have been told.

    It calls `progress` after each game. Runs inside the caller's transaction; several judges may
    take steps in turns.
    """
    storage.heartbeat.alone()
    owed = game_clock.time_owed(storage)
    if not owed:
        return None
    first = owed[0]
    events: list[Event] = []
    if first.person is None:
        first = _moved(storage, first, progress)
    if first.person is not None:
        people = storage.people.playing(first.person, AT_ONCE)
        found = (_told(storage, person_id, first) for person_id in people)
        events = [event for event in found if event is not None]
        more = [replace(first, person=people[-1])] if len(people) == AT_ONCE else []
    else:
        more = [first]
    game_clock.owe_all(storage, [*more, *owed[1:]])
    return events


def _moved(
    storage: Storage, outage: game_clock.Outage, progress: Callable[[], None]
) -> game_clock.Outage:
    """Move some games; how far it has come then."""
    ids = storage.games.after(outage.game, GameState.ACTIVE, AT_ONCE)
    for game_id in ids:
        game = storage.games.claim(game_id)
        if game is not None and game.deadline is not None:
            game_clock.credit(State(storage, game))
        progress()
    if len(ids) == AT_ONCE:
        return replace(outage, game=ids[-1])
    return replace(outage, person=0)


def _told(storage: Storage, person_id: int, outage: game_clock.Outage) -> Event | None:
    """Return what somebody is told of their games; None where no deadline moved."""
    moved, dated = [], []
    # A game that has ended since needs no deadline.
    for game in storage.games.of_person(person_id, (GameState.ACTIVE,)):
        done = game_clock.credited(storage, game.id, outage)
        if done is not None and "deadline" in done:
            about = {
                "game": game.name,
                "phase": game.phase,
                "deadline": game.deadline,
                "grace_end": game.grace_end,
                "old": datetime.fromisoformat(done["old"]) if done["old"] else None,
                "ends_at": State(storage, game).settings.ends_at,
            }
            moved.append(about)
            dated.append(game.id)
    facts = {"hours": outage.lost.total_seconds() / 3600, "games": moved}
    told = Event(kind=EventKind.OUTAGE, to=Recipient(person_id), facts=facts, calendars=dated)
    return told if moved else None


class Connectivity(Protocol):
    """Knows how mail comes in and goes out."""

    def until(self) -> datetime | None:
        """Return up to when all mail was received and messages could be sent; None if unknown."""
        ...

    @property
    def disconnected(self) -> bool:
        """Whether a mailbox cannot be read, or nobody accepts messages."""
        ...


class AlwaysConnected:
    """The connectivity of a judge whose mail is brought and fetched: none waits elsewhere."""

    disconnected = False

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def until(self) -> datetime | None:
        """Return the current time."""
        return self._clock.now()


class Break(Struct, frozen=True):
    """A time in which the judge was disconnected, too short for an outage."""

    end: datetime
    seconds: float


class Heartbeat:
    """Notes that the judge works and can be reached, and gives time back after an outage."""

    def __init__(self) -> None:
        self._beat: datetime | None = None
        self._was_disconnected = True
        self._cut: datetime | None = None
        """Since when it has been disconnected; None if it is not, or was already at the start."""

    def is_due(self, now: datetime, reach: Connectivity) -> bool:
        """Return whether to `note`: once a minute, and when the connection is lost or back."""
        turned = reach.disconnected != self._was_disconnected
        return self._beat is None or turned or not timedelta(0) <= now - self._beat < BEAT

    def note(self, storage: Storage, clock: Clock, reach: Connectivity) -> None:
        """Note the time, in a transaction; after an outage, that people are to get theirs back."""
        now, pulse, until = clock.now(), storage.heartbeat, reach.until()
        disconnected, cut = reach.disconnected, self._cut
        is_back = self._was_disconnected and not disconnected
        with storage.transaction():
            pulse.alone()
            last = pulse.last()
            # A database from before this was noted knows only that a judge ran.
            reached = pulse.reached() or last or now
            since = None
            if last is not None and _is_outage(clock, now - last, SHORTEST, not self._beat):
                since = min(last, reached)
            elif is_back and _is_outage(clock, now - reached, DISCONNECTED, unseen=True):
                since = reached
            elif is_back:
                since = self._lost_in_breaks(storage, clock, reached)
            if since is not None:
                owe(storage, since, now)
                log.warning("down or cut off since %s; all deadlines move", since)
            if last is not None and now < last:
                storage.outbound.clock_set_back(now)
            pulse.beat(now)
            if not disconnected or since is not None:
                pulse.reach(now)
            elif not self._was_disconnected and until is not None:
                # It is noticed some time after the last look.
                pulse.reach(min(until, reached))
                cut = max(until, reached)
            elif pulse.reached() is None:
                pulse.reach(reached)
        self._beat, self._was_disconnected = now, disconnected
        self._cut = cut if disconnected else None

    def _lost_in_breaks(self, storage: Storage, clock: Clock, reached: datetime) -> datetime | None:
        """Return since when an outage would have lasted that lost as much as this break and those
        before it; None where that is too little. Then the break is remembered."""
        now = clock.now()
        kept = msgspec.convert(storage.keeper_settings.get(_BREAKS) or [], list[Break])
        lately = [each for each in kept if timedelta(0) <= now - each.end < A_DAY]
        lost = now - max(self._cut or reached, reached)
        # A start is no break, but a judge that was disconnected may have been started anew.
        if _is_outage(clock, lost, timedelta(0) if self._cut else SHORTEST, unseen=True):
            lately.append(Break(now, lost.total_seconds()))
        total = timedelta(seconds=sum(each.seconds for each in lately))
        is_outage = _is_outage(clock, total, DISCONNECTED, unseen=True)
        if is_outage:
            lately = []
        if lately != kept:
            storage.keeper_settings.put(_BREAKS, msgspec.to_builtins(list(lately)) or None)
        return now - total if is_outage else None


def _is_outage(clock: Clock, gap: timedelta, shortest: timedelta, unseen: bool) -> bool:
    """Return whether nothing was noted for so long that the judge must have been down or
    disconnected.

    What counts is the time that went by outside: a fast clock shows hours in a moment. A clock
    that only moves by hand moves on purpose, except where no judge could be seen.
    """
    real = clock.real_seconds(gap)
    if math.isinf(real):
        return unseen and gap > shortest
    return real > shortest.total_seconds()


LEAST = timedelta(hours=1)


def give_time_for_letters(state: State, now: datetime) -> bool:
    """Move a deadline that has passed if messages about its phase were late; return if it moved."""
    game = state.game
    old = game.deadline
    if old is None or old > now or state.sheets.complete():
        return False
    given = _given(state)
    needed = max((_needed(state, seat, given, now) for seat in _missing(state)),
                 default=timedelta(0))  # fmt: skip
    if needed - given < LEAST:
        return False
    more = needed - given
    # What is over cannot be given back: the time counts from now on, if that is later.
    game_clock.give_time(state, max(more, now + LEAST - old), now)
    state.note(given=TimeGiven(game.phase, needed.total_seconds()))
    facts = {"phase": game.phase, "seconds": more.total_seconds()}
    state.log(now, "undelivered", facts)
    game_clock.tell_deadline(state, old, "undelivered")
    return True


def _missing(state: State) -> list[Seat]:
    seats = [
        state.seats.player(power) for power in state.owed if not state.sheets.of(power).complete
    ]
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
    if any(each.sent_at is not None and not _came_back(state, each) for each in letters):
        return "delivered"
    return "pending" if any(each.state == OutboundState.QUEUED for each in letters) else "failed"
