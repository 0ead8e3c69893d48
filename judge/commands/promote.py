"""PROMOTE and EJECT: a further master, and the end of somebody's part."""

from __future__ import annotations

from judge.commands.admission import end_part
from judge.commands.named import person_named, power_named
from judge.events import EventKind
from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import GameState, Role, Seat


def promote(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    person, seats = person_named(context, call.arguments, "PROMOTE ann@example.org")
    if any(seat.role == Role.MASTER for seat in seats):
        raise Refused("is_master", game=state.game.name, who=person.name)
    seat = next((seat for seat in seats if seat.role == Role.OBSERVER), None)
    if seat is None or len(seats) > 1:
        raise Refused("no_observer", game=state.game.name, who=person.name)
    seat.role = Role.MASTER
    state.seat(seat)
    context.log("promoted", {"person": person.id})
    context.tell(EventKind.PROMOTED, {"who": person.name})
    return Answer("promoted", {"game": state.game.name, "who": person.name})


def eject(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    if state.game.state == GameState.ENDED:
        raise Refused("game_over", game=state.game.name)
    text = call.arguments.strip(" .!")
    seats = _whose(context, state, text)
    masters = [seat for seat in state.active(Role.MASTER) if seat not in seats]
    if not masters and any(seat.role == Role.MASTER for seat in seats):
        raise Refused("last_master", write="PROMOTE ann@example.org", game=state.game.name)
    facts = end_part(context, state, seats)
    context.enter(state)
    return Answer("ejected", {"game": state.game.name} | facts)


def _whose(context: MessageContext, state: State, text: str) -> list[Seat]:
    """The seats whose parts are to end. Raises Refused."""
    write = f"EJECT {state.variant.powers[0].lower()}"
    if "@" in text.strip("@"):
        return person_named(context, text, write)[1]
    power = power_named(state, text, write)
    seat = state.holder(power)
    if seat is None or seat.person_id is None or seat.person_id not in state.everybody():
        raise Refused("nobody_plays", game=state.game.name, power=power)
    return [seat]


PROMOTE = Command(
    words=("promote",),
    who="masters",
    summary="make an observer a further master",
    help=(
        "Named by an address of his. Who is to run the game with you sends OBSERVE first; players "
        "cannot be masters."
    ),
    usage="address",
    example="PROMOTE ann@example.org",
    run=promote,
    group="masters",
)

EJECT = Command(
    words=("eject",),
    who="masters",
    summary="end somebody's part in the game",
    help=(
        "A player is named by his power, anybody by an address of his. Orders on file stand; the "
        "power is open for somebody else (TAKE OVER). The last master must promote another one "
        "before he goes."
    ),
    usage="power or address",
    example="EJECT france",
    run=eject,
    group="masters",
)
