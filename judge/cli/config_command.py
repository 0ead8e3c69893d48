"""`judge config`: what the configuration says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
from msgspec import to_builtins

from judge import config
from judge.cli.common import config_option, json_option
from judge.cli.configuration import load_config
from judge.cli.printing import echo, echo_json
from judge.data import find_config


@click.command()
@click.option("--changed", is_flag=True, help="Only what is not as it is by default.")
@json_option
@config_option
def config_command(changed: bool, as_json: bool, config_path: Path | None) -> None:
    """Show the configuration that is used, and where it is. Passwords are hidden.

    \b
    judge config
    judge config --changed
    """
    path = config_path or find_config()
    found = load_config(path)
    now = dict(_settings(_plain(found)))
    if changed:
        houses = "".join(map(_HOUSE.format, range(len(found.houses))))
        least = config.parse(_NEEDED + _MAILBOX * len(found.imap) + houses, path)
        usual = dict(_settings(_plain(least)))
        now = {key: value for key, value in now.items() if usual.get(key) != value}
    if as_json:
        echo_json({"file": str(path), "settings": now})
        return
    echo(f"# {path}")
    for key, value in now.items():
        echo(f"{key} = {_written(value)}")


_NEEDED = """\
[judge]
address = "nobody@nowhere.invalid"
[outgoing.relay]
host = ""
"""
_MAILBOX = """\
[[imap]]
host = ""
user = ""
password = ""
"""
_HOUSE = """\
[[houses]]
key = "h{0}"
address = "h{0}@nowhere.invalid"
"""
"""What a configuration and its parts have at least."""


def _plain(found: config.Config) -> Any:
    return to_builtins(found, enc_hook=str)


def _settings(values: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, Any]]:
    """Return settings by their full names, those without a value left out."""
    for name, value in values.items():
        full = f"{within}{name}"
        if isinstance(value, Mapping):
            yield from _settings(value, f"{full}.")
        elif isinstance(value, list | tuple) and any(isinstance(each, Mapping) for each in value):
            for number, each in enumerate(value):
                yield from _settings(each, f"{full}.{number}.")
        elif value is not None:
            yield full, _HIDDEN if name in ("password", "url") and _may_be_secret(value) else value


_HIDDEN = "(hidden)"


def _may_be_secret(value: object) -> bool:
    """Return whether a password, or the address of a database with one in it."""
    return not str(value).startswith("sqlite:")


def _written(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)
