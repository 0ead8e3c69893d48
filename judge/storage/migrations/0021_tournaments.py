"""Tournaments and seats by a code: tables that are added by themselves."""

from __future__ import annotations

from typing import Any


def up(migrator: Any, database: Any) -> None:
    """There is nothing to change in what is stored."""
