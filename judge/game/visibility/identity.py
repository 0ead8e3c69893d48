"""What people are called, and who may know it: the one place that says who is who in a game.

In a gunboat game powers write, act and are late, never persons. Only the masters of a moderated
game, who do not play, know who plays what, and are known themselves.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

from judge.game.state import IN_USE, State
from judge.storage import GameState, Person, Role, Seat, SeatState


def is_hidden(state: State) -> bool:
    """Whether nobody may learn who plays: until the end, or for good where names are not told."""
    if not state.settings.gunboat or state.game.options.revealed:
        return False
    return state.game.state != GameState.ENDED or not state.settings.reveal


def knows_all(state: State, person_id: int | None) -> bool:
    """Whether somebody runs the game and does not play, and so may know what players may not."""
    if person_id is None or not state.game.moderated:
        return False
    return any(seat.role == Role.MASTER for seat in state.seats_of(person_id))


def is_known(state: State, seat: Seat, reader_id: int | None = None) -> bool:
    """Whether the reader, None for anybody, may know the name of the person of this seat."""
    if not is_hidden(state) or knows_all(state, reader_id):
        return True
    return seat.person_id is not None and knows_all(state, seat.person_id)


def name_of(state: State, seat: Seat, reader_id: int | None = None) -> str:
    """What somebody is called by his seat: his name, or else his power, or what he is."""
    person = state.person(seat)
    if is_known(state, seat, reader_id):
        return person.name
    return seat.power or _role(seat.role)


def called(state: State, person: Person, reader_id: int | None = None) -> str:
    """What letters call somebody who did something: his name, or else his powers, or what he is."""
    seats = state.seats_of(person.id)
    if all(is_known(state, seat, reader_id) for seat in seats):
        return person.name
    powers = [seat.power for seat in seats if seat.power]
    return ", ".join(powers) or _role(seats[0].role)


def changer(state: State, person: Person | None) -> str | None:
    """Who changed a setting, as the others read it; None where they are not told (SET NO SHOW)."""
    show = state.settings.show
    if person is None or not (not state.settings.gunboat if show is None else show):
        return None
    return called(state, person)


def _role(role: Role) -> str:
    if role is Role.MASTER:
        return "The master"
    if role is Role.OBSERVER:
        return "An observer"
    return "A player"


def people(state: State, reader_id: int | None = None) -> list[dict[str, Any]]:
    """Who plays what, by name, without addresses; who played and left as such. Of those whom the
    reader may not know there are no rows."""
    rows: list[dict[str, Any]] = []
    for seat in sorted(state.seats, key=lambda seat: seat.power or ""):
        left = seat.state not in IN_USE
        if seat.person_id is None or (left and not seat.power):
            continue
        if not is_known(state, seat, reader_id):
            continue
        name = state.person(seat).name
        row = {"role": seat.role, "power": seat.power, "name": name, "left": left}
        rows.append(row | {"replaced": seat.state == SeatState.REPLACED})
    return rows


def counted(state: State, reader_id: int | None = None) -> int | None:
    """How many people play; None where the reader is not told (SET SECRET)."""
    forming = state.game.state == GameState.FORMING
    if state.settings.secret and forming and not knows_all(state, reader_id):
        return None
    return len(state.active(Role.PLAYER))


def number(state: State, seat: Seat) -> int:
    """The number under which a player stands in the draw of a gunboat game, told to him alone.

    The order of joining, which others know of some, would tell who he is.
    """
    about = f"draw number|{state.game.id}|{seat.id}"
    digest = hmac.new(state.storage.tickets.secret, about.encode(), hashlib.sha256).digest()
    return 100_000 + int.from_bytes(digest[:8], "big") % 900_000


def drawn(state: State) -> list[Seat]:
    """The players in the order in which the draw takes them: that of joining, or of their
    numbers."""
    seats = state.active(Role.PLAYER)
    if not state.settings.gunboat:
        return seats
    return sorted(seats, key=lambda seat: (number(state, seat), seat.id))


def number_of(state: State, person_id: int | None) -> int | None:
    """The number in the draw of somebody who plays a gunboat game that has not started."""
    if not state.settings.gunboat or state.game.state != GameState.FORMING:
        return None
    for seat in state.active(Role.PLAYER):
        if seat.person_id == person_id:
            return number(state, seat)
    return None
