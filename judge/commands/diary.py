"""DIARY: a player's private notes, which everybody may read when the game is over."""

from __future__ import annotations

import re

from judge.game.state.answers import Answer, Refused
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import DiaryPage, GameState, Seat


def _own(context: MessageContext) -> Seat:
    """Return the seat whose diary the writer keeps. Raises Refused if they do not play."""
    seats = context.cursor.playing()
    if not seats:
        raise Refused("players_only", game=context.cursor.here().game.name)
    return seats[0]


def _page(context: MessageContext, number: str) -> DiaryPage:
    """Return the page of the writer's diary with that number. Raises Refused."""
    pages = context.storage.diaries.of_seat(_own(context).id)
    wanted = number.strip(" .#")
    for each in pages:
        if wanted == str(each.number):
            return each
    raise Refused("no_page", "DIARY LIST", number=wanted, numbers=[each.number for each in pages])


def record(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    seat = _own(context)
    text = "\n".join(filter(None, (call.arguments, "\n".join(call.block)))).strip("\n")
    if not text.strip():
        raise Refused("diary_empty", write="DIARY")
    if state.game.state == GameState.ENDED:
        raise Refused("diary_closed", game=state.game.name)
    if len(context.storage.diaries.of_seat(seat.id)) >= MOST_PAGES:
        raise Refused("diary_full", write="DIARY DELETE 1", most=MOST_PAGES)
    note = context.storage.diaries.add(
        DiaryPage(
            game_id=state.game.id,
            seat_id=seat.id,
            number=0,
            phase=state.game.phase,
            text=text[:LONGEST],
            at=context.now,
        )
    )
    return Answer("diary", {"number": note.number, "text": note.text, "game": state.game.name})


def contents(context: MessageContext, call: Call) -> Answer:
    pages = context.storage.diaries.of_seat(_own(context).id)
    rows = [
        {"number": note.number, "phase": note.phase, "text": " ".join(note.text.split())}
        for note in pages
    ]
    return Answer("diary_list", {"game": context.cursor.here().game.name, "pages": rows})


def read(context: MessageContext, call: Call) -> Answer:
    note = _page(context, call.arguments)
    return Answer("diary_page", {"number": note.number, "phase": note.phase, "text": note.text})


def delete(context: MessageContext, call: Call) -> Answer:
    if context.cursor.here().game.state == GameState.ENDED:
        raise Refused("diary_closed", game=context.cursor.here().game.name)
    note = _page(context, call.arguments)
    context.storage.diaries.remove(note.id)
    return Answer("diary_deleted", {"number": note.number, "text": note.text})


MOST_PAGES = 500
"""Pages of one diary."""

LONGEST = 20_000
"""Characters of a page."""

_COMMAND = re.compile(r"\s*diary\s*(?:record\b|list\s*\Z|(?:read|delete)\s*\d)", re.IGNORECASE)
"""A line that is no text of a page, for it asks for another one."""

RECORD = Command(
    words=("diary record", "diary"),
    who="players",
    summary="a private note, published when the game is over",
    help=(
        "The lines after it, up to ENDDIARY or the end of the mail, are kept for you. Nobody else "
        "reads them before the game is over; then everybody gets all diaries."
    ),
    example="DIARY\nI do not trust Italy.\nENDDIARY",
    usage="text",
    run=record,
    ends=("end", "enddiary", "endpress"),
    takes=lambda line: _COMMAND.match(line) is None,
)

LIST = Command(
    words=("diary list",),
    who="players",
    summary="the pages of your diary",
    help="Each page with its number, its phase and how it begins.",
    example="DIARY LIST",
    run=contents,
    bare=True,
    asks=True,
)

READ = Command(
    words=("diary read",),
    who="players",
    summary="a page of your diary",
    help="DIARY LIST shows the numbers.",
    usage="n",
    example="DIARY READ 1",
    run=read,
    asks=True,
)

DELETE = Command(
    words=("diary delete",),
    who="players",
    summary="tear a page out of your diary",
    help="It is gone, and is not published. DIARY LIST shows the numbers.",
    usage="n",
    example="DIARY DELETE 1",
    run=delete,
)

COMMANDS = (RECORD, LIST, READ, DELETE)
