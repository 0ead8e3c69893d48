"""PREDICT: what would come of the orders that are there, for the masters only."""

from __future__ import annotations

from judge.game.orders.predict import preview
from judge.game.state.answers import Answer, Refused, not_running
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import GameState, Person, Role


def run(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    game = state.game
    if game.state not in (GameState.ACTIVE, GameState.PAUSED):
        raise not_running(state)
    keeps = context.cursor.keeping is not None
    # Where the keeper runs a game without a master, whoever made it may play in it.
    masters = [state.person(seat) for seat in state.active(Role.MASTER)]
    preview(state, [_keeper(context)] if keeps else masters)
    context.log("preview", {"phase": game.phase})
    return Answer("previewed", {"phase": game.phase, "keeps": keeps})


def _keeper(context: MessageContext) -> Person:
    """The keeper on file: at the command line he is nobody. Raises Refused."""
    person = context.storage.people.by_address(context.profile.keeper or "")
    if person is None:
        raise Refused("keeper_unknown")
    return person


COMMAND = Command(
    words=("predict", "preview"),
    who="masters",
    summary="show the masters what would come of the orders that are there",
    help=(
        "The phase is played through and nothing is kept. The results go to the masters in a "
        "letter of their own; that somebody looked is in the log (AUDIT)."
    ),
    example="PREDICT",
    bare=True,
    run=run,
    group="masters",
)
