"""What commands share: groups of them, options, tables."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from io import TextIOWrapper
from itertools import zip_longest
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

_F = TypeVar("_F", bound=Callable[..., Any])
_T = TypeVar("_T")


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


class LazyGroup(Verbs):
    """A group that loads the module of a command when the command is called for."""

    def __init__(self, *args: Any, lazy: Mapping[str, str], **kwargs: Any) -> None:
        """`lazy` has the commands by name, each as `module:function` of this package."""
        super().__init__(*args, **kwargs)
        self._lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, those that are loaded late in their own order."""
        return [*self._lazy, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name, None if there is none."""
        if cmd_name not in self._lazy:
            return super().get_command(ctx, cmd_name)
        module, _, function = self._lazy[cmd_name].partition(":")
        command = getattr(import_module(f"judge.cli.{module}"), function)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands. To load them all would take 0.6 s."""
        names = self.list_commands(ctx)
        limit = formatter.width - 6 - max(map(len, names))
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, self._described(ctx, name).get_short_help_str(limit)) for name in names]
            )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that begin with `incomplete`."""
        found = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        return [
            *(
                CompletionItem(name, help=self._described(ctx, name).get_short_help_str())
                for name in found
            ),
            *click.Command.shell_complete(self, ctx, incomplete),
        ]

    def _described(self, ctx: click.Context, name: str) -> click.Command:
        """Return a command that has a name and a help, which stands in its function."""
        if name not in self._lazy:
            command = self.get_command(ctx, name)
            assert command is not None
            return command
        module, _, function = self._lazy[name].partition(":")
        source = Path(__file__).with_name(f"{module}.py").read_text(encoding="utf-8")
        for each in ast.parse(source).body:
            if isinstance(each, ast.FunctionDef) and each.name == function:
                return click.Command(name, help=ast.get_docstring(each))
        raise LookupError(self._lazy[name])


def config_option(function: _F) -> _F:
    """Add `--config FILE`; the command gets the path or None as `config_path`."""
    return click.option(
        "--config", "config_path", type=click.Path(path_type=Path), metavar="FILE",
        help="Configuration file; default: $JUDGE_CONFIG, ./judge.toml, "
        "~/.config/judge/judge.toml, or /etc/judge/judge.toml.",
    )(function)  # fmt: skip


def json_option(function: _F) -> _F:
    """Add `--json`; the command gets it as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


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


@contextmanager
def closed_pipe_is_fine() -> Iterator[None]:
    """End the command without failure when its reader stops early (`| head`).

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


def table(rows: Sequence[Sequence[object]], heads: Sequence[str]) -> str:
    """Return rows under heads, in columns as wide as their widest entry; on a terminal that is
    narrower, the widest entries go over several lines, broken within a word if nothing else does.
    """
    lines = [[str(head).upper() for head in heads], *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    if sys.stdout.isatty():
        room = get_terminal_size().columns - len(_BETWEEN) * (len(widths) - 1)
        least = [
            max([_NARROWEST, *(len(word) for line in lines for word in line[column].split())])
            for column in range(len(heads))
        ]
        while sum(widths) > room and max(widths) > _NARROWEST:
            spare = [(wide > low, wide) for wide, low in zip(widths, least, strict=True)]
            widths[spare.index(max(spare))] -= 1
    return "\n".join(each for line in lines for each in _wrapped(line, widths))


_BETWEEN = "  "

_NARROWEST = 12
"""Characters below which no column is made narrower."""


def _wrapped(cells: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    parts = [wrap(cell, width or 1) for cell, width in zip(cells, widths, strict=True)]
    for row in zip_longest(*parts, fillvalue=""):
        shown = (part.ljust(width) for part, width in zip(row, widths, strict=True))
        yield _BETWEEN.join(shown).rstrip()


@contextmanager
def progress(things: Iterable[_T], count: int, what: str) -> Iterator[Iterator[_T]]:
    """Give `things`, of which there are `count`, and show on a terminal how far they are done."""
    hidden = not sys.stderr.isatty()
    with click.progressbar(things, count, what, file=sys.stderr, hidden=hidden) as shown:
        yield iter(shown)


def counted(count: int, noun: str) -> str:
    """Return a number with its noun: "1 game", "2 games"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
