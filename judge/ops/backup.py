"""Backups: one encrypted file holds all there was at an instant, whatever database it was in."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from judge.ops import encryption
from judge.storage import Storage, StorageError, check_file, occupied

SUFFIX = ".judge-backup"


def name_for(now: datetime) -> str:
    """The name of a backup made at `now` (UTC): names sort as the instants do."""
    return f"{now:%Y-%m-%dT%H%M%SZ}{SUFFIX}"


def write(storage: Storage, path: Path, key: bytes) -> None:
    """Make a backup of what is there now, beside a running judge, and read it back.

    The file appears whole or not at all. Raises OSError, StorageError, Unavailable,
    EncryptionError.
    """
    with _workshop(path.parent) as folder:
        clear, made = folder / "clear", folder / "encrypted"
        storage.write_file(clear)
        check_file(clear)
        with clear.open("rb") as source, made.open("wb") as target:
            encryption.encrypt(key, source, target)
            target.flush()
            os.fsync(target.fileno())
        with made.open("rb") as source, Path(os.devnull).open("wb") as nothing:
            encryption.decrypt(key, source, nothing)
        made.rename(path)
    _sync(path.parent)


def thin_out(folder: Path, keep: int) -> list[Path]:
    """Delete all backups in a folder but the `keep` newest; those deleted."""
    gone = sorted(folder.glob(f"*{SUFFIX}"))[:-keep] if keep else []
    for path in gone:
        path.unlink()
    return gone


def restore(path: Path, key: bytes, url: str) -> None:
    """Make the database at `url` what it was when the backup at `path` was made.

    No judge may run on it, and there must be nothing in it. A backup of an older judge is brought
    up to date. Raises StorageError, also where a judge is there or the backup is of a newer one;
    OSError, Unavailable, EncryptionError.
    """
    scheme, _, place = url.partition(":")
    beside = Path(place).parent if scheme == "sqlite" else Path(tempfile.gettempdir())
    with occupied(url, alone=True), _workshop(beside) as folder:
        clear = folder / "clear"
        with path.open("rb") as source, clear.open("wb") as target:
            encryption.decrypt(key, source, target)
        check_file(clear)
        found = Storage.open(f"sqlite:{clear}")
        try:
            target_storage = Storage.open(url)
            try:
                found.copy_to(target_storage)
            finally:
                target_storage.close()
        finally:
            found.close()


def move(source_url: str, target_url: str) -> dict[str, str]:
    """Carry a judge over into the database at `target_url`, in which there is nothing yet.

    No judge may run meanwhile. What has arrived is compared with what was there, row by row; then
    the old database says that it is not to be used. The digests of the tables are
    returned. Raises StorageError, Unavailable.
    """
    if source_url == target_url:
        raise StorageError("these are the same database")
    with occupied(source_url, alone=True), occupied(target_url, alone=True):
        source = Storage.open(source_url)
        try:
            target = Storage.open(target_url)
            try:
                source.copy_to(target)
                source.leave_for(target)
                return target.digests()
            finally:
                target.close()
        finally:
            source.close()


@contextmanager
def _workshop(folder: Path) -> Iterator[Path]:
    """A folder for what must not be seen half done, on the same disk; gone in the end."""
    with tempfile.TemporaryDirectory(prefix=".judge-", dir=folder) as name:
        yield Path(name)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
