"""`judge game`: the games in the database, for the keeper."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from judge.cli.common import (
    config_option,
    echo_json,
    json_option,
    keep,
    keeping,
    load_config,
    open_storage,
    table,
    yes_option,
)
from judge.storage import GOING_ON, Role

if TYPE_CHECKING:
    from judge.storage import Game, Storage


@click.group()
def game_command() -> None:
    """Show games, and act as their game master.

    The game's log records what you do, and players get the same messages as for commands sent by
    email. The judge can be running.

    \b
    judge game list --all --json
    judge game show paris
    judge game set paris "MOVE NEXT 48H" "NO PRESS"
    judge game export paris > paris.txt
    judge game pause paris
    judge game process paris F1903M
    judge game rollback paris F1902M
    judge game do paris "EJECT france"
    """


@game_command.command("list")
@click.option("--all", "every", is_flag=True, help="Include ended games.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
@config_option
def list_games(every: bool, as_json: bool, config_path: Path | None) -> None:
    """List games that are forming, active, or paused."""
    states = () if every else GOING_ON
    with open_storage(load_config(config_path)) as storage:
        facts = [_facts(storage, game) for game in storage.games.all(states)]
    if as_json:
        echo_json(facts)
    elif not facts:
        click.echo("There is no game.")
    else:
        rows = [
            (
                each["name"],
                each["variant"],
                each["state"],
                each["phase"] or "-",
                (each["deadline"] or "-")[:16].replace("T", " "),
                len([seat for seat in each["seats"] if seat["role"] == Role.PLAYER]),
            )
            for each in facts
        ]
        click.echo(table(rows, ("game", "variant", "state", "phase", "deadline UTC", "players")))


@game_command.command("show")
@click.argument("name", metavar="GAME")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@config_option
def show_game(name: str, as_json: bool, config_path: Path | None) -> None:
    """Show one game: people, centers, units, how many orders are in, phases played."""
    with open_storage(load_config(config_path)) as storage:
        game = storage.games.by_name(name)
        if game is None:
            raise click.ClickException(
                f"there is no game {name}; `judge game list --all` lists all"
            )
        facts = {
            **_facts(storage, game),
            "settings": game.settings,
            "position": game.position,
            "outcome": game.outcome and asdict(game.outcome),
            "orders_in": {
                power: len(orders)
                for power, orders in storage.orders.of_phase(game.id, game.phase or "").items()
            },
            "phases": [run.phase for run in storage.history.of_game(game.id)],
        }
    echo_json(facts) if as_json else click.echo(_page(facts))


@game_command.command("set")
@click.argument("name", metavar="GAME")
@click.argument("settings", metavar="[SETTING...]", nargs=-1)
@click.option("--file", "file", type=click.File(encoding="utf-8"), metavar="FILE",
              help="Settings from `judge game export`; - for standard input.")  # fmt: skip
@json_option
@config_option
def set_game(
    name: str,
    settings: tuple[str, ...],
    file: TextIO | None,
    as_json: bool,
    config_path: Path | None,
) -> None:
    """Change settings of a game, written as in CREATE: "MOVE NEXT 48H" is SET MOVE NEXT 48H."""
    lines = [each if each.lower().startswith("set ") else f"SET {each}" for each in settings]
    if file is not None:
        lines += file.read().splitlines()
    if not lines:
        raise click.UsageError('say what to set, such as "MOVE NEXT 48H", or --file FILE')
    keep(config_path, lines, as_json, name)


@game_command.command("export")
@click.argument("name", metavar="GAME")
@config_option
def export_game(name: str, config_path: Path | None) -> None:
    """Print the settings of a game, for use in another game.

    Put them after CREATE in a message, or into `judge game set OTHER --file FILE`.
    """
    from judge.commands.settings import export
    from judge.game.state import State

    with open_storage(load_config(config_path)) as storage:
        game = storage.games.by_name(name)
        if game is None:
            raise click.ClickException(
                f"there is no game {name}; `judge game list --all` lists all"
            )
        click.echo("\n".join(export(State(storage, game))))


@game_command.command("do")
@click.argument("name", metavar="GAME")
@click.argument("lines", metavar="LINE...", nargs=-1, required=True)
@json_option
@yes_option
@config_option
def do_in_game(name: str, lines: tuple[str, ...], as_json: bool, config_path: Path | None) -> None:
    """Run commands (HELP masters) or orders as the game master."""
    keep(config_path, lines, as_json, name)


for name, form, summary, *arguments in (
    ("pause", "PAUSE", "Suspend the deadlines of a game."),
    ("resume", "RESUME", "Resume a paused game with a new deadline."),
    ("process", "PROCESS {phase}", "Adjudicate the current phase, which you must name.", "PHASE"),
    (
        "rollback",
        "ROLLBACK {phase}",
        "Return to the moment before a phase was adjudicated.",
        "PHASE",
    ),
    ("restore", "RESTORE {phase}", "Undo the last rollback.", "[PHASE]"),
    ("end", "TERMINATE {game}", "End a game without a result."),
    ("rename", "RENAME {name}", "Rename a game.", "NAME"),
    ("delete", "PURGE {game}", "Delete a forming game with nobody in it."),
):
    keeping(game_command, name, form, summary, "GAME", *arguments)


def _facts(storage: Storage, game: Game) -> dict[str, Any]:
    """What both commands tell of a game."""
    from judge.game.people.contact import unreached

    seats = []
    for seat in storage.seats.of_game(game.id):
        person = None if seat.person_id is None else storage.people.find(seat.person_id)
        addresses = [] if person is None else storage.people.addresses(person.id)
        seats.append(
            {
                "power": seat.power,
                "role": seat.role,
                "state": seat.state,
                "wait": seat.wait,
                "person": person.name if person else None,
                "addresses": [each.address for each in addresses],
                "unreached": person is not None and unreached(storage, person),
            }
        )
    kept = ("name", "title", "variant", "rulebook", "state", "phase", "deadline", "opened_at",
            "created_at", "started_at", "ended_at")  # fmt: skip
    values = asdict(game)
    return {key: _plain(values[key]) for key in kept} | {"seats": seats}


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value


def _page(facts: dict[str, Any]) -> str:
    """A game in words."""
    lines = [
        f"{facts['name']}: {facts['variant']}, rules of {facts['rulebook']}, {facts['state']}",
        f"phase {facts['phase'] or '-'}, deadline {facts['deadline'] or '-'}",
        f"played: {' '.join(facts['phases']) or 'nothing yet'}",
    ]
    if facts["outcome"]:
        lines.append(f"outcome: {json.dumps(facts['outcome'], ensure_ascii=False)}")
    position = facts["position"] or {}
    rows = [
        (
            seat["power"] or "-",
            seat["role"],
            seat["state"],
            len(position.get("centers", {}).get(seat["power"], ())),
            len(position.get("units", {}).get(seat["power"], ())),
            facts["orders_in"].get(seat["power"], 0),
            f"{seat['person'] or 'nobody'} <{', '.join(seat['addresses'])}>"
            + (", letters come back" if seat["unreached"] else ""),
        )
        for seat in facts["seats"]
    ]
    heads = ("power", "role", "state", "centers", "units", "orders in", "who")
    return "\n".join([*lines, "", table(rows, heads)])
