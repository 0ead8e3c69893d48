"""Whether a player could know of the phase that is open: nobody is late for what the judge did not
deliver."""

from __future__ import annotations

from typing import Literal

from judge.game.state import State
from judge.storage import Seat

Delivery = Literal["delivered", "pending", "failed"]
"""How the letters about the open phase fared: one arrived, all are still on their way, or none
did or will."""


def delivery(state: State, seat: Seat) -> Delivery:
    """Whether the person of `seat` got a letter about this game since its phase was opened."""
    game = state.game
    assert game.opened_at is not None
    assert seat.person_id is not None
    storage = state.storage
    letters = storage.letters.to_person(game.id, seat.person_id, game.opened_at)
    for letter in letters:
        back = storage.bounces.of(letter.recipient)
        returned = any(each.hard and each.letter_id == letter.id for each in back)
        if letter.state == "sent" and not returned:
            return "delivered"
    return "pending" if any(letter.state == "queued" for letter in letters) else "failed"
