"""Chance that anybody can repeat, and the seal that fixes it before anybody knows it."""

from __future__ import annotations

import hashlib
from typing import Any


def seal(seed: str) -> str:
    """What is published of a seed before it is revealed: its SHA-256, 64 hexadecimal digits."""
    return hashlib.sha256(seed.encode()).hexdigest()


class Lot:
    """Numbers out of a seed, the same in every language that knows SHA-256.

    The n-th number (from 1) below m is SHA-256 of the text `seed:n`, read as an integer, big end
    first, modulo m. With 256 bits no m of ours makes that unfair by more than 2 ** -240.
    """

    def __init__(self, seed: str) -> None:
        """`seed` as it is written in the letter, in UTF-8."""
        self._seed = seed
        self._drawn = 0

    def below(self, limit: int) -> int:
        """The next number, from 0 to `limit` - 1."""
        self._drawn += 1
        digest = hashlib.sha256(f"{self._seed}:{self._drawn}".encode()).digest()
        return int.from_bytes(digest, "big") % limit

    def shuffle(self, things: list[Any]) -> None:
        """Put `things` into another order (Fisher and Yates, from the end)."""
        for last in range(len(things) - 1, 0, -1):
            other = self.below(last + 1)
            things[last], things[other] = things[other], things[last]
