"""Letters of ours that a mail answers: which ones, by what their words are known, and how old."""

from __future__ import annotations

from datetime import timedelta

from judge.game.state import State
from judge.intake.context import Answered, MessageContext
from judge.mail.message import ParsedMessage
from judge.mail.quotes import packed, unpacked
from judge.storage import GameState, Person, Quotable, Storage

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


def wrote_before(context: MessageContext, state: State) -> bool:
    """Return whether a mail was written before the phase that is open began: it says so, and
    answers no letter that is newer."""
    opened, wrote, named = state.game.opened_at, context.incoming.date, context.sender.named
    if opened is None or wrote is None or state.began != state.game.phase:
        return False
    if context.sender.confirmed or (named is not None and named.ticket.created_at >= opened):
        return False
    off = _SECOND if named is not None else _MINUTE
    return opened - _SLOWEST < wrote < opened - off


_SLOWEST = timedelta(days=30)
"""How long a mail may take; a clock that is further off tells nothing."""
_SECOND, _MINUTE = timedelta(seconds=1), timedelta(minutes=1)
"""How far off a clock may be where the letter that is answered tells as well, and where it alone
tells: a Date has whole seconds, and players' clocks are not the judge's."""


def old_phase(context: MessageContext) -> str | None:
    """Return the phase of the letter that a mail answers, if it is over in its game; people answer
    press of any."""
    state, answers = context.cursor.state, context.sender.answered
    if state is None or answers is None or answers.ticket.game_id != state.game.id:
        return None
    game, letter = state.game, answers.ticket
    if game.state != GameState.ACTIVE or game.opened_at is None or letter.press_id is not None:
        return None
    over = letter.created_at < game.opened_at and letter.phase != game.phase
    return letter.phase if over else None
