"""`judge backup`, `restore`, `verify`, `move`: whole databases."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import click

from judge.cli.common import config_option, counted, json_option, progress
from judge.cli.configuration import load_config
from judge.cli.database import open_storage
from judge.cli.printing import echo_json
from judge.ops import backup
from judge.ops.backup import EncryptionError
from judge.ops.machine import name_for
from judge.ops.replay import replay
from judge.storage import StorageError, Unavailable


@contextmanager
def ops_errors() -> Iterator[None]:
    """Say what is in the way of files and databases in one line. Raises ClickException."""
    try:
        yield
    except (OSError, EncryptionError, StorageError, Unavailable) as error:
        raise click.ClickException(str(error)) from error


@click.command()
@click.argument("place", type=click.Path(path_type=Path), metavar="FILE|DIRECTORY")
@click.option(
    "--keep", type=click.IntRange(1), metavar="N", help="Delete all but the N newest in DIRECTORY."
)
@config_option
def backup_command(place: Path, keep: int | None, config_path: Path | None) -> None:
    """Write an encrypted backup of the whole judge.

    The judge can be running. In a DIRECTORY the file is named after the time; --keep creates one
    that is missing, and so is backup.folder of the configuration. The first backup creates the key
    (backup.key_file in the configuration): keep a copy of it elsewhere.

    \b
    judge backup /var/backups/judge --keep 30
    judge backup judge.judge-backup
    """
    config = load_config(config_path)
    key_file = config.backup.key_file
    # The folder of the judge's own backups is never a file, which would keep it from starting.
    folder = keep is not None or place.absolute() == config.backup.folder
    if folder and not place.is_dir():
        with ops_errors():
            place.mkdir(mode=0o700)
    path = place / name_for(datetime.now(UTC)) if place.is_dir() else place
    if path.exists():
        raise click.ClickException(f"{path} is there already")
    with ops_errors():
        fresh = not key_file.exists()
        key = backup.key_in(key_file)
        with open_storage(config) as storage:
            backup.write(storage, path, key)
        gone = backup.thin_out(place, keep) if keep is not None else []
    click.echo(f"Wrote {path}, {path.stat().st_size} bytes, and read it back.")
    if gone:
        click.echo(f"Deleted {len(gone)} older.")
    if fresh:
        click.echo(f"Made the key {key_file}. Keep a copy elsewhere: no backup opens without it.")


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@config_option
def restore_command(file: Path, config_path: Path | None) -> None:
    """Restore a backup to the configured database.

    The database must be empty. Stop the judge first, and move its database away. Backups of SQLite
    and PostgreSQL fit both. When the judge starts, it moves deadlines by the time since the backup.
    To process messages received since then again, put them back into the mailbox. Check the games
    with `judge verify`.

    \b
    judge restore /var/backups/judge/2026-11-21T040000Z.judge-backup
    """
    config = load_config(config_path)
    with ops_errors():
        backup.restore(file, backup.read_key(config.backup.key_file), config.database.url)
    click.echo(f"Restored {file}. Look at it with `judge verify`, then start the judge.")


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@json_option
@config_option
def verify_command(games: tuple[str, ...], as_json: bool, config_path: Path | None) -> None:
    """Adjudicate every phase of games again, and compare the results.

    Without a GAME: of all games. It changes nothing. The judge can be running. Exit code 1: a
    result differs from the stored one.

    \b
    judge verify
    judge verify paris --json
    """
    with open_storage(load_config(config_path)) as storage:
        try:
            count = len(games) or sum(storage.queue_metrics.games().values())
            with progress(replay(storage, games), count, "Verifying") as shown:
                found = list(shown)
        except LookupError as error:
            raise click.ClickException(str(error.args[0])) from error
    wrong = [f"{each.game}: {fault}" for each in found for fault in each.faults]
    if as_json:
        plain = [
            {"game": each.game, "phases": each.phases, "faults": list(each.faults)}
            for each in found
        ]
        echo_json(plain)
    else:
        phases = sum(each.phases for each in found)
        told = "all as on file" if not wrong else "NOT all as on file"
        click.echo(f"{counted(len(found), 'game')}, {counted(phases, 'phase')}: {told}.")
    if wrong:
        raise click.ClickException("\n".join(wrong))


@click.command()
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def move_command(source: str, target: str) -> None:
    """Copy a judge to another database, and compare the two.

    Stop the judge first; new mail waits at its senders. TO must be empty. Afterwards FROM is
    locked: name TO in the configuration and start the judge.

    \b
    judge move sqlite:/srv/judge/judge.db postgresql://judge@db.example.org/judge
    judge move postgresql://judge@db.example.org/judge sqlite:/srv/judge/judge.db
    """
    with ops_errors():
        digests = backup.move(_absolute(source), _absolute(target))
    rows = sum(int(each.partition(":")[0]) for each in digests.values())
    click.echo(f"Moved and compared {rows} rows in {len(digests)} tables.")


def _absolute(url: str) -> str:
    scheme, _, path = url.partition(":")
    return f"sqlite:{Path(path).expanduser().absolute()}" if scheme == "sqlite" and path else url
