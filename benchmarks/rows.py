"""The lines of the table that a benchmark prints."""

from __future__ import annotations

import sys
from typing import NamedTuple


class Row(NamedTuple):
    """One line of the table; `kept` is None where nothing was promised."""

    what: str
    value: str
    target: str = ""
    kept: bool | None = None


def show(row: Row) -> bool:
    """Print a row; whether what was promised is kept."""
    mark = {None: "", True: "kept", False: "MISSED"}[row.kept]
    print(f"{row.what:58} {row.value:>26}  {row.target:36} {mark}".rstrip(), flush=True)
    return row.kept is not False


def say(text: str) -> None:
    """Progress, on the error channel."""
    print(text, file=sys.stderr, flush=True)
