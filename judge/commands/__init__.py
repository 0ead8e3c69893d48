"""The commands by topic. Their table refuses two that share a word when it is made.

What a command does is the function that its row in `templates/commands.toml` names.
"""

from collections.abc import Iterator
from functools import partial
from importlib import import_module
from typing import Any

from judge.commands import pace, setting_commands
from judge.commands.names_meant import in_game
from judge.intake.command import Command, CommandTable, described, rows
from judge.storage import GameState


def _function(path: str) -> Any:
    """Return a function of a module of this package, as a row names it."""
    module, _, name = path.partition(".")
    return getattr(import_module(f"judge.commands.{module}"), name)


def _commands() -> Iterator[Command]:
    for words, row in rows().items():
        if "run" in row:
            keys = row.keys() & {"run", "takes", "wrong", "own", "open_end"}
            found = {key: _function(row[key]) for key in keys}
            found["run"] = partial(found["run"], **row.get("args", {}))
            if "states" in row:
                found["run"] = in_game(found["run"], *map(GameState, row["states"]))
            yield described(words, **found)
    yield from setting_commands.COMMANDS
    yield from pace.COMMANDS


TABLE = CommandTable(tuple(_commands()))
"""Every command there is, in the order in which HELP shows those of each group."""
