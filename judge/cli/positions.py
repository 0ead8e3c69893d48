"""`judge adjudicate`, `orders`, `explain`: what positions and their orders come to."""

from __future__ import annotations

import sys
from typing import BinaryIO

import click

from judge import interchange
from judge.cli.common import closed_pipe_is_fine
from judge.cli.tools import Tool, input_errors, json_object
from judge.language.read import read_order
from judge.sentences.explain import argument


@click.command(cls=Tool)
@click.argument("file", type=click.File("rb"), metavar="FILE|-")
@click.option("--jsonl", is_flag=True, help="Read one object per line, print one answer per line.")
def adjudicate_command(file: BinaryIO, jsonl: bool) -> None:
    """Adjudicate the position and orders in FILE.

    - stands for standard input. It needs no configuration and no running judge. docs/formats.md
    describes the objects. With --jsonl, a bad line gets an error, the others are still adjudicated,
    and the exit code is 1.

    \b
    judge adjudicate position.json
    judge adjudicate - --jsonl < positions.jsonl > answers.jsonl
    """
    with closed_pipe_is_fine():
        if jsonl:
            sys.exit(interchange.answer_stream(file, sys.stdout, interchange.adjudicate_text))
        with input_errors():
            answer = interchange.adjudicate_object(json_object(file))
        click.echo(interchange.written(answer, indent=2))


@click.command(cls=Tool)
@click.argument("file", type=click.File("rb"), metavar="FILE|-")
@click.option("--power", required=True, metavar="NAME", help="Whose orders.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print a JSON object of units and their orders."
)
def orders_command(file: BinaryIO, power: str, as_json: bool) -> None:
    """List every legal order of each unit of a power.

    FILE has the position. In an adjustment phase, these are the units you can build or remove.

    \b
    judge orders position.json --power France
    judge orders position.json --power F --json
    """
    with input_errors():
        legal = interchange.orders_object(json_object(file), power)
    with closed_pipe_is_fine():
        if as_json:
            click.echo(interchange.written(legal, indent=2))
            return
        for unit, orders in legal.items():
            click.echo(f"{unit}: {len(orders)}")
            for order in orders:
                click.echo(f"  {order}")
        if not legal:
            click.echo(f"{power} has nothing to order.", err=True)


@click.command(cls=Tool)
@click.argument("file", type=click.File("rb"), metavar="FILE|-")
@click.option("--order", "text", required=True, metavar="ORDER", help='Such as "A par - bur".')
def explain_command(file: BinaryIO, text: str) -> None:
    """Explain step by step why an order in FILE succeeds or fails.

    \b
    judge explain position.json --order "A par - bur"
    """
    try:
        asked = interchange.read_question(json_object(file))
        order = read_order(
            text, asked.variant, asked.position.phase, None, asked.position, asked.rulebook
        )
        lines = argument(asked.variant, asked.position, asked.orders, order, asked.rulebook)
    except (interchange.InterchangeError, LookupError) as error:
        raise click.ClickException(str(error.args[0])) from error
    with closed_pipe_is_fine():
        click.echo("\n".join(lines))
