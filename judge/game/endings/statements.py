"""What players say about a game when it is over."""

from __future__ import annotations

from typing import Any

from judge.game.state import State
from judge.game.visibility import identity
from judge.intake.context import MessageContext
from judge.storage import Role

OPTION = "statements"
"""Where the options of a game keep them, by the id of the seat."""

LONGEST = 10_000
"""Characters of a statement."""


def say(context: MessageContext, state: State, text: str) -> None:
    """Keep the statement of the writer, in place of the one he has made before."""
    seat = next(seat for seat in context.cursor.mine() if seat.role == Role.PLAYER)
    kept = dict(state.game.options.get(OPTION, {}))
    kept[str(seat.id)] = {"text": text, "at": context.now.isoformat()}
    state.keep(OPTION, kept)


def made(state: State, reader_id: int | None) -> list[dict[str, Any]]:
    """The statements by power, with the names that the reader may know."""
    kept = state.game.options.get(OPTION, {})
    seats = sorted(state.seats, key=lambda seat: seat.power or "")
    return [
        {
            "power": seat.power,
            "name": state.person(seat).name if identity.is_known(state, seat, reader_id) else None,
            "text": kept[str(seat.id)]["text"],
        }
        for seat in seats
        if str(seat.id) in kept
    ]
