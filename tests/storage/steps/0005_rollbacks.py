"""A phase may run again after a rollback; what ran before stays on file.

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


class Game(Table):
    pass


class Rollback(Table):
    game_id = peewee.ForeignKeyField(Game, column_name="game_id")
    phase = TextField()
    at = InstantField()
    kept = JsonField()
    restored_at = InstantField(null=True)


def up(migrator: Any, database: Any) -> None:
    """Create the table and the column, and make phases unique among those that count."""
    with database.bind_ctx((Rollback,)):
        database.create_tables((Rollback,), safe=False)
    once = [
        index
        for index in database.get_indexes("phase_run")
        if index.columns == ["game_id", "phase"]
    ]
    migrator.migrate(
        *(migrator.drop_index("phase_run", index.name) for index in once),
        migrator.add_column("phase_run", "rollback", peewee.IntegerField(default=0)),
        migrator.add_index("phase_run", ("game_id", "phase", "rollback"), unique=True),
    )
