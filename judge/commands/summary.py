"""SUMMARY: a game in one table."""

from __future__ import annotations

from judge.game.command import Answer, Call, Command
from judge.game.phases import center_years
from judge.game.views import game_facts, player_names
from judge.game.visit import Visit


def run(visit: Visit, call: Call) -> Answer:
    name = call.arguments.strip(" .?!")
    state = visit.game_named(name) if name else visit.here()
    return Answer(
        "summary",
        game_facts(state, visit.now)
        | {"years": center_years(state), "people": player_names(state)},
    )


COMMAND = Command(
    words=("summary",),
    who="anybody",
    summary="players, and centers year by year",
    help="Without a name: of the game the mail is about.",
    usage="[game]",
    example="SUMMARY paris",
    run=run,
    asks=True,
    group="information",
)
