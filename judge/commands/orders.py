"""Orders and what goes with them: STATUS, SET WAIT, PHASE, IF, and CLEAR."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from judge.game.orders.interpret import OrderContext
from judge.game.state import State
from judge.game.state.answers import Answer, Refused, not_running
from judge.i18n import Message
from judge.intake import save
from judge.intake.blocks import phase_named
from judge.intake.command import Call, Command
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


STATUS = Command(
    words=("status",),
    who="participants",
    summary="your orders on file, what is missing, and the deadline",
    help="An empty message does the same.",
    example="STATUS",
    bare=True,
    harmless=True,
    run=_status,
    group="playing",
)


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
                would=Message((WAIT if wait else NO_WAIT).summary),
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


WAIT = Command(
    words=("set wait", "wait"),
    may_hang=True,
    who="participants",
    summary="do not adjudicate this phase before its deadline",
    help=(
        "I adjudicate early once all orders are in. If you need time to think or to talk, WAIT "
        "makes me wait for the deadline. It counts for the current phase only."
    ),
    example="SET WAIT",
    bare=True,
    run=_waiting(True),
    group="playing",
)

NO_WAIT = Command(
    words=("set no wait", "no wait"),
    may_hang=True,
    who="participants",
    summary="undo SET WAIT",
    help=(
        "I adjudicate once all orders are in and nobody else has set WAIT. On boards where units "
        "can be converted, it also means that you convert none."
    ),
    example="SET NO WAIT",
    bare=True,
    run=_waiting(False),
    group="playing",
)


# PHASE, and IF below it: orders for phases to come


def _phase(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    if state.game.state != GameState.ACTIVE:
        raise Refused("no_orders_now", game=state.game.name, state=state.game.state)
    later = phase_named(call.arguments, OrderContext(state.variant, state.opened))
    return Answer("phase", {"phase": str(later or state.game.phase), "now": later is None})


def _condition(context: MessageContext, call: Call) -> Answer:
    return Answer("condition", {"read": call.read, "later": call.later is not None})


PHASE = Command(
    words=("phase",),
    frames="phase",
    who="participants",
    summary="send the orders below it for that phase",
    help=(
        "I keep the orders below it, up to the next PHASE or the end of your message, for that "
        "phase, at most five years ahead. Every reply lists them. When the phase opens I read "
        "them and tell you how. SET WAIT can be among them. CLEAR deletes them. For builds, write "
        "the most wanted first. For retreats, write A Mun - Boh below PHASE and the retreat phase."
    ),
    usage="phase",
    example="PHASE F1903R",
    run=_phase,
    group="playing",
    harmless=True,
)

IF = Command(
    words=("if",),
    frames="if",
    who="participants",
    summary="use the orders below it only if that unit is there",
    help=(
        "Write it below PHASE. Join several conditions with AND, OR, and brackets. IF checks the "
        "position at the start of the phase. Write the orders on the next lines, then ELSE IF, "
        "ELSE, or ENDIF. The end of your message closes every IF. For a single order, one line is "
        "enough: IF A Mun THEN A Par - Bur."
    ),
    usage="[NOT] [power] [type] province",
    example="IF NOT French A Ruh\nA Mun - Ruh\nELSE\nA Mun H\nENDIF",
    run=_condition,
    group="playing",
    harmless=True,
)

ELSE_IF = Command(
    words=("else if", "elsif", "elif"),
    frames="else if",
    who="participants",
    summary="use the orders below it if no condition above is true, but this one is",
    help="Write it between IF and ENDIF. See HELP IF.",
    usage="[NOT] [power] [type] province",
    example="ELSE IF F Kie",
    run=_condition,
    group="playing",
    harmless=True,
)

ELSE = Command(
    words=("else",),
    frames="else",
    who="participants",
    summary="use the orders below it if no condition above is true",
    help="Write it between IF and ENDIF. See HELP IF.",
    example="ELSE",
    run=_condition,
    bare=True,
    group="playing",
    harmless=True,
)

ENDIF = Command(
    words=("end if",),
    frames="end if",
    who="participants",
    summary="end an IF",
    help="The orders below it count whether or not the condition is true. See HELP IF.",
    example="ENDIF",
    run=_condition,
    bare=True,
    group="playing",
    harmless=True,
)


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


CLEAR_NOW = Command(
    words=("clear now",),
    who="players",
    summary="delete all your orders for this phase",
    help="Orders below it count as usual.",
    example="CLEAR NOW",
    bare=True,
    run=_clear_now,
    group="playing",
)

CLEAR = Command(
    words=("clear",),
    who="players",
    summary="delete your advance orders for one phase or all",
    help=(
        "With a phase, it deletes your orders for that phase. Without one, it deletes all advance "
        "orders, but not the orders for the current phase (CLEAR NOW)."
    ),
    usage="[phase]",
    example="CLEAR F1903M",
    run=_clear_later,
    group="playing",
)


COMMANDS: tuple[Command, ...] = (
    STATUS,
    WAIT,
    NO_WAIT,
    PHASE,
    IF,
    ELSE_IF,
    ELSE,
    ENDIF,
    CLEAR,
    CLEAR_NOW,
)
