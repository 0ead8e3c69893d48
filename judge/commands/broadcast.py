"""BROADCAST and POSTAL PRESS: letters to everybody in the game, now or with the results."""

from __future__ import annotations

from judge.game.command import Answer, Call, Command, Refused
from judge.game.dispatch import deliver
from judge.game.press import everybody
from judge.game.press_rules import settle
from judge.game.recipients import Head
from judge.game.visit import Visit


def run(visit: Visit, call: Call) -> Answer:
    return _broadcast(visit, call, held=False)


def run_postal(visit: Visit, call: Call) -> Answer:
    return _broadcast(visit, call, held=True)


def _broadcast(visit: Visit, call: Call, held: bool) -> Answer:
    state = visit.here()
    head = Head.of_broadcast(call.arguments)
    # What stands on the line itself belongs to the text, save the color.
    lines = [*([head.to] if head.to else []), *call.block]
    try:
        if held and not state.settings.postal_press:
            raise Refused("press_no_postal", "BROADCAST", game=state.game.name)
        if held and state.game.state != "active":
            raise Refused("press_postal_later", "BROADCAST", game=state.game.name)
        to = everybody(state)
        manner = settle(state, visit.seats, to, head, visit.now)
        return Answer("press", deliver(visit, state, to, manner, lines, held=held))
    except Refused as refused:
        raise Refused(
            "press_refused",
            refused.write,
            why=refused.code,
            back="\n".join(lines).strip("\n"),
            **refused.facts,
        ) from None


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
