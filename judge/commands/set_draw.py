"""SET DRAW and SET NO DRAW: a vote for a draw of all survivors."""

from __future__ import annotations

from collections.abc import Callable

from judge.game.command import Answer, Call, Command, Refused
from judge.game.visit import Visit


def _set(draw: bool) -> Callable[[Visit, Call], Answer]:
    def run(visit: Visit, call: Call) -> Answer:
        state = visit.here()
        if state.game.state != "active":
            raise Refused("not_running", game=state.game.name, state=state.game.state)
        if draw and call.arguments.strip(" .!"):
            raise Refused("draw_of_some", write="SET DRAW", game=state.game.name)
        seats = [seat for seat in visit.playing() if seat.power in state.survivors()]
        if not seats:
            raise Refused("no_vote", game=state.game.name)
        for seat in seats:
            seat.draw = True if draw else None
            state.seat(seat)
        return Answer("draw_vote", {"draw": draw, "phase": state.game.phase})

    return run


DRAW = Command(
    words=("set draw", "draw"),
    who="players",
    summary="vote to end the game as a draw of all survivors",
    help=(
        "When every player who still owns a supply center has voted for it in the same phase, the "
        "game ends at once and all of them share equally. Votes are secret and last one phase."
    ),
    example="SET DRAW",
    run=_set(True),
    group="playing",
)

NO_DRAW = Command(
    words=("set no draw", "no draw"),
    who="players",
    summary="take back SET DRAW",
    help="A vote also ends by itself with the phase.",
    example="SET NO DRAW",
    bare=True,
    run=_set(False),
    group="playing",
)
