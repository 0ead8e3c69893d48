"""Whether orders that somebody asks about can be given, in the open phase."""

from __future__ import annotations

from judge.game.orders.interpret import InterpretedOrder
from judge.game.orders.order_context import OrderContext
from judge.game.state.answers import Answer
from judge.language.read import read_order
from judge.rules.board import province_of
from judge.rules.orders import Move, Order, Retreat, Unreadable, place
from judge.sentences import Wording


def goal(order: Order) -> str | None:
    """Return the province that an order leads to; None for those that lead nowhere."""
    return province_of(order.to) if isinstance(order, Move | Retreat) else None


def order_named(text: str, turn: OrderContext) -> tuple[str, Order] | None:
    """Return the order that a text names, with whose unit it is for; None where it names none."""
    assert turn.position is not None
    phase, rules = turn.position.phase, turn.rulebook
    order = read_order(text, turn.variant, phase, turn.mine[0], turn.position, rules)
    if isinstance(order, Unreadable):
        return None
    return turn.owner(place(order)) or turn.mine[0], order


def told(turn: OrderContext, power: str, order: Order) -> dict[str, object]:
    """Return the facts of the answer to a question about one order, which may be for anybody's
    unit: whether it can be given, and why not."""
    checked = turn.check(power, order)
    problem = checked.problem and Wording(checked.problem, turn.variant)
    return {
        "order": str(order if checked.problem else checked.order),
        "problem": problem,
        "mine": power in turn.mine,
    }


def answer(turn: OrderContext, asked: InterpretedOrder) -> Answer | None:
    """Return the answer to a question about an order (`asked.question`), or about where it leads:
    each way to do that. None where there is nothing to tell of the position."""
    if turn.position is None or turn.later is not None or not turn.mine:
        return None
    texts = [*([asked.read] if asked.read else []), *asked.offers]
    found = [each for each in (order_named(text, turn) for text in texts) if each is not None]
    if not found:
        return None
    goals = {goal(order) for _, order in found}
    facts: dict[str, object] = {"phase": str(turn.phase), "to": None, "order": None, "rows": []}
    checked = [turn.check(power, order) for power, order in found]
    can = list(dict.fromkeys(str(each.order) for each in checked if each.problem is None))
    if len(found) > 1 and len(can) > 1 and len(goals) == 1 and None not in goals:
        facts["to"] = turn.variant.board.name(goals.pop() or "")
        return Answer("moves", facts | {"rows": [{"orders": can}], "kind": None})
    return Answer("moves", facts | told(turn, *found[0]))
