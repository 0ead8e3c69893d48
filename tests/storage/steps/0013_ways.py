"""By which ways mail from an address comes."""

from __future__ import annotations

from typing import Any

from judge.storage.columns import TextField


def up(migrator: Any, database: Any) -> None:
    """Add the column; nothing is remembered of what came before."""
    migrator.migrate(migrator.add_column("address", "ways", TextField(default="[]")))
