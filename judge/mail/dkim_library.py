"""The library that makes and checks DKIM signatures (RFC 6376)."""

from __future__ import annotations

from typing import Any


def dkim_library() -> Any:
    """Return the module `dkim`, loaded by the first mail or letter that has to do with signatures:
    a start takes 55 ms less without it, and a judge 4 MB."""
    import dkim

    return dkim
