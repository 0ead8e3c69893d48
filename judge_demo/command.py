"""`judge demo`."""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path

import click

from judge_demo.play import Demo, DemoFailed, exchange, letter_to
from judge_demo.server import ServerFailed


@click.command()
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path), default="demo")
@click.option(
    "--until", "last_turn", default="F1905", show_default=True, metavar="TURN",
    help="The turn after which the game ends.",
)  # fmt: skip
@click.option("--seed", default=1901, show_default=True, help="Seed of the players' choices.")
def demo_command(directory: Path, last_turn: str, seed: int) -> None:
    """Watch seven players play a game by email.

    It starts a real judge in DIRECTORY, with its own database and ports. The players play the
    sample game of the 2023 rulebook, continue until TURN, and check every phase. Their mailboxes
    stay in DIRECTORY.

    Exit code 1: a result differed from the expected one.

    \b
    judge demo
    judge demo /tmp/demo --until F1907
    """
    _make_room(directory)
    began = time.monotonic()
    demo = Demo(directory.absolute(), say=click.echo, last_turn=last_turn, seed=seed, pictures=True)
    try:
        differences = demo.play()
    except (DemoFailed, ServerFailed) as error:
        raise click.ClickException(str(error)) from error
    click.echo()
    by_power = {player.power: player.person for player in demo.players}
    for line in (
        *exchange(by_power["England"], "S1901M Start"),
        *letter_to(by_power["France"], "F1902R Results"),
    ):
        click.echo(line)
    click.echo(f"The mailboxes, for any program that reads Maildirs (mutt -f {directory}/...):")
    for person in [demo.master, *(player.person for player in demo.players)]:
        click.echo(f"  {person.name:<8} {len(person.all_letters()):3} letters  {person.mailbox}")
    click.echo(
        f"The judge's log is {demo.server.log}.\n"
        f"To write to this judge yourself: {sys.argv[0]} run --config {demo.server.config}\n"
        f"{time.monotonic() - began:.0f} seconds."
    )
    if differences:
        click.echo("\nNOT AS IT SHOULD BE:", err=True)
        for difference in differences:
            click.echo(f"  {difference}", err=True)
        sys.exit(1)
    click.echo("Everything was as it should be.")


def _make_room(directory: Path) -> None:
    """Empty the folder of an earlier demo; refuse one that holds anything else."""
    if directory.is_dir() and any(directory.iterdir()):
        config = directory / "judge.toml"
        if not (config.is_file() and "judge demo" in config.read_text(errors="replace")):
            raise click.ClickException(f"{directory} holds something that is no demo; name another")
        shutil.rmtree(directory)
