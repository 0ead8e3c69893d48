"""What counted how often work began counts how often a message made the judge fail."""

from __future__ import annotations

from typing import Any


def up(migrator: Any, database: Any) -> None:
    """Blame nobody for what was counted, and give every message that may be processed its turn."""
    database.execute_sql("UPDATE mail SET attempts = 0 WHERE state <> 'done'")
    database.execute_sql("UPDATE mail SET sender = '' WHERE sender IS NULL AND state <> 'done'")
