"""RESIGN: leave a game."""

from __future__ import annotations

from judge.events import EventKind
from judge.game.people.lateness import vacate
from judge.game.people.reliability import log_reliability
from judge.game.state.answers import Answer, Refused
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import Condition, GameState, Reliability, Role, SeatState


def run(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    name = call.arguments.strip(" .!").lower()
    if name and name != state.game.name:
        raise Refused("names_other_game", write=f"SIGN ON {name}", name=name, game=state.game.name)
    if state.game.state == GameState.ENDED:
        raise Refused("game_over", game=state.game.name)
    seats = [seat for seat in context.cursor.seats if seat.role != Role.MASTER]
    if not seats:
        raise Refused("masters_stay", game=state.game.name)
    powers = [seat.power for seat in seats if seat.power]
    context.report.came.discard(state.game.id)
    for seat in seats:
        seat.state = SeatState.RESIGNED
        if (
            seat.role == Role.PLAYER
            and state.game.state != GameState.FORMING
            and seat.power is not None
        ):
            if state.alive(seat.power):
                log_reliability(state, seat, Reliability.RESIGNED, context.now)
            vacate(state, seat.power, Condition.ABANDONED, context.now)
        seat.wait, seat.draw = False, None
        state.seat(seat)
    context.log("resigned", {"powers": powers})
    played = any(seat.role == Role.PLAYER for seat in seats)
    if played:
        context.tell(EventKind.RESIGNED, {"powers": powers, "started": state.position is not None})
    context.enter(state)
    return Answer("resigned", {"game": state.game.name, "powers": powers, "played": played})


COMMAND = Command(
    words=("resign", "withdraw"),
    who="participants",
    personal=True,
    summary="leave the game",
    help=(
        "Orders you have given stand, and the power is free for others to take over. "
        "If you cannot play on, this is kinder to the others than silence."
    ),
    usage="[game]",
    example="RESIGN",
    run=run,
    group="playing",
)
