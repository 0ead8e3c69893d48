"""Indexes, so that nothing that is done every minute or day reads all there ever was."""

from __future__ import annotations

from typing import Any

_PARTIAL = (
    "CREATE INDEX person_wishes ON person (id) WHERE options <> '{}'",
    "CREATE INDEX letter_texts ON letter (queued_at) WHERE length(raw) > 0",
    "CREATE INDEX mail_texts ON mail (worked_at) WHERE length(raw) > 0",
)


def up(migrator: Any, database: Any) -> None:
    """Create them."""
    migrator.migrate(
        migrator.add_index("address", ("state", "person_id")),
        migrator.add_index("game", ("state", "deadline", "id")),
        migrator.add_index("game", ("ended_at",)),
        migrator.add_index("mail", ("received_at",)),
        migrator.add_index("phase_run", ("processed_at",)),
        migrator.add_index("event", ("what", "at")),
        migrator.add_index("letter", ("state", "queued_at", "attempts")),
        migrator.add_index("person", ("created_at",)),
    )
    for sql in _PARTIAL:
        database.execute_sql(sql)
