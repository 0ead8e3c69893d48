"""docs/commands.md out of the table of commands; `make docs` writes it.

python -m tests.commands.document
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from judge.commands import TABLE
from judge.commands.help import GROUPS, LEFT_OUT
from judge.commands.settings import show
from judge.game.state import State
from judge.game.state.settings import TABLE as SETTINGS
from judge.game.state.settings import Settings
from judge.intake.command import Command
from judge.storage import Game, Storage

FILE = Path(__file__).resolve().parents[2] / "docs" / "commands.md"

WHO = {
    "anybody": "anybody",
    "people": "whoever is known to the judge",
    "participants": "players, observers, masters",
    "players": "players",
    "masters": "masters",
    "keepers": "the keeper",
}
"""How the table calls those who may give a command."""

HEAD = """\
# Commands

What can be written to the judge, one line each in the body of a mail. This page is made from the
commands themselves (`make docs`); HELP and a command's name says more, and says it by mail.

- Upper or lower case and the blanks inside a command do not matter: `SET NOWAIT` is `SET NO WAIT`.
- Several settings may stand on one line: `SET NMR, PUBLIC, MOVE NEXT 48H`. Each of them is done or
  refused by itself; the answer and a letter to all whom it concerns show the old and the new value.
- Every setting can be written in a `SET`, behind the name of the game in `CREATE`, and by the
  keeper (`judge game set GAME "..."`, or a file as `judge game export GAME` writes it).
- Settings are the masters' in a moderated game; in an unmoderated one every player may change them.
- _default_ says how a new game stands, or what is meant where nothing is said.
- German and French letters, and words understood in these languages: `SET LANGUAGE de`.

Orders are not commands: see [orders](orders.md).
"""

LEFT = """\
## Left out

Commands of other judges that are understood as such, so that nobody takes them for talk, and
answered with the reason why they do nothing here.

| command | why |
|---|---|
"""


def document() -> str:
    """The whole page."""
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
    """A game that has just been created."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    settings = Settings(zone="UTC").to_json()
    game = Game(name="paris", variant="standard", moderated=True, settings=settings, created_at=now)
    with storage.transaction():
        return State(storage, storage.games.add(game))


def _table(group: str, fresh: State) -> str:
    rows = [_row(command, fresh) for command in TABLE if command.group == group]
    head = "| command | who | effect | default | example |\n|---|---|---|---|---|\n"
    return f"## {group.capitalize()}\n\n{head}" + "".join(f"{row}\n" for row in rows)


def _row(command: Command, fresh: State) -> str:
    setting = command.setting in SETTINGS
    default = show(command.setting, fresh) if setting else command.default
    example = " / ".join(f"`{line}`" for line in command.example.splitlines())
    cells = (_form(command), WHO[command.who], command.effect, default, example)
    return f"| {' | '.join(_cell(cell) for cell in cells)} |"


def _form(command: Command) -> str:
    """How to write it, and the other words for it."""
    others = ", ".join(f"`{words.upper()}`" for words in command.words[1:])
    return f"`{command.form}`" + (f" (also {others})" if others else "")


def _cell(text: str) -> str:
    return str.__str__(text).replace("|", "\\|")


def _left(commands: Iterable[Command]) -> Iterator[str]:
    for command in commands:
        yield f"| {_form(command)} | {_cell(command.summary)} |"


if __name__ == "__main__":
    FILE.write_text(document(), encoding="utf-8")
