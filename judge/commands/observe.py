"""OBSERVE: get a game's results and broadcasts."""

from __future__ import annotations

from dataclasses import replace

from judge.game.people.contact import hears_all
from judge.game.state.answers import Answer, Refused
from judge.intake.authentication import prove
from judge.intake.authorization import ensure_registered
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import GameState, Role, Seat


def run(context: MessageContext, call: Call) -> Answer:
    name = call.arguments.split()[0] if call.arguments else ""
    return observe(context, name)


def monitor(context: MessageContext, call: Call) -> Answer:
    name = call.arguments.split()[0] if call.arguments else ""
    return observe(context, name, results_only=True)


def observe(context: MessageContext, name: str, results_only: bool = False) -> Answer:
    """Make the writer an observer of the game called `name`, `results_only` where he wants nothing
    but results. An observer can change between the two. Raises Refused."""
    if not name:
        raise Refused("name_a_game", write="LIST")
    state = context.cursor.game_named(name)
    if state.game.state == GameState.ENDED:
        raise Refused("game_over", game=state.game.name)
    prove(context, None)
    person = ensure_registered(context)
    seats = state.seats_of(person.id)
    if any(seat.role != Role.OBSERVER or hears_all(seat) is not results_only for seat in seats):
        raise Refused("already_in", game=state.game.name)
    if seats:
        (seat,) = seats
    else:
        seat = Seat(
            game_id=state.game.id, person_id=person.id, role=Role.OBSERVER, joined_at=context.now
        )
    seat.options = replace(seat.options, results_only=results_only)
    state.seat(seat)
    context.enter(state)
    context.log("observes", {"person": person.id})
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
