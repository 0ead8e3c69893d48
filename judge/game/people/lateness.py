"""Missing orders: who is late, when a power counts as abandoned, and what happens then.

After the deadline everybody is told who is late, and late players once more a day before others can
have their powers. At the end of the grace period a power without orders is abandoned, and the game
waits for somebody to take it over, or, with a caretaker, a computer orders until then. In an NMR
game without one it is abandoned `NOTICE` hours earlier, and falls into civil disorder at the end of
grace: the orders it has count, and nobody waits for it. The seat of a power's last player keeps the
notes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator
from datetime import datetime, timedelta

from msgspec.structs import replace

from judge.events import EventKind, Recipient, reader
from judge.game.clock.outage import delivery
from judge.game.people.entry import addresses_of, barred, is_barred
from judge.game.people.reliability import log_reliability
from judge.game.state import IN_USE, State
from judge.game.state.settings import NOTICE
from judge.game.visibility import fog
from judge.sentences import Wording
from judge.storage import (
    Condition,
    GameState,
    Lateness,
    Person,
    PhaseMoment,
    Reliability,
    Role,
    Seat,
    SeatOptions,
    SeatState,
    Storage,
    Vote,
)

LAST_CALL = timedelta(days=1)
"""How long before the end of their time late players are told again, and how long after the first
time at least."""

Act = Callable[[State, datetime], None]


def agenda(state: State) -> Iterator[tuple[datetime, Act]]:
    """Yield what is to be done about missing orders and when, most urgent first."""
    for sitter in sitters(state):
        assert sitter.options.sits_until is not None
        yield sitter.options.sits_until, take_back
    deadline = state.game.deadline
    assert deadline is not None
    late = [seat for power in state.sheets.missing() if (seat := state.seats.holder(power))]
    if not state.terms.private and any(_told(state, seat) is None for seat in late):
        yield deadline, tell_late
    played = [seat for seat in late if seat.state == SeatState.ACTIVE]
    for seat in played:
        yield abandoned_at(state, seat), abandon
    for seat in played:
        if (at := _last_call(state, seat)) is not None:
            yield at, tell_again
    if state.terms.private:
        # Nobody waits, and nobody else may take it over.
        return
    for powers, again in ((state.powers.vacant(), AGAIN), (state.powers.in_care(), SELDOM)):
        for open_seat in filter(None, map(state.seats.holder, powers)):
            called = open_seat.options.called
            yield since_of(open_seat) if called is None else called + again, call


def vacate(state: State, power: str, condition: Condition, now: datetime) -> None:
    """Leave `power` without a player from `now` on, in this condition.

    A player who has not left can come back. A power that nobody ever played gets a seat.
    """
    seat = state.seats.holder(power) or state.seats.new(None, Role.PLAYER, now, power=power)
    if seat.state == SeatState.ACTIVE:
        seat.state = SeatState.ABANDONED
    voted = seat.options.voted
    if seat.draw is not None and seat.draw.share is not None:
        voted = seat.draw
    seat.wait, seat.draw = False, None
    was = seat.options if seat.options.condition else SeatOptions(since=now, gone=state.game.phase)
    since = was.since or now
    state.seats.mark(
        seat, called=None, condition=condition, since=since, gone=was.gone, voted=voted
    )


def occupy(state: State, seat: Seat, now: datetime) -> Vote | None:
    """Let the person of `seat` play its power from `now` on, again or for the first time; return
    their vote from before, which no longer counts."""
    seat.state, voted = SeatState.ACTIVE, seat.options.voted
    back = PhaseMoment(state.game.phase, now)
    seat.options = replace(
        seat.options, condition=None, since=None, called=None, back=back, gone=None, voted=None
    )
    deadline = state.game.deadline
    if state.terms.caretaker and not seat.options.bot and ordered_for(state, seat.power or ""):
        # Orders that a caretaker gave must not be carried out before the player has read them.
        seat.wait = True
    if deadline is not None and deadline < now and seat.joined_at > deadline:
        # Nobody is late at the moment they arrive.
        seat.options = replace(seat.options, late=Lateness(deadline, now, excused=True))
    state.seats.keep(seat)
    return voted


def succeed(
    state: State, power: str, person: Person, now: datetime, options: SeatOptions | None = None
) -> Seat:
    """Give a power to a person from `now` on, in the place of anyone who left it or of a computer;
    return the new seat."""
    before = state.seats.holder(power)
    if before is not None and (before.state == SeatState.ABANDONED or before.options.bot):
        state.seats.leave([before], SeatState.REPLACED)
    more = {"power": power, "options": options or SeatOptions()}
    seat = state.seats.keep(state.seats.new(person.id, Role.PLAYER, now, **more))
    occupy(state, seat, now)
    return seat


def plays_in(storage: Storage, person_id: int, games: Collection[int]) -> bool:
    """Return whether somebody plays a power in one of these games, not for somebody else."""
    return any(
        seat.role is Role.PLAYER and seat.state in IN_USE and not seat.options.sits_for
        for seat in storage.seats.of_person(person_id)
        if seat.game_id in games
    )


def sitters(state: State) -> list[Seat]:
    """Return the seats of those who play a power for its player for some time, or did last."""
    holders = filter(None, map(state.seats.holder, state.variant.powers))
    return [seat for seat in holders if seat.options.sits_until is not None]


def sit(state: State, owner: Seat, person: Person, now: datetime, until: datetime) -> Seat:
    """Let a person play the power of `owner` until an instant, and return the seat."""
    assert owner.power is not None
    state.seats.leave([owner], SeatState.REPLACED)
    options = SeatOptions(sits_until=until, sits_for=owner.id)
    return succeed(state, owner.power, person, now, options)


def take_back(state: State, now: datetime, only: Container[int] | None = None) -> None:
    """Give powers back to those for whom others sat, where the time is over, or, as far as they
    are `only` these people's, at once; both are told."""
    seats = {each.id: each for each in state.seats}
    for seat in sitters(state):
        owner = seats[seat.options.sits_for or 0]
        until, power = seat.options.sits_until, seat.power
        assert until is not None
        assert power is not None
        if until > now if only is None else owner.person_id not in only:
            continue
        state.seats.leave([seat], SeatState.REPLACED)
        succeed(state, power, state.seats.person(owner), now)
        state.log(now, "seat taken back", {"power": power})
        for told in (owner, seat):
            facts = {"power": power, "own": told is owner, "back": True, "until": until}
            facts |= {"asked": False}
            state.tell(EventKind.LENT, facts, to=reader(told))


