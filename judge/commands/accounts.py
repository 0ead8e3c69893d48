"""What keepers do about people: look at them, make two of them one, their names and addresses."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from judge.events import Event, EventKind, Reader
from judge.game.people import entry
from judge.game.people.contact import unreached
from judge.game.people.reliability import of_person
from judge.game.state import part
from judge.game.state.answers import Refused
from judge.intake.context import MessageContext
from judge.storage import Person, Storage

LONGEST_NAME = 60
"""Characters of a name."""


def found(context: MessageContext, address: str) -> Person:
    """The person of an address. Raises Refused where it is nobody's."""
    person = context.storage.people.by_address(address.strip("<>., "))
    if person is None:
        raise Refused("nobody_has_it", write="WHO IS ann@example.org", address=address)
    return person


def facts(storage: Storage, person: Person) -> dict[str, Any]:
    """All that is told of somebody: to keepers only."""
    games = {game.id: game for game in storage.games.all()}
    parts = [
        {
            "game": games[seat.game_id].name,
            "game_state": games[seat.game_id].state,
            "part": part(seat),
            "state": seat.state,
        }
        for seat in storage.seats.of_person(person.id)
    ]
    addresses = storage.people.addresses(person.id)
    figures = of_person(storage, person.id, public=False)
    return {
        "name": person.name,
        "addresses": [
            {"address": each.address, "proved": each.proved, "state": each.state}
            for each in addresses
        ],
        "since": person.created_at,
        "language": person.language,
        "time_zone": person.time_zone,
        "barred": entry.is_barred(storage, [each.address for each in addresses]),
        "unreached": unreached(storage, person),
        "dedication": figures.dedication,
        "punctuality": figures.punctuality,
        "parts": parts,
    }


def rename(context: MessageContext, person: Person, name: str) -> None:
    """Give somebody another name. Raises Refused."""
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise Refused("bad_name", write="RENAME PLAYER ann@example.org Ann Lee", most=LONGEST_NAME)
    old = person.name
    person.name = name
    context.storage.people.save(person)
    _done(context, person, "player renamed", {"old": old, "new": name})


def merge(context: MessageContext, gone: Person, kept: Person) -> None:
    """Make two people one, who has all that both had. Raises Refused where both have a part in the
    same game: nobody can have two by becoming another one."""
    if gone.id == kept.id:
        raise Refused("same_person", address=kept.name)
    storage = context.storage
    theirs = [{seat.game_id for seat in storage.seats.of_person(each.id)} for each in (gone, kept)]
    both = [game.name for game in storage.games.all() if game.id in theirs[0] & theirs[1]]
    if both:
        raise Refused("both_in_game", games=both)
    addresses = entry.addresses_of(storage, gone)
    storage.people.merge(gone.id, kept.id)
    wishes = {name: wish for name, wish in asdict(kept.options).items() if wish is not None}
    kept.options = replace(gone.options, **wishes)
    storage.people.save(kept)
    _done(context, kept, "players merged", {"gone": gone.id, "new": addresses})


def add_address(context: MessageContext, person: Person, address: str) -> None:
    """Give somebody one more address. Raises Refused where it is somebody's."""
    if not context.storage.people.add_address(person.id, address, context.now):
        raise Refused("has_owner", write=f"WHO IS {address}", address=address)
    _done(context, person, "address added", {"new": address})


def remove_address(context: MessageContext, address: str) -> Person:
    """Take an address from whoever has it. Raises Refused where he has no other."""
    person = found(context, address)
    if len(entry.addresses_of(context.storage, person)) == 1:
        raise Refused("last_address", address=address)
    context.storage.people.remove_address(address)
    _done(context, person, "address removed", {"old": address})
    return person


def _done(context: MessageContext, person: Person, what: str, told: dict[str, Any]) -> None:
    """Write into the log what was done, and tell whom it was done to."""
    context.log_in(None, what, {"person": person.id} | told)
    if context.sender.person is None or context.sender.person.id != person.id:
        context.events.append(
            Event(
                kind=EventKind.ACCOUNT,
                to=Reader(person.id),
                facts={"what": what, "keeper": context.profile.keeper} | told,
                mail_id=context.mail.id,
            )
        )
