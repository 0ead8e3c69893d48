"""Whose language is which: what a person wishes, and what a stranger writes in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from judge.i18n import LANGUAGES
from judge.intake.context import MessageContext
from judge.mail.detect_language import certain_language
from judge.render.heard import hearing, said_elsewhere, spoken_in

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
def understood(context: MessageContext) -> Iterator[None]:
    """Read and answer a mail in its writer's language: a stranger's own, where it is certain.

    Where the mail asks for another language in its own words, that is read as well.
    """
    text = context.incoming.text
    if context.sender.person is not None:
        with hearing(context.sender.person.language, *_asked_for(text)):
            yield
        return
    found = spoken_in(text) or certain_language(text)
    with hearing(found if found in LANGUAGES else "en", *LANGUAGES):
        yield


def _asked_for(text: str) -> list[str]:
    """The languages whose words for SET LANGUAGE stand in a text."""
    found = map(said_elsewhere, text.splitlines()[:_MOST_LINES])
    return [each.language for each in found if each is not None and each.sets_language]


_MOST_LINES = 50
"""Lines of a mail in which a language is looked for."""
