"""What several commands share: finding the configuration, opening the database, printing."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from difflib import get_close_matches
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

import click

from judge.data import find_config

if TYPE_CHECKING:
    from judge.config import Config
    from judge.storage import Game, Storage

_F = TypeVar("_F", bound=Callable[..., Any])


class Verbs(click.Group):
    """A group of commands that suggests one for a name that is none."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first argument names. Raises UsageError."""
        name = args[0]
        unknown = not name.startswith("-") and self.get_command(ctx, name) is None
        if unknown and not ctx.resilient_parsing:
            near = get_close_matches(name, self.list_commands(ctx), 1)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            ctx.fail(f"No such command '{name}'.{hint}")
        return super().resolve_command(ctx, args)


def config_option(function: _F) -> _F:
    """Add `--config FILE`; the command gets the path or None as `config_path`."""
    return click.option(
        "--config", "config_path", type=click.Path(path_type=Path), metavar="FILE",
        help="Configuration file; default: $JUDGE_CONFIG, ./judge.toml, "
        "~/.config/judge/judge.toml, or /etc/judge/judge.toml.",
    )(function)  # fmt: skip


def load_config(path: Path | None) -> Config:
    """The configuration at `path`, or the one that is found. Raises ClickException."""
    from judge import config, variants

    try:
        found = config.load(path or find_config())
    except (config.ConfigError, FileNotFoundError) as error:
        raise click.ClickException(str(error)) from error
    variants.configure(found.judge.variants)
    return found


def use_own_boards() -> None:
    """Take variants from the folders of the configuration, too, if one is found and is right: tools
    that need none work without."""
    from judge import variants

    # Checked where a judge runs: to read all of it would cost tools a moment each time.
    with suppress(OSError, ValueError, LookupError, TypeError):
        path = find_config()
        listed = tomllib.loads(path.read_text(encoding="utf-8"))["judge"]["variants"]
        variants.configure(
            [path.parent / Path(os.path.expandvars(each)).expanduser() for each in listed]
        )


@contextmanager
def open_storage(config: Config) -> Iterator[Storage]:
    """The database of the configuration, closed at the end. Raises ClickException."""
    from judge.storage import Storage, StorageError, Unavailable

    try:
        storage = Storage.open(config.database.url)
    except (StorageError, Unavailable) as error:
        raise click.ClickException(str(error)) from error
    try:
        yield storage
    except Unavailable as error:
        raise click.ClickException(f"the database is out of reach: {error}") from error
    finally:
        storage.close()


@contextmanager
def ops_errors() -> Iterator[None]:
    """What can be in the way of files and databases, as one line. Raises ClickException."""
    from judge.ops.backup import EncryptionError
    from judge.storage import StorageError, Unavailable

    try:
        yield
    except (OSError, EncryptionError, StorageError, Unavailable) as error:
        raise click.ClickException(str(error)) from error


def json_option(function: _F) -> _F:
    """Add `--json`; the command gets it as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def echo_json(value: object) -> None:
    """Print a value as JSON, to be read by people, too; instants in ISO form."""
    from msgspec import to_builtins

    from judge.mail.safety import escaped

    plain = to_builtins(value, builtin_types=[datetime])
    text = json.dumps(plain, indent=2, ensure_ascii=False, default=datetime.isoformat)
    click.echo(escaped(text))


def echo(text: str) -> None:
    """Print a text in which strangers' words may stand, without characters that steer terminals."""
    from judge.mail.safety import cleaned

    click.echo(cleaned(text))


def yes_option(function: _F) -> _F:
    """Add `--yes`, which answers what `keep` would ask."""

    def note(context: click.Context, _: click.Parameter, value: bool) -> None:
        context.meta["judge.yes"] = value

    return click.option(
        "--yes",
        is_flag=True,
        expose_value=False,
        callback=note,
        help="Skip the confirmation prompt.",
    )(function)


def keep(
    config_path: Path | None, lines: Sequence[str], as_json: bool, game: str | None = None
) -> None:
    """Run lines as the keeper, as if they had sent them in a message, to a game or to
    none; print what came of each. Raises ClickException, exit code 1, where one was refused, and
    Abort where what cannot be undone is not wanted after all.

    It is safe beside a running judge, which sees what was done at once.
    """
    from judge.commands import TABLE
    from judge.daemon import profile_of
    from judge.service import Judge, Unsure

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


@contextmanager
def input_errors() -> Iterator[None]:
    """What is wrong with a position, as one line. Raises ClickException."""
    from judge.interchange import InterchangeError

    try:
        yield
    except InterchangeError as error:
        raise click.ClickException(str(error)) from error


def json_object(file: BinaryIO) -> object:
    """The JSON value in a file. Raises ClickException."""
    from judge import interchange

    with input_errors():
        return interchange.parse(file.read(), "the input")


@contextmanager
def closed_pipe_is_fine() -> Iterator[None]:
    """Whoever reads us may stop early (`| head`): that ends the command, and is no failure.

    Nor is a character that the output cannot hold, such as half of a surrogate pair.
    """
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        # What is still buffered has nowhere to go when Python flushes at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def game_named(storage: Storage, name: str, nor: str = "") -> Game:
    """The game of that name. Raises ClickException, which suggests one that is spelled alike; `nor`
    says what else there is not."""
    game = storage.games.by_name(name)
    if game is None:
        near = get_close_matches(name, [each.name for each in storage.games.all()], 1)
        hint = f"did you mean {near[0]}?" if near else "`judge game list --all` lists all"
        raise click.ClickException(f"there is no game {name}{nor}; {hint}")
    return game


def table(rows: Sequence[Sequence[object]], heads: Sequence[str]) -> str:
    """Rows under heads, in columns as wide as their widest entry."""
    lines = [[str(head).upper() for head in heads], *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def counted(count: int, noun: str) -> str:
    """A number with its noun: "1 game", "2 games"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
