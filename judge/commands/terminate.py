"""TERMINATE: the master ends a game without a result."""

from __future__ import annotations

from judge.commands.named import must_name
from judge.events import EventKind
from judge.game.phases.lifecycle import finish
from judge.game.state.answers import Answer, Refused
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import Ending, GameState, Outcome


def run(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    game = state.game
    if game.state == GameState.ENDED:
        raise Refused("game_over", game=game.name)
    must_name(state, call.arguments, "TERMINATE")
    context.log("terminated", {"phase": game.phase, "state": game.state})
    if state.position is not None:
        finish(state, context.now, Outcome(Ending.TERMINATED, ()))
    else:
        game.state = GameState.ENDED
        game.ended_at = context.now
        game.outcome = Outcome(Ending.TERMINATED, ())
        context.tell(EventKind.CALLED_OFF, {})
    return Answer("terminated", {"game": game.name})


COMMAND = Command(
    words=("terminate",),
    who="masters",
    summary="end the game without a result",
    help=(
        "The game must be named. Everybody gets the final position; nobody has won. ROLLBACK to "
        "the last phase that ran lets it go on."
    ),
    usage="game",
    example="TERMINATE paris",
    run=run,
    group="masters",
)
