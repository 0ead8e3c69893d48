"""BROADCAST: a letter to everybody in the game."""

from __future__ import annotations

from judge.game import press
from judge.game.command import Answer, Call, Command, Refused
from judge.game.visit import Visit


def run(visit: Visit, call: Call) -> Answer:
    state = visit.here()
    word = call.arguments.strip(" .:").lower()
    # What stands on the line itself belongs to the text, save the colour.
    first = [] if word in ("", "white", "to all") else [call.arguments]
    lines = [*first, *call.block]
    try:
        if word in ("grey", "gray"):
            raise Refused("press_white_only", write="BROADCAST")
        to = press.everybody(state)
        press.allow(state, visit.seats, to)
        return Answer("press", press.deliver(visit, state, to, lines))
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
    help="The lines after it, up to ENDBROADCAST or the end of the mail, are its text.",
    example="BROADCAST\nPeace to all!\nENDBROADCAST",
    run=run,
    ends=("endbroadcast", "endpress"),
    group="press",
)
