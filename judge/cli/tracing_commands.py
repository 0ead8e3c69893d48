"""`judge mail list` and `show`, `judge letter list` and `show`: what became of a message."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from judge.cli.common import Verbs, config_option, json_option, table
from judge.cli.configuration import load_config
from judge.cli.database import game_named, open_storage
from judge.cli.printing import echo, echo_json
from judge.mail.safety import cleaned
from judge.storage import Storage, TracedLetter, TracedMail

_most_option = click.option(
    "--most", default=50, show_default=True, type=click.IntRange(1, 100_000), metavar="NUMBER",
    help="How many at most.",
)  # fmt: skip
_until_option = click.option(
    "--until", type=click.DateTime(("%Y-%m-%d %H:%M", "%Y-%m-%d")), metavar="TIME",
    help="Only what there was until then, such as '2026-05-31 20:00' (UTC).",
    callback=lambda _context, _option, time: time and time.replace(tzinfo=UTC),
)  # fmt: skip


@click.command()
@click.argument("whose", metavar="[ADDRESS|GAME|DIGEST]", required=False)
@_most_option
@_until_option
@json_option
@config_option
def list_mails(
    whose: str | None,
    most: int,
    until: datetime | None,
    as_json: bool,
    config_path: Path | None,
) -> None:
    """List messages that came in, newest first.

    Those of an address and its owner's others, those about a game, or all.
    The log names addresses by a digest (who=...): with it, this is the list of that address.
    """
    with open_storage(load_config(config_path)) as storage:
        found = storage.traces.mails(most, until=until, **_about(storage, whose))
        games = _games(storage, found)
    if as_json:
        echo_json(found)
        return
    rows = [
        (
            each.id,
            _time(each.received_at),
            each.door,
            each.sender or each.envelope_from or "<>",
            games.get(each.game_id, "-"),
            each.state,
            _time(each.worked_at),
            _last_line(each.problem),
        )
        for each in found
    ]
    heads = ("id", "received", "door", "from", "game", "state", "processed", "why")
    echo(table(rows, heads) if rows else "No such mail came in.")


@click.command()
@click.argument("which", metavar="ID|ADDRESS|GAME|DIGEST")
@json_option
@config_option
def show_mail(which: str, as_json: bool, config_path: Path | None) -> None:
    """Show what became of a message.

    It tells of the orders on file that are from it, and of the letters that it caused. Of an
    address or a game it is the newest one."""
    with open_storage(load_config(config_path)) as storage:
        if which.isdecimal():
            mail = storage.traces.mail(int(which))
        else:
            mail = next(iter(storage.traces.mails(1, **_about(storage, which))), None)
        if mail is None:
            raise click.ClickException(f"there is no mail {which}")
        orders = storage.traces.orders_of(mail.id)
        letters = storage.traces.letters(1000, mail_id=mail.id)[::-1]
        games = _games(storage, [mail, *letters])
    if as_json:
        echo_json({"mail": mail, "orders": orders, "letters": letters})
        return
    network = f", network {mail.lane}" if mail.lane else ""
    lines = [
        f"Mail {mail.id} from {mail.sender or 'nobody'} (return path "
        f"{mail.envelope_from if mail.envelope_from is not None else 'not known'})",
        f"Message-ID: {mail.message_id or 'none'}",
        f"Came in: {_time(mail.received_at)} UTC by {mail.door}{network}",
        f"State: {mail.state}, processed {_time(mail.worked_at)}, failed {mail.attempts} times",
        f"Game: {games.get(mail.game_id, 'none')}",
    ]
    if mail.proof:
        lines.append(f"Confirmed: {mail.proof}")
    if mail.problem:
        lines += ["", mail.problem.rstrip()]
    lines += [f"On file: {count} orders of {power} for {phase}" for phase, power, count in orders]
    echo("\n".join(lines))
    if letters:
        echo(f"\n{_letters(letters, games)}")


@click.group(cls=Verbs)
def letter_command() -> None:
    """Show what became of the judge's own messages.

    \b
    judge letter list ann@example.org
    judge letter show 12
    """


@letter_command.command("list")
@click.argument("whose", metavar="[ADDRESS|GAME|DIGEST]", required=False)
@_most_option
@_until_option
@json_option
@config_option
def list_letters(
    whose: str | None,
    most: int,
    until: datetime | None,
    as_json: bool,
    config_path: Path | None,
) -> None:
    """List the judge's messages, newest first.

    Those to an address and its owner's others, those about a game, or all."""
    with open_storage(load_config(config_path)) as storage:
        found = storage.traces.letters(most, until=until, **_about(storage, whose))
        games = _games(storage, found)
    if as_json:
        echo_json(found)
    else:
        echo(_letters(found, games) if found else "No such letter was written.")


