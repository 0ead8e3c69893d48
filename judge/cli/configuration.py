"""The configuration that a command is for."""

from __future__ import annotations

from pathlib import Path

import click

from judge import config, variants
from judge.config import Config
from judge.data import find_config


def load_config(path: Path | None) -> Config:
    """The configuration at `path`, or the one that is found. Raises ClickException."""
    try:
        found = config.load(path or find_config())
    except (config.ConfigError, FileNotFoundError) as error:
        raise click.ClickException(str(error)) from error
    variants.configure(found.judge.variants)
    return found
