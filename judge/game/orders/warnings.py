"""What does not fit in orders that were sent ahead, told before their phase opens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.game.orders import ahead
from judge.game.orders.conditional import Path, Row
from judge.game.orders.consistency import Hint, hints
from judge.game.orders.order_context import OrderContext
from judge.game.state import State
from judge.game.state.sheet import place
from judge.language.read import read_order
from judge.rules.lineup import of_phase
from judge.rules.orders import Move, Order
from judge.rules.phase import Kind, Phase
from judge.rules.position import Position, Unit


def misfits(state: State, power: str, phase: Phase) -> list[Hint]:
    """What does not fit in what `power` has sent ahead for a phase, wherever others are then.

    Its own units are those that its orders name, and in the next movement phase those that its
    orders on file bring there. Orders that never count together are not compared.
    """
    if phase.kind is Kind.ADJUSTMENTS:
        return []
    found: dict[tuple[str, str], Hint] = {}
    for orders in _together(state, ahead.rows(state, power, phase), phase):
        for hint in _look(state, power, phase, orders):
            found.setdefault((hint.order, hint.answer.code), hint)
    return list(found.values())


def _together(state: State, rows: Sequence[Row], phase: Phase) -> Iterator[list[Order]]:
    """The orders that count in each branch, with those that count around it."""
    variant = of_phase(state.variant, phase)
    inner: list[Path] = []
    for row in rows:
        if row.path not in inner:
            inner.append(row.path)
    for path in inner or [()]:
        mine = [row for row in rows if row.path == path[: len(row.path)] and row.text != ahead.WAIT]
        yield [read_order(row.text, variant, phase) for row in mine]


def _look(state: State, power: str, phase: Phase, orders: Sequence[Order]) -> list[Hint]:
    of_orders = (getattr(order, "unit", None) for order in orders)
    named = {unit.province: unit for unit in of_orders if unit is not None}
    expected = _expected(state, power) if _is_next(state, phase) else {}
    units = tuple(unit for unit in (expected | named).values() if unit.kind)
    position = Position(phase, {power: units}, {power: ()})
    variant = of_phase(state.variant, phase)
    return hints(OrderContext(variant, position, state.rulebook, powers=(power,)), power, orders)


def _expected(state: State, power: str) -> dict[str, Unit]:
    """Where the units of `power` stand when all its orders on file succeed."""
    given = {place(order): order for order in state.orders.get(power, ())}
    found = {}
    for unit in state.opened.units.get(power, ()):
        order = given.get(unit.province)
        there = Unit(unit.kind, order.to) if isinstance(order, Move) else unit
        found[there.province] = there
    return found


def _is_next(state: State, phase: Phase) -> bool:
    """Whether no unit moves between the open phase and that one."""
    now = state.opened.phase
    if now.kind is not Kind.MOVEMENT:
        return False
    following = state.variant.calendar.next(now)
    while following.kind is not Kind.MOVEMENT:
        following = state.variant.calendar.next(following)
    return following == phase
