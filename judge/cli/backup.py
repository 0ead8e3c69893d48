"""`judge backup`: everything there is, in one encrypted file."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from judge.cli.common import config_option, load_config, open_storage, ops_errors


@click.command()
@click.argument("place", type=click.Path(path_type=Path), metavar="FILE|DIRECTORY")
@click.option(
    "--keep", type=click.IntRange(1), metavar="N", help="Delete all but the N newest in DIRECTORY."
)
@config_option
def command(place: Path, keep: int | None, config_path: Path | None) -> None:
    """Write all the judge knows, as it is at this instant, into a file that only its key opens.

    The judge may run meanwhile. In a DIRECTORY (--keep makes it where there is none) the file is
    named after the time. The first backup makes the key (backup.key_file in the configuration):
    keep a copy of it somewhere else.

    \b
    judge backup /var/backups/judge --keep 30
    judge backup judge.judge-backup
    """
    from judge.ops import backup, encryption

    config = load_config(config_path)
    key_file = config.backup.key_file
    if keep is not None and not place.is_dir():
        with ops_errors():
            place.mkdir(mode=0o700)
    path = place / backup.name_for(datetime.now(UTC)) if place.is_dir() else place
    if path.exists():
        raise click.ClickException(f"{path} is there already")
    with ops_errors():
        fresh = not key_file.exists()
        key = encryption.make_key(key_file) if fresh else encryption.read_key(key_file)
        with open_storage(config) as storage:
            backup.write(storage, path, key)
        gone = backup.thin_out(place, keep) if keep is not None else []
    click.echo(f"Wrote {path}, {path.stat().st_size} bytes, and read it back.")
    if gone:
        click.echo(f"Deleted {len(gone)} older.")
    if fresh:
        click.echo(f"Made the key {key_file}. Keep a copy elsewhere: no backup opens without it.")
