"""I AM ALSO: one person, one more address."""

from __future__ import annotations

import re

from judge.game.command import Answer, Call, Command, Refused
from judge.game.intake.questions import ask_address
from judge.game.visit import Visit

_ADDRESS = re.compile(r"[^\s<>()\[\],;:]+@[^\s<>()\[\],;:@]+")


def run(visit: Visit, call: Call) -> Answer:
    found = _ADDRESS.search(call.arguments)
    if found is None:
        raise Refused("which_address", write="I AM ALSO old@address.example")
    old = found[0].rstrip(".").lower()
    sender = visit.incoming.sender
    owner = visit.storage.people.by_address(old)
    me = visit.person
    if old == sender or (me is not None and owner is not None and owner.id == me.id):
        raise Refused("address_yours")
    if me is not None and visit.storage.games.of_person(
        me.id, ("forming", "active", "paused", "ended")
    ):
        raise Refused("two_people")
    if owner is not None:
        ask_address(visit, owner, old, sender)
    # Whether that address is known here is nobody's business but its owner's.
    return Answer("address_asked")


COMMAND = Command(
    words=("i am also", "i'm also"),
    who="anybody",
    summary="write from another address as well",
    help=(
        "Send it from the new address, and name one that the judge knows. A letter goes there; "
        "when it is answered with YES, mails from the new address are yours, too."
    ),
    usage="old@address",
    example="I AM ALSO ann@old.example",
    run=run,
    harmless=True,
    group="games",
)
