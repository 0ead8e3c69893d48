"""Orders and what goes with them: STATUS, SET WAIT, PHASE, IF, and CLEAR."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from judge.game.orders.interpret import OrderContext
from judge.game.state import State
from judge.game.state.answers import Answer, Refused, not_running
from judge.intake import save
from judge.intake.blocks import phase_named
from judge.intake.command import Call, commands, summary
from judge.intake.context import MessageContext
from judge.intake.save import keep_wait
from judge.language.phases import read_phase
from judge.language.problems import ReadError
from judge.sentences import Wording
from judge.storage import GameState, Role

# STATUS: the acknowledgement again


def _status(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    return Answer("status", {"game": state.game.name})


# SET WAIT and SET NO WAIT: not before the deadline


def _waiting(wait: bool) -> Callable[[MessageContext, Call], Answer]:
    def run(context: MessageContext, call: Call) -> Answer:
        if (kept := keep_wait(context, call, wait)) is not None:
            return kept
        state = context.cursor.here()
        if state.game.state != GameState.ACTIVE:
            raise not_running(state)
        seats = [seat for seat in context.cursor.seats if seat.role != Role.OBSERVER]
        if not seats:
            raise Refused(
                "players_only",
                game=state.game.name,
                would=summary("set wait" if wait else "set no wait"),
            )
        strict = state.settings.strict_wait
        if wait and strict and not any(seat.power in state.owed for seat in seats):
            raise Refused("strict_wait", game=state.game.name)
        asked = state.undecided()
        for seat in seats:
            says = not wait and seat.power in asked
            if seat.wait != wait or says:
                seat.wait = wait
                if says:
                    seat.options = replace(seat.options, content=str(state.phase))
                state.seat(seat)
                state.game.last_change = context.now
        return Answer("wait", {"wait": wait, "phase": state.game.phase})

    return run


# PHASE, and IF below it: orders for phases to come


def _phase(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    if state.game.state != GameState.ACTIVE:
        raise Refused("no_orders_now", game=state.game.name, state=state.game.state)
    later = phase_named(call.arguments, OrderContext(state.variant, state.opened))
    return Answer("phase", {"phase": str(later or state.game.phase), "now": later is None})


def _condition(context: MessageContext, call: Call) -> Answer:
    return Answer("condition", {"read": call.read, "later": call.later is not None})


# CLEAR: take back orders, of this phase or sent ahead for later ones


def _active(context: MessageContext) -> State:
    state = context.cursor.here()
    if state.game.state != GameState.ACTIVE:
        raise Refused("no_orders_now", game=state.game.name, state=state.game.state)
    return state


def _clear_now(context: MessageContext, call: Call) -> Answer:
    state = _active(context)
    count = 0
    for seat in context.cursor.playing():
        assert seat.power is not None
        count += len(state.orders.get(seat.power, ()))
        state.file(seat.power, [], context.mail.received_at, context.mail.id)
        context.report.adjusted.add((state.game.id, seat.power))
    state.game.last_change = context.now
    return Answer("cleared", {"phase": state.game.phase, "count": count})


def _clear_later(context: MessageContext, call: Call) -> Answer:
    state = _active(context)
    phase = None
    if call.arguments.strip(" ."):
        try:
            phase = read_phase(call.arguments, state.variant)
        except ReadError as error:
            problem = Wording(error.problem, state.variant)
            raise Refused("bad_setting", write="CLEAR F1903M", problem=problem) from None
        if phase == state.opened.phase:
            return _clear_now(context, call)
    count = save.clear(context, state, phase)
    return Answer("cleared_ahead", {"phase": phase and str(phase), "count": count})


COMMANDS = commands(
    {
        "status": _status,
        "set wait": _waiting(True),
        "set no wait": _waiting(False),
        "phase": _phase,
        "if": _condition,
        "else if": _condition,
        "else": _condition,
        "end if": _condition,
        "clear": _clear_later,
        "clear now": _clear_now,
    }
)
