"""The diaries of players: nobody else reads them before the game is over, everybody afterwards."""

from __future__ import annotations

from typing import Any

from judge.game.state import State
from judge.game.state.answers import Refused
from judge.i18n import speaking
from judge.intake.context import MessageContext
from judge.mail.compose import Attachment
from judge.render import letters
from judge.storage import DiaryPage, GameState, Seat


def own(context: MessageContext) -> Seat:
    """The seat whose diary the writer keeps. Raises Refused for who does not play."""
    seats = context.cursor.playing()
    if not seats:
        raise Refused("players_only", game=context.cursor.here().game.name)
    return seats[0]


def page(context: MessageContext, number: str) -> DiaryPage:
    """The page of the writer's diary with that number. Raises Refused."""
    pages = context.storage.diaries.of_seat(own(context).id)
    wanted = number.strip(" .#")
    for each in pages:
        if wanted == str(each.number):
            return each
    raise Refused("no_page", "DIARY LIST", number=wanted, numbers=[each.number for each in pages])


def published(state: State) -> list[dict[str, Any]]:
    """The diaries of a game that is over, by power; none before."""
    if state.game.state != GameState.ENDED:
        return []
    notes = state.storage.diaries.of_game(state.game.id)
    found = []
    for seat in sorted(state.seats, key=lambda seat: seat.power or ""):
        pages = [note for note in notes if note.seat_id == seat.id]
        if pages and seat.power:
            told = [{"phase": note.phase, "at": note.at, "text": note.text} for note in pages]
            found.append({"power": seat.power, "pages": told})
    return found


def attached(state: State) -> list[Attachment]:
    """The diaries as a file for everybody (`paris-diaries.txt`), if there are any."""
    diaries = published(state)
    if not diaries:
        return []
    # One file for all, whoever has ended the game.
    with speaking("en"):
        text = letters.answer("_diaries", {"diaries": diaries}) + "\n"
    name = f"{state.game.name}-diaries.txt"
    return [Attachment(name, "text/plain", text.encode(), (("charset", "utf-8"),))]
