"""`judge game file` and `import`: whole games as files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import BinaryIO

import click

from judge import render
from judge.cli.common import config_option
from judge.cli.configuration import load_config
from judge.cli.database import game_named, open_storage
from judge.cli.tools import input_errors
from judge.game.game_object import file_away, game_file, play_on
from judge.game.state import State
from judge.game.state.answers import Refused
from judge.interchange.game_files import read_game_file, readable
from judge.storage import NameTaken


@click.command("file")
@click.argument("name", metavar="GAME")
@config_option
def file_command(name: str, config_path: Path | None) -> None:
    """Print the signed file of a game: all that anybody may know of it.

    docs/formats.md describes it, and docs/check_game.py checks one.
    """
    config = load_config(config_path)
    with open_storage(config) as storage:
        try:
            data = game_file(State(storage, game_named(storage, name)), config.judge.address)
        except Refused as refused:
            raise click.ClickException(render.answer(refused.code, refused.facts)) from refused
    sys.stdout.buffer.write(data)


@click.command("import")
@click.argument("file", metavar="FILE", type=click.File("rb"))
@click.option("--as", "name", metavar="NAME", help="The name of the game here.")
@click.option("--fork", is_flag=True, help="Make a game to play on, instead of one that is over.")
@click.option("--phase", metavar="PHASE", help="Where the fork begins; default: at the end.")
@click.option("--unsigned", is_flag=True, help="Take a file without a signature, as of `convert`.")
@config_option
def import_command(
    file: BinaryIO,
    name: str | None,
    fork: bool,
    phase: str | None,
    unsigned: bool,
    config_path: Path | None,
) -> None:
    """Take in the file of a game from any judge.

    The signature is checked, and every phase is adjudicated again. The game is over here, too; with
    --fork, it is a new game, paused, whose powers people can take over.

    \b
    judge game import paris.json --as oslo-paris
    judge game import paris.json --fork --phase F1903M
    """
    raw = file.read()
    config = load_config(config_path)
    with input_errors():
        found = read_game_file(raw, signed=not unsigned)
    name = name or (f"{found.name}-fork" if fork else found.name)
    now = config.clock.clock().now()
    with open_storage(config) as storage, input_errors(), readable():
        try:
            with storage.transaction():
                if fork:
                    play_on(storage, name, found, phase, now)
                else:
                    file_away(storage, name, found, raw, now)
        except NameTaken as error:
            raise click.ClickException(f"there is a game {name}; choose --as NAME") from error
    if fork:
        click.echo(f"{name} begins, paused: TAKE OVER ...@{name}, then `judge game resume {name}`")
    else:
        signer = found.told["key"] or "nobody"
        click.echo(f"{name}: {len(found.phases)} phases, signed by {signer}")
