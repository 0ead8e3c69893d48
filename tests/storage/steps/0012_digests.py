"""Letters whose text is thrown away keep digests of it, so that quotes of them are known."""

from __future__ import annotations

from typing import Any

import peewee


def up(migrator: Any, database: Any) -> None:
    """Add the column."""
    of = "BLOB NOT NULL DEFAULT x''"
    if not isinstance(database, peewee.SqliteDatabase):
        of = "BYTEA NOT NULL DEFAULT ''"
    database.execute_sql(f'ALTER TABLE letter ADD COLUMN "digests" {of}')
