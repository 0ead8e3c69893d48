"""What commands print of what strangers wrote."""

from __future__ import annotations

import json
from datetime import datetime

import click
from msgspec import to_builtins

from judge.mail.safety import cleaned, escaped


def echo_json(value: object) -> None:
    """Print a value as JSON, to be read by people, too; instants in ISO form."""
    plain = to_builtins(value, builtin_types=[datetime])
    text = json.dumps(plain, indent=2, ensure_ascii=False, default=datetime.isoformat)
    click.echo(escaped(text))


def echo(text: str, color: str | None = None) -> None:
    """Print a text in which strangers' words may stand, without characters that steer terminals;
    in a color where it goes to a terminal that is to have some."""
    click.secho(cleaned(text), fg=color)
