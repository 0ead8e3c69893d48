"""What waits is looked for in indexes of that alone, which what is done with leaves."""

from __future__ import annotations

from typing import Any

_GONE = (
    *("mail_game_id", "mail_person_id", "mail_texts", "mail_state_id"),
    *("mail_state_host_sender_id", "mail_state_lane_sender_id"),
    *("letter_game_id", "letter_person_id"),
    *("letter_state_next_try_id", "letter_state_queued_at_attempts"),
)


def up(migrator: Any, database: Any) -> None:
    """Drop those that nothing uses any more; what took their place is added by itself."""
    for name in _GONE:
        database.execute_sql(f"DROP INDEX IF EXISTS {name}")
