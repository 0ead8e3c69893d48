"""`judge read`: what the judge would make of a mail."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from judge.cli.common import closed_pipe_is_fine, json_object

if TYPE_CHECKING:
    from judge.game.orders.interpret import OrderContext


@click.command()
@click.argument("file", type=click.File("rb"), metavar="FILE.eml|-")
@click.option("--game", type=click.File("rb"), metavar="FILE", help="A position to check against.")
@click.option("--power", metavar="NAME", help="Whose orders; else those of each power named.")
@click.option("--own", multiple=True, metavar="ADDRESS", help="The judge's own address; "
    "else where the mail says it was delivered.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object (docs/formats.md).")
def command(
    file: BinaryIO, game: BinaryIO | None, power: str | None, own: tuple[str, ...], as_json: bool
) -> None:
    """Read one raw message as the daemon would, change nothing, and say what was made of it.

    Needs no configuration and no running judge. A position (see docs/formats.md) lets orders be
    checked, and supplies what they leave out.

    \b
    judge read mail.eml
    judge read mail.eml --game position.json --power France --json
    """
    from judge.commands import TABLE
    from judge.intake.dry_run import dry_run
    from judge.mail.message import delivered_to, parse

    desk = _desk(game, power)
    raw = file.read()
    found = dry_run(parse(raw, own=own or delivered_to(raw)), TABLE, desk)
    with closed_pipe_is_fine():
        if as_json:
            click.echo(json.dumps(found, indent=2, ensure_ascii=False))
        else:
            click.echo("\n".join(_page(found)))


def _desk(game: BinaryIO | None, power: str | None) -> OrderContext:
    """The board that the mail is about. Raises ClickException."""
    from judge import interchange, variants
    from judge.game.orders.interpret import OrderContext
    from judge.language.names import Names
    from judge.language.problems import ReadError
    from judge.sentences import in_words

    desk = OrderContext(variants.load("standard"))
    try:
        if game is not None:
            asked = interchange.read_question(json_object(game))
            desk = OrderContext(asked.variant, asked.position, asked.rulebook)
        if power is not None:
            named = Names.of(desk.variant).power(power)
            desk = OrderContext(desk.variant, desk.position, desk.rulebook, (named,))
    except interchange.InterchangeError as error:
        raise click.ClickException(str(error)) from error
    except ReadError as error:
        raise click.ClickException(in_words(error.problem, desk.variant)) from error
    return desk


def _page(found: dict[str, Any]) -> Iterator[str]:
    """The findings for human eyes."""
    yield f"From:      {found['from'] or 'nobody'}"
    yield f"Kind:      {found['kind']}{', is answered' if found['answerable'] else ', no answer'}"
    if found["reason"]:
        yield f"Because:   {found['reason']}"
    yield f"Language:  {found['language']}"
    if found["lines"]:
        yield ""
    for line in found["lines"]:
        yield f"{line['kind']:<8} {line['line']}"
        if line["read"] and line["read"] != line["line"]:
            yield f"         = {line['read']}"
        if line["problem"]:
            yield f"         ! {line['problem']}"
        for offer in line["suggestions"]:
            yield f"         ? {offer}"
    for hint in found["hints"]:
        yield f"hint     {hint['order']}: {hint['problem']}"
    for power, orders in found["orders"].items():
        yield ""
        yield f"{'Orders' if power == 'null' else power}: {', '.join(orders)}"
    for press in found["press"]:
        yield ""
        yield f"Press ({press['colour']}) to {', '.join(press['to'])}"
