"""SET WAIT and SET NO WAIT: not before the deadline."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from judge.game.state.answers import Answer, Refused, not_running
from judge.i18n import Message
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.intake.save import keep_wait
from judge.storage import GameState, Role


def _set(wait: bool) -> Callable[[MessageContext, Call], Answer]:
    def run(context: MessageContext, call: Call) -> Answer:
        if (kept := keep_wait(context, wait)) is not None:
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
    who="participants",
    summary="do not run this phase before its deadline",
    help=(
        "A phase runs early when all orders are in. If you still want to think or to talk, WAIT "
        "holds it until the deadline. It holds for the current phase only."
    ),
    example="SET WAIT",
    bare=True,
    run=_set(True),
    group="playing",
)

NO_WAIT = Command(
    words=("set no wait", "no wait"),
    who="participants",
    summary="take back SET WAIT",
    help=(
        "The phase runs as soon as all orders are in and nobody else waits. Where units can be "
        "converted, it also says that you convert none."
    ),
    example="SET NO WAIT",
    bare=True,
    run=_set(False),
    group="playing",
)
