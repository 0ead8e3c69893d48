"""Units left to other powers for a phase: `A Lon P France`.

The owner has that line on file, the other power the unit's order. Neither sees the other's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from judge.events import EventKind, reader
from judge.game.orders.interpret import InterpretedOrder
from judge.game.orders.order_context import lent_units
from judge.game.state.sheet import place
from judge.rules.orders import Order, Proxy
from judge.sentences import Wording

if TYPE_CHECKING:
    from judge.game.state import State
    from judge.intake.context import MessageContext


def carried_out(orders: Mapping[str, Sequence[Order]]) -> dict[str, list[Order]]:
    """The orders as the phase is played: each unit that was left to another power has the order
    that power gave it, or none. Orders for a unit that is not left to a power any more are void."""
    played = {power: list(given) for power, given in orders.items()}
    for owner, proxy in lent_units(orders):
        there = proxy.unit.province
        played[owner] = [order for order in played[owner] if place(order) != there]
        for order in orders.get(proxy.power, ()):
            if place(order) == there:
                played[owner].append(order)
                played[proxy.power] = [o for o in played[proxy.power] if o is not order]
    return played


def listing(state: State, power: str) -> list[dict[str, Any]]:
    """The units of others that `power` may order, and what it has ordered; for its player only."""
    found = []
    for owner, proxy in lent_units(state.orders):
        if proxy.power == power and owner != power:
            given = [
                order
                for order in state.orders.get(power, ())
                if place(order) == proxy.unit.province
            ]
            found.append(
                {
                    "owner": owner,
                    "unit": str(proxy.unit),
                    "name": Wording(proxy.unit, state.variant),
                    "order": str(given[-1]) if given else None,
                    "words": Wording(given[-1], state.variant) if given else None,
                }
            )
    return found


def file_under(state: State, context: MessageContext, asked: InterpretedOrder) -> str:
    """Under which power an order is to be filed: a lent unit's under the power it is left to."""
    owner = asked.power
    assert owner is not None
    mine = [seat.power for seat in context.cursor.playing() if seat.power]
    if owner in mine or isinstance(asked.order, Proxy):
        return owner
    for lender, proxy in lent_units(state.orders):
        if lender == owner and proxy.unit.province == asked.place and proxy.power in mine:
            return proxy.power
    return owner


def announce(
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
