"""`judge mail`: a message on standard input goes into the inbox; and what became of messages."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import click

from judge.cli.common import LazyGroup, config_option
from judge.cli.configuration import load_config
from judge.cli.database import open_storage
from judge.mail.address import addressed
from judge.mail.headers import network

# What a mail server does with the message is decided by these (sysexits.h).
EX_DATAERR = 65
EX_TEMPFAIL = 75


@contextmanager
def or_later(command: str) -> Iterator[None]:
    """End the command if something fails inside, to be tried again later."""
    try:
        yield
    except Exception as error:
        said = error.format_message() if isinstance(error, click.ClickException) else repr(error)
        click.echo(f"judge {command}: not stored, try again: {said}", err=True)
        sys.exit(EX_TEMPFAIL)


class _Mail(LazyGroup):
    """A command that is called wrongly must not cost a mail either."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            _later(error)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            _later(error)


def _later(error: click.UsageError) -> NoReturn:
    click.echo(f"judge mail: not stored, try again: {error.format_message()}", err=True)
    sys.exit(EX_TEMPFAIL)


@click.group(
    cls=_Mail,
    invoke_without_command=True,
    lazy={"list": "tracing_commands:list_mails", "show": "tracing_commands:show_mail"},
)
@click.option(
    "--from", "sender", metavar="ADDRESS", help="Envelope sender, <> for none; else $SENDER."
)
@click.option(
    "--to", "recipient", metavar="ADDRESS", help="Envelope recipient; else $ORIGINAL_RECIPIENT "
    "or $RECIPIENT.",
)  # fmt: skip
@config_option
@click.pass_context
def mail_command(
    context: click.Context, sender: str | None, recipient: str | None, config_path: Path | None
) -> None:
    """Store a message that comes by a pipe, or show what came.

    Use it in .forward files, procmail, and pipes. Exit codes: 0 if the message is stored, 75 if it
    cannot be stored now (the mail server tries again), 65 if it is empty or too large. The daemon
    processes it within seconds.

    \b
    In ~/.forward:      "|/usr/local/bin/judge mail --config /etc/judge/judge.toml"
    By hand:            judge mail < message.eml
    What came in:       judge mail list ann@example.org
    """
    if context.invoked_subcommand is not None:
        return
    # Whatever goes wrong, the message must not be lost: its sender's server keeps it.
    with or_later("mail"):
        _accept(sender, recipient, config_path)


def _accept(sender: str | None, recipient: str | None, config_path: Path | None) -> None:

    config = load_config(config_path)
    raw = sys.stdin.buffer.read(config.smtp.max_size + 1)
    if raw.startswith(b"From "):
        # The separator of an mbox, which some mail servers put in front, names the envelope sender.
        separator, _, raw = raw.partition(b"\n")
        words = separator.decode("ascii", "replace").split()
        sender = sender or (words[1] if len(words) > 1 else None)
    if not raw.strip():
        click.echo("judge mail: there is no message on standard input", err=True)
        sys.exit(EX_DATAERR)
    if len(raw) > config.smtp.max_size:
        limit = config.smtp.max_size
        click.echo(f"judge mail: refused, larger than {limit} bytes (smtp.max_size)", err=True)
        sys.exit(EX_DATAERR)
    environment = os.environ
    known = (recipient, environment.get("ORIGINAL_RECIPIENT"), environment.get("RECIPIENT"))
    handed = next(([each] for each in known if each), [])
    with open_storage(config) as storage:
        for house, own in addressed(config.reached(), handed, raw).items():
            storage.inbound.accept(
                raw,
                door="pipe",
                envelope_from=_path(sender or environment.get("SENDER")),
                envelope_to=own or [config.judge.address],
                received_at=config.clock.clock().now(),
                most=config.limits.megabytes * 1_000_000,
                network=network(raw, config.trust.servers),
                house=house,
            )


def _path(sender: str | None) -> str | None:
    """Return the return path a mail server names; None where it names none, "" where there is none.

    The null path is `<>`, or what Postfix makes of it (pipe(8), `null_sender`). An empty word is
    none that anybody set, and no reason to leave a mail unanswered.
    """
    if not sender:
        return None
    return "" if sender in ("<>", "MAILER-DAEMON") else sender.strip("<> ")
