"""WHO GAME: the people of a game by name."""

from __future__ import annotations

from judge.game.command import Answer, Call, Command
from judge.game.views import game_facts
from judge.game.visit import Visit


def run(visit: Visit, call: Call) -> Answer:
    name = call.arguments.strip(" .?!")
    state = visit.game_named(name) if name else visit.here()
    reader = visit.person.id if visit.person else None
    return Answer("who", game_facts(state, visit.now, reader))


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
