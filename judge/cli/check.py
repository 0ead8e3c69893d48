"""`judge check`: what is configured, tried out."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from judge.cli.common import config_option, json_option, load_config

_MARKS = {"good": "ok", "advice": "better", "bad": "BAD"}


@click.command()
@json_option
@config_option
def command(as_json: bool, config_path: Path | None) -> None:
    """Try out configuration, database, mailboxes, relay, DNS and clock, and say how to mend each.

    Nothing is sent, taken or changed; a judge may run meanwhile. Exit code 1 where something is
    bad. What is marked "better" works, but letters may be taken for spam, or nobody be told.

    \b
    judge check
    judge check --json
    """
    from judge import config as configuration
    from judge.daemon.factory import StartError, imap_settings, signers_of, transport_of
    from judge.ops.check import Parts, check

    config = load_config(config_path)
    try:
        parts = Parts(
            [imap_settings(section, config.smtp.max_size) for section in config.imap],
            transport_of(config),
            signers_of(config),
        )
    except StartError as error:
        raise click.ClickException(str(error)) from error
    found = []
    for finding in check(config, config_path or configuration.find(), parts):
        found.append(finding)
        if not as_json:
            click.echo(f"{_MARKS[finding.state]:<7} {finding.subject}: {finding.said}")
            if finding.mend:
                click.echo(f"        -> {finding.mend}")
    if as_json:
        click.echo(json.dumps([asdict(each) for each in found], indent=2, ensure_ascii=False))
    if any(each.state == "bad" for each in found):
        raise SystemExit(1)
