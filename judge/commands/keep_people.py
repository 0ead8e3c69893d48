"""What the keeper does about people: WHO IS, RENAME PLAYER, MERGE, ADD and REMOVE ADDRESS."""

from __future__ import annotations

import re

from judge.commands import accounts as people
from judge.game.state.answers import Answer, Refused
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext

_ADDRESS = re.compile(r"[^\s<>()\[\],;:@*?]+@[^\s<>()\[\],;:@*?]+\Z")


def _two(text: str, write: str) -> tuple[str, str]:
    """The two addresses in a line, with a word such as INTO between them."""
    words = [word.strip("<>.,;").lower() for word in text.split()]
    addresses = [word for word in words if _ADDRESS.match(word)]
    if len(addresses) != 2 or len(words) > 3:
        raise Refused("two_addresses", write=write, given=text)
    return addresses[0], addresses[1]


def _who_is(context: MessageContext, call: Call) -> Answer:
    person = people.found(context, call.arguments.strip(" ?!"))
    return Answer("person", people.facts(context.storage, person))


def _rename(context: MessageContext, call: Call) -> Answer:
    address, _, name = call.arguments.partition(" ")
    person = people.found(context, address)
    people.rename(context, person, name)
    return Answer("person", people.facts(context.storage, person))


def _merge(context: MessageContext, call: Call) -> Answer:
    gone, kept = _two(call.arguments, MERGE.example)
    person = people.found(context, kept)
    people.merge(context, people.found(context, gone), person)
    return Answer("person", people.facts(context.storage, person))


def _add(context: MessageContext, call: Call) -> Answer:
    new, known = _two(call.arguments, ADD.example)
    person = people.found(context, known)
    people.add_address(context, person, new)
    return Answer("person", people.facts(context.storage, person))


def _remove(context: MessageContext, call: Call) -> Answer:
    person = people.remove_address(context, call.arguments.strip(" <>.").lower())
    return Answer("person", people.facts(context.storage, person))


WHO_IS = Command(
    words=("who is",),
    who="keepers",
    summary="all about somebody: addresses, games, reliability",
    help="Everybody else is shown names only (WHO GAME), and no address.",
    usage="address",
    example="WHO IS ann@example.org",
    run=_who_is,
    asks=True,
    group="keepers",
)

RENAME = Command(
    words=("rename player",),
    who="keepers",
    summary="give somebody another name",
    help="The new name follows his address. He is told.",
    usage="address name",
    example="RENAME PLAYER ann@example.org Ann Lee",
    run=_rename,
    group="keepers",
)

MERGE = Command(
    words=("merge",),
    who="keepers",
    summary="make two people one",
    help=(
        "For somebody who came by two addresses. The second one keeps his name, and has the "
        "addresses, games and record of both. It is refused where both have a part in one game."
    ),
    usage="address INTO address",
    example="MERGE ann@old.example INTO ann@example.org",
    run=_merge,
    group="keepers",
)

ADD = Command(
    words=("add address",),
    who="keepers",
    summary="give somebody one more address",
    help="He is told. I AM ALSO lets him do it himself.",
    usage="address FOR address",
    example="ADD ADDRESS ann@new.example FOR ann@example.org",
    run=_add,
    group="keepers",
)

REMOVE = Command(
    words=("remove address",),
    who="keepers",
    summary="take an address from whoever has it",
    help="Nothing from it counts for him any more. He is told; his last one stays.",
    usage="address",
    example="REMOVE ADDRESS ann@old.example",
    run=_remove,
    group="keepers",
)

COMMANDS = (WHO_IS, RENAME, MERGE, ADD, REMOVE)
