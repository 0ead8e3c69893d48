"""DUMMY and REVIVE: a power that nobody is to play, and its player's return."""

from __future__ import annotations

from judge.commands.named import power_named
from judge.events import EventKind
from judge.game.people.lateness import occupy, vacate
from judge.game.state import State
from judge.game.state.answers import Answer, Refused, not_running
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import Condition, GameState, Role, SeatState


def dummy(context: MessageContext, call: Call) -> Answer:
    state, power = _power(context, call)
    if state.condition(power) == Condition.DUMMY and state.holder(power) is not None:
        raise Refused("is_dummy", game=state.game.name, power=power)
    vacate(state, power, Condition.DUMMY, context.now)
    state.game.last_change = context.now
    context.log("dummy", {"power": power})
    context.tell(EventKind.DUMMY, {"power": power, "revived": False})
    return Answer("dummy", {"game": state.game.name, "power": power})


def revive(context: MessageContext, call: Call) -> Answer:
    state, power = _power(context, call)
    seat = state.holder(power)
    if state.condition(power) == Condition.PLAYED:
        raise Refused("is_played", game=state.game.name, power=power)
    if (
        seat is None
        or seat.person_id is None
        or seat.state not in (SeatState.ABANDONED, SeatState.EJECTED)
    ):
        raise Refused("nobody_to_revive", game=state.game.name, power=power)
    if any(each.role == Role.PLAYER for each in state.seats_of(seat.person_id) if each is not seat):
        raise Refused("nobody_to_revive", game=state.game.name, power=power)
    occupy(state, seat, context.now)
    state.game.last_change = context.now
    context.log("revived", {"power": power})
    context.tell(EventKind.DUMMY, {"power": power, "revived": True})
    return Answer("revived", {"game": state.game.name, "power": power})


def _power(context: MessageContext, call: Call) -> tuple[State, str]:
    state = context.cursor.here()
    game = state.game
    if game.state not in (GameState.ACTIVE, GameState.PAUSED):
        raise not_running(state)
    write = f"DUMMY {state.variant.powers[0].lower()}"
    return state, power_named(state, call.arguments, write)


DUMMY = Command(
    words=("dummy",),
    who="masters",
    summary="nobody is to play that power, and nobody waits for it",
    help=(
        "Orders on file count; without any its units hold, and dislodged ones are disbanded. Its "
        "player keeps his part and can be brought back by REVIVE."
    ),
    usage="power",
    example="DUMMY germany",
    run=dummy,
    group="masters",
)

REVIVE = Command(
    words=("revive",),
    who="masters",
    summary="its last player plays that power again",
    help=(
        "For a power that is a dummy, abandoned or in civil disorder, or whose player was ejected. "
        "Who resigned comes back by TAKE OVER only."
    ),
    usage="power",
    example="REVIVE germany",
    run=revive,
    group="masters",
)
