"""`judge move`: from one database to another."""

from __future__ import annotations

from pathlib import Path

import click

from judge.cli.common import ops_errors


@click.command()
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def command(source: str, target: str) -> None:
    """Carry a judge over into another database, and compare what has arrived with what was there.

    Stop the judge first; mail that comes in meanwhile waits with its sender. TO must be empty.
    Afterwards FROM refuses to be used: name TO in the configuration and start the judge.

    \b
    judge move sqlite:/srv/judge/judge.db postgresql://judge@db.example.org/judge
    judge move postgresql://judge@db.example.org/judge sqlite:/srv/judge/judge.db
    """
    from judge.ops import backup

    with ops_errors():
        digests = backup.move(_absolute(source), _absolute(target))
    rows = sum(int(each.partition(":")[0]) for each in digests.values())
    click.echo(f"Moved and compared {rows} rows in {len(digests)} tables.")


def _absolute(url: str) -> str:
    scheme, _, path = url.partition(":")
    return f"sqlite:{Path(path).expanduser().absolute()}" if scheme == "sqlite" and path else url
