"""I AM ALSO: one person, one more address."""

from __future__ import annotations

import re

from judge.game.state.answers import Answer, Refused
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.intake.questions import ask_address
from judge.storage import GameState

_ADDRESS = re.compile(r"[^\s<>()\[\],;:]+@[^\s<>()\[\],;:@]+")


def run(context: MessageContext, call: Call) -> Answer:
    found = _ADDRESS.search(call.arguments)
    if found is None:
        raise Refused("which_address", write="I AM ALSO old@address.example")
    old = found[0].rstrip(".").lower()
    sender = context.incoming.sender
    owner = context.storage.people.by_address(old)
    me = context.sender.person
    if old == sender or (me is not None and owner is not None and owner.id == me.id):
        raise Refused("address_yours")
    if me is not None and context.storage.games.of_person(me.id, GameState):
        raise Refused("two_people")
    if owner is not None:
        ask_address(context, owner, old, sender)
    # Whether that address is known here is nobody's business but its owner's.
    return Answer("address_asked")


COMMAND = Command(
    words=("i am also", "i'm also"),
    who="anybody",
    personal=True,
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
