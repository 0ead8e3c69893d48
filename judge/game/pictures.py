"""Which letters show the board, and who likes letters that show anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from judge.game.state import State
from judge.mail.compose import Attachment
from judge.storage import Person, PhaseRun

WISH = "html"
"""The name among a person's options of whether his letters also come as HTML; where it is missing,
they do."""


def likes_html(person: Person | None) -> bool:
    """Whether letters to somebody have an HTML part beside the plain one."""
    return person is None or bool(person.options.get(WISH, True))


def shown_in(attachments: Sequence[Attachment]) -> dict[str, str] | None:
    """What the HTML of a letter shows of its attachments, None where there is no picture."""
    for each in attachments:
        if each.content_id:
            return {"cid": each.content_id, "alt": each.name}
    return None


@dataclass(frozen=True)
class Board:
    """A picture that can be drawn: a `digest` of what it shows, and `alt`, the same in words."""

    digest: str
    alt: str
    svg: Callable[[], str]


def of_run(state: State, run: PhaseRun, reader_id: int | None) -> Board | None:
    """A phase that has run with its orders, as far as the reader sees it."""
    return None


def now(state: State, reader_id: int | None) -> Board | None:
    """The open position as far as the reader sees it."""
    return None
