"""BROADCAST and POSTAL PRESS: letters to everybody in the game, now or with the results."""

from __future__ import annotations

import re

from judge.game.press.recipients import Head, all_but, everybody, read_claim
from judge.game.press.rules import settle
from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.intake.correspondence import send_press
from judge.storage import GameState


def run(context: MessageContext, call: Call) -> Answer:
    return _broadcast(context, call, held=False)


def run_postal(context: MessageContext, call: Call) -> Answer:
    return _broadcast(context, call, held=True)


def _broadcast(context: MessageContext, call: Call, held: bool) -> Answer:
    state = context.cursor.here()
    head = Head.of_broadcast(call.arguments)
    # What stands on the line itself belongs to the text, save the color.
    lines = [*([head.to] if head.to else []), *call.block]
    try:
        _not_to_some(state, call.arguments)
        if held and not state.settings.postal_press:
            raise Refused("press_no_postal", "BROADCAST", game=state.game.name)
        if held and state.game.state != GameState.ACTIVE:
            raise Refused("press_postal_later", "BROADCAST", game=state.game.name)
        to = everybody(state)
        manner = settle(state, context.cursor.seats, to, head, context.now)
        return Answer("press", send_press(context, state, to, manner, lines, held=held))
    except Refused as refused:
        raise Refused(
            "press_refused",
            refused.write,
            why=refused.code,
            back="\n".join(lines).strip("\n"),
            **refused.facts,
        ) from None


_TO_SOME = re.compile(
    r"(?:(?:white|gr[ae]y)\b\s*)?(?:to\b[\s:]*(?P<to>.*?))??"
    r"[\s,;]*(?P<fake>\bfakes?(?:\s+(?:to\b.*|broadcast))?)?[\s.:]*",
    re.IGNORECASE,
)


def _not_to_some(state: State, arguments: str) -> None:
    """Raises Refused where the line names recipients or a faked heading, as that of PRESS does:
    what is meant for some must not go to everybody, its heading least of all."""
    found = _TO_SOME.fullmatch(arguments.strip())
    if found is None:
        return
    if found["fake"]:
        raise Refused("press_fake_public", "BROADCAST")
    words = found["to"]
    if not words or all_but(words) == "":
        return
    try:
        read_claim(state, words)
    except Refused:
        # Nobody is called so: it is the first line of the text.
        return
    raise Refused("press_to_whom", f"PRESS TO {words.strip()}")


COMMAND = Command(
    words=("broadcast",),
    who="participants",
    summary="a letter to everybody in the game, observers included",
    help=(
        "The lines after it, up to ENDBROADCAST or the end of the mail, are its text. BROADCAST "
        "GREY is unsigned, where the game allows it."
    ),
    usage="[WHITE or GREY]",
    example="BROADCAST\nPeace to all!\nENDBROADCAST",
    run=run,
    ends=("endbroadcast", "endpress"),
    group="press",
)

POSTAL = Command(
    words=("postal press",),
    who="participants",
    summary="a letter to everybody that goes out with the next results",
    help=(
        "A broadcast that is held back until the results of the phase go out, where the game "
        "allows it (SET POSTAL PRESS)."
    ),
    usage="[WHITE or GREY]",
    example="POSTAL PRESS\nSo that is what you meant by peace!\nENDPRESS",
    run=run_postal,
    ends=("endpress", "endbroadcast"),
    group="press",
)
