"""People who want to be forgotten."""

from __future__ import annotations

from datetime import datetime

from judge.game.state import IN_USE
from judge.storage import GOING_ON, Storage


class PlaysStill(Exception):
    """Somebody has a part in a game that is not over; the message says which."""


def forget(storage: Storage, address: str, now: datetime) -> None:
    """Forget the person with an address, in one transaction; the log says when, and no name.

    Raises LookupError where nobody has it, PlaysStill.
    """
    with storage.transaction():
        person = storage.people.by_address(address)
        if person is None:
            raise LookupError(f"nobody has the address {address}; `judge player list` lists all")
        here = {
            game.name
            for game in storage.games.of_person(person.id, GOING_ON)
            for seat in storage.seats.of_game(game.id)
            if seat.person_id == person.id and seat.state in IN_USE
        }
        if here:
            first = min(here)
            raise PlaysStill(
                f"they have a seat in {', '.join(sorted(here))}; let them resign or sign off "
                f'first, or `judge game do {first} "EJECT ..."`'
            )
        addresses = [each.address for each in storage.people.addresses(person.id)]
        storage.people.block_instead(person.id, None)
        storage.erasure.person(person.id, person.name, addresses)
        storage.events.log(now, "forgotten", {"person": person.id}, actor="keeper")
