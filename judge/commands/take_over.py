"""TAKE OVER: become the player of a power that nobody plays."""

from __future__ import annotations

from judge.commands.admission import take_over
from judge.commands.named import power_named
from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext


def run(context: MessageContext, call: Call) -> Answer:
    text = call.arguments.strip(" .!?")
    try:
        state, power = _named(context, text)
        return take_over(context, state, power)
    except Refused:
        # What follows is meant for that power, and must not be carried out for another one.
        context.leave(f"TAKE OVER {text}".rstrip())
        raise


def _named(context: MessageContext, text: str) -> tuple[State, str]:
    """The game and the power that `france@paris`, `fparis`, `paris` or `france` names."""
    name, _, game = text.partition("@")
    if game:
        state = context.cursor.game_named(game)
    elif context.storage.games.by_name(text) is not None:
        state, name = context.cursor.game_named(text), ""
    elif len(text) > 1 and context.storage.games.by_name(text[1:]) is not None:
        state, name = context.cursor.game_named(text[1:]), text[0]
    elif "@" not in text and context.cursor.state is not None:
        state = context.cursor.state
    else:
        raise Refused("no_such_game", write="LIST", name=text)
    if name:
        return state, power_named(state, name, f"TAKE OVER france@{state.game.name}")
    found = state.open_powers()
    if len(found) == 1:
        return state, found[0]
    write = f"TAKE OVER {found[0].lower()}@{state.game.name}" if found else "LIST"
    raise Refused("not_open", write=write, game=state.game.name, power=None, open=found)


COMMAND = Command(
    words=("take over",),
    who="people",
    summary="play a power that its player has left",
    help=(
        "The power is yours at once, with the orders it has on file, which you see and may change. "
        "A letter shows you its position. When no other power lacks a player, the phase gets a new "
        "deadline. LIST shows which games need somebody; SET STANDIN has you told of them."
    ),
    usage="power@game",
    example="TAKE OVER france@paris",
    run=run,
)
