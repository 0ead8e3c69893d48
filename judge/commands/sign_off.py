"""SIGN OFF: nothing after it is read."""

from __future__ import annotations

from judge.game.state.answers import Answer
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext


def run(context: MessageContext, call: Call) -> Answer:
    return Answer("signed_off", ends=True)


COMMAND = Command(
    words=("sign off", "quit"),
    who="anybody",
    summary="ends reading; nobody needs it",
    help="Whatever follows is not read. It also ends press.",
    example="SIGN OFF",
    bare=True,
    harmless=True,
    run=run,
    group="playing",
)
