"""What can go wrong with what is stored."""

from __future__ import annotations

import errno


class StorageError(Exception):
    """A database that cannot be used as configured; the message says how to mend it."""


class Unavailable(Exception):
    """The database cannot be reached or written right now: busy, disconnected, disk full.

    Nothing of the transaction took effect. It is nobody's fault: try the same step again later.
    """


class Lacking(Unavailable):
    """The machine lacks what a piece of work needs: a file, a library, descriptors, room. The same
    can be tried again, and others meanwhile; the message says what is missing."""


_OURS = (errno.ENAMETOOLONG, errno.EINVAL)
"""What a system says of names that no machine takes."""


def is_of_machine(error: Exception) -> bool:
    """Return whether an error is no fault of what was processed, but of the machine."""
    if isinstance(error, OSError):
        return error.errno not in _OURS
    return isinstance(error, ImportError)


class NameTaken(Exception):
    """A game of this name exists already."""


class Stale(Exception):
    """The record was changed by somebody else since it was read; read it again."""


class AlreadyRun(Exception):
    """This phase of this game has been processed before; a phase runs once."""
