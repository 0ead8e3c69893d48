"""Databases with nothing in them, whose schema is made once for all tests of a process."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from judge.storage import Storage


def lay(file: Path) -> None:
    """Write an empty SQLite database, its schema up to date."""
    file.write_bytes(_empty())


@cache
def _empty() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "judge.db"
        Storage.open(f"sqlite:{file}").close()
        return file.read_bytes()
