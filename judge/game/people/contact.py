"""How to reach people: at which address, what they want to hear, and who is told if we cannot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from judge.events import Event, EventKind, HouseKeeper, Recipient
from judge.game.state import State
from judge.rules.phase import Phase
from judge.storage import Address, AddressState, Person, Role, Seat, SeatState, Storage

LAST_TRY = timedelta(days=30)
"""How long a failing address is still used when there is no other."""


def hears(state: State, person_id: int, kind: EventKind) -> bool:
    """Return whether a person with a seat in the game gets messages of this kind."""
    seats = state.seats.of(person_id)
    if is_away(state, person_id):
        return kind in (EventKind.RESULTS, EventKind.END)
    return kind.row.essential or any(not seat.options.results_only for seat in seats)


def is_away(state: State, person_id: int) -> bool:
    """Return whether somebody's powers have had no player for a year of the game: then one letter a
    phase is enough."""
    seats = state.seats.of(person_id)
    if state.position is None or not seats:
        return False
    calendar = state.variant.calendar
    gone = [Phase.read(seat.options.gone) for seat in seats if seat.options.gone]
    if len(gone) < len(seats) or any(seat.state is not SeatState.ABANDONED for seat in seats):
        return False
    a_year_on = (each._replace(year=each.year + calendar.years) for each in gone)
    return max(map(calendar.key, a_year_on)) <= calendar.key(state.opened.phase)


def addresses_of(
    storage: Storage, person: Person, known: list[Address], now: datetime, state: State | None
) -> list[str]:
    """Return where messages to a person, all of whose addresses are `known`, about a game go.

    Those are the addresses chosen for it (SET ADDRESS) that are still theirs and work, or else the
    one that `address_of` names.
    """
    seats = state.seats.of(person.id) if state else []
    wanted = {each for seat in seats for each in seat.options.addresses}
    if wanted:
        works = [e.address for e in known if e.address in wanted and e.state is AddressState.ACTIVE]
        if works:
            return works
    one = _one_of(storage, known, now)
    return [] if one is None else [one]


def address_of(storage: Storage, person: Person, now: datetime) -> str | None:
    """Return where messages to a person go: a proved address before others, one that works before
    one that fails; None if it has failed for a month."""
    return _one_of(storage, storage.people.addresses(person.id), now)


def _one_of(storage: Storage, known: list[Address], now: datetime) -> str | None:
    # Those that work come first.
    for each in sorted(_usable(known), key=lambda each: each.state is not AddressState.ACTIVE):
        works = each.state is AddressState.ACTIVE
        back = () if works else storage.bounces.of(each.address)
        if not back or now - back[0].at < LAST_TRY:
            return each.address
    return None


def unreached(storage: Storage, person: Person) -> bool:
    """Return whether messages to all addresses of a person bounce."""
    return not reached(storage.people.addresses(person.id))


def reached(known: Sequence[Address]) -> bool:
    """Return whether messages to one of the addresses that somebody has arrive."""
    return any(each.state is AddressState.ACTIVE for each in _usable(known))


def in_doubt(storage: Storage, person: Person) -> bool:
    """Return whether messages to all addresses of a person have bounced or been delayed since they
    last wrote, so that they may not know what they should."""
    usable = _usable(storage.people.addresses(person.id))
    return all(
        each.state is AddressState.FAILING or storage.bounces.of(each.address) for each in usable
    )


def _usable(known: Sequence[Address]) -> Sequence[Address]:
    """Return the addresses a person has proved, if any, or else all."""
    return [each for each in known if each.proved] or known


def warn(state: State, now: datetime, seat: Seat) -> None:
    """Tell the masters that messages may not reach a player, if so; or the keeper, if there is no
    master who can be reached."""
    person = state.seats.person(seat)
    if not in_doubt(state.storage, person):
        return
    facts = {"power": seat.power, "player": person.name, "deadline": state.game.deadline}
    masters = reachable_masters(state, person)
    for master in masters:
        state.tell(EventKind.UNREACHED, facts, to=Recipient(master.id))
    if not masters:
        tell_keeper(state, EventKind.UNREACHED, person, facts)
    log_contact(state, now, person, "unreached")


def reachable_masters(state: State, person: Person) -> list[Person]:
    """Return who runs a game besides this person, and can be reached."""
    if state.terms.hides_people and not state.game.moderated:
        # Who made the game plays in it, and must not know who does what.
        return []
    others = [state.seats.person(seat) for seat in state.seats.active(Role.MASTER)]
    return [each for each in others if each.id != person.id and not unreached(state.storage, each)]


def tell_keeper(
    state: State, kind: EventKind, person: Person, facts: Mapping[str, Any] | None = None
) -> None:
    """Tell the keeper about a player's contact."""
    about = {"player": person.name, "game": state.game.name, "phase": state.game.phase}
    state.events.append(Event(kind=kind, to=HouseKeeper(), facts=about | dict(facts or {})))


def log_contact(state: State, now: datetime, person: Person, what: str) -> None:
    """Write into the game's log what became of a person's contact."""
    state.log(now, what, {"person": person.id, "phase": state.game.phase})
