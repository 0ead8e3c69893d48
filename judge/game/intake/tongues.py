"""Whose language is which: what a person wishes, and what a stranger writes in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from judge.game.visit import Visit
from judge.mail.tongue import surely
from judge.render.heard import hearing, spoken_in
from judge.render.i18n import LANGUAGES

_NAMES = {
    "en": ("en", "eng", "english", "englisch", "anglais"),
    "de": ("de", "ger", "german", "deutsch", "allemand"),
    "fr": ("fr", "fre", "french", "französisch", "franzoesisch", "français", "francais"),
}


def read_language(text: str) -> str | None:
    """The code of the language that `text` names, in itself or in another one; None for others."""
    word = text.strip(" .").lower()
    return next((code for code, names in _NAMES.items() if word in names), None)


@contextmanager
def understood(visit: Visit) -> Iterator[None]:
    """Read and answer a mail in its writer's language: a stranger's own, where it is certain."""
    if visit.person is not None:
        with hearing(visit.person.language):
            yield
        return
    text = visit.incoming.text
    found = spoken_in(text) or surely(text)
    with hearing(found if found in LANGUAGES else "en", *LANGUAGES):
        yield
