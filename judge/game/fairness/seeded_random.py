"""Random numbers that anyone can reproduce, and the seal that commits to their seed."""

from __future__ import annotations

import hashlib
from typing import Any


def seal(seed: str) -> str:
    """Return what is published of a seed before it is revealed: its SHA-256, 64 hex digits."""
    return hashlib.sha256(seed.encode()).hexdigest()


class SeededRandom:
    """Numbers derived from a seed, the same in every language that has SHA-256.

    The n-th number (from 1) below m is SHA-256 of the text `seed:n`, read as a big-endian integer,
    modulo m. With 256 bits, no m we use is biased by more than 2 ** -240.
    """

    def __init__(self, seed: str) -> None:
        """Start from `seed` as the message prints it, in UTF-8."""
        self._seed = seed
        self._drawn = 0

    def below(self, limit: int) -> int:
        """Return the next number, from 0 to `limit` - 1."""
        self._drawn += 1
        digest = hashlib.sha256(f"{self._seed}:{self._drawn}".encode()).digest()
        return int.from_bytes(digest, "big") % limit

    def shuffle(self, things: list[Any]) -> None:
        """Shuffle `things` in place (Fisher-Yates, from the end)."""
        for last in range(len(things) - 1, 0, -1):
            other = self.below(last + 1)
            things[last], things[other] = things[other], things[last]
