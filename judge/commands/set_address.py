"""SET ADDRESS: where letters about one game go."""

from __future__ import annotations

import re

from judge.game.command import Answer, Call, Command, Refused
from judge.game.intake.reach import ADDRESSES
from judge.game.intake.trust import prove
from judge.game.state.profile import Level
from judge.game.visit import Visit

_NONE = ("none", "no", "default", "-")


def run(visit: Visit, call: Call) -> Answer:
    state = visit.here()
    assert visit.person is not None
    # Whoever forges an address must not send somebody's letters elsewhere.
    prove(visit, state, Level.TOKEN)
    text = call.arguments.strip(" .<>").lower()
    known = {each.address: each for each in visit.storage.people.addresses(visit.person.id)}
    chosen = [] if text in _NONE else re.split(r"[\s,;<>]+", text) if text else None
    if chosen is None:
        chosen = [visit.incoming.sender]
    strange = [each for each in chosen if each not in known or not known[each].proved]
    if strange:
        raise Refused("not_your_address", write="SET ADDRESS", addresses=strange)
    for seat in visit.own():
        seat.options = {**seat.options, ADDRESSES: chosen}
        state.seat(seat)
    visit.log("address chosen", {"count": len(chosen)})
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
