"""Files that only the holder of a key can read, written and read as streams.

XChaCha20-Poly1305 in chunks (secretstream of libsodium): a file that was cut, changed or put
together from two is noticed.
"""

from __future__ import annotations

import base64
import os
import secrets
from pathlib import Path
from typing import BinaryIO

from nacl import bindings
from nacl.exceptions import CryptoError

_MAGIC = b"judge backup 1\n"
_CHUNK = 1 << 16
_OVERHEAD = bindings.crypto_secretstream_xchacha20poly1305_ABYTES
_HEADER = bindings.crypto_secretstream_xchacha20poly1305_HEADERBYTES
_KEY = bindings.crypto_secretstream_xchacha20poly1305_KEYBYTES
_MORE = bindings.crypto_secretstream_xchacha20poly1305_TAG_MESSAGE
_END = bindings.crypto_secretstream_xchacha20poly1305_TAG_FINAL


class EncryptionError(Exception):
    """A key or an encrypted file that cannot be used; the message says why."""


def make_key(path: Path) -> bytes:
    """Make a key and keep it at `path`, readable by its owner only. Raises OSError, where there is
    a file already, too."""
    key = secrets.token_bytes(_KEY)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(base64.b64encode(key) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    return key


def read_key(path: Path) -> bytes:
    """The key at `path`. Raises EncryptionError."""
    try:
        key = base64.b64decode(path.read_bytes().strip(), validate=True)
    except (OSError, ValueError) as error:
        raise EncryptionError(f"the key {path} cannot be read: {error}") from error
    if len(key) != _KEY:
        raise EncryptionError(f"{path} holds no key of a backup")
    return key


def encrypt(key: bytes, source: BinaryIO, target: BinaryIO) -> None:
    """Write all of `source` into `target`, encrypted."""
    state = bindings.crypto_secretstream_xchacha20poly1305_state()
    target.write(_MAGIC)
    target.write(bindings.crypto_secretstream_xchacha20poly1305_init_push(state, key))
    chunk = source.read(_CHUNK)
    while True:
        following = source.read(_CHUNK)
        tag = _MORE if following else _END
        target.write(bindings.crypto_secretstream_xchacha20poly1305_push(state, chunk, _MAGIC, tag))
        if not following:
            return
        chunk = following


def decrypt(key: bytes, source: BinaryIO, target: BinaryIO) -> None:
    """Write what is encrypted in `source` into `target`.

    Raises EncryptionError unless all of it is there, unchanged, and encrypted with this key.
    """
    if source.read(len(_MAGIC)) != _MAGIC:
        raise EncryptionError("this is no backup of a judge")
    state = bindings.crypto_secretstream_xchacha20poly1305_state()
    header = source.read(_HEADER)
    tag = None
    try:
        bindings.crypto_secretstream_xchacha20poly1305_init_pull(state, header, key)
        while chunk := source.read(_CHUNK + _OVERHEAD):
            if tag == _END:
                raise EncryptionError("there is something behind the end of this backup")
            clear, tag = bindings.crypto_secretstream_xchacha20poly1305_pull(state, chunk, _MAGIC)
            target.write(clear)
    except (CryptoError, ValueError, RuntimeError, TypeError) as error:
        raise EncryptionError("this backup is damaged, or was made with another key") from error
    if tag != _END:
        raise EncryptionError("the end of this backup is missing")
