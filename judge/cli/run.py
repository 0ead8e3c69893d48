"""`judge run`: the daemon."""

from __future__ import annotations

import gc
import os
import signal
import sys
from importlib import import_module
from pathlib import Path

import click

from judge import logs
from judge.cli.common import config_option
from judge.cli.configuration import load_config
from judge.memory import share_what_is_free


@click.command()
@config_option
def run_command(config_path: Path | None) -> None:
    """Start the judge.

    SIGTERM and SIGINT (Ctrl-C) stop it after the current message. Nothing is lost if you kill it.
    SIGHUP makes it read everything anew, the configuration, certificates and texts; if the
    configuration is wrong it says so and goes on.
    It logs to standard error and tells systemd when it is ready.

    \b
    judge run
    judge run --config /etc/judge/judge.toml
    """
    # It would kill; it waits until it can be followed (Daemon.run).
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    # What is loaded stays: it is no garbage to look for.
    gc.disable()
    share_what_is_free()
    config = load_config(config_path)
    # Where it is installed, babel looks for the file of each of its 600 time zones.
    sys.modules["pytz"] = None  # type: ignore[assignment]
    if config.database.url.startswith("sqlite:"):
        # peewee loads this driver wherever it is installed, which takes longer than peewee itself.
        sys.modules["psycopg"] = None  # type: ignore[assignment]
    # From the bottom up: deep in the stack Python 3.11 gets memory anew at every call.
    for each in ("language.read", "sentences", "storage", "render"):
        import_module(f"judge.{each}")
    # Loaded behind these, which spare a start 80 ms and a judge 9 MB.
    from judge.daemon import AGAIN, Daemon, StartError, check

    gc.freeze()
    gc.enable()
    logs.set_up(config.log.level, form=config.log.format)
    try:
        status = Daemon(config).run(lambda: check(load_config(config_path)))
    except StartError as error:
        raise click.ClickException(str(error)) from error
    if status == AGAIN:
        # Everything is read anew: certificates, limits, texts, the program, which does not follow
        # signals while it is loaded.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606
    sys.exit(status)
