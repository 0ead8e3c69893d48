"""Courtesy in mails: salutations, thanks, closings and signatures, which ask for nothing.

A line of it has words that say nothing by themselves: those of courtesy and of headings, and the
commonest of each language. Names stand behind a greeting or a closing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache

from judge.i18n import in_all_languages
from judge.intake.addressees import greetings
from judge.language.speech import is_barring, says_nothing
from judge.language.wish_model import plain

_LONGEST = 80
"""Characters of a line of courtesy."""

_SIGNATURE = 3
"""Lines below a closing that are a signature."""

_MOST_WORDS, _MOST_NAMES = 5, 3
"""Words of a line of a signature, and of a name."""


def courtesies(lines: Sequence[str], names: Collection[str] = ()) -> list[bool]:
    """Say of each of these lines, which follow each other, whether it is courtesy.

    `names` are words of the writer's name, in lower case. A line that is none of it ends a
    signature; one without a letter says nothing, either.
    """
    found: list[bool] = []
    below = 0
    for line in lines:
        words = _WORD.findall(line)
        says_nothing = len(line) <= _LONGEST and _is_courtesy(line, words, names)
        if says_nothing and _begins("closing", line):
            below = _SIGNATURE + 1
        signs = below > 0 and len(words) <= _MOST_WORDS and len(line) <= _LONGEST
        below = below - 1 if signs else 0
        found.append(says_nothing or signs)
    return found


_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def _is_courtesy(line: str, words: Sequence[str], names: Collection[str]) -> bool:
    """Return whether a line has no other words than of courtesy, and names behind a greeting."""
    if _begins("wishing", line):
        return True
    plainly = {each: plain(each) for each in words if each.casefold() not in names}
    rest = [word for word, key in plainly.items() if key not in _common() and not says_nothing(key)]
    if not plainly:
        return True
    greets, closes = _begins("greet", line), _begins("closing", line)
    if not rest:
        return greets or closes or line.rstrip().endswith(":") or _begins("announces", line)
    # Who is greeted stands before the comma, who takes leave may stand behind it.
    named = _WORD.findall(line if closes else line.partition(",")[0])
    return (
        (greets or closes)
        and len(rest) <= _MOST_NAMES
        and all(each[0].isupper() and each in named for each in rest)
    )


def _begins(kind: str, line: str) -> bool:
    found = greetings()[kind].match(plain(line.lstrip(" *_~-–—(")))
    return found is not None


@cache
def _common() -> frozenset[str]:
    return frozenset(
        plain(word)
        for listed in in_all_languages("common")
        for line in listed
        for word in line.split()
        if not is_barring(plain(word))
    )
