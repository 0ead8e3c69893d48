"""The database of a judge, opened for a command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches

import click

from judge.cli.configuration import chosen_house
from judge.config import Config
from judge.storage import Game, Storage, StorageError, Unavailable

MOST = 10_000
"""Names of games, the youngest first, among which one is looked for that is spelled alike."""


@contextmanager
def open_storage(config: Config, *, new: bool = False) -> Iterator[Storage]:
    """Open the database configured, with the rows of the house that is looked into,
    closed at the end; only with `new` one is made where there is none. Raises ClickException."""
    file = config.database.file
    if file is not None and not new and not file.exists():
        raise click.ClickException(
            f"there is no database {file}; `judge run` makes it, as the user who is to own it"
        )
    try:
        storage = Storage.open(config.database.url)
    except (StorageError, Unavailable) as error:
        raise click.ClickException(str(error)) from error
    house = chosen_house()
    if house or (house is not None and config.houses):
        storage = storage.of(house)
    try:
        yield storage
    except Unavailable as error:
        raise click.ClickException(f"the database is out of reach: {error}") from error
    finally:
        storage.close()


def game_named(storage: Storage, name: str, nor: str = "") -> Game:
    """Return the game of that name. Raises ClickException, which suggests one that is spelled
    alike; `nor` says what else there is not."""
    game = storage.games.by_name(name)
    if game is None:
        near = get_close_matches(name, storage.games.last_named("", MOST), 1)
        hint = f"did you mean {near[0]}?" if near else "`judge game list --all` lists all"
        raise click.ClickException(f"there is no game {name}{nor}; {hint}")
    return game
