"""How much is tried of what could be: a sample by `make test`, all by `make prove`."""

from __future__ import annotations

import os

FULL = os.environ.get("JUDGE_PROVE") == "full"
"""Whether all is tried."""


def some(few: int, many: int) -> int:
    """Return how many of something are tried: `few` in a sample, `many` in all."""
    return many if FULL else few
