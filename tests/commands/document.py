"""Make docs/commands.md from the table of commands: `make docs`.

python -m tests.commands.document
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from judge.commands import TABLE
from judge.commands.help import GROUPS, LEFT_OUT
from judge.commands.setting_commands import show
from judge.game.state import State
from judge.game.state.settings import TABLE as SETTINGS
from judge.game.state.settings import Settings
from judge.intake.command import Command
from judge.storage import Game, Storage

FILE = Path(__file__).resolve().parents[2] / "docs" / "commands.md"

WHO = {
    "anybody": "anybody",
    "people": "people known to the judge",
    "participants": "players, observers, game masters",
    "players": "players",
    "masters": "game masters",
    "keepers": "the keeper",
}
"""How the table names who can use a command."""

HEAD = """\
# Commands

Write each command on its own line in an email to the judge. This page is made from the commands
themselves (`make docs`). To get more on a command by email, send HELP and its name.

- Case and spaces inside a command do not matter: `SET NOWAIT` is `SET NO WAIT`.
- One line can have several settings: `SET NMR, PUBLIC, MOVE NEXT 48H`. The judge accepts or refuses
  each of them separately. The reply, and a message to everybody concerned, show old and new values.
- Every setting works in `SET`, after the name of the game in `CREATE`, and for the keeper in
  `judge game set GAME "..."` or a file written by `judge game export GAME`.
- In a moderated game only the game masters can change settings; in an unmoderated game, all players
  can.
- _default_ is the value in a new game, or what the command means without an argument.
- For German or French messages, and commands in these languages: `SET LANGUAGE de`.

Orders are not commands: see [orders](orders.md).
"""

LEFT = """\
## Not supported

The judge recognizes these commands of other judges, so that they are not taken for text. It
replies with the reason why they do nothing.

| command | why |
|---|---|
"""


def document() -> str:
    """Return the whole page."""
    with TemporaryDirectory() as folder:
        storage = Storage.open(f"sqlite:{folder}/judge.db")
        try:
            fresh = _fresh(storage)
            tables = "\n".join(_table(group, fresh) for group in GROUPS)
        finally:
            storage.close()
    left = "\n".join(_left(each for each in TABLE if each.group == LEFT_OUT))
    return f"{HEAD}\n{tables}\n{LEFT}{left}\n"


def _fresh(storage: Storage) -> State:
    """Return a game that has just been created."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    settings = Settings(zone="UTC").to_json()
    game = Game(name="paris", variant="standard", moderated=True, settings=settings, created_at=now)
    with storage.transaction():
        return State(storage, storage.games.add(game))


def _table(group: str, fresh: State) -> str:
    rows = [_row(command, fresh) for command in TABLE if command.group == group]
    head = "| command | who | effect | default | example |\n|---|---|---|---|---|\n"
    title = "Game masters" if group == "masters" else group.capitalize()
    return f"## {title}\n\n{head}" + "".join(f"{row}\n" for row in rows)


def _row(command: Command, fresh: State) -> str:
    setting = command.setting in SETTINGS
    default = show(command.setting, fresh) if setting else command.default
    example = " / ".join(f"`{line}`" for line in command.example.splitlines())
    cells = (_form(command), WHO[command.who], command.effect, default, example)
    return f"| {' | '.join(_cell(cell) for cell in cells)} |"


def _form(command: Command) -> str:
    """Return how to write a command, and its other names."""
    others = ", ".join(f"`{words.upper()}`" for words in command.words[1:])
    return f"`{command.form}`" + (f" (also {others})" if others else "")


def _cell(text: str) -> str:
    return str.__str__(text).replace("|", "\\|")


def _left(commands: Iterable[Command]) -> Iterator[str]:
    for command in commands:
        yield f"| {_form(command)} | {_cell(command.summary)} |"


if __name__ == "__main__":
    FILE.write_text(document(), encoding="utf-8")
