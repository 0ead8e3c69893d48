"""CLEAR: take back orders, of this phase or sent ahead for later ones."""

from __future__ import annotations

from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.intake import save
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.language.phases import read_phase
from judge.language.problems import ReadError
from judge.sentences import Wording
from judge.storage import GameState


def _active(context: MessageContext) -> State:
    state = context.cursor.here()
    if state.game.state != GameState.ACTIVE:
        raise Refused("no_orders_now", game=state.game.name, state=state.game.state)
    return state


def _now(context: MessageContext, call: Call) -> Answer:
    state = _active(context)
    count = 0
    for seat in context.cursor.playing():
        assert seat.power is not None
        count += len(state.orders.get(seat.power, ()))
        state.file(seat.power, [], context.mail.received_at, context.mail.id)
        context.report.adjusted.add((state.game.id, seat.power))
    state.game.last_change = context.now
    return Answer("cleared", {"phase": state.game.phase, "count": count})


def _later(context: MessageContext, call: Call) -> Answer:
    state = _active(context)
    phase = None
    if call.arguments.strip(" ."):
        try:
            phase = read_phase(call.arguments, state.variant)
        except ReadError as error:
            problem = Wording(error.problem, state.variant)
            raise Refused("bad_setting", write="CLEAR F1903M", problem=problem) from None
        if phase == state.opened.phase:
            return _now(context, call)
    count = save.clear(context, state, phase)
    return Answer("cleared_ahead", {"phase": phase and str(phase), "count": count})


NOW = Command(
    words=("clear now",),
    who="players",
    summary="drop all your orders for this phase",
    help="Orders in the lines after it are taken as usual.",
    example="CLEAR NOW",
    bare=True,
    run=_now,
    group="playing",
)

CLEAR = Command(
    words=("clear",),
    who="players",
    summary="drop orders you sent ahead, of one phase or of all",
    help=(
        "Without a phase it drops all that you sent ahead for later phases; with one, what you "
        "sent for that phase. Orders for the open phase stay unless it is named, or with NOW."
    ),
    usage="[phase]",
    example="CLEAR F1903M",
    run=_later,
    group="playing",
)

COMMANDS = (CLEAR, NOW)
