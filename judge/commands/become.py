"""BECOME: the master acts in the place of a power."""

from __future__ import annotations

from judge.commands.named import power_named
from judge.game.state.answers import Answer, Refused, not_running
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext


def run(context: MessageContext, call: Call) -> Answer:
    try:
        return _become(context, call)
    except Refused:
        # What follows is meant for another part, and must not be carried out in this one.
        context.leave(call.line)
        raise


def _become(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    if state.position is None:
        raise not_running(state)
    write = f"BECOME {state.variant.powers[0]}"
    if not call.arguments:
        raise Refused("name_a_power", write=write, powers=list(state.variant.powers))
    power = power_named(state, call.arguments, write)
    seat = state.holder(power)
    if seat is None:
        raise Refused("nobody_to_become", power=power, game=state.game.name)
    context.become(seat)
    context.log("became", {"power": power, "phase": state.game.phase})
    return Answer(
        "became",
        {"power": power, "game": state.game.name, "condition": state.condition(power)},
    )


COMMAND = Command(
    words=("become",),
    who="masters",
    summary="act in the place of a power in the rest of the mail",
    help=(
        "Orders, waits, votes and press in the lines after it are that power's. Its player gets a "
        "letter with exactly that part of the mail, and the log (AUDIT) says that it happened. "
        "SIGN ON with the game's name ends it. For orders alone you need no BECOME: a master's "
        "order lines count for whatever power the unit belongs to."
    ),
    usage="power",
    example="BECOME france",
    run=run,
    as_self=True,
    group="masters",
)
