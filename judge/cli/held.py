"""`judge held`: messages that wait, for the keeper or for their senders' word."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from judge.cli.common import Verbs, config_option, table
from judge.cli.configuration import load_config
from judge.cli.database import open_storage
from judge.cli.printing import echo, echo_json
from judge.intake import questions

_MAIL_ID = click.IntRange(1, 2**63 - 1)


@click.group(cls=Verbs)
def held_command() -> None:
    """Show, retry, and discard held messages.

    A message is held if the judge failed on it. It is stored with the traceback, and its sender was
    told once. Fix the cause, then retry it. Other messages await confirmation, because they do not
    prove their sender: the judge asked the sender for a YES, and discards them after two weeks
    without one.

    \b
    judge held list
    judge held show 12
    judge held retry 12
    judge held drop 12
    """


@held_command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
@config_option
def list_held(as_json: bool, config_path: Path | None) -> None:
    """List the waiting messages, oldest first."""
    with open_storage(load_config(config_path)) as storage:
        found: Any = questions.all_waiting(storage)
    if as_json:
        echo_json(found)
        return
    if not found:
        click.echo("No mail is held.")
        return
    rows = [
        (
            each["id"],
            each["state"],
            f"{each['received_at']:%Y-%m-%d %H:%M}",
            each["from"] or "<>",
            each["bytes"],
            _why(each),
        )
        for each in found
    ]
    echo(table(rows, ("id", "state", "received", "from", "bytes", "why")))


@held_command.command("show")
@click.argument("mail_id", type=_MAIL_ID, metavar="ID")
@click.option("--raw", is_flag=True, help="Print only the raw message.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@config_option
def show_held(mail_id: int, raw: bool, as_json: bool, config_path: Path | None) -> None:
    """Show a message, how it arrived, and why it waits. Passwords are hidden."""
    with open_storage(load_config(config_path)) as storage:
        mail = storage.inbound.find(mail_id)
        if mail is None:
            raise click.ClickException(f"there is no mail {mail_id}")
        facts: Any = questions.facts_of(storage, mail)
    message = questions.message_of(mail)
    if raw:
        sys.stdout.buffer.write(mail.raw)
        return
    if as_json:
        echo_json(facts | {"message": message})
        return
    echo(
        f"Mail {mail.id}, {mail.state}, came by {mail.door} at {mail.received_at:%Y-%m-%d %H:%M} "
        f"UTC\nfrom <{mail.envelope_from or ''}> to {', '.join(mail.envelope_to)}\n"
        f"attempts: {mail.attempts}\n\n{(mail.problem or _why(facts)).strip()}\n\n"
        f"{'-' * 72}\n{message}"
    )


@held_command.command("retry")
@click.argument("mail_ids", type=_MAIL_ID, metavar="ID...", nargs=-1)
@click.option("--all", "every", is_flag=True, help="All held messages.")
@config_option
def retry_held(mail_ids: tuple[int, ...], every: bool, config_path: Path | None) -> None:
    """Let the running judge process held messages again.

    Messages awaiting confirmation need a YES from their sender.
    """
    if every == bool(mail_ids):
        raise click.UsageError("name the mails by their ids, or write --all")
    with open_storage(load_config(config_path)) as storage:
        ids = [mail.id for mail in storage.inbound.held()] if every else list(mail_ids)
        missing = [mail_id for mail_id in ids if not storage.inbound.retry(mail_id)]
    click.echo(f"{len(ids) - len(missing)} to be processed again.")
    if missing:
        raise click.ClickException(f"not held: {', '.join(map(str, missing))}")


@held_command.command("drop")
@click.argument("mail_ids", type=_MAIL_ID, metavar="ID...", nargs=-1, required=True)
@click.option("--yes", is_flag=True, help="Skip the confirmation prompt.")
@config_option
def drop_held(mail_ids: tuple[int, ...], yes: bool, config_path: Path | None) -> None:
    """Discard held messages unprocessed. They stay on file, without passwords."""
    if not yes:
        click.confirm("Give these messages up for good?", abort=True, err=True)
    with open_storage(load_config(config_path)) as storage:
        missing = []
        for mail_id in mail_ids:
            with storage.transaction():
                if not questions.drop(storage, mail_id):
                    missing.append(mail_id)
    click.echo(f"{len(mail_ids) - len(missing)} given up.")
    if missing:
        raise click.ClickException(f"not waiting: {', '.join(map(str, missing))}")


def _why(facts: Any) -> str:
    """Return why a mail waits, in a line."""
    if facts["state"] == "asked":
        asked = facts["asked"]
        if asked is None:
            return "its sender is asked in the next question, one a day"
        return f"{asked['address']} was asked, until {asked['until']:%Y-%m-%d}"
    return facts["why"] or "no problem"