def joined_after(seats: Iterable[Seat], at: datetime) -> bool:
    """Return whether any of these seats was taken after an instant."""
    return any(seat.joined_at > at for seat in seats)


def ordered_for(state: State, power: str) -> bool:
    """Return whether orders on file for a power came in no message."""
    here = set(map(str, state.orders.get(power, ())))
    filed = state.on_file.of_phase(str(state.opened.phase))
    return any(each.mail_id is None and each.text in here for each in filed.get(power, ()))


def late(state: State, now: datetime) -> list[str]:
    """Return the powers whose orders are missing after the deadline."""
    deadline = state.game.deadline
    past = state.game.state == GameState.ACTIVE and deadline is not None and deadline < now
    return state.sheets.missing() if past else []


def is_late(state: State, seat: Seat) -> bool:
    """Return whether a player missed the deadline, and could know of it."""
    late = seat.options.late
    return late is not None and not late.excused and _told(state, seat) is not None


def _told(state: State, seat: Seat) -> datetime | None:
    """Return when the lateness of `seat` was last told; None if it is not late, or not told yet.

    A new deadline makes everybody punctual again.
    """
    late = seat.options.late
    return None if late is None or late.deadline != state.game.deadline else late.told


def tell_late(state: State, now: datetime) -> None:
    """Tell everybody that the deadline has passed, who is late, and what follows when."""
    assert state.game.deadline is not None
    named = []
    for power in state.sheets.missing():
        seat = state.seats.holder(power)
        assert seat is not None
        if _told(state, seat) is not None:
            continue
        excused = seat.state != SeatState.ACTIVE or delivery(state, seat) != "delivered"
        if not excused:
            named.append(power)
        late = Lateness(state.game.deadline, now, excused)
        state.seats.mark(seat, late=late)
    state.log(now, "late", {"phase": state.game.phase, "powers": named})
    state.tell(EventKind.LATE, _facts(state) | {"late": named, "last_call": False})


def _last_call(state: State, seat: Seat) -> datetime | None:
    """Return when a late player is told for the last time; None where nothing would be new."""
    told, at = _told(state, seat), abandoned_at(state, seat) - LAST_CALL
    return at if told is not None and told + LAST_CALL <= at else None


