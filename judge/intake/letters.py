"""Letters of ours that a mail answers: which ones, by what their words are known, how old, and what
game they are about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import timedelta

from judge.game.orders.interpret import gives_order
from judge.game.state import IN_USE, State, part
from judge.intake.context import Answered, Cursor, Sender
from judge.intake.labels import label_of
from judge.language.vocabulary import tokens
from judge.mail.message import ParsedMessage
from judge.mail.quotes import packed, unpacked
from judge.storage import Game, GameState, Person, Quotable, Storage

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


def digests_of(storage: Storage, letters: Iterable[Quotable]) -> frozenset[int]:
    """Return the digests of letters; their texts have those that were not kept with them."""
    return unpacked(each.digests or packed(storage.outbound.text(each.id)) for each in letters)


def wrote_before(sender: Sender, incoming: ParsedMessage, state: State) -> bool:
    """Return whether a mail was written before the open phase began, and answers nothing newer."""
    opened, wrote, named = state.game.opened_at, incoming.date, sender.named
    if opened is None or wrote is None or state.began != state.game.phase:
        return False
    if sender.confirmed or (named is not None and named.ticket.created_at >= opened):
        return False
    off = _SECOND if named is not None else _MINUTE
    return opened - _SLOWEST < wrote < opened - off


_SLOWEST = timedelta(days=30)
"""How long a mail may take; a clock that is further off tells nothing."""
_SECOND, _MINUTE = timedelta(seconds=1), timedelta(minutes=1)
"""How far off a clock may be where the letter that is answered tells as well, and where it alone
tells: a Date has whole seconds, and players' clocks are not the judge's."""


def old_phase(cursor: Cursor, sender: Sender) -> str | None:
    """Return the phase, now over, of the letter that a mail answers; press may be of any."""
    state, answers = cursor.state, sender.answered
    if state is None or answers is None or answers.ticket.game_id != state.game.id:
        return None
    game, letter = state.game, answers.ticket
    if game.state != GameState.ACTIVE or game.opened_at is None or letter.press_id is not None:
        return None
    over = letter.created_at < game.opened_at and letter.phase != game.phase
    return letter.phase if over else None


_SUBJECT = re.compile(r"\bJUDGE:\s*(\w+)", re.IGNORECASE)


def locate(cursor: Cursor, incoming: ParsedMessage) -> None:
    """Enter the game the mail answers, or the writer's only one, if its subject names no other.
    Only games where they have a seat count: a guessed or forwarded Message-ID opens nothing."""
    person = cursor.sender.person
    if person is None:
        return
    _by_letter(cursor, incoming, person)
    # The judge's own subject is none of the writer's words.
    subject = incoming.subject
    if cursor.replying is None and not _SUBJECT.search(subject):
        turn = cursor.turn()
        label, words = label_of(subject, turn), {each.key for each in tokens(subject)}
        named = [each for each in turn.games if each.lower() in words]
        if label and label.game:
            named = [label.game]
        elif cursor.state is not None or gives_order(subject, turn):
            named = []
        for game_id, name in cursor.first_games().items():
            if len(named) == 1 and name == named[0].lower():
                cursor.enter(cursor.load(game_id))


def _by_letter(cursor: Cursor, incoming: ParsedMessage, person: Person) -> None:
    """Enter the game that a mail answers, that the judge's own subject names, or the only one."""
    if _by_address(cursor, person):
        return
    for game in _games_meant(cursor.storage, incoming):
        seats = () if game is None else cursor.storage.seats.of_game(game.id)
        if any(seat.person_id == person.id and seat.state in IN_USE for seat in seats):
            ids = [game.id] if game else []
            break
    else:
        ids = list(cursor.first_games())
        # After the end people still talk.
        ids = ids or list(cursor.storage.games.names_of(person.id, (GameState.ENDED,)))[-1:]
    if len(ids) == 1:
        state = cursor.load(ids[0])
        # They may have lost their seat while another mail was processed in it.
        if state.seats.of(person.id):
            cursor.enter(state)


def _by_address(cursor: Cursor, person: Person) -> bool:
    """Enter the game, and the parts, that the letter was about whose reply address was used."""
    found = cursor.sender.answered
    if found is None or found.ticket.game_id is None:
        return False
    state = cursor.load(found.ticket.game_id)
    mine = state.seats.of(person.id)
    if not mine:
        return False
    seats = [seat for seat in mine if part(seat) in found.ticket.parts]
    cursor.enter(state, seats or mine)
    if found.ticket.press_id is not None:
        cursor.replying = cursor.storage.press.find(found.ticket.press_id)
    return True


def _games_meant(storage: Storage, incoming: ParsedMessage) -> Iterator[Game | None]:
    """Yield the games that a mail answers and that its subject names."""
    ids = [*incoming.in_reply_to, *reversed(incoming.references)]
    letters = storage.outbound.answered(ids, "", None, 1)
    if letters and letters[0].game_id is not None:
        yield storage.games.find(letters[0].game_id)
    else:
        yield storage.games.by_thread(ids)
    if found := _SUBJECT.search(incoming.subject):
        yield storage.games.by_name(found[1])
