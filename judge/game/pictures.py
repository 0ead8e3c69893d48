"""Which letters show the board, and who likes letters that show anything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from judge.game.snapshots import packed, snapshot
from judge.game.state import State
from judge.game.visibility import fog
from judge.game.visibility.map_views import now_view, past_view
from judge.i18n import say
from judge.mail.compose import Attachment
from judge.mail.pictures import NOTE
from judge.maps import View
from judge.render.words import phase_words
from judge.storage import GameState, Person, PhaseRun

WISH = "html"
"""The name among a person's options of whether his letters also come as HTML; where it is missing,
they do."""

_AS_IT_STANDS = ("start", "reminder", "end")
"""Letters that show the board as it stands; those of results show what happened on it."""

_MOST = 3
"""Pictures in a letter."""

_SMALL = 800
"""Pixels across the picture in an answer: every answer has one of its own, and a smaller one is
drawn in half the time."""


def likes_html(person: Person | None) -> bool:
    """Whether letters to somebody have an HTML part beside the plain one."""
    return person is None or bool(person.options.get(WISH, True))


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


def of_letter(
    kind: str, state: State, person: Person, runs: Sequence[PhaseRun], *, moving: bool
) -> Iterator[Board]:
    """What a letter of this kind shows, in the language that is spoken; `moving`: the first of its
    results moves, and no other, since a letter should not get large."""
    found: Sequence[Board | None] = ()
    if kind == "results":
        played = [run for run in runs if run.results["orders"]]
        found = [
            of_run(state, run, person.id, moving=moving and run is played[0])
            for run in played[:_MOST]
        ]
    elif kind in _AS_IT_STANDS:
        powers = fog.eyes(state, person.id) if kind == "reminder" else ()
        found = [now(state, person.id, powers)]
    yield from (board for board in found if board is not None)


def of_orders(states: Sequence[State], person: Person) -> Iterator[Board]:
    """What the answer to orders shows: the board with them, of the one game that it is about."""
    running = [state for state in states if state.game.state == GameState.ACTIVE]
    if len(running) != 1 or len(states) != 1:
        return
    powers = [power for power in fog.eyes(running[0], person.id) if power in running[0].owed]
    if powers and (board := now(running[0], person.id, powers)) is not None:
        yield replace(board, shown=board.shown | {"width": _SMALL})


def attached(boards: Sequence[Board]) -> tuple[Attachment, ...]:
    """Boards as parts of a letter, shown where its HTML names them, drawn on its way out."""
    return tuple(
        Attachment(
            f"{board.name}.{'gif' if 'then' in board.shown else 'png'}",
            NOTE,
            packed(board.shown),
            content_id=f"{board.digest}@board",
            description=board.alt,
        )
        for board in boards
    )


def shown_in(attachments: Sequence[Attachment]) -> list[dict[str, str]]:
    """What the HTML of a letter shows of its attachments."""
    return [
        {"cid": each.content_id, "alt": each.description} for each in attachments if each.content_id
    ]
