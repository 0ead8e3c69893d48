"""SET ADDRESS: where letters about one game go."""

from __future__ import annotations

import re
from dataclasses import replace

from judge.game.state.answers import Answer, Refused
from judge.game.state.profile import TrustLevel
from judge.intake.authentication import prove
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext

_NONE = ("none", "no", "default", "-")


def run(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    assert context.sender.person is not None
    # Whoever forges an address must not send somebody's letters elsewhere.
    prove(context, state, TrustLevel.TOKEN)
    text = call.arguments.strip(" .<>").lower()
    known = {
        each.address: each for each in context.storage.people.addresses(context.sender.person.id)
    }
    chosen = [] if text in _NONE else re.split(r"[\s,;<>]+", text) if text else None
    if chosen is None:
        chosen = [context.incoming.sender]
    strange = [each for each in chosen if each not in known or not known[each].proved]
    if strange:
        raise Refused("not_your_address", write="SET ADDRESS", addresses=strange)
    for seat in context.cursor.own():
        seat.options = replace(seat.options, addresses=tuple(chosen))
        state.seat(seat)
    context.log("address chosen", {"count": len(chosen)})
    return Answer("address_chosen", {"game": state.game.name, "addresses": chosen})


COMMAND = Command(
    words=("set address",),
    who="participants",
    summary="where letters about this game go",
    help=(
        "One or several addresses of yours; without any, the one you write from. They must be "
        "known to the judge as yours: I AM ALSO, or REGISTER with a line E-mail, adds one. "
        "NONE: your usual address again."
    ),
    usage="[address, ...]",
    example="SET ADDRESS ann@example.org",
    default="the address you write from",
    run=run,
    as_self=True,
    group="games",
)
