"""`judge orders`: every legal order in a position."""

from __future__ import annotations

import json
from typing import BinaryIO

import click

from judge.cli.common import closed_pipe_is_fine, json_object


@click.command()
@click.argument("file", type=click.File("rb"), metavar="FILE|-")
@click.option("--power", required=True, metavar="NAME", help="Whose orders.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, unit to orders.")
def command(file: BinaryIO, power: str, as_json: bool) -> None:
    """List every legal order of each unit of a power in the position of FILE.

    In an adjustment phase the units are those that can be built or removed.

    \b
    judge orders position.json --power France
    judge orders position.json --power F --json
    """
    from judge import interchange

    try:
        legal = interchange.orders_object(json_object(file), power)
    except interchange.InterchangeError as error:
        raise click.ClickException(str(error)) from error
    with closed_pipe_is_fine():
        if as_json:
            click.echo(json.dumps(legal, indent=2, ensure_ascii=False))
            return
        for unit, orders in legal.items():
            click.echo(f"{unit}: {len(orders)}")
            for order in orders:
                click.echo(f"  {order}")
        if not legal:
            click.echo(f"{power} has nothing to order.", err=True)
