"""WHO GAME: the people of a game by name."""

from __future__ import annotations

from judge.game.phases.game_facts import game_facts
from judge.game.state.answers import Answer
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext


def run(context: MessageContext, call: Call) -> Answer:
    name = call.arguments.strip(" .?!")
    state = context.cursor.game_named(name) if name else context.cursor.here()
    reader = context.sender.person.id if context.sender.person else None
    return Answer("who", game_facts(state, context.now, reader))


COMMAND = Command(
    words=("who game", "who"),
    who="people",
    summary="who plays what, by name",
    help="Addresses are never shown.",
    usage="[game]",
    example="WHO GAME paris",
    run=run,
    asks=True,
    group="information",
)
