"""`judge game`: the games in the database, for the keeper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

import click
from msgspec.structs import asdict

from judge.cli.common import Verbs, config_option, counted, json_option, table, yes_option
from judge.cli.configuration import load_config
from judge.cli.database import game_named, open_storage
from judge.cli.game_file_commands import file_command, import_command
from judge.cli.keeping import keep, keeping
from judge.cli.printing import echo, echo_json
from judge.commands.setting_commands import export
from judge.game.people.contact import reached
from judge.game.state import State
from judge.sentences.terms import listed, phase_words
from judge.storage import (
    GOING_ON,
    Address,
    Game,
    GameState,
    Person,
    Seat,
    SeatState,
    Storage,
)

LATE = 10
"""Ended games that are listed unless all are wanted."""

AT_ONCE = 500
"""Games whose people are read at once."""


@click.group(cls=Verbs)
def game_command() -> None:
    """Show games, and act as their game master.

    The game's log records what you do, and players get the same messages as for commands sent by
    email. The judge can be running.

    \b
    judge game list --all --json
    judge game show paris
    judge game set paris "MOVE NEXT 48H" "NO PRESS"
    judge game export paris > paris.txt
    judge game file paris > paris.json
    judge game import paris.json
    judge game pause paris
    judge game process paris F1903M
    judge game rollback paris F1902M
    judge game do paris "EJECT france"
    """


@game_command.command("list")
@click.option("--all", "every", is_flag=True, help="Include all ended games.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
@config_option
def list_games(every: bool, as_json: bool, config_path: Path | None) -> None:
    """List games that are not over, and the last ten that ended."""
    with open_storage(load_config(config_path)) as storage:
        late = [] if every else storage.games.last_ended(LATE)
        states = tuple(GameState) if every else GOING_ON
        if as_json:
            games = storage.games.all(states) + late
            games.sort(key=lambda game: game.id)
            echo_json(list(_facts(storage, games)))
            return
        found = storage.games.overview(states, [game.id for game in late])
    if not found:
        click.echo("There is no game.")
    else:
        rows = [
            (
                *(each.name, each.variant, each.state, each.phase or "-"),
                f"{each.deadline:%Y-%m-%d %H:%M}" if each.deadline else "-",
                each.players,
            )
            for each in found
        ]
        click.echo(table(rows, ("game", "variant", "state", "phase", "deadline UTC", "players")))


@game_command.command("show")
@click.argument("name", metavar="GAME")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@config_option
def show_game(name: str, as_json: bool, config_path: Path | None) -> None:
    """Show people, centers, units, and orders that are in of one game."""
    with open_storage(load_config(config_path)) as storage:
        game = game_named(storage, name)
        facts = {
            **next(_facts(storage, [game])),
            "settings": game.settings,
            "position": game.position,
            "outcome": game.outcome and asdict(game.outcome),
            "orders_in": {
                power: len(orders)
                for power, orders in storage.orders(game.id).of_phase(game.phase or "").items()
            },
            "phases": [run.phase for run in storage.history.of_game(game.id)],
        }
    echo_json(facts) if as_json else echo(_page(facts))


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
    """Change settings of a game. They are written as in CREATE: "MOVE NEXT 48H"."""
    lines = [each if each.lower().startswith("set ") else f"SET {each}" for each in settings]
    if file is not None:
        try:
            lines += file.read().splitlines()
        except UnicodeDecodeError as error:
            raise click.ClickException(f"{file.name} is no text in UTF-8") from error
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
    with open_storage(load_config(config_path)) as storage:
        game = game_named(storage, name)
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


game_command.add_command(file_command)
game_command.add_command(import_command)


def _facts(storage: Storage, games: Sequence[Game]) -> Iterator[dict[str, Any]]:
    """Yield what both commands tell of games, in four queries for some hundred."""
    for start in range(0, len(games), AT_ONCE):
        some = games[start : start + AT_ONCE]
        seats = storage.seats.of_games([game.id for game in some])
        ids = {each.person_id for own in seats.values() for each in own if each.person_id}
        people = {each.id: each for each in storage.people.all_of(sorted(ids))}
        addresses = storage.people.all_addresses(sorted(ids))
        for game in some:
            yield _told(game, seats[game.id], people, addresses)


def _told(
    game: Game,
    seats: Sequence[Seat],
    people: Mapping[int, Person],
    addresses: Mapping[int, Sequence[Address]],
) -> dict[str, Any]:
    told = []
    for seat in seats:
        person = people.get(seat.person_id or 0)
        known = addresses.get(seat.person_id or 0, ())
        told.append(
            {
                "power": seat.power,
                "role": seat.role,
                "state": seat.state,
                "wait": seat.wait,
                "person": person.name if person else None,
                "addresses": [each.address for each in known],
                "unreached": person is not None and not reached(known),
            }
        )
    kept = ("name", "title", "variant", "rulebook", "state", "phase", "deadline", "opened_at",
            "created_at", "started_at", "ended_at")  # fmt: skip
    values = asdict(game)
    return {key: values[key] for key in kept} | {"seats": told}


def _page(facts: Mapping[str, Any]) -> str:
    """Return a game for people to read."""
    lines = [f"{facts['name']}: {facts['variant']}, rules of {facts['rulebook']}, {facts['state']}"]
    over = facts["state"] == GameState.ENDED
    if facts["phase"] and not over:
        phase = facts["phase"]
        lines.append(f"Phase: {phase_words(phase)} ({phase}), deadline {_time(facts['deadline'])}")
    if outcome := facts["outcome"]:
        winners = f", {listed(outcome['winners'])}" if outcome["winners"] else ""
        lines.append(f"Ended: {_time(facts['ended_at'])}, by {outcome['ending']}{winners}")
    if played := facts["phases"]:
        lines.append(f"Played: {counted(len(played), 'phase')}, {played[0]} to {played[-1]}")
    position = facts["position"] or {}
    rows = [
        (
            seat["power"],
            len(position.get("centers", {}).get(seat["power"], ())),
            len(position.get("units", {}).get(seat["power"], ())),
            *([] if over else [facts["orders_in"].get(seat["power"], 0)]),
            _person(seat),
        )
        for seat in facts["seats"]
        if seat["power"]
    ]
    if rows:
        orders = () if over else ("orders in",)
        lines += ["", table(rows, ("power", "centers", "units", *orders, "player"))]
    others = [f"{seat['role'].capitalize()}: {_person(seat)}" for seat in facts["seats"]
              if not seat["power"]]  # fmt: skip
    return "\n".join([*lines, "", *others] if others else lines)


def _person(seat: Mapping[str, Any]) -> str:
    """Return who has a seat, and what is special about it."""
    who = f"{seat['person']} <{', '.join(seat['addresses'])}>" if seat["person"] else "nobody"
    state = "" if seat["state"] == SeatState.ACTIVE else f", {seat['state']}"
    return who + state + (", messages come back" if seat["unreached"] else "")


def _time(instant: datetime | None) -> str:
    return f"{instant:%a %Y-%m-%d %H:%M} UTC" if instant else "none"