@letter_command.command("show")
@click.argument("letter_id", metavar="ID", type=click.IntRange(1, 2**63 - 1))
@json_option
@config_option
def show_letter(letter_id: int, as_json: bool, config_path: Path | None) -> None:
    """Show what became of a message of the judge."""
    with open_storage(load_config(config_path)) as storage:
        letter = storage.traces.letter(letter_id)
        if letter is None:
            raise click.ClickException(f"there is no letter {letter_id}")
        games = _games(storage, [letter])
        bounces = [each for each in storage.bounces.of(letter.recipient)
                   if each.letter_id == letter.id]  # fmt: skip
    if as_json:
        echo_json({"letter": letter, "bounces": bounces})
        return
    cause = f"mail {letter.mail_id}" if letter.mail_id else "the clock"
    lines = [
        f"Letter {letter.id} ({letter.kind}) to {letter.recipient}, because of {cause}",
        f"Message-ID: {letter.message_id}",
        f"Game: {games.get(letter.game_id, 'none')}",
        f"Written: {_time(letter.queued_at)} UTC",
        f"State: {letter.state}, tried {letter.attempts} times, sent {_time(letter.sent_at)}",
    ]
    if letter.state == "queued":
        lines.append(f"Next try: {_time(letter.next_try)} UTC")
    if letter.error:
        lines.append(f"The relay said: {letter.error}")
    lines += [f"Came back {_time(each.at)}: {each.status} {each.said}" for each in bounces]
    echo("\n".join(lines))


def _letters(letters: list[TracedLetter], games: Mapping[int | None, str]) -> str:
    rows = [
        (
            each.id,
            _time(each.queued_at),
            each.kind,
            each.recipient,
            games.get(each.game_id, "-"),
            each.state,
            _time(each.sent_at),
            _last_line(each.error),
        )
        for each in letters
    ]
    return table(rows, ("id", "written", "kind", "to", "game", "state", "sent", "relay said"))


def _about(storage: Storage, whose: str | None) -> dict[str, Any]:
    """Return whose messages are meant: those of an address with all others of its owner, of the
    address of which the log has a digest, or of a game. Raises ClickException."""
    if whose is None:
        return {}
    if "@" not in whose:
        if storage.games.by_name(whose.lower()) is None:
            for address in storage.traces.addresses():
                if storage.tickets.mark(address) == whose:
                    click.echo(cleaned(address), err=True)
                    return {"addresses": [address]}
        game = game_named(storage, whose.lower(), nor=" and no digest of an address")
        return {"game_id": game.id}
    address = whose.strip("<> ").lower()
    person = storage.people.by_address(address)
    known = [] if person is None else storage.people.addresses(person.id)
    return {"addresses": [address, *(each.address for each in known if each.address != address)]}


def _games(storage: Storage, found: Iterable[TracedMail | TracedLetter]) -> dict[int | None, str]:
    ids = {each.game_id for each in found if each.game_id is not None}
    games = map(storage.games.find, ids)
    return {game.id: game.name for game in games if game is not None}


def _time(instant: datetime | None) -> str:
    return f"{instant:%Y-%m-%d %H:%M:%S}" if instant else "-"


def _last_line(text: str | None) -> str:
    return (text or "").strip().rpartition("\n")[2]
