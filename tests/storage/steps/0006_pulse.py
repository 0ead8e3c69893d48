"""When the judge was last alive. Which reminders were sent stands in the options of seats now.

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


class Pulse(Table):
    name = TextField(unique=True)
    at = InstantField()


def up(migrator: Any, database: Any) -> None:
    """Create the table and drop the column."""
    with database.bind_ctx((Pulse,)):
        database.create_tables((Pulse,), safe=False)
    migrator.migrate(migrator.drop_column("seat", "reminded"))
