"""`judge explain`: why an order ended as it did."""

from __future__ import annotations

from typing import BinaryIO

import click

from judge.cli.common import closed_pipe_is_fine, json_object


@click.command()
@click.argument("file", type=click.File("rb"), metavar="FILE|-")
@click.option("--order", "text", required=True, metavar="ORDER", help='Such as "A par - bur".')
def command(file: BinaryIO, text: str) -> None:
    """Say step by step why an order in FILE succeeds or fails, and which rules that rests on.

    \b
    judge explain position.json --order "A par - bur"
    """
    from judge import interchange
    from judge.language.read import read_order
    from judge.sentences.explain import argument

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
