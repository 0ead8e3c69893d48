"""What tells sentences from orders and commands: words that people use of themselves and others.

The words are data, `[speech]` of a language's `reading.toml`; all languages are read at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from judge.language.cover import CONDITION, COURTESY, JOIN, NEGATION
from judge.language.names import words_of
from judge.language.vocabulary import LINE, SAID, Phrases, Token, listed, tokens
from judge.rules.board import name_key

PERSON, YOU, OWN, TALK, KEEP = "person", "you", "own", "talk", "keep"

_LISTS: Final = listed("speech")
_IDIOMS: Final = Phrases((phrase, "idiom") for phrase in _LISTS.pop("idiom"))
_SECRETS: Final = Phrases((phrase, "secret") for phrase in _LISTS.pop("secret"))
_SPOKEN: Final[Mapping[str, frozenset[str]]] = {
    kind: frozenset(map(name_key, words)) for kind, words in _LISTS.items()
}
_SENTENCE = (PERSON, YOU, OWN, TALK)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
QUOTED: Final = re.compile(r"«[^«»]{20,}»|“[^“”]{20,}”|„[^„“”]{20,}[“”]|\"[^\"]{20,}\"")
"""What somebody says to others."""

_FULL_STOP = re.compile(r"\w{3}[.!]+\s+\w{3}")


def speaks(text: str, *kinds: str) -> bool:
    """Return whether a text has a word of some kinds, or of a sentence where none is named."""
    return any(_is_said(word, kinds or _SENTENCE) for word in _WORD.findall(text))


def goes_on(text: str) -> bool:
    """Return whether a text begins with a word that joins it to the one before."""
    return LINE["join"].end(tokens(text[:_LONGEST]), 0) > 0


def is_told(text: str) -> bool:
    """Return whether a text tells somebody of orders, in sentences; a label before them is none."""
    said = text.rpartition(":")[2]
    return speaks(said, PERSON) or _FULL_STOP.search(said) is not None


def _is_said(word: str, kinds: tuple[str, ...]) -> bool:
    # `I'm` says I, and `let's` is a word.
    keys = {name_key(word), name_key(re.split("['’]", word)[0])}
    return any(not keys.isdisjoint(_SPOKEN.get(kind, ())) for kind in kinds)


def is_secret(text: str) -> bool:
    """Return whether a text speaks of a password, which others get to read only where it is
    marked."""
    words = _words(text)
    return any(_SECRETS.end(words, place) > place for place in range(len(words)))


def is_idiom(text: str) -> bool:
    """Return whether a line begins with a phrase that has nothing to do with its first word's
    command."""
    return not text.isupper() and _IDIOMS.end(_words(text[:_LONGEST]), 0) > 0


def _words(text: str) -> list[Token]:
    return [token for token in tokens(text) if token.kind == "word"]


def is_polite(text: str) -> bool:
    """Return whether a line begins with a condition that asks kindly, and names nothing on the
    board."""
    return LINE["possible"].end(tokens(text[:_LONGEST]), 0) > 0


_LONGEST = 60
"""Characters in which a phrase ends that a line begins with."""


def says_nothing(word: str) -> bool:
    """Return whether a word, in comparable form, says nothing by itself: it stands around orders,
    or in what they are headed by."""
    return word.isdecimal() or is_around(word) or any(word in SAID[name] for name in _HEADING)


_HEADING = (
    *("article", "phase_filler", "phase_movement", "phase_retreats", "phase_adjustments"),
    *("spring", "summer", "fall", "winter"),
)


def is_barring(word: str) -> bool:
    """Return whether a word may change the meaning of an order beside it."""
    return any(word in LINE[kind] for kind in (CONDITION, NEGATION))


def is_around(word: str) -> bool:
    """Return whether a word by itself stands around orders and says nothing."""
    return any(key in LINE[kind] for key in words_of(word) for kind in (JOIN, COURTESY))


def is_broken(above: str, below: str) -> bool:
    """Return whether a program may have broken a text between two lines: the first word of the one
    below had no room above."""
    word = below.split(maxsplit=1)[:1]
    return bool(above.strip() and word) and len(above) + 1 + len(word[0]) > _NARROWEST


def unbroken(lines: Sequence[str]) -> Iterator[range]:
    """Yield the numbers of lines that a program may have broken one text into, text by text."""
    start = 0
    for end in range(1, len(lines) + 1):
        if end == len(lines) or not is_broken(lines[end - 1], lines[end]):
            yield range(start, end)
            start = end


_NARROWEST = 60
"""Columns at which programs that break lines do so at the earliest."""
