"""What people are called, and who may know it: the one place that says who is who in a game.

In a gunboat game powers write, act, and are late, never persons. Only the game masters of a
moderated game, who do not play, know who plays what; everybody knows them.
"""

from __future__ import annotations

import hashlib
import hmac

from judge.game.state import IN_USE, State
from judge.storage import GameState, Person, Role, Seat, SeatState


def is_hidden(state: State) -> bool:
    """Return whether nobody may learn who plays: until the end, or ever if names are not
    revealed."""
    if not state.settings.gunboat or state.game.options.revealed:
        return False
    return state.game.state != GameState.ENDED or not state.settings.reveal


def knows_all(state: State, person_id: int | None) -> bool:
    """Return whether a person runs the game without playing, and may know what players may not."""
    if person_id is None or not state.game.moderated:
        return False
    return any(seat.role == Role.MASTER for seat in state.seats_of(person_id))


def is_known(state: State, seat: Seat, reader_id: int | None = None) -> bool:
    """Return whether the reader, None for anybody, may know the name of the person of a seat."""
    if not is_hidden(state) or knows_all(state, reader_id):
        return True
    return seat.person_id is not None and knows_all(state, seat.person_id)


def name_of(state: State, seat: Seat, reader_id: int | None = None) -> str:
    """Return what a person is called by a seat: their name, or else their power or role."""
    person = state.person(seat)
    if is_known(state, seat, reader_id):
        return person.name
    return seat.power or _role(seat.role)


def called(state: State, person: Person, reader_id: int | None = None) -> str:
    """Return what messages call a person: their name, or else their powers or role."""
    seats = state.seats_of(person.id)
    if all(is_known(state, seat, reader_id) for seat in seats):
        return person.name
    powers = [seat.power for seat in seats if seat.power]
    return ", ".join(powers) or _role(seats[0].role)


def changer(state: State, person: Person | None) -> str | None:
    """Return who changed a setting, as the others read it; None if they are not told (SET NO
    SHOW)."""
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


def people(state: State, reader_id: int | None = None) -> list[dict[str, object]]:
    """Return who plays what, or played and left, by name, without addresses.

    There are no rows of people whom the reader may not know.
    """
    rows: list[dict[str, object]] = []
    shown = [
        seat
        for seat in sorted(state.seats, key=lambda seat: seat.power or "")
        if seat.person_id is not None and (seat.power or seat.state in IN_USE)
        if is_known(state, seat, reader_id)
    ]
    state.load_people(shown)
    for seat in shown:
        left = seat.state not in IN_USE
        name = state.person(seat).name
        replaced = seat.state == SeatState.REPLACED
        rows.append(
            {"role": seat.role, "power": seat.power, "name": name, "left": left,
             "replaced": replaced}
        )  # fmt: skip
    return rows


def counted(state: State, reader_id: int | None = None) -> int | None:
    """Return how many people play; None if the reader may not know (SET SECRET)."""
    forming = state.game.state == GameState.FORMING
    if state.settings.secret and forming and not knows_all(state, reader_id):
        return None
    return len(state.active(Role.PLAYER))


def number(state: State, seat: Seat) -> int:
    """Return the number of a player in the assignment of a gunboat game, which only they know.

    The order of joining, which others know in part, would tell who they are.
    """
    about = f"draw number|{state.game.id}|{seat.id}"
    digest = hmac.new(state.storage.tickets.secret, about.encode(), hashlib.sha256).digest()
    return 100_000 + int.from_bytes(digest[:8], "big") % 900_000


def in_assignment_order(state: State) -> list[Seat]:
    """Return the players in the order of the assignment: that of joining, or of their numbers."""
    seats = state.active(Role.PLAYER)
    if not state.settings.gunboat:
        return seats
    return sorted(seats, key=lambda seat: (number(state, seat), seat.id))


def number_of(state: State, person_id: int | None) -> int | None:
    """Return the assignment number of a player of a gunboat game that has not started."""
    if not state.settings.gunboat or state.game.state != GameState.FORMING:
        return None
    for seat in state.active(Role.PLAYER):
        if seat.person_id == person_id:
            return number(state, seat)
    return None
