"""`judge convert`: games in the formats of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import BinaryIO

import click

from judge.cli.common import closed_pipe_is_fine
from judge.cli.tools import Tool, input_errors
from judge.interchange import written
from judge.interchange.convert import (
    centers_csv,
    godip_text,
    jdip_cases,
    jdip_text,
    judge_object,
    read_game,
    saved_game,
)
from judge.interchange.game_files import PlayedGame, readable

_WRITERS: Mapping[str, Callable[[PlayedGame], str]] = {
    "judge": lambda game: written(judge_object(game)) + "\n",
    "diplomacy": lambda game: written(saved_game(game)) + "\n",
    "godip": godip_text,
    "jdip": jdip_text,
    "csv": centers_csv,
}


@click.command(cls=Tool)
@click.argument("file", type=click.File("rb"), metavar="FILE|-")
@click.option("--to", "kind", type=click.Choice([*_WRITERS]), default="judge", show_default=True)
@click.option("--variant", default="standard", show_default=True, metavar="NAME",
              help="The board of a file that names none (godip).")  # fmt: skip
@click.option("--strict", is_flag=True, help="End with status 1 where positions differ.")
def convert_command(file: BinaryIO, kind: str, variant: str, strict: bool) -> None:
    """Convert a game, and print it.

    FILE is a game file of a judge, a saved game of the Python package diplomacy or of Cicero, or a
    text of godip. Every phase is adjudicated again; where FILE tells of another position than its
    orders lead to, that is said on standard error, and the game goes on from there. Tests of jDip
    become positions with orders, one per line, for `judge adjudicate - --jsonl`.

    \b
    judge convert game.json --to csv
    judge convert paris-game.json --to diplomacy > paris.json
    """
    raw = file.read()
    with input_errors(), readable(), closed_pipe_is_fine():
        if raw.lstrip()[:1] == b"#" or b"VARIANT_ALL" in raw[:4000]:
            for case in jdip_cases(raw):
                click.echo(written(case))
            return
        game = read_game(raw, variant)
        click.echo(_WRITERS[kind](game), nl=False)
    for doubt in game.doubts:
        click.echo(doubt, err=True)
    if strict and game.doubts:
        raise SystemExit(1)
