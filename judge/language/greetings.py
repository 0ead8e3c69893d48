"""Courtesy in mails: salutations, thanks, closings, and signatures.

The words are data (`greetings.toml`).
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path

_LONGEST_LINE = 80
"""Characters of a line of courtesy."""

_SIGNATURE = 3
"""Lines below a closing that are a signature."""

_MOST_WORDS = 5
"""Words of a line of a signature."""

_MOST_NAMES = 3
_EDGES = " \t.,;:!?)(*_~-–—…'\""
_SIGNS = {"\N{LATIN SMALL LETTER SHARP S}": "ss", "\N{RIGHT SINGLE QUOTATION MARK}": "'"}


def courtesies(lines: Sequence[str], names: Collection[str] = ()) -> list[bool]:
    """Say of each of these lines, which follow each other, whether it is courtesy.

    `names` are words of the writer's name, in lower case. A line that is none of it ends a
    signature; one without a letter says nothing, either.
    """
    found: list[bool] = []
    below = 0
    for line in lines:
        text = _bare(line)
        if len(text) > _LONGEST_LINE:
            found.append(False)
            below = 0
            continue
        closes = _pattern("closing").match(text) is not None and _greets(line)
        below = _SIGNATURE if closes else below
        signs = below > 0 and not closes and len(text.split()) <= _MOST_WORDS
        below -= signs
        is_name = set(text.split()) <= set(names)
        found.append(closes or signs or not text or is_name or _greets(line))
        if not found[-1]:
            below = 0
    return found


def _greets(line: str) -> bool:
    """Whether each part of a line is courtesy, a name behind a closing included."""
    closed = False
    for part in _PARTS.split(line):
        text = _bare(part)
        if text and not (_is_said(text, part) or (closed and _is_named(text, part))):
            return False
        closed = _pattern("closing").fullmatch(text) is not None
    return True


_PARTS = re.compile(r"[,;.!?:]+(?=\s|\Z)")


def _is_said(text: str, part: str) -> bool:
    if any(_pattern(name).fullmatch(text) for name in ("closing", "phrases")):
        return True
    salutation = _pattern("salutation").match(text)
    if salutation is None or text[salutation.end() : salutation.end() + 1].isalnum():
        return False
    rest = text[salutation.end() :].strip(_EDGES)
    return not rest or _is_named(rest, part)


def _is_named(text: str, part: str) -> bool:
    return _pattern("addressee").fullmatch(text) is not None or _is_name(text, part)


def _is_name(text: str, line: str) -> bool:
    """Whether the end of a line, `text` in plain letters, is a name: words in capitals."""
    count = len(text.split())
    written = line.strip(_EDGES).split()[-count:] if count else []
    return 0 < count <= _MOST_NAMES and all(word[:1].isupper() for word in written)


def _bare(line: str) -> str:
    """A line in lower case, without accents, and without signs at its ends."""
    for sign, letters in _SIGNS.items():
        line = line.replace(sign, letters)
    if not line.isascii():
        whole = unicodedata.normalize("NFKD", line)
        line = "".join(each for each in whole if not unicodedata.combining(each))
    text = " ".join(line.casefold().split()).strip(_EDGES)
    return text if any(map(str.isalnum, text)) else ""


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile("|".join(_courtesies()[name]))


@cache
def _courtesies() -> dict[str, list[str]]:
    return tomllib.loads(Path(__file__).with_name("greetings.toml").read_text(encoding="utf-8"))
