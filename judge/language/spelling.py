"""How far two spellings are apart.

The language needs the standard library only; a few hundred names of a board are compared in less
than a millisecond, because most differ in too many letters to be looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator


class Spellings:
    """Words that are looked for by spellings close to theirs."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = [(word, _letters(word)) for word in words]

    def near(self, text: str, limit: int) -> Iterator[tuple[str, int]]:
        """Yield the words within `limit` edits of `text`, with their distance."""
        letters = _letters(text)
        for word, others in self._words:
            # Each edit adds one letter at most that the other spelling lacks.
            if (letters & ~others).bit_count() <= limit >= (others & ~letters).bit_count():
                distance = edits(text, word, limit)
                if distance <= limit:
                    yield word, distance


def _letters(word: str) -> int:
    """The set of a word's letters, as bits."""
    found = 0
    for letter in word:
        found |= 1 << (ord(letter) & 63)
    return found


def edits(left: str, right: str, limit: int) -> int:
    """Return how many letters to add, leave out, replace or swap with their neighbor make one word
    of the other (optimal string alignment); any number above `limit` where it takes more."""
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    older: list[int] = []
    before = list(range(len(right) + 1))
    for place, letter in enumerate(left):
        row = [place + 1]
        for other, written in enumerate(right):
            cost = min(before[other] + (letter != written), row[other] + 1, before[other + 1] + 1)
            if place and other and letter == right[other - 1] and left[place - 1] == written:
                cost = min(cost, older[other - 1] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
        older, before = before, row
    return before[-1]
