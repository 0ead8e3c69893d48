"""`judge score`: what an ending is worth."""

from __future__ import annotations

import sys
from typing import BinaryIO

import click

from judge.cli.common import closed_pipe_is_fine
from judge.cli.tools import Tool, input_errors, json_object
from judge.interchange import answer_stream, written
from judge.interchange.ending_objects import score_object
from judge.records.scoring import SYSTEMS


@click.command(cls=Tool)
@click.argument("file", type=click.File("rb"), metavar="FILE|-", required=False)
@click.option("--system", metavar="NAME", help="A scoring system, such as bangkok.")
@click.option("--jsonl", is_flag=True, help="Read one object per line, print one answer per line.")
@click.option("--list", "show", is_flag=True, help="List the systems, one per line.")
def score_command(file: BinaryIO | None, system: str | None, jsonl: bool, show: bool) -> None:
    """Score the ending of a game.

    FILE has the centers of every power, year by year (- for standard input). With --jsonl, the
    system can stand in the objects, too; it counts more than the option. docs/formats.md describes
    the objects.

    \b
    judge score ending.json --system bangkok
    judge score - --jsonl < endings.jsonl > scores.jsonl
    judge score --list
    """
    if (file is None) != show:
        raise click.UsageError("Name a FILE, or ask for the --list.")
    given = {} if system is None else {"system": system}

    def answer(data: object) -> str:
        if isinstance(data, dict):
            data = given | data if jsonl else data | given
        return written(score_object(data), indent=None if jsonl else 2)

    with closed_pipe_is_fine():
        if file is None:
            for each in SYSTEMS.values():
                click.echo(f"{each.name:36}{each.title}; {each.source}")
        elif jsonl:
            sys.exit(answer_stream(file, sys.stdout, answer, always_id=True))
        else:
            with input_errors():
                click.echo(answer(json_object(file)))
