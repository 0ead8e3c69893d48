"""PREDICT: what would come of the orders that are there, for the masters only."""

from __future__ import annotations

from judge.game.command import Answer, Call, Command, Refused
from judge.game.preview import preview
from judge.game.visit import Visit


def run(visit: Visit, call: Call) -> Answer:
    state = visit.here()
    game = state.game
    if game.state not in ("active", "paused"):
        raise Refused("not_running", game=game.name, state=game.state)
    preview(state, visit.post)
    visit.log("preview", {"phase": game.phase})
    return Answer("previewed", {"phase": game.phase})


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
