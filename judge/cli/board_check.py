"""`judge variant check`: what is wrong with a board."""

from __future__ import annotations

from pathlib import Path

import click

from judge import variants
from judge.cli.common import counted, progress
from judge.game.orders.spelled import misread, spellings
from judge.rules.variant import Variant


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
def check_variant(path: Path) -> None:
    """Report everything wrong in a variant file, or in all of a folder."""
    files = variants.within(path) if path.is_dir() else [path]
    if not files:
        raise click.ClickException(f"{path}: no variant file (name.toml, or name/name.toml)")
    bad = []
    told = []
    with progress(files, len(files), "Checking") as shown:
        for file in shown:
            problems = variants.check(file)
            if not problems:
                tried, problems = _spellings(variants.read(file))
                good = f"{file} is a good variant. Its names are understood in {tried:,} orders."
            if problems:
                told += [(each if file == path else f"{file}: {each}", True) for each in problems]
                bad.append(f"{file}: {counted(len(problems), 'problem')}")
            else:
                told.append((good, False))
    for line, wrong in told:
        click.secho(line, err=wrong, fg="red" if wrong else "green")
    if bad:
        raise click.ClickException("; ".join(bad))


def _spellings(variant: Variant) -> tuple[int, list[str]]:
    """Return how many orders the names of a board were tried in, and which are not read as they
    should."""
    problems = [
        f"{spelled.text!r} is {f'read as {read!r}' if read else 'refused'} instead of "
        f"{spelled.orders!r}"
        for spelled, read in misread(variant)
    ]
    return sum(1 for _ in spellings(variant)), problems
