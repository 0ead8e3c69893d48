"""`judge verify`: every phase of every game runs again."""

from __future__ import annotations

import json
from pathlib import Path

import click

from judge.cli.common import config_option, json_option, load_config, open_storage


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@json_option
@config_option
def command(games: tuple[str, ...], as_json: bool, config_path: Path | None) -> None:
    """Run every phase of all games, or of those named, again from its orders on file, and compare.

    Changes nothing, and may be called while the judge runs. Exit code 1 where anything came out
    otherwise than it is on file.

    \b
    judge verify
    judge verify paris --json
    """
    from judge.ops.replay import replay

    with open_storage(load_config(config_path)) as storage:
        try:
            found = list(replay(storage, games))
        except LookupError as error:
            raise click.ClickException(str(error.args[0])) from error
    wrong = [f"{each.game}: {fault}" for each in found for fault in each.faults]
    if as_json:
        plain = [
            {"game": each.game, "phases": each.phases, "faults": list(each.faults)}
            for each in found
        ]
        click.echo(json.dumps(plain, indent=2, ensure_ascii=False))
    else:
        phases = sum(each.phases for each in found)
        told = "all as on file" if not wrong else "NOT all as on file"
        click.echo(f"{len(found)} games, {phases} phases: {told}.")
    if wrong:
        raise click.ClickException("\n".join(wrong))
