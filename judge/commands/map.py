"""MAP: where everything stands, or stood."""

from __future__ import annotations

from judge.commands.named import phase_named
from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.game.state.boards import position_from_json
from judge.game.visibility import fog, pictures
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import PhaseRun


def run(context: MessageContext, call: Call) -> Answer:
    name, _, phase = call.arguments.strip(" .?!").partition(" ")
    if name and context.storage.games.by_name(name) is None and context.cursor.state is not None:
        # Only a phase: of the game the mail is about.
        state, phase = context.cursor.here(), call.arguments
    else:
        state = context.cursor.game_named(name) if name else context.cursor.here()
    past = _past(state, phase.strip(" .?!"))
    reader = context.sender.person.id if context.sender.person else None
    if past is None:
        position = state.position or state.variant.opening
        board = pictures.now(state, reader)
    else:
        position = position_from_json(past.position)
        board = pictures.of_run(state, past, reader, orders=False)
    return Answer(
        "map",
        {
            "game": state.game.name,
            "phase": str(position.phase),
            "rows": fog.standings(state, reader, position),
            "neutral": fog.neutral(state, reader, position),
            "destroyed": fog.destroyed(state, reader, position),
            "blind": not fog.sees_all(state, reader),
            "board": board,
        },
    )


def _past(state: State, phase: str) -> PhaseRun | None:
    """The phase that is meant where it has run; None for the open one, or where none is said."""
    if not phase:
        return None
    wanted = phase_named(state, phase, f"MAP {state.game.name}")
    if wanted == str((state.position or state.variant.opening).phase):
        return None
    run = state.storage.history.find(state.game.id, wanted)
    if run is None:
        name = state.game.name
        raise Refused("no_such_map", write=f"MAP {name}", phase=wanted, game=name)
    return run


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
