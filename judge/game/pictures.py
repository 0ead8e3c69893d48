"""Pictures of the board, as far as a reader may see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from judge.game.snapshots import packed, snapshot
from judge.game.state import State
from judge.game.visibility import fog
from judge.game.visibility.map_views import now_view, past_view
from judge.i18n import say
from judge.maps import View
from judge.render.words import phase_words
from judge.storage import PhaseRun


@dataclass(frozen=True)
class Board:
    """A picture: what it shows, as `snapshots` has it, its `name` as a file, and `alt`, what it is
    in a line."""

    shown: dict[str, Any]
    name: str
    alt: str

    @property
    def digest(self) -> str:
        """The same for the same picture."""
        return sha256(packed(self.shown)).hexdigest()[:32]


def of_run(
    state: State,
    run: PhaseRun,
    reader_id: int | None,
    *,
    orders: bool = True,
    moving: bool = False,
) -> Board | None:
    """A phase that has run, with what became of its orders, as far as the reader sees it; None
    where he sees nothing. `moving`: units go where they went."""
    if not _sees(state, reader_id):
        return None
    return _board(state, past_view(state, run, reader_id, orders=orders, moving=moving))


def now(state: State, reader_id: int | None, powers: Sequence[str] = ()) -> Board | None:
    """The open position with the orders of `powers`, whose orders the reader may know; None where
    he sees nothing."""
    if not _sees(state, reader_id):
        return None
    return _board(state, now_view(state, reader_id, powers))


def _sees(state: State, reader_id: int | None) -> bool:
    return fog.sees_all(state, reader_id) or bool(fog.eyes(state, reader_id))


def _board(state: State, view: View) -> Board:
    name, phase = state.game.name, phase_words(view.phase)
    said = say("The board of {game}, {phase}; all of it stands here in words, too.",
               game=name, phase=phase)  # fmt: skip
    return Board(snapshot(state, view), f"{name}-{view.phase}", said)
