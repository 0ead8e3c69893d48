"""Which game a mail is about before its first line has been read."""

from __future__ import annotations

import re

from judge.game.state import IN_USE, part
from judge.intake.context import MessageContext
from judge.storage import Game, GameState

_SUBJECT = re.compile(r"\bJUDGE:\s*(\w+)", re.IGNORECASE)


def locate(context: MessageContext) -> None:
    """Enter the game the mail answers, the one its subject names, or the writer's only one.

    Only games he has a part in count, so that a guessed or forwarded Message-ID opens nothing.
    """
    if context.sender.person is None:
        return
    if _by_address(context):
        return
    game = _answered(context) or _named(context) or _only(context)
    if game is None:
        return
    state = context.cursor.load(game)
    if state.seats_of(context.sender.person.id):
        context.enter(state)


def _by_address(context: MessageContext) -> bool:
    """Enter the game, and the parts, that the letter was about whose reply address was used."""
    found = context.sender.answered
    if found is None or found.ticket.game_id is None or context.sender.person is None:
        return False
    game = _mine(context, context.storage.games.find(found.ticket.game_id))
    if game is None:
        return False
    state = context.cursor.load(game)
    mine = state.seats_of(context.sender.person.id)
    seats = [seat for seat in mine if part(seat) in found.ticket.parts]
    context.enter(state, seats or mine)
    if found.ticket.press_id is not None:
        context.cursor.replying = context.storage.press.find(found.ticket.press_id)
    return True


def _answered(context: MessageContext) -> Game | None:
    incoming = context.incoming
    ids = [*incoming.in_reply_to, *reversed(incoming.references)]
    letter = context.storage.outbound.by_message_id(ids)
    if letter is not None and letter.game_id is not None:
        return _mine(context, context.storage.games.find(letter.game_id))
    return _mine(context, context.storage.games.by_thread(ids))


def _named(context: MessageContext) -> Game | None:
    found = _SUBJECT.search(context.incoming.subject)
    return _mine(context, context.storage.games.by_name(found[1])) if found else None


def _only(context: MessageContext) -> Game | None:
    games = context.cursor.games()
    if not games and context.sender.person is not None:
        # After the end people still talk.
        games = context.storage.games.of_person(context.sender.person.id, (GameState.ENDED,))[-1:]
    return games[0] if len(games) == 1 else None


def _mine(context: MessageContext, game: Game | None) -> Game | None:
    if game is None or context.sender.person is None:
        return None
    parts = context.storage.seats.of_game(game.id)
    active = any(s.person_id == context.sender.person.id and s.state in IN_USE for s in parts)
    return game if active else None
