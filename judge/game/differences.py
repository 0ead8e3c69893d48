"""What is special about a game: its settings that are not as in a new one."""

from __future__ import annotations

from copy import copy

from judge.game.command import Table
from judge.game.settings import Settings
from judge.game.state import State

SHOWN = (
    *("rulebook", "variant", "time zone of the game", "listing", "moderation", "press", "victory"),
    *("last turn", "time limit", "comment", "house rules"),
)
"""Settings that the entry of a game shows in any case."""


def differences(table: Table, state: State) -> list[tuple[str, str]]:
    """The name of each such setting, and how it stands, in the order of the table."""
    fresh = copy(state)
    fresh.settings = Settings(zone=state.settings.zone)
    found: dict[str, str] = {}
    for command in table:
        if command.show is None or command.called in SHOWN:
            continue
        value = command.show(state)
        if value != command.show(fresh):
            found[str(command.called)] = value
    return list(found.items())
