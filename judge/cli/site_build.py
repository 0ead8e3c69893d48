"""`judge site`: web pages of the public games."""

from __future__ import annotations

from pathlib import Path

import click

from judge.cli.common import Verbs, config_option, counted
from judge.cli.configuration import load_config
from judge.cli.database import open_storage
from judge.daemon import profile_of
from judge.i18n import DEFAULT_LANGUAGE, LANGUAGES
from judge.site import Site


@click.group(cls=Verbs)
def site_command() -> None:
    """Write web pages of the public games."""


@site_command.command()
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    default=DEFAULT_LANGUAGE,
    show_default=True,
    help="The language of the pages.",
)
@click.option("--address", default="", metavar="URL", help="URL of the folder, for feeds.")
@config_option
def build(directory: Path, language: str, address: str, config_path: Path | None) -> None:
    """Update the pages in DIRECTORY.

    They show what anybody can ask for by email, and need no program on the web server. Unchanged
    pages stay as they are, so you can run this as often as you like. The judge can be running.

    \b
    judge site build /srv/www/judge
    judge site build /srv/www/judge --address https://judge.example.org
    """
    config = load_config(config_path)
    with open_storage(config) as storage:
        now = config.clock.clock().now()
        profile = profile_of(config)
        site = Site(storage, directory, profile.name, profile.address, now, language, address)
        try:
            built = site.build()
        except OSError as error:
            place = error.filename or directory
            raise click.ClickException(f"{place}: {error.strerror}") from error
    games, files = counted(built.games, "game"), counted(built.files, "file")
    click.echo(f"{games} made again: {files} written, {built.removed} removed")
