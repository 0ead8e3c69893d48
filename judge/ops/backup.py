"""Backups: one encrypted file holds all there was at an instant, whatever database it was in.

Compressed (zlib), and then XChaCha20-Poly1305 in chunks (secretstream of libsodium): a file that
was cut, changed or put together from two is noticed.
"""

from __future__ import annotations

import base64
import os
import secrets
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from judge.mail.transport import sync_folder
from judge.ops.machine import SUFFIX, name_for
from judge.records.signing import sodium
from judge.storage import Storage, StorageError, check_file, occupied


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
            encrypt(key, source, target)
            target.flush()
            os.fsync(target.fileno())
        with made.open("rb") as source, Path(os.devnull).open("wb") as nothing:
            decrypt(key, source, nothing)
        made.rename(path)
    sync_folder(path.parent)


def make(storage: Storage, folder: Path, key_file: Path, keep: int, now: datetime) -> Path:
    """Make a backup in a folder, which is made where it is missing, and leave the `keep` newest
    there; the file. The first one makes the key. Raises as `write` does."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / name_for(now)
    write(storage, path, key_in(key_file))
    thin_out(folder, keep)
    return path


def key_in(key_file: Path) -> bytes:
    """Return the key in a file, a new one where there is none. Raises EncryptionError, OSError."""
    return read_key(key_file) if key_file.exists() else make_key(key_file)


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
            decrypt(key, source, target)
        check_file(clear)
        with closing(Storage.open(f"sqlite:{clear}")) as found, closing(Storage.open(url)) as kept:
            found.copy_to(kept)


def move(source_url: str, target_url: str) -> dict[str, str]:
    """Carry a judge over into the database at `target_url`, in which there is nothing yet.

    No judge may run meanwhile. What has arrived is compared with what was there, row by row; then
    the old database says that it is not to be used. The digests of the tables are
    returned. Raises StorageError, Unavailable.
    """
    if source_url == target_url:
        raise StorageError("these are the same database")
    with (
        occupied(source_url, alone=True),
        occupied(target_url, alone=True),
        closing(Storage.open(source_url)) as source,
        closing(Storage.open(target_url)) as target,
    ):
        source.copy_to(target)
        source.leave_for(target)
        return target.digests()


@contextmanager
def _workshop(folder: Path) -> Iterator[Path]:
    """Make a folder for what must not be seen half done, on the same disk; gone in the end."""
    with tempfile.TemporaryDirectory(prefix=".judge-", dir=folder) as name:
        yield Path(name)


_PLAIN, _MAGIC = b"judge backup 1\n", b"judge backup 2\n"
"""What backups begin with: those of judges before 0.3.0 are not compressed."""

_CHUNK = 1 << 16
# crypto_secretstream_xchacha20poly1305 of libsodium: ABYTES, HEADERBYTES, KEYBYTES, and the tags
# MESSAGE and FINAL.
_OVERHEAD, _HEADER, _KEY = 17, 24, 32
_MORE, _END = 0, 3


class EncryptionError(Exception):
    """A key or an encrypted file that cannot be used; the message says why."""


def make_key(path: Path) -> bytes:
    """Make a key and keep it at `path`, readable by its owner only. Raises OSError, where there is
    a file already, too."""
    key = secrets.token_bytes(_KEY)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(base64.b64encode(key) + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        # Half a key would be taken for one when there is room again.
        path.unlink()
        raise
    return key


def read_key(path: Path) -> bytes:
    """Return the key at `path`. Raises EncryptionError."""
    try:
        key = base64.b64decode(path.read_bytes().strip(), validate=True)
    except (OSError, ValueError) as error:
        raise EncryptionError(f"the key {path} cannot be read: {error}") from error
    if len(key) != _KEY:
        raise EncryptionError(f"{path} holds no key of a backup")
    return key


class _Packed:
    """What a file holds, compressed, in as large pieces as are asked for but the last."""

    def __init__(self, source: BinaryIO) -> None:
        self._source, self._packing = source, zlib.compressobj()
        self._ready, self._ended = bytearray(), False

    def read(self, size: int) -> bytes:
        """Return the next so many bytes, fewer at the end."""
        while len(self._ready) < size and not self._ended:
            chunk = self._source.read(_CHUNK)
            self._ended = not chunk
            self._ready += self._packing.compress(chunk) if chunk else self._packing.flush()
        found = bytes(self._ready[:size])
        del self._ready[:size]
        return found


def encrypt(key: bytes, source: BinaryIO, target: BinaryIO) -> None:
    """Write all of `source` into `target`, compressed and encrypted."""
    bindings = sodium().bindings
    state = bindings.crypto_secretstream_xchacha20poly1305_state()
    target.write(_MAGIC)
    target.write(bindings.crypto_secretstream_xchacha20poly1305_init_push(state, key))
    packed = _Packed(source)
    chunk = packed.read(_CHUNK)
    while True:
        following = packed.read(_CHUNK)
        tag = _MORE if following else _END
        target.write(bindings.crypto_secretstream_xchacha20poly1305_push(state, chunk, _MAGIC, tag))
        if not following:
            return
        chunk = following


def decrypt(key: bytes, source: BinaryIO, target: BinaryIO) -> None:
    """Write what is encrypted in `source` into `target`.

    Raises EncryptionError unless all of it is there, unchanged, and encrypted with this key.
    """
    magic = source.read(len(_MAGIC))
    if magic not in (_PLAIN, _MAGIC):
        raise EncryptionError("this is no backup of a judge")
    unpacking = zlib.decompressobj()
    bindings, broken = sodium().bindings, sodium().exceptions.CryptoError
    state = bindings.crypto_secretstream_xchacha20poly1305_state()
    header = source.read(_HEADER)
    tag = None
    try:
        bindings.crypto_secretstream_xchacha20poly1305_init_pull(state, header, key)
        while chunk := source.read(_CHUNK + _OVERHEAD):
            if tag == _END:
                raise EncryptionError("there is something behind the end of this backup")
            clear, tag = bindings.crypto_secretstream_xchacha20poly1305_pull(state, chunk, magic)
            target.write(clear if magic == _PLAIN else unpacking.decompress(clear))
    except (broken, ValueError, RuntimeError, TypeError, zlib.error) as error:
        raise EncryptionError("this backup is damaged, or was made with another key") from error
    if tag != _END:
        raise EncryptionError("the end of this backup is missing")
