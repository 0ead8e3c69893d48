"""`judge adjudicate`: positions and orders in, results out, as JSON."""

from __future__ import annotations

import sys
from typing import BinaryIO

import click

from judge.cli.common import closed_pipe_is_fine, json_object


@click.command()
@click.argument("file", type=click.File("rb"), metavar="FILE|-")
@click.option("--jsonl", is_flag=True, help="One object a line in, one answer a line out.")
def command(file: BinaryIO, jsonl: bool) -> None:
    """Adjudicate the position and orders in FILE (- for standard input).

    Needs no configuration and no running judge. The objects are described in docs/formats.md.
    With --jsonl a bad line is answered by an error, the stream goes on, and the exit status is 1
    at the end.

    \b
    judge adjudicate position.json
    judge adjudicate - --jsonl < positions.jsonl > answers.jsonl
    """
    from judge import interchange

    with closed_pipe_is_fine():
        if jsonl:
            sys.exit(interchange.adjudicate_stream(file, sys.stdout))
        try:
            answer = interchange.adjudicate_object(json_object(file))
        except interchange.InterchangeError as error:
            raise click.ClickException(str(error)) from error
        click.echo(interchange.written(answer, indent=2))
