"""`judge bot`: what a computer player orders."""

from __future__ import annotations

import sys
from time import process_time
from typing import Any, BinaryIO

import click

from judge.cli.common import closed_pipe_is_fine
from judge.cli.tools import Tool, input_errors, json_object
from judge.interchange import answer_stream, written
from judge.interchange.bot_answers import bot_object


@click.command(cls=Tool)
@click.argument("file", type=click.File("rb"), metavar="FILE|-")
@click.option("--power", metavar="NAME", help="Who the computer plays.")
@click.option("--level", metavar="LEVEL", help="easy, normal, or hard (the default).")
@click.option("--seed", type=int, metavar="N", help="Decides everything left to chance; default 0.")
@click.option("--seconds", type=float, metavar="S",
              help="Processor time to think; default: the level's.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.option("--jsonl", is_flag=True, help="Read one object per line, print one answer per line.")
def bot_command(file: BinaryIO, as_json: bool, jsonl: bool, **chosen: object) -> None:
    """Let a computer player order for a power.

    FILE has the position (- for standard input). With --jsonl, power, level, seed, and seconds can
    stand in the objects, too; they count more than the options. docs/formats.md describes the
    objects.

    \b
    judge bot position.json --power France
    judge bot position.json --power France --level easy --seed 7
    judge bot - --jsonl < positions.jsonl > orders.jsonl
    """
    given = {name: value for name, value in chosen.items() if value is not None}

    def answer(data: object) -> dict[str, Any]:
        if isinstance(data, dict):
            data = given | data if jsonl else data | given
        return bot_object(data, process_time)

    def said(data: object) -> str:
        return written(answer(data))

    with closed_pipe_is_fine():
        if jsonl:
            sys.exit(answer_stream(file, sys.stdout, said, always_id=True))
        with input_errors():
            found = answer(json_object(file))
        if as_json:
            click.echo(written(found, indent=2))
        else:
            click.echo("\n".join(found["orders"]))
