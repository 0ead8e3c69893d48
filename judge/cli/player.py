"""`judge player`: the people the judge knows, for the keeper."""

from __future__ import annotations

from pathlib import Path

import click

from judge.cli.common import Verbs, config_option, json_option, table
from judge.cli.configuration import load_config
from judge.cli.database import open_storage
from judge.cli.keeping import keeping
from judge.cli.printing import echo, echo_json
from judge.commands.keeper_commands import Account
from judge.ops.forgetting import PlaysStill, forget
from judge.ops.hints import hints
from judge.storage import GameState, SeatState

LATE = 100
"""People who are listed without `--all`."""


@click.group(cls=Verbs)
def player_command() -> None:
    """Show and change people, their addresses, and who can join.

    The people concerned get a message, and the log records what you do. The judge can be running.

    \b
    judge player list
    judge player show ann@example.org --json
    judge player hints
    judge player rename ann@example.org "Ann Lee"
    judge player merge ann@old.example ann@example.org
    judge player address add ann@new.example ann@example.org
    judge player ban "*@spam.example"
    """


@player_command.command("list")
@click.option("--all", "every", is_flag=True, help="Not only the last 100 who came.")
@json_option
@config_option
def list_players(every: bool, as_json: bool, config_path: Path | None) -> None:
    """List people: name, addresses, current games, reliability."""
    with open_storage(load_config(config_path)) as storage:
        people = storage.people.last(None if every else LATE)
        found = [Account.of(storage, person) for person in people]
    if as_json:
        echo_json(found)
    elif not found:
        click.echo("Nobody has written yet.")
    else:
        heads = ("name", "addresses", "since", "games", "on time", "remarks")
        echo(table([_row(each) for each in found], heads))


@player_command.command("show")
@click.argument("address", metavar="ADDRESS")
@json_option
@config_option
def show_player(address: str, as_json: bool, config_path: Path | None) -> None:
    """Show one person: addresses, seats in games, reliability."""
    with open_storage(load_config(config_path)) as storage:
        person = storage.people.by_address(address)
        if person is None:
            raise click.ClickException(
                f"nobody has the address {address}; `judge player list` lists all"
            )
        account = Account.of(storage, person)
    echo_json(account) if as_json else echo(_page(account))


@player_command.command("hints")
@click.option("--all", "every", is_flag=True, help="Not only those who play together at present.")
@json_option
@config_option
def list_hints(every: bool, as_json: bool, config_path: Path | None) -> None:
    """List pairs of people who may be one person, by how they write.

    A hint is no proof: families and clubs share a network. Nothing is kept for it but what tells
    forged mail from true, and nobody but you sees it.
    """
    with open_storage(load_config(config_path)) as storage:
        found = hints(storage, together=not every)
    if as_json:
        echo_json(found)
    elif not found:
        click.echo("No two people look like one.")
    else:
        heads = ("one", "the other", "ways of their own", "same mailbox", "games of both")
        rows = [
            (
                *(
                    f"{name} ({', '.join(of)})"
                    for name, of in zip(each.names, each.addresses, strict=True)
                ),
                each.ways,
                "yes" if each.mailbox else "no",
                ", ".join(each.games) or "-",
            )
            for each in found
        ]
        echo(table(rows, heads))


@player_command.group("address", cls=Verbs)
def address_group() -> None:
    """Add and remove addresses of people."""


for line in (
    (player_command, "rename", "RENAME PLAYER {address} {name}", "Rename a person.",
     "ADDRESS", "NAME"),
    (player_command, "merge", "MERGE {address} INTO {into}",
     "Merge two records of one person into the second.", "ADDRESS", "INTO"),
    (address_group, "add", "ADD ADDRESS {new} FOR {address}",
     "Add the address NEW to the person who has ADDRESS.", "NEW", "ADDRESS"),
    (address_group, "remove", "REMOVE ADDRESS {address}",
     "Remove an address, but not a person's last one.", "ADDRESS"),
    (player_command, "ban", "BAN {address}",
     "Keep people out of new games; without an address, show the list.",
     "[ADDRESS...]"),
    (player_command, "unban", "UNBAN {address}", "Let people into games again.", "ADDRESS..."),
):  # fmt: skip
    keeping(*line)


def _remarks(account: Account) -> str:
    said = ((account.barred, "banned"), (account.unreached, "messages come back"))
    return ", ".join(text for so, text in said if so) or "-"


def _on_time(account: Account) -> str:
    return "-" if account.punctuality is None else f"{account.punctuality:.3f}"


def _row(account: Account) -> tuple[object, ...]:
    running = {
        each.game
        for each in account.parts
        if each.game_state != GameState.ENDED and each.state == SeatState.ACTIVE
    }
    addresses = ", ".join(each.address for each in account.addresses)
    since = f"{account.since:%Y-%m-%d}"
    return account.name, addresses, since, len(running), _on_time(account), _remarks(account)


def _page(account: Account) -> str:
    """Return a person in words."""
    addresses = [
        (each.address, "yes" if each.proved else "no", each.state) for each in account.addresses
    ]
    lines = [
        f"{account.name}, since {account.since:%Y-%m-%d}, language {account.language}, "
        f"time zone {account.time_zone or '-'}",
        f"on time: {_on_time(account)}, dedication: {account.dedication}, "
        f"remarks: {_remarks(account)}",
        "",
        table(addresses, ("address", "proved", "state")),
    ]
    if account.parts:
        parts = [(each.game, each.game_state, each.part, each.state) for each in account.parts]
        lines += ["", table(parts, ("game", "its state", "part", "state"))]
    return "\n".join(lines)


@player_command.command("forget")
@click.argument("address", metavar="ADDRESS")
@click.option("--yes", is_flag=True, help="Skip the confirmation prompt.")
@config_option
def forget_player(address: str, yes: bool, config_path: Path | None) -> None:
    """Erase a person's name, addresses, messages, diaries, and record.

    Their games stay, without their name; so does press that others received. You cannot undo this.
    The person must leave all games first. Older backups still have the data until you delete them
    (`judge backup DIRECTORY --keep N`).
    """
    config = load_config(config_path)
    if not yes:
        click.confirm(f"Forget anyone who has {address}, for good?", abort=True)
    with open_storage(config) as storage:
        try:
            forget(storage, address, config.clock.clock().now())
        except (LookupError, PlaysStill) as error:
            raise click.ClickException(str(error.args[0])) from error
    click.echo("Forgotten.")
