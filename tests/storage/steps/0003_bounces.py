"""What came back, and quick answers to: whose letter was that, how much did he get lately?

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


class Letter(Table):
    pass


class Bounce(Table):
    letter_id = peewee.ForeignKeyField(Letter, column_name="letter_id")
    address = TextField(index=True)
    at = InstantField()
    hard = peewee.BooleanField()
    status = TextField()
    said = TextField()
    told = peewee.BooleanField()


def up(migrator: Any, database: Any) -> None:
    """Create the table and the indexes."""
    with database.bind_ctx((Bounce,)):
        database.create_tables((Bounce,), safe=False)
    migrator.migrate(
        migrator.add_index("letter", ("envelope_from",)),
        migrator.add_index("letter", ("recipient", "queued_at")),
        migrator.add_index("letter", ("kind", "queued_at")),
    )
