"""`judge house`: what the keeper lays down for the whole judge."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from judge.cli.common import Verbs, config_option, json_option
from judge.cli.configuration import load_config
from judge.cli.database import open_storage
from judge.cli.keeping import keep, keeping
from judge.cli.printing import echo_json
from judge.daemon import profile_of
from judge.game import keeper_report
from judge.game.people import entry
from judge.game.state.profile import house_rules, message_of_the_day

_OFF = click.option("--off", is_flag=True, help="Remove it.")


@click.group(cls=Verbs)
def house_command() -> None:
    """House rules, message of the day, report, and who can join.

    The people concerned get a message, and the log records what you do. The judge can be running.

    \b
    judge house show
    judge house rules "One person, one power."
    judge house rules - < rules.txt
    judge house motd "We move on Sunday."
    judge house digest 08:00
    judge house allow "*@club.example"
    """


@house_command.command("show")
@json_option
@config_option
def show(as_json: bool, config_path: Path | None) -> None:
    """Show all of it."""
    found = _facts(config_path)
    if as_json:
        echo_json(found)
        return
    at = found["digest"]
    digest = "none" if at is None else f"{at}{', every day' if found['digest_always'] else ''}"
    for head, text in (
        ("House rules", found["rules"] or "none"),
        ("Message of the day", found["motd"] or "none"),
        ("Message a day", digest),
        ("Let into no game", ", ".join(found["denied"]) or "nobody"),
        ("Only let into games", ", ".join(found["allowed"]) or "everybody"),
    ):
        lines = text.splitlines()
        click.echo(f"{head}: {lines[0]}" if len(lines) == 1 else f"{head}:")
        for line in lines if len(lines) > 1 else ():
            click.echo(f"  {line}")


def _facts(config_path: Path | None) -> dict[str, Any]:

    config = load_config(config_path)
    with open_storage(config) as storage:
        at, always = keeper_report.wish(storage, profile_of(config))
        return {
            "rules": house_rules(storage),
            "motd": message_of_the_day(storage),
            "digest": at and f"{at:%H:%M}",
            "digest_always": always,
            "denied": list(entry.listed(storage, entry.DENIED)),
            "allowed": list(entry.listed(storage, entry.ALLOWED)),
        }


@house_command.command("rules")
@click.argument("text", metavar="[TEXT|-]", default="")
@_OFF
@json_option
@config_option
def rules(text: str, off: bool, as_json: bool, config_path: Path | None) -> None:
    """Set the house rules. - reads them from standard input. Without a text: show them."""
    _lay_down("SET HOUSE RULES", "SET NO HOUSE RULES", text, off, as_json, config_path)


@house_command.command("motd")
@click.argument("text", metavar="[TEXT|-]", default="")
@_OFF
@json_option
@config_option
def motd(text: str, off: bool, as_json: bool, config_path: Path | None) -> None:
    """Set the message of the day. Everybody gets it once. Without a text: show it."""
    _lay_down("MOTD BEGIN", "NO MOTD", text, off, as_json, config_path)


def _lay_down(
    begin: str, none: str, text: str, off: bool, as_json: bool, config_path: Path | None
) -> None:
    if off and text:
        raise click.UsageError("a text and --off say opposite things")
    if text == "-":
        text = sys.stdin.read()
    lines = text.strip("\n").splitlines()
    if any(line.strip().lower() == "end" for line in lines):
        raise click.ClickException("a line that is only END would end the text")
    if text and not text.strip():
        raise click.ClickException("there is no text; --off takes back what there is")
    # The lines of a block are one thing to do.
    keep(config_path, [none] if off else [begin, *lines, "END"], as_json)


@house_command.command("digest")
@click.argument("time", metavar="[HH:MM]", default="")
@click.option("--always", is_flag=True, help="Send it even if nothing happened.")
@_OFF
@json_option
@config_option
def digest(time: str, always: bool, off: bool, as_json: bool, config_path: Path | None) -> None:
    """Set the time of the daily report on the judge."""
    if off and (time or always):
        raise click.UsageError("a time and --off say opposite things")
    wanted = f"SET REPORT {time} {'ALWAYS' if always else ''}".strip()
    keep(config_path, ["SET NO REPORT" if off else wanted], as_json)


keeping(
    house_command,
    "allow",
    "SET ALLOW EVERYWHERE {address}",
    "Let only these people into games. One with a minus before it is taken off the list. Without "
    "an address, show it. `judge player ban` keeps people out.",
    "[ADDRESS...]",
)
