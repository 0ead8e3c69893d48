"""OBSERVE: get a game's results and broadcasts."""

from __future__ import annotations

from judge.game.command import Answer, Call, Command, Refused
from judge.game.intake.reach import RESULTS_ONLY, hears_all
from judge.game.intake.trust import prove
from judge.game.rights import known
from judge.game.visit import Visit
from judge.storage import Seat


def run(visit: Visit, call: Call) -> Answer:
    name = call.arguments.split()[0] if call.arguments else ""
    return observe(visit, name)


def monitor(visit: Visit, call: Call) -> Answer:
    name = call.arguments.split()[0] if call.arguments else ""
    return observe(visit, name, results_only=True)


def observe(visit: Visit, name: str, results_only: bool = False) -> Answer:
    """Make the writer an observer of the game called `name`, `results_only` where he wants nothing
    but results. An observer can change between the two. Raises Refused."""
    if not name:
        raise Refused("name_a_game", write="LIST")
    state = visit.game_named(name)
    if state.game.state == "ended":
        raise Refused("game_over", game=state.game.name)
    prove(visit, None)
    person = known(visit)
    seats = state.seats_of(person.id)
    if any(seat.role != "observer" or hears_all(seat) is not results_only for seat in seats):
        raise Refused("already_in", game=state.game.name)
    if seats:
        (seat,) = seats
    else:
        seat = Seat(
            game_id=state.game.id, person_id=person.id, role="observer", joined_at=visit.now
        )
    seat.options = seat.options | {RESULTS_ONLY: results_only}
    state.seat(seat)
    visit.enter(state)
    visit.log("observes", {"person": person.id})
    return Answer("observing", {"game": state.game.name, "results_only": results_only})


COMMAND = Command(
    words=("observe", "watch"),
    who="anybody",
    summary="get the results and broadcasts of a game without playing in it",
    help="RESIGN ends it; MONITOR gets you results only.",
    usage="game",
    example="OBSERVE paris",
    run=run,
)

MONITOR = Command(
    words=("monitor",),
    who="anybody",
    summary="get the results of a game, and nothing else",
    help="RESIGN ends it; OBSERVE gets you broadcasts and notices, too.",
    usage="game",
    example="MONITOR paris",
    run=monitor,
)
