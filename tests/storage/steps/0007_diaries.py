"""Players' diaries; press that waits for the results, and press that masters may read.

A frozen copy, so that it never changes under a database that has had it.
"""

from __future__ import annotations

from typing import Any

import peewee

from judge.storage.columns import InstantField, TextField


class Table(peewee.Model):
    id = peewee.BigAutoField()

    class Meta:
        legacy_table_names = False


class Game(Table):
    pass


class Seat(Table):
    pass


class Note(Table):
    game_id = peewee.ForeignKeyField(Game, column_name="game_id")
    seat_id = peewee.ForeignKeyField(Seat, column_name="seat_id", index=False)
    number = peewee.IntegerField()
    phase = TextField(null=True)
    text = TextField()
    at = InstantField()

    class Meta:
        indexes = ((("seat_id", "number"), True),)


def up(migrator: Any, database: Any) -> None:
    """Create the table and the columns."""
    with database.bind_ctx((Note,)):
        database.create_tables((Note,), safe=False)
    migrator.migrate(
        migrator.add_column("press", "held", peewee.BooleanField(default=False)),
        migrator.add_column("press", "overseen", peewee.BooleanField(default=False)),
    )
