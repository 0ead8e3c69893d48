"""What was there before the tables were declared goes; and a secret that nobody else has."""

from __future__ import annotations

import secrets
from typing import Any

from judge.storage import models


def up(migrator: Any, database: Any) -> None:
    """Drop the column and the index that nothing uses, and make the secret of a new database."""
    if any(each.name == "reminded" for each in database.get_columns("seat")):
        database.execute_sql("ALTER TABLE seat DROP COLUMN reminded")
    database.execute_sql("DROP INDEX IF EXISTS phase_run_game_id_phase")
    with database.bind_ctx((models.SecretRow,)):
        if not models.SecretRow.select().exists():
            models.SecretRow.insert(name="reply", value=secrets.token_bytes(32)).execute()
