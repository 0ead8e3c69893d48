"""STATUS: the acknowledgement again."""

from __future__ import annotations

from judge.game.command import Answer, Call, Command
from judge.game.visit import Visit


def run(visit: Visit, call: Call) -> Answer:
    state = visit.here()
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
