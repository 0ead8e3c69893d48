"""START: begin a game whose start is manual."""

from __future__ import annotations

from judge.game.state.answers import Answer, Refused
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import GameState, Role


def run(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    if state.game.state != GameState.FORMING:
        raise Refused("has_started", game=state.game.name)
    free = state.places - len(state.active(Role.PLAYER))
    if free:
        raise Refused("seats_free", game=state.game.name, free=free)
    state.set(manual_start=False)
    context.log("start", {})
    return Answer("starting", {"game": state.game.name})


COMMAND = Command(
    words=("start", "start now", "begin"),
    who="masters",
    summary="start the game, where MANUAL START is set and all powers are taken",
    help="Without MANUAL START a game starts by itself as soon as its last power is taken.",
    example="START",
    bare=True,
    run=run,
    group="masters",
)
