"""What keepers do about people: look at them, make two of them one, their names and addresses."""

from __future__ import annotations

from typing import Any

from judge.game.command import Refused
from judge.game.intake.reach import unreached
from judge.game.keepers import keeper
from judge.game.people.reliability import of_person
from judge.game.state import part
from judge.game.visit import Visit
from judge.storage import Person, Storage

LONGEST_NAME = 60
"""Characters of a name."""


def found(visit: Visit, address: str) -> Person:
    """The person of an address. Raises Refused where it is nobody's."""
    person = visit.storage.people.by_address(address.strip("<>., "))
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
        "barred": keeper.is_barred(storage, [each.address for each in addresses]),
        "unreached": unreached(storage, person),
        "dedication": figures.dedication,
        "punctuality": figures.punctuality,
        "parts": parts,
    }


def rename(visit: Visit, person: Person, name: str) -> None:
    """Give somebody another name. Raises Refused."""
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise Refused("bad_name", write="RENAME PLAYER ann@example.org Ann Lee", most=LONGEST_NAME)
    old = person.name
    person.name = name
    visit.storage.people.save(person)
    _done(visit, person, "player renamed", {"old": old, "new": name})


def merge(visit: Visit, gone: Person, kept: Person) -> None:
    """Make two people one, who has all that both had. Raises Refused where both have a part in the
    same game: nobody can have two by becoming another one."""
    if gone.id == kept.id:
        raise Refused("same_person", address=kept.name)
    storage = visit.storage
    theirs = [{seat.game_id for seat in storage.seats.of_person(each.id)} for each in (gone, kept)]
    both = [game.name for game in storage.games.all() if game.id in theirs[0] & theirs[1]]
    if both:
        raise Refused("both_in_game", games=both)
    addresses = keeper.addresses_of(storage, gone)
    storage.people.merge(gone.id, kept.id)
    kept.options = gone.options | kept.options
    storage.people.save(kept)
    _done(visit, kept, "players merged", {"gone": gone.id, "new": addresses})


def add_address(visit: Visit, person: Person, address: str) -> None:
    """Give somebody one more address. Raises Refused where it is somebody's."""
    if not visit.storage.people.add_address(person.id, address, visit.now):
        raise Refused("has_owner", write=f"WHO IS {address}", address=address)
    _done(visit, person, "address added", {"new": address})


def remove_address(visit: Visit, address: str) -> Person:
    """Take an address from whoever has it. Raises Refused where he has no other."""
    person = found(visit, address)
    if len(keeper.addresses_of(visit.storage, person)) == 1:
        raise Refused("last_address", address=address)
    visit.storage.people.remove_address(address)
    _done(visit, person, "address removed", {"old": address})
    return person


def _done(visit: Visit, person: Person, what: str, told: dict[str, Any]) -> None:
    """Write into the log what was done, and tell whom it was done to."""
    visit.log_in(None, what, {"person": person.id} | told)
    if visit.person is None or visit.person.id != person.id:
        visit.post.to_person(
            "account",
            person,
            {"what": what, "keeper": visit.house.keeper} | told,
            mail_id=visit.mail.id,
        )
