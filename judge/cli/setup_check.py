"""`judge check`: whether the judge is set up well."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path

import click

from judge.cli.common import config_option, json_option
from judge.cli.configuration import load_config
from judge.cli.printing import echo_json
from judge.daemon.factory import StartError, imap_settings, signers_of, transport_of
from judge.data import find_config
from judge.ops.check import Parts, check
from judge.ops.spf import Address

_MARKS = {"good": ("ok", "green"), "advice": ("better", "yellow"), "bad": ("BAD", "red")}


def _address(text: str) -> Address:
    try:
        return ip_address(text)
    except ValueError as error:
        raise click.BadParameter("write an IP address such as 192.0.2.7") from error


@click.command()
@json_option
@click.option(
    "--from",
    "leaves",
    multiple=True,
    metavar="ADDRESS",
    type=_address,
    help="IP address that messages leave from, if the relay is on this machine or near it.",
)
@config_option
def check_command(as_json: bool, leaves: tuple[Address, ...], config_path: Path | None) -> None:
    """Check that everything works, and say how to fix what does not.

    It looks at the configuration, database, mailboxes, relay, DNS, and clock, asks lists of
    addresses that send spam about the address that messages leave from, and tries whether the
    server that gets your mail encrypts it (STARTTLS). It changes nothing.
    It sends nothing, except, if [trust] authserv_id is set, one message with forged results to the
    judge itself, which should be running. Exit code 1: something is bad. Results marked "better"
    work, but messages may be taken for spam, or nobody may get alarms.

    \b
    judge check
    judge check --json
    judge check --from 192.0.2.7
    """
    config = load_config(config_path)
    try:
        parts = Parts(
            [imap_settings(section, config.smtp.max_size) for section in config.imap],
            transport_of(config),
            {key: signers_of(house) for key, house in config.by_house().items()},
        )
    except StartError as error:
        raise click.ClickException(str(error)) from error
    found = []
    for finding in check(config, config_path or find_config(), parts, leaves=leaves):
        found.append(finding)
        if not as_json:
            mark, color = _MARKS[finding.state]
            click.echo(f"{click.style(f'{mark:<7}', fg=color)} {finding.subject}: {finding.said}")
            if finding.mend:
                click.echo(f"        -> {finding.mend}")
    if as_json:
        echo_json(found)
    if any(each.state == "bad" for each in found):
        raise SystemExit(1)
