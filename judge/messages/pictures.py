"""Which messages show the board, and who likes messages that show anything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from judge.events import Event
from judge.game.state import State
from judge.game.state.snapshots import packed
from judge.game.visibility import fog, pictures
from judge.game.visibility.pictures import Board
from judge.mail.compose import Attachment
from judge.mail.pictures import NOTE
from judge.storage import GameState, Person

_MOST = 3
"""Pictures in a message."""

_SMALL = 800
"""Pixels across the picture in a reply: every reply has one of its own, and a smaller one is
drawn in half the time."""


def likes_html(person: Person | None) -> bool:
    """Whether messages to somebody have an HTML part beside the plain one."""
    return person is None or person.options.html is not False


def boards_of(event: Event, state: State, person: Person, *, moving: bool) -> Iterator[Board]:
    """Yield what the message of an event shows, in the language that is spoken.

    With `moving` the first of its results moves, and no other: a message should not get large.
    """
    found: Sequence[Board | None] = ()
    wanted = event.kind.row.board
    if wanted == "results":
        played = [run for run in event.runs if run.results["orders"]]
        found = [
            pictures.of_run(state, run, person.id, moving=moving and run is played[0])
            for run in played[:_MOST]
        ]
    elif wanted is not None:
        powers = fog.eyes(state, person.id) if wanted == "orders" else ()
        found = [pictures.now(state, person.id, powers)]
    yield from (board for board in found if board is not None)


def boards_of_reply(states: Sequence[State], person: Person) -> Iterator[Board]:
    """Yield what the reply to orders shows: the board with them, of the one game it is about."""
    running = [state for state in states if state.game.state == GameState.ACTIVE]
    if len(running) != 1 or len(states) != 1:
        return
    powers = [power for power in fog.eyes(running[0], person.id) if power in running[0].owed]
    if powers and (board := pictures.now(running[0], person.id, powers)) is not None:
        yield replace(board, shown=board.shown | {"width": _SMALL})


def as_attachments(boards: Sequence[Board]) -> tuple[Attachment, ...]:
    """Return boards as parts of a message, shown where its HTML names them, drawn when it is
    sent."""
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


def pictures_in(files: Sequence[Attachment]) -> list[dict[str, str]]:
    """Return what the HTML of a message shows of its attachments."""
    return [{"cid": each.content_id, "alt": each.description} for each in files if each.content_id]
