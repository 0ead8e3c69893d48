"""Games that came from other judges keep the file they came as: the table is added by itself."""

from __future__ import annotations

from typing import Any


def up(migrator: Any, database: Any) -> None:
    """Change nothing."""
