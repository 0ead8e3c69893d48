"""In what language a few lines are written: a light guess, by script and by common words.

The libraries for this weigh a hundred megabytes or take seconds to load; for a greeting and a
sentence the commonest words do as well.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import chain
from math import log

from judge.i18n import DEFAULT_LANGUAGE, READ, language_data, vocabularies


@cache
def _languages() -> dict[str, list[str]]:
    """Return the languages in which a word is common, always in the same order."""
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


def certain_language(text: str, least: int = 3) -> str | None:
    """Return the language of `text` where there is little doubt; None where there is.

    At least so many common words have to be of it, and twice as many as of any other language.
    """
    counted: Counter[str] = Counter()
    for word in _WORD.findall(text[:5000].lower()):
        counted.update(_languages().get(word, ()))
    (best, most), (_, next_most) = (*counted.most_common(2), ("", 0), ("", 0))[:2]
    return best if most >= least and most >= 2 * next_most else None


def likely_language(text: str) -> str | None:
    """Return the language with letters that the words of `text` are likely of; None where they
    tell nothing, as those that letters in several languages have.

    A word that is in no letter is judged by its runs of letters.
    """
    written = vocabularies()
    points, neutral = dict.fromkeys(written, 0.0), 0.0
    for word in {*_WORD.findall(text[:500].lower())}:
        common = _languages().get(word, ())
        if len(word) < _TELLING and word.isascii() and not common:
            continue
        known = [each for each in written if each in common or word in written[each]]
        spelled = [each for each in written if set(word) <= _runs_of(each).keys()]
        if len(known) == len(written):
            # Commands are the same in all letters.
            neutral += _NEUTRAL
        elif len(known or spelled) == 1:
            points[(known or spelled)[0]] += 1
        elif not known and not common:
            for language in spelled:
                points[language] += _likelihood(word, language)
    first, second = (*sorted(points, key=points.__getitem__, reverse=True), None, None)[:2]
    told = first and second and points[first] - points[second] - neutral >= _TOLD
    return first if told else None


_TOLD = 0.45
"""How much likelier a language must be; a word that it alone has counts 1."""

_NEUTRAL = 0.6
"""By how much more for each word that all letters have."""

_TELLING = 4
"""Letters of a word that can be of a language though it is not common: shorter ones are places."""


def _runs(word: str) -> list[str]:
    word = f" {word} "
    return [word[at : at + size] for size in (1, 2, 3, 4) for at in range(len(word) + 1 - size)]


@cache
def _runs_of(language: str) -> Counter[str]:
    """Return how many words of letters in a language have each run of letters."""
    return Counter(chain.from_iterable(map(_runs, vocabularies()[language])))


def _likelihood(word: str, language: str) -> float:
    found, runs = _runs_of(language), [each for each in _runs(word) if len(each) > 1]
    return sum(log(found[each] + 0.5) for each in runs) / len(runs) - log(found.total())