def tell_again(state: State, now: datetime) -> None:
    """Tell late players that others can have their powers a day later: one message to each."""
    due: dict[int | None, list[Seat]] = {}
    for seat in _late_players(state):
        if (at := _last_call(state, seat)) is not None and at <= now:
            due.setdefault(seat.person_id, []).append(seat)
    for seats in due.values():
        for seat in seats:
            assert seat.options.late is not None
            state.seats.mark(seat, late=replace(seat.options.late, told=now))
        late_powers = [seat.power for seat in seats]
        facts = _facts(state) | {"late": late_powers, "last_call": True}
        state.tell(EventKind.LATE, facts, to=reader(seats[0]))


def abandon(state: State, now: datetime) -> None:
    """Open the powers whose time is over to others, with all others of their players, and tell
    everybody."""
    powers: list[str] = []
    for seat in _late_players(state):
        if seat.power in powers or abandoned_at(state, seat) > now:
            continue
        assert seat.power is not None
        how = delivery(state, seat)
        if how == "pending":
            # They cannot know yet: wait until the message has arrived or failed.
            back = PhaseMoment(state.game.phase, now)
            state.seats.mark(seat, back=back)
            continue
        if how == "delivered":
            log_reliability(state, [(seat, Reliability.ABANDONED)], now)
        for power in state.powers.hand(seat.power):
            if state.seats.player(power) is not None:
                vacate(state, power, Condition.ABANDONED, now)
                powers.append(power)
    if powers:
        state.log(now, "abandoned", {"phase": state.game.phase, "powers": powers})
        _announce(state, powers)


def fall_into_disorder(state: State, now: datetime) -> None:
    """Put powers with missing orders into civil disorder, as the phase runs without them.

    Nobody waits for them from here on. The results say so.
    """
    gone = set[str]().union(*map(state.powers.hand, state.sheets.missing()))
    powers = [
        power for power in state.variant.powers if power in gone and state.powers.awaited(power)
    ]
    for power in powers:
        vacate(state, power, Condition.DISORDER, now)
    if powers:
        state.log(now, "civil disorder", {"phase": state.game.phase, "powers": powers})


def count_phase(state: State, now: datetime) -> None:
    """Record, as the open phase runs, who was on time and who was late: each person once, however
    many powers they play."""
    done: list[tuple[Seat, Reliability]] = []
    for hand in state.powers.hands():
        seats = [
            seat
            for power in hand
            if power in state.owed and not state.sheets.of(power).optional
            if (seat := state.seats.player(power))
        ]
        late = next((seat for seat in seats if is_late(state, seat)), None)
        if late is not None:
            done.append((late, Reliability.LATE))
        elif seats and all(_was_punctual(state, seat) for seat in seats):
            done.append((seats[0], Reliability.ON_TIME))
    log_reliability(state, done, now)


def _was_punctual(state: State, seat: Seat) -> bool:
    assert seat.power is not None
    return state.sheets.of(seat.power).complete and _told(state, seat) is None


def _late_players(state: State) -> list[Seat]:
    seats = [state.seats.player(power) for power in state.sheets.missing()]
    return [seat for seat in seats if seat is not None]


def _facts(state: State) -> dict[str, object]:
    return {
        "grace_end": grace_of(state),
        "forced_at": forced_at(state),
        "vacant": state.powers.vacant(),
    }


def _announce(state: State, powers: Iterable[str]) -> None:
    """Tell everybody; in a QUIET game only those concerned and the game masters."""
    gone = set(powers)
    ends_at = deserted_at(state)
    facts = _facts(state) | {"gone": sorted(gone), "ends_at": ends_at}
    but: list[int | None] = []
    if state.settings.quiet:
        told = {seat.person_id for seat in state.seats if seat.power in gone}
        told |= {seat.person_id for seat in state.seats.active(Role.MASTER)}
        but = [person_id for person_id in state.seats.everybody() if person_id not in told]
    state.tell(EventKind.ABANDONED, facts, but=but)


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


