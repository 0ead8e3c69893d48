"""The schema of version 0.1.0, whose databases have a step of this name as their last.

It stands in `0010_schema.sql`, and never changes under a database that has had it.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import peewee

from judge.storage.engine import BytesField, TextField

_OF_SQLITE = {"BIGSERIAL": "INTEGER", "BIGINT": "INTEGER", "BOOLEAN": "INTEGER", "BYTEA": "BLOB"}


class Secret(peewee.Model):
    name = TextField()
    value = BytesField()


def up(migrator: Any, database: Any) -> None:
    """Create the tables, and a secret nobody else has."""
    schema = Path(__file__).with_name("0010_schema.sql").read_text()
    if isinstance(database, peewee.SqliteDatabase):
        for name, other in _OF_SQLITE.items():
            schema = schema.replace(name, other)
    for statement in schema.split(";\n"):
        database.execute_sql(statement)
    with database.bind_ctx((Secret,)):
        Secret.insert(name="reply", value=secrets.token_bytes(32)).execute()
