"""`judge read`: how the judge would read a message."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO

import click

from judge import interchange, variants
from judge.cli.common import closed_pipe_is_fine
from judge.cli.printing import echo_json
from judge.cli.tools import Tool, input_errors, json_object
from judge.commands import TABLE
from judge.game.orders.order_context import OrderContext
from judge.i18n import DEFAULT_LANGUAGE, LANGUAGES
from judge.intake.dry_run import dry_run
from judge.intake.spoken import heard
from judge.language.misreadings import ReadError
from judge.language.names import Names
from judge.mail.message import delivered_to, parse
from judge.sentences import in_words


@click.command(cls=Tool)
@click.argument("file", type=click.File("rb"), metavar="FILE.eml|-")
@click.option("--game", type=click.File("rb"), metavar="FILE", help="A position to check against.")
@click.option(
    "--power", metavar="NAME", help="Power that sends the orders; default: each power named."
)
@click.option("--own", multiple=True, metavar="ADDRESS", help="The judge's own address; "
    "else where the mail says it was delivered.",
)  # fmt: skip
@click.option("--answering", type=click.File("rb"), multiple=True, metavar="LETTER.eml",
    help="A message of the judge's that this one may reply to; may be given repeatedly.",
)  # fmt: skip
@click.option("--language", type=click.Choice(LANGUAGES), help="The writer's language.")
@click.option("--why", is_flag=True, help="Which rule read each piece, and what is left over.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object (docs/formats.md).")
def read_command(
    file: BinaryIO,
    game: BinaryIO | None,
    power: str | None,
    own: tuple[str, ...],
    answering: tuple[BinaryIO, ...],
    language: str | None,
    why: bool,
    as_json: bool,
) -> None:
    """Show how the judge would read a raw message.

    Changes nothing, and needs no configuration and no running judge. A position (see
    docs/formats.md) lets orders be checked, and supplies what they leave out; quotes are cut by the
    messages that it may answer.

    \b
    judge read mail.eml
    judge read mail.eml --game position.json --power France --json
    judge read mail.eml --answering results.eml --language de
    """
    turn = _turn(game, power)
    raw = file.read()
    incoming = parse(raw, own=own or delivered_to(raw))
    with heard(incoming.text, language or DEFAULT_LANGUAGE, known=language is not None):
        found = dry_run(incoming, TABLE, turn, [letter.read() for letter in answering], why=why)
    with closed_pipe_is_fine():
        if as_json:
            echo_json(found)
        else:
            click.echo("\n".join(_reading(found)))


def _turn(game: BinaryIO | None, power: str | None) -> OrderContext:
    """Return the board that the mail is about. Raises ClickException."""
    turn = OrderContext(variants.load("standard"))
    try:
        if game is not None:
            with input_errors():
                asked = interchange.read_question(json_object(game))
            turn = OrderContext(asked.variant, asked.position, asked.rulebook)
        if power is not None:
            named = Names.of(turn.variant).power(power)
            turn = OrderContext(turn.variant, turn.position, turn.rulebook, (named,))
    except ReadError as error:
        raise click.ClickException(in_words(error.problem, turn.variant)) from error
    return turn


def _pieces(line: Mapping[str, Any], rows: Sequence[str]) -> Iterator[str]:
    """Yield which rule read each piece of a line, with its place in its row."""
    row = next((row for row in rows if line["line"] in row), line["line"])
    end = 0
    for each in line.get("why", ()):
        start = max(end, row.find(each["text"], end))
        end = start + len(each["text"])
        yield f"         {start:>3}-{end:<3} {each['piece']:<9} {each['rule']:<18} {each['text']}"


def _reading(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the findings for human eyes."""
    yield f"From:      {found['from'] or 'nobody'}"
    yield f"Kind:      {found['kind']}{', is answered' if found['answerable'] else ', no answer'}"
    if found["reason"]:
        yield f"Because:   {found['reason']}"
    yield f"Language:  {found['language']}"
    if found["lines"]:
        yield ""
    why = None
    for line in found["lines"]:
        yield f"{line['kind']:<8} {line['line']}"
        if line["read"] and line["read"] != line["line"]:
            yield f"         = {line['read']}"
        if line["problem"]:
            yield f"         ! {line['problem']}"
        for offer in line["suggestions"]:
            yield f"         ? {offer}"
        if line.get("why") != why:
            yield from _pieces(line, found["text"].splitlines())
        why = line.get("why")
        if line.get("left_over"):
            yield f"         left over: {' '.join(line['left_over'])}"
    for hint in found["hints"]:
        yield f"hint     {hint['order']}: {hint['problem']}"
    for power, orders in found["orders"].items():
        yield ""
        yield f"{'Orders' if power == 'null' else power}: {', '.join(orders)}"
    for press in found["press"]:
        yield ""
        yield f"Press ({press['colour']}) to {', '.join(press['to'])}"
