"""PHASE, and IF below it: orders for phases to come."""

from __future__ import annotations

from judge.game.orders.interpret import OrderContext
from judge.game.state.answers import Answer, Refused
from judge.intake.blocks import phase_named
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import GameState


def _phase(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    if state.game.state != GameState.ACTIVE:
        raise Refused("no_orders_now", game=state.game.name, state=state.game.state)
    later = phase_named(call.arguments, OrderContext(state.variant, state.opened))
    return Answer("phase", {"phase": str(later or state.game.phase), "now": later is None})


def _condition(context: MessageContext, call: Call) -> Answer:
    line = context.report.lines[-1]
    return Answer("condition", {"read": line.read or "", "later": line.later is not None})


PHASE = Command(
    words=("phase",),
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
    who="participants",
    summary="the orders after it count in any case",
    help="Ends what IF has begun; see IF.",
    example="ENDIF",
    run=_condition,
    bare=True,
    group="playing",
    harmless=True,
)

COMMANDS = (PHASE, IF, ELSE_IF, ELSE, ENDIF)
