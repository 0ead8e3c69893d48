"""MAP: where everything stands, or stood."""

from __future__ import annotations

from judge.game import sight
from judge.game.command import Answer, Call, Command, Refused
from judge.game.masters.named import phase_named
from judge.game.positions import position_from_json
from judge.game.state import State
from judge.game.visit import Visit
from judge.rules.position import Position


def run(visit: Visit, call: Call) -> Answer:
    name, _, phase = call.arguments.strip(" .?!").partition(" ")
    if name and visit.storage.games.by_name(name) is None and visit.state is not None:
        # Only a phase: of the game the mail is about.
        state, phase = visit.here(), call.arguments
    else:
        state = visit.game_named(name) if name else visit.here()
    position = _position(state, phase.strip(" .?!"))
    reader = visit.person.id if visit.person else None
    return Answer(
        "map",
        {
            "game": state.game.name,
            "phase": str(position.phase),
            "rows": sight.standings(state, reader, position),
            "neutral": sight.neutral(state, reader, position),
            "destroyed": sight.destroyed(state, reader, position),
            "blind": not sight.sees_all(state, reader),
        },
    )


def _position(state: State, phase: str) -> Position:
    """The position when that phase opened, the last one there is where none is said."""
    latest = state.position or state.variant.opening
    if not phase:
        return latest
    wanted = phase_named(state, phase, f"MAP {state.game.name}")
    if wanted == str(latest.phase):
        return latest
    for past in state.storage.history.of_game(state.game.id):
        if past.phase == wanted:
            return position_from_json(past.position)
    name = state.game.name
    raise Refused("no_such_map", write=f"MAP {name}", phase=wanted, game=name)


COMMAND = Command(
    words=("map",),
    who="anybody",
    summary="where everything stands, or stood when a phase opened",
    help="All units and supply centers, as far as you may see them. Without a phase: as it is now.",
    usage="[game] [phase]",
    example="MAP paris F1903M",
    default="the game the mail is about, as it stands now",
    run=run,
    asks=True,
    group="information",
)
