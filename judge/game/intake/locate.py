"""Which game a mail is about before its first line has been read."""

from __future__ import annotations

import re

from judge.game.state import IN_USE, part
from judge.game.visit import Visit
from judge.storage import Game

_SUBJECT = re.compile(r"\bJUDGE:\s*(\w+)", re.IGNORECASE)


def locate(visit: Visit) -> None:
    """Enter the game the mail answers, the one its subject names, or the writer's only one.

    Only games he has a part in count, so that a guessed or forwarded Message-ID opens nothing.
    """
    if visit.person is None:
        return
    if _by_address(visit):
        return
    game = _answered(visit) or _named(visit) or _only(visit)
    if game is None:
        return
    state = visit.load(game)
    if state.seats_of(visit.person.id):
        visit.enter(state)


def _by_address(visit: Visit) -> bool:
    """Enter the game, and the parts, that the letter was about whose reply address was used."""
    found = visit.answered
    if found is None or found.ticket.game_id is None or visit.person is None:
        return False
    game = _mine(visit, visit.storage.games.find(found.ticket.game_id))
    if game is None:
        return False
    state = visit.load(game)
    mine = state.seats_of(visit.person.id)
    seats = [seat for seat in mine if part(seat) in found.ticket.parts]
    visit.enter(state, seats or mine)
    if found.ticket.press_id is not None:
        visit.replying = visit.storage.press.find(found.ticket.press_id)
    return True


def _answered(visit: Visit) -> Game | None:
    incoming = visit.incoming
    ids = [*incoming.in_reply_to, *reversed(incoming.references)]
    letter = visit.storage.letters.by_message_id(ids)
    if letter is not None and letter.game_id is not None:
        return _mine(visit, visit.storage.games.find(letter.game_id))
    return _mine(visit, visit.storage.games.by_thread(ids))


def _named(visit: Visit) -> Game | None:
    found = _SUBJECT.search(visit.incoming.subject)
    return _mine(visit, visit.storage.games.by_name(found[1])) if found else None


def _only(visit: Visit) -> Game | None:
    games = visit.games()
    if not games and visit.person is not None:
        # After the end people still talk.
        games = visit.storage.games.of_person(visit.person.id, ("ended",))[-1:]
    return games[0] if len(games) == 1 else None


def _mine(visit: Visit, game: Game | None) -> Game | None:
    if game is None or visit.person is None:
        return None
    parts = visit.storage.seats.of_game(game.id)
    active = any(s.person_id == visit.person.id and s.state in IN_USE for s in parts)
    return game if active else None
