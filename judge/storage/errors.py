"""What can go wrong with what is stored."""

from __future__ import annotations


class StorageError(Exception):
    """A database that cannot be used as configured; the message says how to mend it."""


class Unavailable(Exception):
    """The database cannot be reached or written right now: busy, disconnected, disk full.

    Nothing of the transaction took effect. It is nobody's fault: try the same step again later.
    """


class NameTaken(Exception):
    """A game of this name exists already."""


class Stale(Exception):
    """The record was changed by somebody else since it was read; read it again."""


class AlreadyRun(Exception):
    """This phase of this game has been processed before; a phase runs once."""
