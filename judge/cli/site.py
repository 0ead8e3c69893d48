"""`judge site`: pages of the public games for a web server."""

from __future__ import annotations

from pathlib import Path

import click

from judge.cli.common import config_option, load_config, open_storage


@click.group()
def command() -> None:
    """Write the pages of the public games into a folder."""


@command.command()
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
@click.option("--language", default="en", show_default=True, help="The language of the pages.")
@click.option("--address", default="", metavar="URL", help="Where the folder is served, for feeds.")
@config_option
def build(directory: Path, language: str, address: str, config_path: Path | None) -> None:
    """Bring the pages in DIRECTORY up to date.

    They tell what anybody may ask for by mail, and need no program on the web server. What has not
    changed is left as it is, so that this can run as often as you like, beside a running judge.

    \b
    judge site build /srv/www/judge
    judge site build /srv/www/judge --address https://judge.example.org
    """
    from judge.daemon import profile_of
    from judge.i18n import LANGUAGES
    from judge.site.build import Site

    if language not in LANGUAGES:
        raise click.ClickException(f"there are pages in {', '.join(LANGUAGES)}, not in {language}")
    config = load_config(config_path)
    with open_storage(config) as storage:
        now = config.clock.clock().now()
        profile = profile_of(config)
        site = Site(storage, directory, profile.name, profile.domain, now, language, address)
        try:
            built = site.build()
        except OSError as error:
            raise click.ClickException(f"{error.filename}: {error.strerror}") from error
    click.echo(
        f"games made again: {built.games}, files written: {built.files}, removed: {built.removed}"
    )
