"""PRESS: a letter to some of the others."""

from __future__ import annotations

from judge.game import press
from judge.game.command import Answer, Call, Command, Refused
from judge.game.recipients import Head, named
from judge.game.visit import Visit
from judge.rules.variant import Variant


def wrong(variant: Variant, arguments: str) -> Answer | None:
    """Why it can go to nobody, as far as the line alone tells."""
    try:
        named(variant, Head.read(arguments).to)
    except Refused as refused:
        return Answer("press_refused", {"why": refused.code, **refused.facts})
    return None


def run(visit: Visit, call: Call) -> Answer:
    state = visit.here()
    text = "\n".join(call.block).strip("\n")
    head = Head.read(call.arguments)
    try:
        if head.colour not in ("", "white"):
            raise Refused("press_white_only", write=f"PRESS TO {head.to or 'M'}")
        if not head.to:
            raise Refused("press_to_whom", write="PRESS TO M")
        to = press.read_recipients(state, head.to, visit.seats)
        press.allow(state, visit.seats, to)
        return Answer("press", press.deliver(visit, state, to, call.block))
    except Refused as refused:
        # Nothing was sent: the text goes back, so that it need not be written again.
        raise Refused(
            "press_refused", refused.write, why=refused.code, back=text, **refused.facts
        ) from None


COMMAND = Command(
    words=("press",),
    who="participants",
    summary="a letter to some of the others",
    help=(
        "The lines after it, up to ENDPRESS or the end of the mail, go to the powers named: "
        "letters in one word (FRG), or names with commas; M is the master; ALL, and ALL BUT, are "
        "the players. Orders may follow after ENDPRESS."
    ),
    usage="TO powers",
    example="PRESS TO FG\nShall we talk about Belgium?\nENDPRESS",
    run=run,
    ends=("endpress", "endbroadcast"),
    group="press",
    wrong=wrong,
)
