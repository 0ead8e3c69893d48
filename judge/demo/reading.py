"""What a player reads in the judge's messages by eye: what they are about, in any language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from judge import i18n
from judge.rules.phase import Phase
from judge.sentences.terms import phase_words

_FIRST = {
    "start": ("you play %(powers)s",),
    "results": ("%(powers)s, your orders please", "%(game)s: results of %(phases)s."),
    "reminder": ("I am waiting for your orders",),
    "late": ("%(powers)s, your orders are late", "orders are late"),
    "over": ("The game is over",),
}
"""What the first lines of messages say, by their kind."""
_RESULTS = "ALL ORDERS OF %(phase)s"
_REFUSED = "LINES I COULD NOT USE"


def _said(message: str) -> Iterator[str]:
    """Yield a text in each language that letters are in."""
    for language in i18n.LANGUAGES:
        with i18n.speaking(language):
            yield i18n.gettext(message)


@cache
def _firsts() -> Mapping[str, re.Pattern[str]]:
    """The first lines of messages as patterns, by their kind."""
    return {
        kind: re.compile("|".join(_pattern(said) for each in first for said in _said(each)))
        for kind, first in _FIRST.items()
    }


def _pattern(message: str) -> str:
    """Return a pattern for a text with placeholders."""
    text = re.escape(message).replace(r"\ ", r"\s+")
    return re.sub(r"%\\\(\w+\\\)s", r"(?s:.+?)", text)


def kind_of(text: str) -> str | None:
    """Return the kind of a message by its first lines: start, results, reminder, late, over."""
    first = " ".join(text.partition("\n\n")[0].split())
    return next((kind for kind, said in _firsts().items() if said.search(first)), None)


def results_in(text: str, phase: Phase) -> int:
    """Return how often a message has the results of a phase."""
    flat = " ".join(text.split())
    found = 0
    for language in i18n.LANGUAGES:
        with i18n.speaking(language):
            heading = i18n.gettext(_RESULTS) % {"phase": phase_words(phase).upper()}
        found += flat.count(heading)
    return found


def refuses(text: str) -> bool:
    """Return whether a reply says that something could not be used."""
    return any(said in text for said in _said(_REFUSED))
