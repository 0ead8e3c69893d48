"""What was said in a game, as each reader may read it again."""

from __future__ import annotations

from typing import Any

from judge.game.press.dispatch import heading, tells_truth, true_labels
from judge.game.state import State
from judge.game.visibility import identity
from judge.storage import Press


def readable(state: State, reader_id: int | None) -> list[Press]:
    """The press that somebody may read: broadcasts, and what went to him or came from him.

    Masters also have what they got copies of. Whoever takes a power over does not get the letters
    of the player before him.
    """
    mine = {
        seat.id for seat in state.seats if reader_id is not None and seat.person_id == reader_id
    }
    oversees = identity.knows_all(state, reader_id)
    return [
        said
        for said in state.storage.press.of_game(state.game.id)
        if not said.held or said.sender_id in mine
        if said.public
        or said.sender_id in mine
        or mine & set(said.seats)
        or (said.overseen and oversees)
    ]


def entry(state: State, said: Press, reader_id: int | None) -> dict[str, Any]:
    """One of these messages as its reader saw it; its writer also sees that it is his."""
    mine = {
        seat.id for seat in state.seats if reader_id is not None and seat.person_id == reader_id
    }
    is_mine = said.sender_id in mine
    return heading(state, said, reader_id) | {
        "at": said.sent_at,
        "mine": is_mine,
        "went": true_labels(state, said) if is_mine and not tells_truth(state, said) else None,
        "held": said.held,
    }
