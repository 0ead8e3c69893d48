"""ROLLBACK and RESTORE: the master takes phases back, and takes that back."""

from __future__ import annotations

from judge.commands.named import phase_named
from judge.game.masters.rollback import roll_back, roll_forward
from judge.game.state import State
from judge.game.state.answers import Answer, Refused, not_running
from judge.intake.authorization import in_time
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext


def rollback(context: MessageContext, call: Call) -> Answer:
    state = _started(context)
    game = state.game
    ran = [run.phase for run in context.storage.history.of_game(game.id) if run.results["orders"]]
    if not ran:
        raise Refused("nothing_ran", game=game.name, phase=game.phase)
    write = f"ROLLBACK {ran[-1]}"
    if not call.arguments:
        raise Refused("rollback_to_what", write=write, ran=ran[-_SHOWN:], game=game.name)
    phase = phase_named(state, call.arguments, write)
    run = context.storage.history.find(game.id, phase)
    if run is None or phase not in ran:
        raise Refused("never_ran", write=write, named=phase, ran=ran[-_SHOWN:], game=game.name)
    undone = roll_back(state, context.now, run, context.seed)
    context.log("rollback", {"phase": phase, "undone": undone})
    return Answer("rolled_back", {"phase": phase, "undone": undone, "game": game.name})


def restore(context: MessageContext, call: Call) -> Answer:
    state = _started(context)
    game = state.game
    last = context.storage.history.last_rollback(game.id)
    if last is None:
        raise Refused("nothing_to_restore", game=game.name)
    if call.arguments:
        write = f"RESTORE {last.phase}"
        phase = phase_named(state, call.arguments, write)
        if phase != last.phase:
            raise Refused("other_rollback", write=write, named=phase, phase=last.phase)
    redone = roll_forward(state, context.now, last)
    context.log("restored", {"phase": last.phase, "redone": redone})
    return Answer(
        "restored",
        {"redone": redone, "now_open": game.phase, "state": game.state, "game": game.name},
    )


_SHOWN = 6
"""Phases that a refusal names."""


def _started(context: MessageContext) -> State:
    """The game of these lines, which has begun; a mail from before its phase does nothing."""
    state = context.cursor.here()
    if state.position is None:
        raise not_running(state)
    in_time(context, state)
    return state


ROLLBACK = Command(
    words=("roll back",),
    who="masters",
    summary="take the game back to the moment before a phase ran",
    help=(
        "The phase must be named and must have run. It is open again with the orders it ran with, "
        "and has a new deadline; all that ran since counts no longer. Everybody is told. Whoever "
        "owes orders is on WAIT, so that there is time to change something. A game that is over "
        "goes on. RESTORE takes it back as long as nothing has run since."
    ),
    usage="phase",
    example="ROLLBACK F1902M",
    run=rollback,
    group="masters",
)

RESTORE = Command(
    words=("restore", "roll forward"),
    who="masters",
    summary="take back the last ROLLBACK",
    help=(
        "What was rolled back counts again, and the phase that was open before is open with the "
        "orders there were. Orders given since the rollback are dropped. It is possible as long "
        "as nothing has run since."
    ),
    usage="[phase]",
    example="RESTORE F1902M",
    run=restore,
    group="masters",
)
