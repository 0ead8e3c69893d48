"""OBSERVE: get a game's results and broadcasts."""

from __future__ import annotations

from judge.game.command import Answer, Call, Command, Refused
from judge.game.rights import known
from judge.game.trust import prove
from judge.game.visit import Visit
from judge.storage import Seat


def run(visit: Visit, call: Call) -> Answer:
    name = call.arguments.split()[0] if call.arguments else ""
    return observe(visit, name)


def observe(visit: Visit, name: str) -> Answer:
    """Make the writer an observer of the game called `name`. Raises Refused."""
    if not name:
        raise Refused("name_a_game", write="LIST")
    state = visit.game_named(name)
    if state.game.state == "ended":
        raise Refused("game_over", game=state.game.name)
    prove(visit, None)
    person = known(visit)
    if state.seats_of(person.id):
        raise Refused("already_in", game=state.game.name)
    state.seat(
        Seat(
            game_id=state.game.id,
            person_id=person.id,
            role="observer",
            joined_at=visit.now,
        )
    )
    visit.enter(state)
    visit.log("observes", {"person": person.id})
    return Answer("observing", {"game": state.game.name})


COMMAND = Command(
    words=("observe", "watch"),
    who="anybody",
    summary="get the results and broadcasts of a game without playing in it",
    help="RESIGN ends it.",
    usage="game",
    example="OBSERVE paris",
    run=run,
)
