"""The commands by topic. Their table refuses two that share a word when it is made.

What a command does is the function that its row in `templates/commands.toml` names; its parameters
say what it is given (`judge.intake.given`).
"""

from collections.abc import Callable, Collection, Iterator
from functools import partial
from importlib import import_module
from typing import Any

from judge.commands import pace, setting_commands
from judge.game.state import State
from judge.game.state.answers import Answer, Refused, not_running
from judge.intake.command import Command, CommandTable, Run, described, rows
from judge.intake.context import MessageContext
from judge.intake.given import check, give, given
from judge.intake.lines import Line
from judge.storage import GOING_ON, GameState


def _function(path: str) -> Any:
    """Return a function of a module of this package, as a row names it."""
    module, _, name = path.partition(".")
    return getattr(import_module(f"judge.commands.{module}"), name)


def _in_game(function: Callable[..., Answer], states: Collection[GameState]) -> Run:
    """Return what a command does in the game that its line is for, once that is in one of some
    states; in any where there are none."""
    check(function, "call", "state")

    def run(context: MessageContext, call: Line) -> Answer:
        state = context.cursor.here()
        _check(state, states)
        return give(function, context, call=call, state=state)

    return run


def _check(state: State, states: Collection[GameState]) -> None:
    """Raise Refused unless a game is in one of some states."""
    if not states or state.game.state in states:
        return
    if states == GOING_ON:
        raise Refused("game_over", game=state.game.name)
    if states == (GameState.FORMING,):
        raise Refused("has_started", game=state.game.name)
    raise not_running(state)


def _command(words: str, row: dict[str, Any]) -> Command:
    keys = row.keys() & {"run", "takes", "wrong", "own", "open_end"}
    found = {key: _function(row[key]) for key in keys}
    run = partial(found["run"], **row["args"]) if "args" in row else found["run"]
    if "states" in row:
        found["run"] = _in_game(run, tuple(map(GameState, row["states"])))
    else:
        found["run"] = given(run)
    return described(words, **found)


def _commands() -> Iterator[Command]:
    for words, row in rows().items():
        if "run" in row:
            try:
                yield _command(words, row)
            except (AttributeError, ImportError, TypeError, ValueError) as error:
                error.add_note(f"in [{words}] of templates/commands.toml")
                raise
    yield from setting_commands.COMMANDS
    yield from pace.COMMANDS


TABLE = CommandTable(tuple(_commands()))
"""Every command there is, in the order in which HELP shows those of each group."""
