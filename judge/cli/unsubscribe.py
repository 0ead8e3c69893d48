"""`judge unsubscribe`: what a web server was posted."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from judge.cli.common import config_option
from judge.cli.configuration import load_config
from judge.cli.database import open_storage
from judge.cli.pipe import EX_DATAERR, or_later
from judge.daemon import profile_of
from judge.intake.one_click import unsubscribe


@click.command()
@click.argument("token")
@config_option
def unsubscribe_command(token: str, config_path: Path | None) -> None:
    """Do what one click on "unsubscribe" in a mail program asks for.

    TOKEN is what follows the address that `[outgoing] unsubscribe` names. It is put into the inbox
    like the mail that the same button writes elsewhere: an observer stops watching, and anyone who
    plays is asked first. Exit codes: 0 if it is stored, 65 if the token is none of this judge's, 75
    if it cannot be stored now.
    """
    with or_later("unsubscribe"):
        config = load_config(config_path)
        with open_storage(config) as storage:
            now = config.clock.clock().now()
            known = any(
                unsubscribe(storage.of(key), profile_of(each), token, now)
                for key, each in config.by_house().items()
            )
    if not known:
        click.echo("judge unsubscribe: this token is none of mine", err=True)
        sys.exit(EX_DATAERR)
