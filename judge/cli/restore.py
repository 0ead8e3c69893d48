"""`judge restore`: a backup becomes the judge's database."""

from __future__ import annotations

from pathlib import Path

import click

from judge.cli.common import config_option, load_config, ops_errors


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@config_option
def command(file: Path, config_path: Path | None) -> None:
    """Put what is in a backup into the configured database, which must be empty.

    Stop the judge first, and move its database away. The backup may have been made from SQLite or
    PostgreSQL, whichever is configured now. When the judge starts again it moves deadlines by the
    time since the backup; mails that came in between come in again if you put them back into the
    mailbox. `judge verify` proves the games.

    \b
    judge restore /var/backups/judge/2026-11-21T040000Z.judge-backup
    """
    from judge.ops import backup, encryption

    config = load_config(config_path)
    with ops_errors():
        backup.restore(file, encryption.read_key(config.backup.key_file), config.database.url)
    click.echo(f"Restored {file}. Look at it with `judge verify`, then start the judge.")
