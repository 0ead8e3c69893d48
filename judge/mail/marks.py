"""Marks before the lines of a quote: `>`, names before it, and whatever else people set."""

from __future__ import annotations

import re
from collections import Counter

from judge.mail.quotes import is_line

MOST_LINES = 5_000
"""Lines in which a copy may begin; far fewer are ever carried out."""

_QUOTED = re.compile(r"\s*>(?!From )(?:\s?>)*")
# Some programs put the initials of whom they quote before the mark, or a name.
_NAMED = re.compile(r"\s{0,2}([^\W\d_a-zа-я][\w.-]{0,19})(?=>+(?:\s|\Z))")
_INITIALS = 4
"""Characters of them at most; what is longer may be a place, and is a mark in three lines."""
_MARK = re.compile(r"\s{0,8}(?:[\w.-]{1,20}(?: [\w.-]{1,20}){0,2}\s?)?[^\w\s]{1,3}")
"""What may be a mark of a quote: signs, with or without a name before them."""
_MARKED = 3
"""Lines of a letter behind such a mark, or it is none."""


def with_plain_marks(lines: list[str], letters: frozenset[int]) -> list[str]:
    """Return the lines with `>` for another mark, where most lines of a letter have that."""
    found = [_MARK.match(line) for line in lines[:MOST_LINES]]
    marks = Counter(
        mark[0]
        for line, mark in zip(lines, found, strict=False)
        if mark and is_line(line[mark.end() :], letters)
    )
    if not marks:
        return lines
    (mark, count), *_ = marks.most_common(1)
    bare = sum(is_line(line, letters) for line in lines[:MOST_LINES] if not line.startswith(mark))
    if ">" in mark[:-1] or count < max(_MARKED, bare):
        return lines
    return [f">{line.removeprefix(mark)}" if line.startswith(mark) else line for line in lines]


def depths(lines: list[str]) -> list[int]:
    """Return how many marks of a quote stand before each line."""
    found = [0] * len(lines)
    for number, line in enumerate(lines):
        if ">" in line and (quoted := _QUOTED.match(line)):
            found[number] = quoted[0].count(">")
    return found


def without_names(lines: list[str]) -> list[str]:
    """Return the lines with marks alone where names stand before them."""
    marked = [_NAMED.match(line) if ">" in line[:24] else None for line in lines]
    counts = Counter(found[1] for found in marked if found)
    return [
        line[found.end() :]
        if found and counts[found[1]] > 1 + (len(found[1]) > _INITIALS)
        else line
        for found, line in zip(marked, lines, strict=True)
    ]
