"""`judge demo`: a first look."""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path

import click

from judge.cli.common import counted
from judge.demo.pages import write_pages
from judge.demo.play import Demo, DemoFailed, exchange, letter_to
from judge.demo.players import GAME
from judge.demo.server import ServerFailed


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
    stay in DIRECTORY, with pages that show the whole game.

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
        *exchange(by_power["England"], "Spring 1901, movement"),
        *letter_to(by_power["France"], "Winter 1902, adjustments"),
    ):
        click.echo(line)
    config = demo.server.config
    count = sum(len(person.all_letters()) for person in by_power.values())
    click.echo(
        f"{count} messages are in {demo.server.mail}, a Maildir for each player "
        f"(mutt -f {by_power['France'].mailbox}).\n"
        f"The judge's log is {demo.server.log}. To look into this judge, or to write to it:\n"
        f"  {sys.argv[0]} game list --config {config}\n"
        f"  {sys.argv[0]} game show {GAME} --config {config}\n"
        f"  {sys.argv[0]} run --config {config}"
    )
    page = write_pages(demo)
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    click.echo(f"It took {counted(minutes, 'minute')} {counted(seconds, 'second')}.")
    if differences:
        click.echo("\nNOT AS IT SHOULD BE:", err=True)
        for difference in differences:
            click.echo(f"  {difference}", err=True)
        sys.exit(1)
    click.echo("Everything was as it should be.")
    click.echo(f"The whole game, with all messages, in a browser: {page}")


def _make_room(directory: Path) -> None:
    """Empty the folder of an earlier demo; refuse one that holds anything else."""
    if directory.is_dir() and any(directory.iterdir()):
        config = directory / "judge.toml"
        if not (config.is_file() and "judge demo" in config.read_text(errors="replace")):
            raise click.ClickException(f"{directory} holds something that is no demo; name another")
        shutil.rmtree(directory)
