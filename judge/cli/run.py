"""`judge run`: the daemon."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from judge.cli.common import config_option, load_config


@click.command()
@config_option
def command(config_path: Path | None) -> None:
    """Start the judge and run it until it is told to stop.

    SIGTERM and SIGINT (Ctrl-C) stop it gently: the mail in work is finished. Nothing is lost if it
    is killed, either. It logs to standard error and tells systemd when it is ready.

    \b
    judge run
    judge run --config /etc/judge/judge.toml
    """
    from judge import logs
    from judge.daemon import Daemon, StartError

    config = load_config(config_path)
    logs.set_up(config.log.level, form=config.log.format)
    try:
        status = Daemon(config).run()
    except StartError as error:
        raise click.ClickException(str(error)) from error
    sys.exit(status)
