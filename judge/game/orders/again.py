"""The orders of the last phase of a kind, given once more."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from judge.game.orders.consistency import hints
from judge.game.orders.order_context import order_context
from judge.game.state import State
from judge.language.read import read_order
from judge.rules.orders import Order, Waive
from judge.rules.phase import Kind, Phase
from judge.storage import PhaseRun


class Repeated(Struct, frozen=True):
    """What powers ordered in `phase`: the orders that can be carried out now, by power, and those
    that cannot, as they were written."""

    phase: str
    orders: dict[str, list[Order]]
    gone: list[str]


def repeated(state: State, powers: Sequence[str]) -> Repeated | None:
    """Return the orders of the last phase of the open one's kind in which any of these powers had
    some; None where there is none."""
    kind = state.opened.phase.kind
    runs = [
        run
        for run in state.storage.history.of_game(state.game.id)
        if Phase.read(run.phase).kind is kind and any(map(run.orders.get, powers))
    ]
    return _of_run(state, powers, runs[-1]) if runs else None


def _of_run(state: State, powers: Sequence[str], run: PhaseRun) -> Repeated:
    found = Repeated(run.phase, {}, [])
    phase = Phase.read(run.phase)
    for power in powers:
        for text in run.orders.get(power, ()):
            order = read_order(text, state.variant, phase, power, state.opened, state.rulebook)
            checked = state.sheets.check(power, order)
            # A place where another kind of unit stands now was meant for the one that has left.
            same = _kinds(state, str(checked.order)) == _kinds(state, text)
            if checked.problem is None and same:
                found.orders.setdefault(power, []).append(checked.order)
            else:
                found.gone.append(text)
    return found


def _kinds(state: State, text: str) -> list[str]:
    """Return the kinds of the units that an order names."""
    return [word for word in text.split() if word in state.variant.board.kinds]


def makes_sense(state: State, power: str) -> bool:
    """Return whether `power` could give all its orders of the last movement again: each unit has
    one, and none of them misses another."""
    if state.opened.phase.kind is not Kind.MOVEMENT or power not in state.owed:
        return False
    run = state.storage.history.last(state.game.id, Kind.MOVEMENT.value)
    orders = _of_run(state, (power,), run).orders.get(power, []) if run else []
    ordered = {order.unit for order in orders if not isinstance(order, Waive)}
    return (
        bool(orders)
        and ordered.issuperset(state.owed[power].units)
        and not hints(order_context(state, (power,)), power, orders)
    )
