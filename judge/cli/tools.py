"""What tools share: commands that need no judge, and take positions."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

import click

from judge import interchange, variants
from judge.data import find_config
from judge.interchange import InterchangeError


class Tool(click.Command):
    """A command that knows the boards of a configuration, too, and needs none."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        use_own_boards()
        return super().invoke(ctx)


def use_own_boards() -> None:
    """Take variants from the folders of the configuration, too, if one is found and is right: tools
    that need none work without."""
    # Checked where a judge runs: to read all of it would cost tools a moment each time.
    with suppress(OSError, ValueError, LookupError, TypeError):
        path = find_config()
        listed = tomllib.loads(path.read_text(encoding="utf-8"))["judge"]["variants"]
        variants.configure(
            [path.parent / Path(os.path.expandvars(each)).expanduser() for each in listed]
        )


@contextmanager
def input_errors() -> Iterator[None]:
    """Say what is wrong with a position in one line. Raises ClickException."""
    try:
        yield
    except InterchangeError as error:
        raise click.ClickException(str(error)) from error


def json_object(file: BinaryIO) -> object:
    """Return the JSON value in a file. Raises ClickException."""
    with input_errors():
        return interchange.parse(file.read(), "the input")
