"""How reliable people are, and what they and their parts in games have asked for.

A frozen copy, so that it never changes under a database that has had it.
"""

from __future__ import annotations

from typing import Any

import peewee

from judge.storage.columns import InstantField, JsonField, TextField


class Table(peewee.Model):
    id = peewee.BigAutoField()

    class Meta:
        legacy_table_names = False


class Person(Table):
    pass


class Game(Table):
    pass


class Conduct(Table):
    person_id = peewee.ForeignKeyField(Person, column_name="person_id", index=False)
    game_id = peewee.ForeignKeyField(Game, column_name="game_id")
    phase = TextField()
    power = TextField()
    what = TextField()
    at = InstantField()

    class Meta:
        indexes = ((("person_id", "game_id", "phase", "power", "what"), True),)


def up(migrator: Any, database: Any) -> None:
    """Create the table and the columns."""
    with database.bind_ctx((Conduct,)):
        database.create_tables((Conduct,), safe=False)
    migrator.migrate(
        migrator.add_column("person", "options", JsonField(default=dict)),
        migrator.add_column("seat", "options", JsonField(default=dict)),
    )
