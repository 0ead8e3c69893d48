"""What the keeper lays down at the command line, as commands of a mail are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from judge.cli.common import config_option, json_option, yes_option
from judge.cli.configuration import load_config
from judge.cli.database import open_storage
from judge.cli.printing import echo_json
from judge.commands import TABLE
from judge.daemon import profile_of
from judge.service import Judge, Unsure


def keep(
    config_path: Path | None, lines: Sequence[str], as_json: bool, game: str | None = None
) -> None:
    """Run lines as the keeper, as if they had sent them in a message, to a game or to
    none; print what came of each. Raises ClickException, exit code 1, where one was refused, and
    Abort where what cannot be undone is not wanted after all.

    It is safe beside a running judge, which sees what was done at once.
    """
    config = load_config(config_path)
    yes = click.get_current_context().meta.get("judge.yes", False)
    with open_storage(config) as storage:
        judge = Judge(storage, config.clock.clock(), profile_of(config), TABLE)
        try:
            try:
                said = judge.keep(lines, game, sure=yes)
            except Unsure as asked:
                click.confirm("\n".join((*asked.questions, "Do it?")), abort=True, err=True)
                said = judge.keep(lines, game, sure=True)
        except LookupError as error:
            raise click.ClickException(f"{error}; `judge game list --all` lists all") from error
    refused = [each for each in said if each["kind"] == "refused"]
    if as_json:
        kept = ("kind", "line", "read", "text", "write")
        found = [{key: each[key] for key in kept} for each in said]
        echo_json(found)
    else:
        for each in said:
            if each["kind"] != "refused":
                click.echo(each["text"].strip())
    if refused:
        raise click.ClickException(
            "\n".join(
                f"{each['line']}: {' '.join(each['text'].split())}"
                + (f" Write for example: {each['write'][0]}" if each["write"] else "")
                for each in refused
            )
        )


def keeping(group: click.Group, name: str, form: str, summary: str, *arguments: str) -> None:
    """Add a command to `group` that is one line in the keeper's name.

    `form` is the line, with the `arguments` in it; those are as click shows them: `[PHASE]` may be
    missing, `ADDRESS...` are several. One called GAME is the game that the line is for.
    """

    def act(as_json: bool, config_path: Path | None, **given: Any) -> None:
        words = {
            key: ", ".join(said) if isinstance(said, tuple) else said or ""
            for key, said in given.items()
        }
        keep(config_path, [form.format(**words).strip()], as_json, given.get("game"))

    act.__doc__ = summary
    function: Any = json_option(yes_option(config_option(act)))
    for argument in reversed(arguments):
        function = click.argument(
            argument.strip("[].").lower(),
            metavar=argument,
            required=not argument.startswith("["),
            nargs=-1 if "..." in argument else 1,
        )(function)
    group.command(name)(function)
