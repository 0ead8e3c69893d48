"""What is on file of somebody's parts in games, as they may have it: what they did themselves."""

from __future__ import annotations

from msgspec.structs import asdict

from judge.game.state import part
from judge.storage import Person, SeatState, Storage


def parts_of(storage: Storage, person: Person) -> list[dict[str, object]]:
    """Return what a person played and wrote, by seat; nothing of others but whom they muted."""
    seats = storage.seats.of_person(person.id)
    games = {seat.game_id: storage.games.find(seat.game_id) for seat in seats}
    return [
        {
            "game": game.name,
            "part": part(seat),
            "state": seat.state,
            "since": seat.joined_at,
            "muted": [
                part(each)
                for each in storage.seats.of_game(game.id)
                if each.id in seat.options.muted
            ],
            "absences": [asdict(each) for each in seat.absence or ()],
            "orders": {
                phase: [order.text for order in orders]
                for phase, orders in storage.orders(game.id).of_power(seat.power).items()
            }
            if seat.power and seat.state == SeatState.ACTIVE
            else {},
            "diary": [
                {"phase": note.phase, "at": note.at, "text": note.text}
                for note in storage.diaries.of_seat(seat.id)
            ],
            "press": [
                {"to": each.to, "phase": each.phase, "at": each.sent_at, "text": each.text}
                for each in storage.press.of_game(game.id)
                if each.sender_id == seat.id
            ],
        }
        for seat in seats
        if (game := games[seat.game_id]) is not None
    ]
