"""`judge init`: a judge of one's own."""

from __future__ import annotations

import os
import re
from pathlib import Path

import click

from judge import config
from judge.cli.database import open_storage


@click.command()
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path), default=".")
@click.option("--address", metavar="ADDRESS", help="The address players write to.")
@click.option("--keeper", metavar="ADDRESS", help="Your own address, for people who need help.")
@click.option("--zone", metavar="ZONE", help='Your time zone, such as "Europe/Paris".')
def init_command(
    directory: Path, address: str | None, keeper: str | None, zone: str | None
) -> None:
    """Write a configuration with comments, and create a database.

    Both go into DIRECTORY. It overwrites nothing. Without --address, it asks for the address.

    \b
    judge init --address judge@example.org --keeper ann@example.org
    judge init /srv/judge --address judge@example.org --zone Europe/Paris
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
    try:
        checked = config.parse(text, path)
    except config.ConfigError as error:
        raise click.ClickException("; ".join(error.problems)) from error
    directory.mkdir(parents=True, exist_ok=True)
    with open_storage(checked, new=True):
        pass
    # It may come to hold passwords. Written last: it is the sign that all is there.
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    named = "" if directory == Path() else f" --config {path}"
    click.echo(
        f"Wrote {path} and created the database {checked.database.url}.\n"
        f"Letters go into Maildirs under {checked.outgoing.maildir} until you name a relay.\n"
        f"Look through {path}, then start the judge:\n\n    judge run{named}"
    )


def _filled_in(text: str, key: str, value: str) -> str:
    """The text with the first setting `key`, commented out or not, set to `value`."""
    quoted = '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return re.sub(rf"^#?{key} = .*$", lambda _: f"{key} = {quoted}", text, count=1, flags=re.M)
