"""`judge held`: mails that made the judge fail, kept aside for the keeper."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from judge.cli.common import config_option, load_config, open_storage, table


@click.group()
def command() -> None:
    """Look at mails that made the judge fail, and have them worked again.

    Such a mail is kept with the traceback of what happened; its sender has been told once. When
    the cause is mended, retry it.

    \b
    judge held list
    judge held show 12
    judge held retry 12
    """


@command.command("list")
@config_option
def list_held(config_path: Path | None) -> None:
    """List the mails kept aside, oldest first."""
    with open_storage(load_config(config_path)) as storage:
        held = storage.mails.held()
    if not held:
        click.echo("No mail is held.")
        return
    rows = [
        (
            mail.id,
            mail.received_at.strftime("%Y-%m-%d %H:%M"),
            mail.envelope_from or "<>",
            len(mail.raw),
            (mail.problem or "").strip().rpartition("\n")[2],
        )
        for mail in held
    ]
    click.echo(table(rows, ("id", "received", "from", "bytes", "problem")))


@command.command("show")
@click.argument("mail_id", type=int, metavar="ID")
@click.option("--raw", is_flag=True, help="Only the message, byte for byte.")
@config_option
def show_held(mail_id: int, raw: bool, config_path: Path | None) -> None:
    """Show one mail: how it came, what went wrong, and the message itself."""
    with open_storage(load_config(config_path)) as storage:
        mail = storage.mails.find(mail_id)
    if mail is None:
        raise click.ClickException(f"there is no mail {mail_id}")
    if raw:
        sys.stdout.buffer.write(mail.raw)
        return
    click.echo(
        f"Mail {mail.id}, {mail.state}, came by {mail.door} at {mail.received_at:%Y-%m-%d %H:%M} "
        f"UTC\nfrom <{mail.envelope_from}> to {', '.join(mail.envelope_to)}\n"
        f"attempts: {mail.attempts}\n\n{(mail.problem or 'no problem').strip()}\n\n"
        f"{'-' * 72}\n{mail.raw.decode('utf-8', 'backslashreplace')}"
    )


@command.command("retry")
@click.argument("mail_ids", type=int, metavar="ID...", nargs=-1)
@click.option("--all", "every", is_flag=True, help="All that are held.")
@config_option
def retry_held(mail_ids: tuple[int, ...], every: bool, config_path: Path | None) -> None:
    """Have mails worked again by the running judge."""
    if every == bool(mail_ids):
        raise click.UsageError("name the mails by their ids, or write --all")
    with open_storage(load_config(config_path)) as storage:
        ids = [mail.id for mail in storage.mails.held()] if every else list(mail_ids)
        missing = [mail_id for mail_id in ids if not storage.mails.retry(mail_id)]
    click.echo(f"{len(ids) - len(missing)} to be worked again.")
    if missing:
        raise click.ClickException(f"not held: {', '.join(map(str, missing))}")
