"""INFO PLAYER and GET DEDICATION: how reliable somebody is."""

from __future__ import annotations

from judge.game.people.reliability import of_person
from judge.game.state.answers import Answer, Refused
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext


def _info(context: MessageContext, call: Call) -> Answer:
    address = call.arguments.strip(" .?!<>")
    if not address:
        return _own(context, call)
    person = context.storage.people.by_address(address)
    if person is None:
        raise Refused("no_such_player", write="WHO GAME paris", address=address)
    own = context.sender.person is not None and person.id == context.sender.person.id
    figures = of_person(context.storage, person.id, public=not own)
    return Answer("reliability", {"person": person, "figures": figures, "own": own})


def _own(context: MessageContext, call: Call) -> Answer:
    assert context.sender.person is not None
    figures = of_person(context.storage, context.sender.person.id, public=False)
    return Answer("reliability", {"person": context.sender.person, "figures": figures, "own": True})


INFO = Command(
    words=("info player", "player info"),
    who="people",
    summary="how reliable a player is",
    help=(
        "Phases on time and late, games given up, as far as it is public: running games that tell "
        "nobody who is late, or who plays what, are left out."
    ),
    usage="address",
    example="INFO PLAYER ann@example.org",
    run=_info,
    asks=True,
    group="information",
)

DEDICATION = Command(
    words=("get dedication",),
    who="people",
    summary="how reliable you are yourself",
    help="Your own figures; HELP reliability says how they are counted.",
    example="GET DEDICATION",
    bare=True,
    run=_own,
    asks=True,
    group="information",
)
