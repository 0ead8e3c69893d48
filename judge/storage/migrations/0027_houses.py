"""Each of several houses has its own names and addresses: what there is belongs to the main one."""

from __future__ import annotations

from typing import Any

_GONE = (
    *("address_address", "game_name", "mail_message_id_digest"),
    *("pulse_name", "house_name", "tournament_name"),
)


def up(migrator: Any, database: Any) -> None:
    """Drop what lets a name be used once for all houses; what took its place is added by itself."""
    for name in _GONE:
        database.execute_sql(f"DROP INDEX IF EXISTS {name}")
