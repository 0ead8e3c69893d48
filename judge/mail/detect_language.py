"""In what language a few lines are written: a light guess, by script and by common words.

The libraries for this weigh a hundred megabytes or take seconds to load; for a greeting and a
sentence the commonest words do as well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container
from functools import cache

from judge.i18n import DEFAULT_LANGUAGE, READ, language_data


@cache
def _languages() -> dict[str, list[str]]:
    """The languages in which a word is common, always in the same order."""
    found: dict[str, list[str]] = {}
    for language in READ:
        for word in dict.fromkeys(" ".join(language_data(language).get("common", ())).split()):
            # Single letters are units and verbs of orders.
            if len(word) > 1:
                found.setdefault(word, []).append(language)
    return found


_WORD = re.compile(r"[^\W\d_]+")


def detect_language(text: str, otherwise: str = DEFAULT_LANGUAGE) -> str:
    """Return the language of `text` as a two-letter code, `otherwise` when nothing tells."""
    text = text[:5000]
    for language in READ:
        if (script := language_data(language).get("script")) and re.search(script, text):
            return language
    points: Counter[str] = Counter()
    for word in _WORD.findall(text.lower()):
        known = _languages().get(word, ())
        for language in known:
            # A word of many languages says little.
            points[language] += 12 // len(known)
    for language in READ:
        letters = language_data(language).get("letters", "")
        points[language] += 3 * sum(text.lower().count(letter) for letter in letters)
    best = points.most_common(2)
    if not best or best[0][1] < 3:
        return otherwise
    if len(best) > 1 and best[0][1] == best[1][1]:
        tied = {language for language, score in points.items() if score == best[0][1]}
        return otherwise if otherwise in tied else best[0][0]
    return best[0][0]


def certain_language(text: str, least: int = 3, among: Container[str] = ()) -> str | None:
    """Return the language of `text` where there is little doubt; None where there is.

    At least so many common words have to be of it, and twice as many as of any other language, or
    of any other `among` some.
    """
    counted: Counter[str] = Counter()
    for word in _WORD.findall(text[:5000].lower()):
        known = _languages().get(word, ())
        counted.update(each for each in known if not among or each in among)
    (best, most), (_, next_most) = (*counted.most_common(2), ("", 0), ("", 0))[:2]
    return best if most >= least and most >= 2 * next_most else None
