"""Games say what LIST looks for: the columns add themselves, and are filled when first asked."""

from __future__ import annotations

from typing import Any


def up(migrator: Any, database: Any) -> None:
    """Change nothing."""
