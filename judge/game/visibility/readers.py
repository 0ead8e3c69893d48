"""Who looks at a game: a person on file, the public, or the judge itself."""

from __future__ import annotations

from enum import Enum


class Unnamed(Enum):
    """Readers who are nobody on file."""

    ANYBODY = "anybody"
    """The public, strangers among them: nobody has less to see."""
    JUDGE = "judge"
    """No reader: the judge itself, and its keeper at the machine, who see all of it."""


ANYBODY, JUDGE = Unnamed.ANYBODY, Unnamed.JUDGE

Reader = int | Unnamed
"""The id of a person, or who is nobody on file."""


def reader_of(person_id: int | None) -> Reader:
    """Return a person as a reader; anyone who is not on file is anybody."""
    return ANYBODY if person_id is None else person_id


def id_of(reader: Reader) -> int | None:
    """Return the id of a reader on file; None for others."""
    return reader if isinstance(reader, int) else None
