"""Temporary files in memory: no test need wait for a disk at each commit."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

_FOLDER = Path("/dev/shm")
_ROOM = 3_000_000_000


def folder() -> Path | None:
    """A folder in memory with room for databases, in which programs may be started too."""
    if not _FOLDER.is_dir() or os.statvfs(_FOLDER).f_flag & os.ST_NOEXEC:
        return None
    return _FOLDER if shutil.disk_usage(_FOLDER).free > _ROOM else None


def use() -> None:
    """Let this process, and all that it starts, write temporary files there, unless somebody has
    said where they are to be."""
    found = folder()
    if found is not None and "TMPDIR" not in os.environ:
        os.environ["TMPDIR"] = tempfile.tempdir = str(found)
