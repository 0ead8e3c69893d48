"""The configuration that a command is for."""

from __future__ import annotations

from pathlib import Path

import click

from judge import config, variants
from judge.config import Config
from judge.data import find_config


def load_config(path: Path | None) -> Config:
    """Return the configuration at `path`, or the one that is found, as it is for the house that
    `--house` names. Raises ClickException."""
    try:
        found = config.load(path or find_config())
    except (config.ConfigError, FileNotFoundError) as error:
        raise click.ClickException(str(error)) from error
    variants.configure(found.judge.variants)
    if not (house := chosen_house()):
        return found
    houses = found.by_house()
    if house not in houses:
        there = ", ".join(filter(None, houses)) or "none"
        raise click.ClickException(f"there is no house {house}; [[houses]] has {there}")
    return houses[house]


def chosen_house() -> str | None:
    """Return house that the command looks into, "" for the main one; None where it is for all."""
    context = click.get_current_context(silent=True)
    house: str | None = context.meta.get("judge.house") if context else None
    return house
