"""What the keeper has laid down for the whole judge.

A frozen copy, so that it never changes under a database that has had it.
"""

from __future__ import annotations

from typing import Any

import peewee

from judge.storage.columns import JsonField, TextField


class Table(peewee.Model):
    id = peewee.BigAutoField()

    class Meta:
        legacy_table_names = False


class House(Table):
    name = TextField(unique=True)
    value = JsonField()


def up(migrator: Any, database: Any) -> None:
    """Create the table."""
    with database.bind_ctx((House,)):
        database.create_tables((House,), safe=False)
