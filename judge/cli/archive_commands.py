"""`judge archive` and `judge ratings`: all public games as files, and what follows from them."""

from __future__ import annotations

from pathlib import Path

import click

from judge.cli.common import Verbs, config_option, counted, json_option, table
from judge.cli.configuration import load_config
from judge.cli.database import open_storage
from judge.cli.printing import echo_json
from judge.interchange import InterchangeError, parse
from judge.records.ratings import INDEX, SYSTEMS, placed, ratings
from judge.site.archive import build


@click.group(cls=Verbs)
def archive_command() -> None:
    """Keep an archive of the public games."""


@archive_command.command("build")
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
@config_option
def build_archive(directory: Path, config_path: Path | None) -> None:
    """Update the archive in DIRECTORY: public games as signed files.

    The index has a row for each game: index.jsonl for programs, index.sqlite for questions.
    Unchanged files stay as they are. The judge can be running.

    \b
    judge archive build /srv/www/judge/archive
    """
    config = load_config(config_path)
    with open_storage(config) as storage:
        games, written = build(storage, directory, config.judge.address)
    click.echo(f"{counted(games, 'game')}: {written} written")


@click.command()
@click.argument("directory", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--system", type=click.Choice([*SYSTEMS]), default="ghost", show_default=True)
@click.option("--category", default="overall", show_default=True, metavar="NAME",
              help="Such as gunboat, standard, or \"press, standard\".")  # fmt: skip
@json_option
def ratings_command(directory: Path, system: str, category: str, as_json: bool) -> None:
    """Work out the ratings of players from the archive in DIRECTORY.

    Everybody who has the archive gets the same numbers. ghost is webDiplomacy's GhostRating, elo
    goes by pairs, and openskill needs the extra `ratings`. docs/ratings.md explains them.

    \b
    judge ratings /srv/www/judge/archive --system elo
    judge ratings archive --category "gunboat, standard" --json
    """
    try:
        lines = (directory / INDEX).read_bytes().splitlines()
        rated = ratings(map(parse, lines), system, category)  # type: ignore[arg-type]
    except (InterchangeError, KeyError, TypeError, AttributeError) as error:
        if str(error) == "'openskill'":
            raise click.ClickException("install pbem-judge[ratings] for this system") from error
        raise click.ClickException(f"{directory / INDEX} is no index of an archive") from error
    rows = [
        {"place": place, "player": each.player, "name": each.name, "rating": each.value,
         "games": len(each.course), "provisional": each.provisional}
        for place, each in placed(rated)
    ]  # fmt: skip
    if as_json:
        echo_json(rows)
        return
    shown = [
        (row["place"], row["name"], f"{row['rating']:.6f}", row["games"],
         "provisional" if row["provisional"] else "")
        for row in rows
    ]  # fmt: skip
    click.echo(table(shown, ("place", "name", "rating", "games", "")))
