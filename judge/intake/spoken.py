"""In which language a mail is read and answered."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from judge.game.state.profile import JudgeProfile
from judge.i18n import LANGUAGES
from judge.intake.command import hearing, said_elsewhere, spoken_in
from judge.intake.context import Cursor
from judge.mail.detect_language import certain_language, likely_language
from judge.mail.message import ParsedMessage, parse
from judge.storage import InboundMessage, Storage


@contextmanager
def understood(
    cursor: Cursor, profile: JudgeProfile, incoming: ParsedMessage, now: datetime
) -> Iterator[None]:
    """Read and answer a mail in its writer's language: a stranger's own, where it is certain."""
    text, person = incoming.text, cursor.sender.person
    found = (
        person.language
        if person
        else _strangers_language(cursor.storage, cursor.mail, incoming, now)
    )
    language = found if found in LANGUAGES else profile.language
    with heard(text, language, known=person is not None):
        yield


def _strangers_language(
    storage: Storage, mail: InboundMessage, incoming: ParsedMessage, now: datetime
) -> str | None:
    """Return the language that a stranger's mail, or else one of their last, shows."""
    read, before = incoming, mail.id
    since = now - _REMEMBERED
    for _ in range(_LOOKED_AT):
        found = spoken_in(read.text) or certain_language(read.text)
        if found or (found := likely_language(f"{read.subject}\n{read.text}") or read.language):
            return found
        last = storage.inbound.last_of(incoming.sender, since, before)
        if last is None:
            break
        before, read = last[0], parse(last[2])
    return None


_REMEMBERED, _LOOKED_AT = timedelta(days=30), 5
"""For how long, and in how many mails, a stranger's language is looked for."""


@contextmanager
def heard(text: str, language: str, *, known: bool) -> Iterator[None]:
    """Read a mail in the language its writer has set, or in all of them if they are not `known` to
    have set one. Where it asks for another one in its own words, that is read as well."""
    asked = map(said_elsewhere, text.splitlines()[:_MOST_LINES])
    more = [each.language for each in asked if each is not None and each.sets_language]
    with hearing(language, *(more if known else LANGUAGES)):
        yield


_MOST_LINES = 50
"""Lines of a mail in which a language is looked for."""
