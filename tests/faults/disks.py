"""A disk that is small enough to be filled."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

AS_ROOT = () if os.getuid() == 0 else ("sudo", "-n")


@contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    """A disk of that size, in memory, to which everybody may write."""
    folder = Path(tempfile.mkdtemp(prefix="judge-disk-"))
    options = f"size={megabytes}m,mode=0777"
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    subprocess.run([*AS_ROOT, *mount], check=True)
    try:
        yield folder
    finally:
        subprocess.run([*AS_ROOT, "umount", "--lazy", str(folder)], check=True)
        folder.rmdir()


@contextmanager
def full(disk: Path) -> Iterator[None]:
    """Nothing more can be written to a disk."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))
    try:
        yield
    finally:
        ballast.unlink()
