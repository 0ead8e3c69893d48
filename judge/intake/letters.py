"""Letters of ours as a mail may quote them: which ones, and by what their words are known."""

from __future__ import annotations

from judge.intake.context import Answered
from judge.mail.message import ParsedMessage
from judge.mail.quotes import packed, unpacked
from judge.storage import Person, Quotable, Storage

MOST = 10
"""Letters by which a mail is cut."""


def names_of(incoming: ParsedMessage) -> list[str]:
    """Return the Message-IDs of what a mail may quote."""
    return [*incoming.in_reply_to, *incoming.references]


def answered(
    storage: Storage, incoming: ParsedMessage, person: Person | None, named: Answered | None
) -> list[Quotable]:
    """Return the letters that a mail answers, of those to its sender, who is `person`; `named` is
    the one whose address it came to."""
    address, at = (named.ticket.address, named.ticket.created_at) if named else ("", None)
    return [
        letter
        for letter in storage.outbound.answered(names_of(incoming), address, at, MOST)
        # What is cut would tell what stands in another one's letter.
        if letter.recipient == incoming.sender
        or (person is not None and letter.person_id == person.id)
    ]


def digests_of(storage: Storage, letter: Quotable) -> frozenset[int]:
    """Return the digests of a letter, which are kept from the first time on that it may be
    quoted."""
    stored = letter.digests
    if not stored and (raw := storage.outbound.text(letter.id)):
        stored = packed(raw)
        storage.outbound.keep_digests(letter.id, stored)
    return unpacked(stored)
