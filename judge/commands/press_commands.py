"""Press and diaries: PRESS, BROADCAST, POSTAL PRESS, and DIARY."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches

from judge.game.press import recipients
from judge.game.press.dispatch import settle
from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.intake.context import Cursor, MessageContext
from judge.intake.correspondence import send_press
from judge.intake.gate import open_end
from judge.intake.lines import Line
from judge.intake.outward import whole
from judge.limits import BOUNDS
from judge.rules.variant import Variant
from judge.storage import DiaryPage, GameState, Seat

# PRESS: a letter to some of the others


def wrong_recipients(variant: Variant, arguments: str) -> Answer | None:
    """Return why it can go to nobody, as far as the line alone tells."""
    try:
        recipients.named(variant, recipients.PressHead.read(arguments).to)
    except Refused as refused:
        return Answer("press_refused", {"why": refused.code, **refused.facts})
    return None


end_of_press = open_end


def press_command(context: MessageContext, state: State, call: Line) -> Answer:
    head = recipients.PressHead.read(call.arguments)
    with _giving_back(call.block):
        if not head.to:
            raise Refused("press_to_whom", write="PRESS TO M")
        to = recipients.read_recipients(state, head, context.cursor.seats)
        manner = settle(state, context.cursor.seats, to, head, context.now)
        return Answer("press", send_press(context, state, to, manner, call.block))


@contextmanager
def _giving_back(lines: Sequence[str]) -> Iterator[None]:
    """Give the text back where nothing is sent, so that it need not be written again."""
    try:
        yield
    except Refused as refused:
        facts = {"back": "\n".join(lines).strip("\n"), **refused.facts}
        raise Refused("press_refused", refused.write, why=refused.code, **facts) from None


# BROADCAST and POSTAL PRESS: letters to everybody in the game, now or with the results


def broadcast(context: MessageContext, state: State, call: Line, held: bool = False) -> Answer:
    head = recipients.PressHead.of_broadcast(call.arguments)
    # What stands on the line itself belongs to the text, save the color.
    lines = [*([head.to] if head.to else []), *call.block]
    with _giving_back(lines):
        _not_to_some(state, call.arguments)
        if held and not state.settings.postal_press:
            raise Refused("press_no_postal", "BROADCAST", game=state.game.name)
        if held and state.game.state != GameState.ACTIVE:
            raise Refused("press_postal_later", "BROADCAST", game=state.game.name)
        to = recipients.everybody(state)
        manner = settle(state, context.cursor.seats, to, head, context.now)
        return Answer("press", send_press(context, state, to, manner, lines, held=held))


_TO_SOME = re.compile(
    r"(?:(?:white|gr[ae]y)\b\s*)?(?:to\b[\s:]*(?P<to>.*?))??"
    r"[\s,;]*(?P<fake>\bfakes?(?:\s+(?:to\b.*|broadcast))?)?[\s.:]*",
    re.IGNORECASE,
)


_NEAR = 0.75
"""How alike a misspelled color is to one, of 1."""


def _not_to_some(state: State, arguments: str) -> None:
    """Raise Refused where the line names recipients or a faked heading, as that of PRESS does:
    what is meant for some must not go to everybody, its heading least of all."""
    word = arguments.strip(" .:").lower()
    if word not in recipients.COLORS and (
        near := get_close_matches(word, recipients.COLORS, 1, _NEAR)
    ):
        # A slip must not sign what was to go unsigned.
        letters = state.variant.letters
        raise Refused("press_unknown", f"BROADCAST {near[0].upper()}", text=word, letters=letters)
    found = _TO_SOME.fullmatch(arguments.strip())
    if found is None:
        return
    if found["fake"]:
        raise Refused("press_fake_public", "BROADCAST")
    words = found["to"]
    if not words or recipients.all_but(words) == "":
        return
    try:
        recipients.read_claim(state, words)
    except Refused:
        # Nobody is called so: it is the first line of the text.
        return
    raise Refused("press_to_whom", f"PRESS TO {words.strip()}")


# DIARY: a player's private notes, which everybody may read when the game is over


def _own(cursor: Cursor) -> Seat:
    """Return the seat whose diary the writer keeps. Raises Refused if they do not play."""
    seats = cursor.playing()
    if not seats:
        raise Refused("players_only", game=cursor.here().game.name)
    return seats[0]


def _page(cursor: Cursor, number: str) -> DiaryPage:
    """Return the page of the writer's diary with that number. Raises Refused."""
    pages = cursor.eyes(cursor.here()).pages(_own(cursor))
    wanted = number.strip(" .#")
    for each in pages:
        if wanted == str(each.number):
            return each
    raise Refused("no_page", "DIARY LIST", number=wanted, numbers=[each.number for each in pages])


def record_page(context: MessageContext, state: State, call: Line) -> Answer:
    seat = _own(context.cursor)
    text = "\n".join(filter(None, (call.arguments, "\n".join(call.block)))).strip("\n")
    if state.game.state == GameState.ENDED:
        raise Refused("diary_closed", game=state.game.name)
    if len(context.cursor.eyes(state).pages(seat)) >= BOUNDS.pages:
        raise Refused("diary_full", write="DIARY DELETE 1", most=BOUNDS.pages)
    note = context.storage.diaries.add(
        DiaryPage(
            game_id=state.game.id,
            seat_id=seat.id,
            number=0,
            phase=state.game.phase,
            text=whole(context, text[: BOUNDS.page]),
            at=context.now,
        )
    )
    return Answer("diary", {"number": note.number, "text": note.text, "game": state.game.name})


def list_pages(cursor: Cursor, state: State) -> Answer:
    pages = cursor.eyes(cursor.here()).pages(_own(cursor))
    rows = [
        {"number": note.number, "phase": note.phase, "text": " ".join(note.text.split())}
        for note in pages
    ]
    return Answer("diary_list", {"game": state.game.name, "pages": rows})


def read_page(cursor: Cursor, call: Line) -> Answer:
    note = _page(cursor, call.arguments)
    return Answer("diary_page", {"number": note.number, "phase": note.phase, "text": note.text})


def delete_page(cursor: Cursor, state: State, call: Line) -> Answer:
    if state.game.state == GameState.ENDED:
        raise Refused("diary_closed", game=state.game.name)
    note = _page(cursor, call.arguments)
    cursor.sender.confirm("tearing", number=note.number, text=note.text)
    cursor.storage.diaries.remove(note.id)
    return Answer("diary_deleted", {"number": note.number, "text": note.text})


_COMMAND = re.compile(r"\s*diary\s*(?:record\b|list\s*\Z|(?:read|delete)\s*\d)", re.IGNORECASE)
"""A line that is no text of a page, for it asks for another one."""


def diary_record_takes(line: str) -> bool:
    return _COMMAND.match(line) is None
