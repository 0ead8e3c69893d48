"""VERSION: who and what answers here."""

from __future__ import annotations

import judge
from judge.game.state.answers import Answer
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import GameState


def run(context: MessageContext, call: Call) -> Answer:
    games = context.storage.queue_metrics.games()
    active = games.get(GameState.ACTIVE, 0) + games.get(GameState.PAUSED, 0)
    forming = games.get(GameState.FORMING, 0)
    return Answer("version", {"version": judge.__version__, "active": active, "forming": forming})


COMMAND = Command(
    words=("version", "ping"),
    who="anybody",
    summary="which judge this is, and its time",
    help="Name and version of the judge, how many games it runs, and what time it believes it is.",
    example="VERSION",
    bare=True,
    run=run,
    asks=True,
    group="information",
)
