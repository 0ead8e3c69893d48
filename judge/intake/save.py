"""Put the orders of a message on file, for the open phase and for later ones."""

from __future__ import annotations

from judge.events import EventKind, reader
from judge.game.orders import advance
from judge.game.orders.advance import first_counts
from judge.game.orders.interpret import InterpretedOrder
from judge.game.orders.later import Path, Row, path_text
from judge.game.state import State
from judge.game.state.answers import Answer, LineResult, Refused
from judge.game.state.sheet import lent_units, place, worded
from judge.intake.authentication import prove
from judge.intake.command import Call
from judge.intake.context import MessageContext
from judge.intake.lines import Line
from judge.rules.orders import Order, Proxy, order_text
from judge.rules.phase import Kind, Phase
from judge.sentences import Wording


def put_on_file(context: MessageContext, state: State, asked: InterpretedOrder) -> LineResult:
    """Put an order that can be carried out on file, and say so."""
    assert asked.power is not None
    try:
        context.check_in_time(state)
    except Refused as refused:
        return LineResult(asked.text, "refused", refused.answer, asked.read)
    prove(context, state)
    power = _file_under(state, context, asked)
    earlier = _ordered(context, state, power, asked)
    kind = state.opened.phase.kind
    if earlier is not None and first_counts(state):
        answer = Answer("first_counts", {"earlier": order_text(earlier, kind)})
        return LineResult(asked.text, "refused", answer, asked.read)
    before = on_file(state, power, asked.place)
    _replace(context, state, power, asked.order)
    _announce_proxy(state, context, power, before, asked.order)
    facts = {
        "words": worded(state.variant, asked.order, state.owed.get(asked.power)),
        "power": asked.power,
        "earlier": order_text(earlier, kind) if earlier is not None else None,
        "changed": before != asked.order,
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


def _replace(context: MessageContext, state: State, power: str, order: Order) -> None:
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


def _file_under(state: State, context: MessageContext, asked: InterpretedOrder) -> str:
    """Under which power an order is to be filed: a lent unit's under the power it is left to."""
    owner = asked.power
    assert owner is not None
    mine = context.cursor.powers()
    if owner in mine or isinstance(asked.order, Proxy):
        return owner
    for lender, proxy in lent_units(state.orders):
        if lender == owner and proxy.unit.province == asked.place and proxy.power in mine:
            return proxy.power
    return owner


def _announce_proxy(
    state: State, context: MessageContext, owner: str, before: Order | None, now: Order
) -> None:
    """Tell the power to which a unit is left, or is left no more."""
    for order, given in ((before, False), (now, True)):
        if not isinstance(order, Proxy) or order == (now if not given else before):
            continue
        seat = state.player(order.power)
        if seat is not None:
            facts = {
                "owner": owner,
                "unit": str(order.unit),
                "unit_name": Wording(order.unit, state.variant),
                "given": given,
            }
            state.tell(EventKind.PROXY, facts, to=reader(seat), mail_id=context.mail.id)


# Orders for later phases


MOST_ROWS = 200
"""Lines that are kept for one power and one phase."""


def keep_order(
    context: MessageContext, state: State, line: Line, asked: InterpretedOrder
) -> LineResult:
    """Keep an order for a later phase, and say so."""
    assert line.later is not None
    if asked.power is None:
        return LineResult(asked.text, "refused", Answer("whose_order"), asked.read)
    prove(context, state)
    try:
        _add(context, state, asked.power, line.later, Row(asked.read or "", line.path))
    except Refused as refused:
        return LineResult(asked.text, "refused", refused.answer, asked.read)
    facts = {
        "words": Wording(asked.order, state.variant),
        "power": asked.power,
        "phase": str(line.later),
        "condition": path_text(line.path),
    }
    return LineResult(asked.text, "order", Answer("order_ahead", facts), asked.read)


def keep_wait(context: MessageContext, call: Call, wait: bool) -> Answer | None:
    """SET WAIT or SET NO WAIT below PHASE; None where it is for the phase that is open.

    Raises Refused.
    """
    if call.later is None:
        return None
    state = context.cursor.here()
    powers = context.cursor.powers()
    if not powers:
        raise Refused("players_only", game=state.game.name)
    for power in powers:
        if wait:
            _add(context, state, power, call.later, Row(advance.WAIT, call.path))
        else:
            kept = [
                row for row in advance.rows(state, power, call.later) if row.text != advance.WAIT
            ]
            _put(context, state, power, call.later, kept)
    return Answer("wait_ahead", {"wait": wait, "phase": str(call.later)})


def clear(context: MessageContext, state: State, phase: Phase | None) -> int:
    """Drop what the writer's powers have sent ahead, for one phase or for all; how many lines."""
    count = 0
    for seat in context.cursor.playing():
        assert seat.power is not None
        for later, kept in advance.later_phases(state, seat.power).items():
            if phase in (None, later):
                count += len(kept)
                _put(context, state, seat.power, later, [])
    return count


def _put(context: MessageContext, state: State, power: str, phase: Phase, kept: list[Row]) -> None:
    advance.put(state, power, phase, kept, context.mail.received_at, context.mail.id)


def _add(context: MessageContext, state: State, power: str, phase: Phase, row: Row) -> None:
    """Add a row. A mail that names a unit says all there is to say about it in that phase; a mail
    with builds or removals, all there is to say about the phase. Raises Refused."""
    where = advance.row_place(state, row, phase)
    kept = advance.rows(state, power, phase)
    adjusts = phase.kind is Kind.ADJUSTMENTS and where != advance.WAIT
    begun = (state.game.id, power, str(phase), "" if adjusts else where)
    if begun not in context.report.renewed:
        context.report.renewed.add(begun)
        kept = [
            each
            for each in kept
            if not (adjusts and each.text != advance.WAIT)
            and advance.row_place(state, each, phase) != where
        ]
    rivals = [each for each in kept if advance.row_place(state, each, phase) == where]
    if where not in (None, advance.WAIT) and advance.first_counts(state):
        for each in rivals:
            if _is_within(row.path, each.path):
                if each.text == row.text:
                    return
                raise Refused("first_counts", earlier=each.text)
    else:
        gone = [each for each in rivals if _is_within(each.path, row.path)]
        kept = [each for each in kept if each not in gone]
    if len(kept) >= MOST_ROWS:
        raise Refused("too_many_ahead", most=MOST_ROWS)
    _put(context, state, power, phase, [*kept, row])


def _is_within(path: Path, outer: Path) -> bool:
    """Whether what stands in the branches `path` counts only where what stands in `outer` does."""
    return path[: len(outer)] == outer
