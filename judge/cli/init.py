"""`judge init`: a judge of one's own."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import click

from judge import config
from judge.cli.database import open_storage
from judge.data import data_path


@click.command()
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path), default=".")
@click.option("--address", metavar="ADDRESS", help="The address players write to.")
@click.option("--keeper", metavar="ADDRESS", help="Your own address, for people who need help.")
@click.option("--zone", metavar="ZONE", help='Your time zone, such as "Europe/Paris".')
@click.option("--service", is_flag=True, help="For systemd, with Postfix on this machine.")
def init_command(
    directory: Path, address: str | None, keeper: str | None, zone: str | None, service: bool
) -> None:
    """Write a configuration with comments, and create a database.

    Both go into DIRECTORY. It overwrites nothing. Without --address, it asks for the address.
    With --service it writes the configuration of a service and its systemd unit instead, and prints
    the commands that start both the judge and Postfix.

    \b
    judge init --address judge@example.org --keeper ann@example.org
    judge init /srv/judge --address judge@example.org --zone Europe/Paris
    judge init /etc/judge --service --address judge@example.org --keeper ann@example.org
    """
    path = directory / "judge.toml"
    if path.exists():
        raise click.ClickException(f"{path} is there already; edit it, or move it away first")
    if address is None:
        address = click.prompt("The address players write to", type=str)
    text = config.example()
    for key, value in (("address", address), ("keeper", keeper), ("zone", zone)):
        if value is not None:
            text = _filled_in(text, key, value)
    if service:
        text = _with_service(text)
    try:
        checked = config.parse(text, path)
    except config.ConfigError as error:
        raise click.ClickException("; ".join(error.problems)) from error
    directory.mkdir(parents=True, exist_ok=True)
    if service:
        _write_service(directory.resolve(), text, checked)
        return
    with open_storage(checked, new=True):
        pass
    # It may come to hold passwords. Written last: it is the sign that all is there.
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    named = "" if directory == Path() else f" --config {path}"
    click.echo(
        f"Wrote {path} and created the database {checked.database.url}.\n"
        f"Messages go into Maildirs under {checked.outgoing.maildir} until you name a relay.\n"
        f"Look through {path}, then start the judge:\n\n    judge run{named}"
    )


_STATE = "/var/lib/judge"
"""Where the unit lets a judge write."""

OF_SERVICE = (
    ("database", "url", f'"sqlite:{_STATE}/judge.db"'),
    ("backup", "key_file", f'"{_STATE}/backup.key"'),
    ("backup", "folder", f'"{_STATE}/backups"'),
    ("smtp", "lmtp", "true"),
    ("outgoing", "maildir", f'"{_STATE}/mail"'),
    ("outgoing.relay", "host", '"127.0.0.1"'),
    ("outgoing.relay", "port", "25"),
    ("outgoing.relay", "security", '"none"'),
)
"""What differs from the defaults: section, setting, and value."""


def _with_service(text: str) -> str:
    """Return the text with the settings of a service behind a Postfix on the same machine."""
    for section, key, value in OF_SERVICE:
        head, opened, rest = re.split(rf"(?m)^#?(\[{re.escape(section)}\])$", text, maxsplit=1)
        rest = re.sub(rf"(?m)^#?{key} = .*$", lambda _: f"{key} = {value}", rest, count=1)  # noqa: B023
        text = f"{head}{opened}{rest}"
    return text


def _write_service(directory: Path, text: str, checked: config.Config) -> None:
    """Write the configuration and the unit, and print what root has to do besides. The database
    belongs to the user of the service, which makes it when it starts."""
    unit, path = directory / "judge.service", directory / "judge.toml"
    if unit.exists():
        raise click.ClickException(f"{unit} is there already; edit it, or move it away first")
    program = Path(shutil.which(sys.argv[0]) or "/usr/local/bin/judge").absolute()
    lines = data_path("judge.service").read_text()
    lines = re.sub("(?m)^ExecStart=.*$", f"ExecStart={program} run --config {path}", lines)
    unit.write_text(lines.replace("#ExecStartPost=", "ExecStartPost="))
    # It has no password; where one comes in, systemd hands it over (LoadCredential=).
    path.write_text(text)
    for each in (unit, path):
        each.chmod(0o644)
    judge, smtp = checked.judge, checked.smtp
    named = "" if directory == Path("/etc/judge") else f" --config {path}"
    click.echo(
        f"Wrote {path} and {unit}. As root, unless it is done:\n\n"
        f"    useradd --system --home-dir {_STATE} --shell /usr/sbin/nologin judge\n"
        f"    apt install postfix\n"
        f"    postconf -e 'mydestination = {judge.domain}, localhost' 'recipient_delimiter = +'\n"
        f"    postconf -e 'transport_maps = texthash:/etc/postfix/transport'\n"
        f"    postconf -e 'local_recipient_maps = $transport_maps proxy:unix:passwd.byname"
        " $alias_maps'\n"
        f"    echo '{judge.address} lmtp:inet:{smtp.host}:{smtp.port}' >> /etc/postfix/transport\n"
        f"    systemctl reload postfix\n"
        f"    systemctl enable --now {unit}\n"
        f"    runuser -u judge -- {program} check{named}\n\n"
        f"Backups lie in {_STATE}/backups: copy them, and their key {_STATE}/backup.key, to two"
        " other places."
    )


def _filled_in(text: str, key: str, value: str) -> str:
    """Return the text with the first setting `key`, commented out or not, set to `value`."""
    quoted = '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return re.sub(rf"^#?{key} = .*$", lambda _: f"{key} = {quoted}", text, count=1, flags=re.M)
