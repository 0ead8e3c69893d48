"""PRESS: a letter to some of the others."""

from __future__ import annotations

from judge.game.press.recipients import Head, named, read_recipients
from judge.game.press.rules import settle
from judge.game.state.answers import Answer, Refused
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.intake.correspondence import send_press
from judge.rules.variant import Variant


def wrong(variant: Variant, arguments: str) -> Answer | None:
    """Why it can go to nobody, as far as the line alone tells."""
    try:
        named(variant, Head.read(arguments).to)
    except Refused as refused:
        return Answer("press_refused", {"why": refused.code, **refused.facts})
    return None


def run(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    head = Head.read(call.arguments)
    try:
        if not head.to:
            raise Refused("press_to_whom", write="PRESS TO M")
        to = read_recipients(state, head, context.cursor.seats)
        manner = settle(state, context.cursor.seats, to, head, context.now)
        return Answer("press", send_press(context, state, to, manner, call.block))
    except Refused as refused:
        # Nothing was sent: the text goes back, so that it need not be written again.
        text = "\n".join(call.block).strip("\n")
        raise Refused(
            "press_refused", refused.write, why=refused.code, back=text, **refused.facts
        ) from None


COMMAND = Command(
    words=("press",),
    who="participants",
    summary="a letter to some of the others",
    help=(
        "The lines after it, up to ENDPRESS or the end of the mail, go to the powers named: "
        "letters in one word (FRG), or names with commas; M is the master, O the observers; ALL "
        "BUT T, or -T, is everybody but Turkey. PRESS GREY TO is unsigned, where the game allows "
        "it. Orders may follow after ENDPRESS."
    ),
    usage="[WHITE or GREY] TO powers [FAKE BROADCAST or FAKE TO powers]",
    example="PRESS TO FG\nShall we talk about Belgium?\nENDPRESS",
    run=run,
    ends=("endpress", "endbroadcast"),
    group="press",
    wrong=wrong,
)
