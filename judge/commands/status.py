"""STATUS: the acknowledgement again."""

from __future__ import annotations

from judge.game.state.answers import Answer
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext


def run(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    return Answer("status", {"game": state.game.name})


COMMAND = Command(
    words=("status",),
    who="participants",
    summary="your orders on file, what is missing, and the deadline",
    help="An empty mail does the same.",
    example="STATUS",
    bare=True,
    harmless=True,
    run=run,
    group="playing",
)
