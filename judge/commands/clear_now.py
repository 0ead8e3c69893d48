"""CLEAR NOW: take back the orders of this phase."""

from __future__ import annotations

from judge.game.command import Answer, Call, Command, Refused
from judge.game.visit import Visit


def run(visit: Visit, call: Call) -> Answer:
    state = visit.here()
    if state.game.state != "active":
        raise Refused("no_orders_now", game=state.game.name, state=state.game.state)
    count = 0
    for seat in visit.playing():
        assert seat.power is not None
        count += len(state.orders.get(seat.power, ()))
        state.file(seat.power, [], visit.mail.received_at, visit.mail.id)
        visit.adjusted.add((state.game.id, seat.power))
    state.game.last_change = visit.now
    return Answer("cleared", {"phase": state.game.phase, "count": count})


COMMAND = Command(
    words=("clear now",),
    who="players",
    summary="drop all your orders for this phase",
    help="Orders in the lines after it are taken as usual.",
    example="CLEAR NOW",
    bare=True,
    run=run,
    group="playing",
)
