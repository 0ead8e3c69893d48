"""PROCESS: the master runs a phase now."""

from __future__ import annotations

from judge.commands.named import phase_named
from judge.game.phases import lifecycle
from judge.game.state.answers import Answer, Refused, not_running
from judge.intake.authorization import in_time
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import GameState


def run(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    game = state.game
    if game.state != GameState.ACTIVE or game.phase is None:
        raise not_running(state)
    in_time(context, state)
    write = f"PROCESS {game.phase}"
    if not call.arguments:
        raise Refused("name_the_phase", write=write, phase=game.phase)
    phase = phase_named(state, call.arguments, write)
    if phase != game.phase:
        raise Refused("other_phase", write=write, named=phase, phase=game.phase)
    context.log("processed", {"phase": phase})
    lifecycle.run(state, context.now)
    return Answer("processed", {"phase": phase, "now_open": game.phase, "state": game.state})


COMMAND = Command(
    words=("process",),
    who="masters",
    summary="run the phase now, with the orders that are there",
    help=(
        "The phase must be named and be the current one, so that no phase is run by mistake. "
        "Missing orders are made up for as the rules say; nobody counts as late or absent for it. "
        "PREDICT shows what would come of it, ROLLBACK takes it back."
    ),
    usage="phase",
    example="PROCESS F1903M",
    run=run,
    group="masters",
)
