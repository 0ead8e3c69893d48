"""Puts orders on file."""

from __future__ import annotations

from judge.game.orders import proxies
from judge.game.orders.ahead import first_counts
from judge.game.orders.interpret import InterpretedOrder
from judge.game.state import State
from judge.game.state.answers import Answer, LineResult, Refused
from judge.game.state.sheet import place
from judge.intake.authentication import prove
from judge.intake.authorization import in_time
from judge.intake.context import MessageContext
from judge.rules.orders import Order, order_text
from judge.rules.phase import Kind
from judge.sentences import Wording


def put_on_file(context: MessageContext, state: State, asked: InterpretedOrder) -> LineResult:
    """Put an order that can be carried out on file, and say so."""
    assert asked.power is not None
    try:
        in_time(context, state)
    except Refused as refused:
        return LineResult(asked.text, "refused", Answer(refused.code, refused.facts), asked.read)
    prove(context, state)
    power = proxies.file_under(state, context, asked)
    earlier = _ordered(context, state, power, asked)
    kind = state.opened.phase.kind
    if earlier is not None and first_counts(state):
        answer = Answer("first_counts", {"earlier": order_text(earlier, kind)})
        return LineResult(asked.text, "refused", answer, asked.read)
    before = on_file(state, power, asked.place)
    _file(context, state, power, asked.order)
    proxies.announce(state, context, power, before, asked.order)
    facts = {
        "words": Wording(asked.order, state.variant),
        "power": asked.power,
        "earlier": order_text(earlier, kind) if earlier is not None else None,
    }
    return LineResult(asked.text, "order", Answer("order", facts), asked.read)


def _ordered(
    context: MessageContext, state: State, power: str, asked: InterpretedOrder
) -> Order | None:
    """What this mail has ordered the unit before, where that is something else. Of the two the
    first counts (4.D.3 a), or the last."""
    if asked.place is None:
        return None
    key = (state.game.id, power, asked.place)
    earlier = context.report.ordered.get(key)
    if earlier is None or not first_counts(state):
        context.report.ordered[key] = asked.order
    return earlier if earlier != asked.order else None


def on_file(state: State, power: str | None, province: str | None) -> Order | None:
    """What is on file for the unit in a province."""
    if power is None or province is None:
        return None
    return next((each for each in state.orders.get(power, ()) if place(each) == province), None)


def _file(context: MessageContext, state: State, power: str, order: Order) -> None:
    """Put an order on file: a unit has one, the last; a mail's adjustments replace earlier ones."""
    orders = list(state.orders.get(power, ()))
    if state.opened.phase.kind is Kind.ADJUSTMENTS:
        begun = (state.game.id, power)
        if begun not in context.report.adjusted:
            context.report.adjusted.add(begun)
            orders = []
    kept = [other for other in orders if place(other) != place(order)]
    state.file(power, [*kept, order], context.mail.received_at, context.mail.id)
    state.game.last_change = context.now
