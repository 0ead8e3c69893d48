"""The diaries of players: private until their game is over."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from judge.storage import models
from judge.storage.engine import Engine
from judge.storage.records import Note

_N = models.Note


class Diaries:
    """The pages of diaries. Reads are free; writes belong in a transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(self, note: Note) -> Note:
        """Store a page under the next number of its seat; returned with it and its id."""
        self._engine.need_transaction()
        last = max((each.number for each in self.of_seat(note.seat_id)), default=0)
        numbered = replace(note, number=last + 1)
        return replace(numbered, id=self._engine.add(_N, models.values(numbered)))

    def remove(self, note_id: int) -> None:
        """Tear a page out."""
        self._engine.need_transaction()
        self._engine.run(_N.delete().where(_N.id == note_id))

    def of_seat(self, seat_id: int) -> list[Note]:
        """The pages of a seat in order."""
        return self._list(_N.seat_id == seat_id)

    def of_game(self, game_id: int) -> list[Note]:
        """The pages of all seats of a game, in the order they were written."""
        return self._list(_N.game_id == game_id)

    def _list(self, condition: Any) -> list[Note]:
        rows = self._engine.rows(_N.select().where(condition).order_by(_N.id))
        return [Note(**row) for row in rows]