def abandoned_at(state: State, seat: Seat) -> datetime:
    """Return when the power of `seat` counts as abandoned if its orders stay incomplete.

    A player who came back has a day; one who took over after the deadline, the grace period.
    """
    deadline = state.game.deadline
    assert deadline is not None
    notice = NOTICED if state.terms.nmr else timedelta(0)
    moments = [deadline, grace_of(state) - notice]
    if seat.joined_at > deadline:
        grace = state.settings.pace(state.opened.phase).grace
        moments.append(seat.joined_at + timedelta(hours=grace) - notice)
    if (back := back_at(state, seat)) is not None:
        moments.append(back + MERCY)
    return max(moments)


def forced_at(state: State) -> datetime | None:
    """Return when the open phase runs without missing orders; None if it waits for them."""
    if not state.terms.nmr:
        return None
    moments = [grace_of(state)]
    for power in state.sheets.missing():
        seat = state.seats.holder(power)
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
        if state.powers.alive(power) and (seat := state.seats.holder(power))
    ]
    assert state.game.opened_at is not None
    last = max((since_of(seat) for seat in seats), default=state.game.opened_at)
    return (
        last + DESERTED_AFTER if any(seat.state == SeatState.ABANDONED for seat in seats) else last
    )


def is_played(state: State) -> bool:
    """Return whether a person plays a power that is still on the board."""
    return any(
        seat.options.bot is None and state.powers.alive(power)
        for power, seat in state.seats.players().items()
    )


def since_of(seat: Seat) -> datetime:
    """Return since when nobody plays the power of a seat."""
    return seat.options.since or seat.joined_at


def back_at(state: State, seat: Seat) -> datetime | None:
    """Return when the player of a seat came back in this phase; None if never away."""
    back = seat.options.back
    return None if back is None or back.phase != state.game.phase else back.at


AGAIN = timedelta(hours=48)
"""How long after a call for replacements the next one goes out."""


SELDOM = timedelta(days=7)
"""The same where a computer plays the power until then."""


def call(state: State, now: datetime) -> None:
    """Offer the open powers to every volunteer who may enter."""
    powers = state.powers.vacant() or state.powers.in_care()
    for power in powers:
        seat = state.seats.holder(power)
        assert seat is not None
        state.seats.mark(seat, called=now)
    people = volunteers(state)
    # What a power of a blind game sees is for its player only.
    blind = state.terms.blind
    pictures = [{"power": power} if blind else picture(state, power) for power in powers]
    lines = [f"TAKE OVER {power.lower()}@{state.game.name}" for power in powers]
    for person in people:
        state.tell(EventKind.WANTED, {"open": pictures, "buttons": lines}, to=Recipient(person.id))
    facts = {"powers": powers, "people": [person.id for person in people]}
    state.log(now, "stand-ins called", facts)


def volunteers(state: State) -> list[Person]:
    """Return the volunteers who may take over a power of this game, and the substitutes of the
    tournament that it belongs to."""
    out = {
        seat.person_id
        for seat in state.seats
        if seat.state in IN_USE or seat.state == SeatState.EJECTED
    }
    storage, tournament = state.storage, state.game.options.tournament
    asked = storage.people.replacements()
    if tournament is not None:
        known = {person.id for person in asked}
        others = [each for each in storage.entrants.substitutes(tournament) if each not in known]
        asked += storage.people.all_of(others)
    return [
        person
        for person in asked
        if person.id not in out and barred(state, person) is None
        if not is_barred(state.storage, addresses_of(state.storage, person))
    ]


def picture(state: State, power: str) -> dict[str, object]:
    """Return the position of `power` as facts: its units, its centers, and who is near."""
    position = fog.position_for(state, (power,))
    variant = state.variant
    board = variant.board
    units = position.units.get(power, ())
    gone = position.dislodged.get(power, ())
    near = {unit.province for unit in units} | set(position.centers.get(power, ()))
    near |= board.provinces_near(units)
    neighbors = []
    for other in variant.powers:
        theirs = position.units.get(other, ()) if other != power else ()
        close = [each for each in theirs if near & {each.province, *board.provinces_near([each])}]
        count = None if state.terms.blind else len(position.centers.get(other, ()))
        words = [Wording(unit, variant) for unit in close]
        if close:
            neighbors.append({"power": other, "count": count, "units": words})
    return {
        "power": power,
        "units": [Wording(unit, variant) for unit in units],
        "dislodged": [Wording(each.unit, variant) for each in gone],
        "centers": [board.name(center) for center in sorted(position.centers.get(power, ()))],
        "neighbors": neighbors,
    }
