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
    help="An empty mail does the same.",
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
    summary="do not run this phase before its deadline",
    help=(
        "A phase runs early when all orders are in. If you still want to think or to talk, WAIT "
        "holds it until the deadline. It holds for the current phase only."
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
    summary="take back SET WAIT",
    help=(
        "The phase runs as soon as all orders are in and nobody else waits. Where units can be "
        "converted, it also says that you convert none."
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
    summary="the orders after it are for that phase",
    help=(
        "The orders below it, down to the next PHASE or the end of the mail, are kept for that "
        "phase (up to five years ahead), listed in every answer, and read when it opens; a letter "
        "then says how. SET WAIT may stand there, too. CLEAR drops them. For builds write the "
        "most wanted first. Retreats: A Mun - Boh under the name of the retreat phase."
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
    summary="the orders after it count only if that unit stands there",
    help=(
        "Write it below PHASE: IF [NOT] [power] [type] province, joined by AND, OR and brackets. "
        "It looks at the position with which the phase opens. Orders follow on lines of their "
        "own; ELSE IF, ELSE and ENDIF may follow them. The end of the mail closes what is open. "
        "One line is enough for a single order: IF A Mun THEN A Par - Bur."
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
    summary="another condition, where none above it is so",
    help="Between IF and ENDIF; see IF.",
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
    summary="the orders after it count if no condition above it is so",
    help="Between IF and ENDIF; see IF.",
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
    summary="the orders after it count in any case",
    help="Ends what IF has begun; see IF.",
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
    summary="drop all your orders for this phase",
    help="Orders in the lines after it are taken as usual.",
    example="CLEAR NOW",
    bare=True,
    run=_clear_now,
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
