"""What players write for the end of a game: diaries, read by all only then, and statements."""

from __future__ import annotations

from typing import Any

from judge.game.state import State
from judge.game.visibility import identity
from judge.storage import GameState

LONGEST_STATEMENT = 10_000
"""Characters of a statement."""


def published(state: State) -> list[dict[str, Any]]:
    """Return the diaries of a game that is over, by power; none before."""
    if state.game.state != GameState.ENDED:
        return []
    notes = state.storage.diaries.of_game(state.game.id)
    found = []
    for seat in sorted(state.seats, key=lambda seat: seat.power or ""):
        pages = [note for note in notes if note.seat_id == seat.id]
        if pages and seat.power:
            told = [{"phase": note.phase, "at": note.at, "text": note.text} for note in pages]
            found.append({"power": seat.power, "pages": told})
    return found


def statements(state: State, reader_id: int | None) -> list[dict[str, Any]]:
    """Return the statements by power, with the names that the reader may know."""
    kept = state.game.options.statements
    seats = sorted(state.seats, key=lambda seat: seat.power or "")
    return [
        {
            "power": seat.power,
            "name": state.person(seat).name if identity.is_known(state, seat, reader_id) else None,
            "text": kept[str(seat.id)].text,
        }
        for seat in seats
        if str(seat.id) in kept
    ]
