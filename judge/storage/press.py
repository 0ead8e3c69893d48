"""What players wrote: press, and their diaries, which are private until their game is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from judge.storage import models
from judge.storage.engine import Part, Statement, given
from judge.storage.records import DiaryPage, Press

_X = models.Press
_N = models.DiaryPage

_PRESS = Statement(_X.select().where(_X.id == given("id")))
_PRESS_HELD = Statement(
    _X.select().where((_X.game_id == given("game_id")) & _X.held).order_by(_X.id)
)
_PRESS_OF_GAME = Statement(_X.select().where(_X.game_id == given("game_id")).order_by(_X.id))


class PressMessages(Part):
    """What was said. Reads are free; writes belong in a transaction."""

    def add(self, press: Press) -> Press:
        """Store a message; returned with its id."""
        return replace(press, id=self._engine.add(_X, press))

    def find(self, press_id: int) -> Press | None:
        """The message of that id."""
        return self._engine.record(Press, _PRESS, id=press_id)

    def lately(self, seat_ids: Sequence[int], since: datetime) -> int:
        """How many messages came from these seats after `since`."""
        mine = _X.sender_id.in_(list(seat_ids)) & (_X.sent_at > since)
        return self._engine.count(_X, mine)

    def broadcasts(self, seat_ids: Sequence[int], phase: str | None) -> int:
        """How many broadcasts these seats have written in a phase."""
        mine = _X.sender_id.in_(list(seat_ids)) & (_X.phase == phase) & _X.public
        return self._engine.count(_X, mine)

    def held(self, game_id: int) -> list[Press]:
        """What waits for the results of a game, in the order it was written."""
        return self._engine.records(Press, _PRESS_HELD, game_id=game_id)

    def release(self, press: Press) -> None:
        """Let a held message go: it was sent at `press.sent_at`, to `press.seats`."""
        change = _X.update(held=False, sent_at=press.sent_at, seats=press.seats)
        self._engine.run(change.where(_X.id == press.id))

    def of_game(self, game_id: int) -> list[Press]:
        """All press of a game in the order it was written."""
        return self._engine.records(Press, _PRESS_OF_GAME, game_id=game_id)


class Diaries(Part):
    """The pages of diaries. Reads are free; writes belong in a transaction."""

    def add(self, note: DiaryPage) -> DiaryPage:
        """Store a page under the next number of its seat; returned with it and its id."""
        last = max((each.number for each in self.of_seat(note.seat_id)), default=0)
        numbered = replace(note, number=last + 1)
        return replace(numbered, id=self._engine.add(_N, numbered))

    def remove(self, note_id: int) -> None:
        """Tear a page out."""
        self._engine.run(_N.delete().where(_N.id == note_id))

    def of_seat(self, seat_id: int) -> list[DiaryPage]:
        """The pages of a seat in order."""
        return self._list(_N.seat_id == seat_id)

    def of_game(self, game_id: int) -> list[DiaryPage]:
        """The pages of all seats of a game, in the order they were written."""
        return self._list(_N.game_id == game_id)

    def _list(self, condition: Any) -> list[DiaryPage]:
        return self._engine.records(DiaryPage, _N.select().where(condition).order_by(_N.id))
