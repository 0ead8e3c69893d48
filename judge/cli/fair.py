"""`judge fair`: check the draw of a game's start, and the seals of orders, from the letters."""

from __future__ import annotations

import json
from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import BinaryIO

import click

from judge import variants
from judge.cli.tools import Tool
from judge.game.fairness import assign_powers, fall, read_assignment, read_coin
from judge.game.visibility.record import seals_of
from judge.rules.variant import with_lineup


@click.command(cls=Tool)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.File("rb"))
def fair_command(files: tuple[BinaryIO, ...]) -> None:
    """Check the proofs in messages of the judge.

    FILE is a message saved from an email program (.eml), its text, or the .json file attached to
    results; - reads standard input. For a start message, it checks the seed's seal and repeats the
    power assignment. For results, it checks the seals of the orders and repeats a coin toss.

    \b
    judge fair start.eml
    judge fair paris-F1903M.json
    """
    wrong = False
    for file in files:
        found = list(_proofs(file.read()))
        if not found:
            raise click.ClickException(
                f"{file.name}: neither the draw of a start nor the orders of a phase are in it; "
                "save the whole message, or the .json file that came with the results"
            )
        for line, fits in found:
            click.echo(line)
            wrong = wrong or not fits
    raise SystemExit(1 if wrong else 0)


def _proofs(raw: bytes) -> Iterator[tuple[str, bool]]:
    """Yield what a file proves, line by line, each with whether it fits."""
    texts, records = _parts(raw)
    for record in records:
        yield from _seals(record)
    for text in texts:
        if "Seed:" in text:
            yield _draw(text)
        if (coin := _coin(text)) is not None:
            yield coin


def _parts(raw: bytes) -> tuple[list[str], list[object]]:
    """Return the texts of a letter and the JSON that goes with it."""
    if raw.lstrip()[:1] == b"{":
        return [], [_json(raw)]
    message = message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)
    if not message.keys():
        return [raw.decode("utf-8", "replace")], []
    texts: list[str] = []
    records: list[object] = []
    for part in message.walk():
        if part.get_content_type() == "application/json":
            records.append(_json(part.get_payload(decode=True)))
        elif part.get_content_type() == "text/plain":
            content = part.get_content()
            texts.append(content if isinstance(content, str) else "")
    return texts, records


def _json(raw: object) -> object:
    try:
        return json.loads(raw if isinstance(raw, bytes) else b"")
    except ValueError:
        raise click.ClickException("the JSON in it cannot be read: is it whole?") from None


def _seals(record: object) -> Iterator[tuple[str, bool]]:
    if not isinstance(record, dict) or "legal" in record:
        # The open phase goes with results, too, and has no seals yet.
        return
    try:
        found = list(seals_of(record))
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    for seal, printed in found:
        fits = seal.digest == printed
        what = f"{seal.game} {seal.phase}, {seal.power}: the seal {printed}"
        yield f"{what} {'fits' if fits else 'DOES NOT FIT'} its orders", fits


def _coin(text: str) -> tuple[str, bool] | None:
    found = read_coin(text)
    if found is None:
        return None
    printed, seal = found
    if seal != printed.seal:
        return f"The coin's seed DOES NOT FIT the seal: its seal is {printed.seal}", False
    side = fall(printed.seed, printed.sides)
    if side != printed.side:
        return f"The coin DOES NOT FALL so: it is for {', '.join(side)}", False
    return (
        f"The coin falls for {', '.join(side)}, and its seed fits the seal {seal}. "
        "Compare that with the message of the start."
    ), True


def _draw(text: str) -> tuple[str, bool]:
    try:
        printed, seal = read_assignment(text)
        count = sum(map(len, printed.powers))
        variant = with_lineup(variants.load(printed.variant), printed.lineup)
        again = assign_powers(variant, printed.preferences, printed.seed, count)
    except KeyError:
        raise click.ClickException(
            f"the draw cannot be read: {printed.variant} has no lineup {printed.lineup}"
        ) from None
    except ValueError as error:
        raise click.ClickException(f"the draw cannot be read: {error}") from None
    if seal != printed.seal:
        return f"The seed DOES NOT FIT the seal: its seal is {printed.seal}", False
    if again.powers != printed.powers:
        drawn = "; ".join(map(", ".join, again.powers))
        return f"The draw DOES NOT COME OUT: it is {drawn}", False
    return (
        f"The draw comes out, and its seed fits the seal {seal}. "
        "Compare that with the messages you got before the start."
    ), True
