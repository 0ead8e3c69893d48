"""Who has which part in a game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from judge.storage import Game, Person, Role, Seat, SeatState, Storage

IN_USE = (SeatState.ACTIVE, SeatState.ABANDONED)
"""States of seats that people hold: players who fell silent can come back."""

CONTACT = (Role.PLAYER, Role.MASTER, Role.OBSERVER)
"""Roles, in the order in which a person with several acts."""


def part(seat: Seat) -> str:
    """Return what a person is by a seat: a power, or player, master, observer."""
    return seat.power or seat.role


class GameSeats(list[Seat]):
    """All seats of a game, also those that people have left, in the order they were taken."""

    def __init__(self, storage: Storage, game: Game) -> None:
        """Read the seats of a game."""
        super().__init__(storage.seats.of_game(game.id))
        self._storage, self._game = storage, game
        self._people: dict[int, Person] = {}
        self.at_first = frozenset(seat.id for seat in self)
        """Ids of the seats there were at first: a message may bring its writer another one."""

    def active(self, role: Role) -> list[Seat]:
        """Return the seats of a role whose people are active."""
        return [seat for seat in self if seat.role == role and seat.state == SeatState.ACTIVE]

    def of(self, person_id: int | None) -> list[Seat]:
        """Return the seats in use of a person, players first; none of nobody."""
        if person_id is None:
            return []
        mine = [seat for seat in self if seat.person_id == person_id and seat.state in IN_USE]
        return sorted(mine, key=lambda seat: CONTACT.index(seat.role))

    def parts_of(self, person_id: int) -> list[str]:
        """Return what a person is in the game: powers, or else roles."""
        return [part(seat) for seat in self.of(person_id)]

    def player(self, power: str) -> Seat | None:
        """Return the seat of the player of `power`, if anybody plays it."""
        seat = self.holder(power)
        return seat if seat is not None and seat.state == SeatState.ACTIVE else None

    def players(self) -> dict[str, Seat]:
        """Return the seats of those who play, by power."""
        return {seat.power: seat for seat in reversed(self.active(Role.PLAYER)) if seat.power}

    def holder(self, power: str) -> Seat | None:
        """Return the seat of the player, or last player, of `power`."""
        last = None
        for seat in self:
            if seat.power == power and seat.role == Role.PLAYER:
                if seat.state == SeatState.ACTIVE:
                    return seat
                last = seat
        return last

    def awaits_approval(self, seat: Seat) -> bool:
        """Return whether the player of a seat waits for the game master's approval."""
        return self._game.moderated and seat.options.approval

    def is_invited(self, seat: Seat) -> bool:
        """Return whether a game master wants the person of a seat in the game: by an invitation, or
        after all."""
        mine = [each for each in self if each.person_id == seat.person_id]
        return any(each.options.invited for each in mine)

    def load_people(self, seats: Sequence[Seat]) -> None:
        """Read whose seats these are at once, for `person` to find."""
        ids = {seat.person_id for seat in seats if seat.person_id is not None} - set(self._people)
        if ids:
            self._people |= {each.id: each for each in self._storage.people.all_of(sorted(ids))}

    def person(self, seat: Seat) -> Person:
        """Return the person of a seat that somebody holds."""
        assert seat.person_id is not None
        if seat.person_id not in self._people:
            person = self._storage.people.find(seat.person_id)
            assert person is not None
            self._people[person.id] = person
        return self._people[seat.person_id]

    def known(self, person: Person) -> None:
        """Replace what this state knows of a person who was just changed."""
        self._people[person.id] = person

    def everybody(self) -> list[int]:
        """Return the ids of all people in the game, in the order they joined."""
        ids = [seat.person_id for seat in self if seat.state in IN_USE]
        return list(dict.fromkeys(person_id for person_id in ids if person_id is not None))

    def mark(self, seat: Seat, **changes: Any) -> None:
        """Change what is noted of a seat, by name, and store it."""
        seat.options = replace(seat.options, **changes)
        self.keep(seat)

    def new(self, person_id: int | None, role: Role, at: datetime, **more: Any) -> Seat:
        """Return a seat of somebody from `at` on, which is not stored yet."""
        return Seat(game_id=self._game.id, person_id=person_id, role=role, joined_at=at, **more)

    def leave(self, seats: Iterable[Seat], how: SeatState = SeatState.LEFT) -> None:
        """Let nobody be in these seats any more."""
        for seat in seats:
            seat.state = how
            self.keep(seat)

    def keep(self, seat: Seat) -> Seat:
        """Add a seat, or store its changes."""
        if seat.id:
            self._storage.seats.save(seat)
        else:
            self._storage.seats.add(seat)
            self.append(seat)
        return seat
