"""What is special about a game: settings that are not as in a new one, in words and as lines."""

from __future__ import annotations

from copy import copy

from judge.game.state import State
from judge.game.state.settings import Settings
from judge.intake.command import Table

SHOWN = (
    *("rulebook", "variant", "time zone of the game", "listing", "moderation", "press", "victory"),
    *("last turn", "time limit", "comment", "house rules"),
)
"""Settings that the entry of a game shows in any case."""

PACES = ("set move", "set retreat", "set adjust")


def differences(table: Table, state: State) -> list[tuple[str, str]]:
    """The name of each such setting, and how it stands, in the order of the table."""
    fresh = copy(state)
    fresh.settings = Settings(zone=state.settings.zone)
    found: dict[str, str] = {}
    for command in table:
        if command.show is None or command.called in SHOWN or command.words[0] in PACES:
            continue
        value = command.show(state)
        if value != command.show(fresh):
            found[str(command.called)] = value
    return list(found.items())


def export(table: Table, state: State) -> list[str]:
    """Lines that give a new game the settings of this one, the board first."""
    fresh = copy(state)
    fresh.settings = Settings()
    found = []
    for command in table:
        text = None if command.write is None else command.write(state)
        first = command.words[0] == "set variant"
        if command.write is None or text is None or (command.write(fresh) == text and not first):
            continue
        blank = "" if text[:1] in ("", "\n") else " "
        found.append(f"{command.name}{blank}{text}")
    found.sort(key=lambda line: not line.startswith("SET VARIANT"))
    return found
