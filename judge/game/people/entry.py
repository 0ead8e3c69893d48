"""Who may enter a game: by the keeper's lists, the bars its game master set, and invitations."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from fnmatch import fnmatchcase
from typing import Any

from judge.game.people.reliability import of_person
from judge.game.state import State
from judge.game.state.answers import Refused
from judge.game.state.settings import Experience
from judge.storage import (
    GameState,
    Person,
    Reliability,
    Role,
    Seat,
    SeatOptions,
    SeatState,
    Storage,
)

LEVELS = tuple(Experience)
"""How experienced people say they are, least first."""

BARS = ("dedication", "ontimerat", "resrat", "level")
"""The settings that bar, and the names of the figures they compare."""

DENIED = "denied"
"""The keeper's list of address patterns whose people cannot enter any game."""

ALLOWED = "allowed"
"""The keeper's list of the only address patterns that can, if there are any."""


def own_figures(storage: Storage, person: Person) -> dict[str, object]:
    """Return the figures of a person by the names of the bars; 0 of each without a record."""
    known = of_person(storage, person.id)
    return {
        "dedication": known.dedication,
        "ontimerat": round(known.punctuality or 0.0, 3),
        "resrat": round(known.resignations, 3),
        "level": read_level(person.level) or Experience.NOVICE,
    }


def passes(name: str, bar: Any, own: Any) -> bool:
    """Return whether a figure passes a bar: RESRAT is a maximum, the others are minimums."""
    if name == "level":
        return LEVELS.index(own) >= LEVELS.index(bar)
    return bool(own <= bar if name == "resrat" else own >= bar)


def barred(state: State, person: Person) -> dict[str, object] | None:
    """Return the first bar of the game that a person fails, if any: the setting, the `least` that
    it asks for, and their `own` figure."""
    bars = {name: getattr(state.settings, name) for name in BARS}
    if not any(bar is not None for bar in bars.values()):
        return None
    own = own_figures(state.storage, person)
    for name, bar in bars.items():
        if bar is not None and not passes(name, bar, own[name]):
            return {"bar": name, "least": bar, "own": own[name]}
    return None


def check(state: State, person: Person) -> None:
    """Raise Refused, with the bar and their own figure, if a person fails a bar of the game."""
    found = barred(state, person)
    if found is not None:
        raise Refused("barred", write="GET DEDICATION", game=state.game.name, **found)


GIVEN_UP = 2
"""Games that somebody let down lately: with so many, they join no other public one for a while."""

FORGIVEN = timedelta(days=60)
"""After how long one does not count."""


def let_down(storage: Storage, person: Person, now: datetime) -> tuple[int, datetime] | None:
    """Return how many games somebody has let down lately, and until when that keeps them out of
    other public ones; None where it does not. Their first games are free to all, and so are powers
    of others, practice, and games that are not listed."""
    log = storage.reliability_log.of_person(person.id)
    given_up = {row.game_id: row.at for row in log if row.what is Reliability.ABANDONED}
    lately = sorted(at for at in given_up.values() if at > now - FORGIVEN)
    if len(lately) < GIVEN_UP:
        return None
    return len(lately), lately[-GIVEN_UP] + FORGIVEN


def read_level(text: str) -> Experience | None:
    """Return the level that a person's own words name; None where they name none."""
    words = text.lower().split()
    return next((level for level in Experience if level in words), None)


def listed(storage: Storage, name: str) -> tuple[str, ...]:
    """Return the keeper's list DENIED or ALLOWED."""
    return tuple(storage.keeper_settings.get(name) or ())


def is_barred(storage: Storage, addresses: Iterable[str]) -> bool:
    """Return whether the keeper's lists keep the person with these addresses out of new games."""
    mine = [address.lower() for address in addresses]
    denied, allowed = listed(storage, DENIED), listed(storage, ALLOWED)
    return _any(mine, denied) or (bool(allowed) and not _any(mine, allowed))


def addresses_of(storage: Storage, person: Person) -> list[str]:
    """Return all addresses of a person."""
    return [each.address for each in storage.people.addresses(person.id)]


def is_member(members: Sequence[str], addresses: Iterable[str]) -> bool:
    """Return whether the person with these addresses is one of `members`, which are patterns."""
    return _any([each.lower() for each in addresses], [each.lower() for each in members])


def seat_hosts(state: State, hosts: Sequence[str], now: datetime) -> None:
    """Give the hosts of the house who are on file the seats from which they see all of a game that
    forms, but of nobody's own."""
    for address in () if state.terms.of_one else hosts:
        person = state.storage.people.by_address(address)
        if person is None:
            continue
        own = [seat for seat in state.seats if seat.person_id == person.id]
        if not any(seat.options.host or seat.role == Role.PLAYER for seat in own):
            seen = SeatOptions(host=True, results_only=True)
            state.seats.keep(state.seats.new(person.id, Role.OBSERVER, now, options=seen))


def _any(addresses: Sequence[str], patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(address, each) for address in addresses for each in patterns)


def turned_away(state: State, person_id: int) -> Seat | None:
    """Return the seat of a person whom the game master turned away and did not invite since."""
    seats = [
        seat for seat in state.seats if seat.person_id == person_id and seat.role == Role.PLAYER
    ]
    refused = [seat for seat in seats if seat.state == SeatState.EJECTED and seat.options.approval]
    if not state.game.moderated or not refused or refused[-1].options.invited:
        return None
    return refused[-1]


def waiting_seats(state: State) -> list[Seat]:
    """Return the seats of players whom no game master has approved yet."""
    return [seat for seat in state.seats.active(Role.PLAYER) if state.seats.awaits_approval(seat)]


def begins_at(state: State, now: datetime) -> datetime | None:
    """Return the date before which a game that is forming does not start, if that is to come."""
    date = state.game.options.not_before
    forming = state.game.state is GameState.FORMING
    return date if forming and date is not None and date > now else None


# Who was invited. The log has addresses as digests, by which nobody can be found.


INVITED = "invited"
"""What the log says of an invitation."""


def digest_of(storage: Storage, address: str) -> str:
    """Return an address as what stays on file of it."""
    return hmac.new(storage.tickets.secret, address.encode(), hashlib.sha256).hexdigest()[:32]


def was_invited(storage: Storage, game_id: int, address: str) -> bool:
    """Return whether an invitation to a game went to an address."""
    digest = digest_of(storage, address)
    return any(
        each.what == INVITED and each.facts["to"] == digest
        for each in storage.events.of_game(game_id)
    )
