"""What is wrong at the moment, so that the keeper is told once; and whose a mail says it is.

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


class Alarm(Table):
    name = TextField(unique=True)
    kind = TextField()
    since = InstantField()
    facts = JsonField()


def up(migrator: Any, database: Any) -> None:
    """Create the table, the column and its index."""
    with database.bind_ctx((Alarm,)):
        database.create_tables((Alarm,), safe=False)
    migrator.migrate(
        migrator.add_column("mail", "sender", TextField(null=True)),
        migrator.add_index("mail", ("state", "sender", "id")),
    )
