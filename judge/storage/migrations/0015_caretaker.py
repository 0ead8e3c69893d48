"""Games of before keep the rules under which they began: no caretaker."""

from __future__ import annotations

from typing import Any

import peewee

from judge.storage.columns import JsonField


class Game(peewee.Model):
    id = peewee.BigAutoField()
    settings = JsonField()

    class Meta:
        legacy_table_names = False


def up(migrator: Any, database: Any) -> None:
    """Write into the settings of each game what it was without this word."""
    with database.bind_ctx((Game,)):
        for game in Game.select():
            settings = {"caretaker": False} | game.settings
            Game.update(settings=settings).where(Game.id == game.id).execute()
