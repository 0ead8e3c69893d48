"""Anyone who waits has an index, in place of one of everybody who ever chose anything."""

from __future__ import annotations

from typing import Any


def up(migrator: Any, database: Any) -> None:
    """Drop the old one; the others are made with the tables."""
    database.execute_sql("DROP INDEX IF EXISTS person_wishes")
