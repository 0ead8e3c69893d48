"""Messages have lanes, in which their senders take turns."""

from __future__ import annotations

from typing import Any


def up(migrator: Any, database: Any) -> None:
    """Nothing: column and index are added by themselves."""
