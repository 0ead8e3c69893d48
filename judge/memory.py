"""What the C library keeps of memory that is free. Other systems' libraries do nothing here."""

from __future__ import annotations

import ctypes
from contextlib import suppress


def give_back() -> None:
    """Give the system back what is free (malloc_trim(3))."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


def share_what_is_free() -> None:
    """Let all threads take memory from one place (mallopt(3), M_ARENA_MAX), not each from its own,
    where nobody else can use what it has freed: only one at a time runs Python."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


_M_ARENA_MAX = -8
"""Of malloc.h."""
