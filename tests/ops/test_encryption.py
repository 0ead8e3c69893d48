"""Sealed files open with their key, whole, or not at all."""

from __future__ import annotations

import base64
import errno
import io
import stat
from pathlib import Path
from random import Random

import pytest

from judge.ops.backup import EncryptionError, decrypt, encrypt, make_key, read_key

KEY = bytes(32)
TEXT = Random(1).randbytes(256_000)
"""More than a chunk, however well it is compressed."""


OLD = "anVkZ2UgYmFja3VwIDEKdn/sVvhzKxRIFenrSJIEVGQuiHnoyfq4eaHRhlHFTeync3Ot1ffR3CkrTu/wDz6FwaU="
"""Sealed by the judge before backups were compressed."""


def sealed(text: bytes = TEXT) -> bytes:
    target = io.BytesIO()
    encrypt(KEY, io.BytesIO(text), target)
    return target.getvalue()


def opened(raw: bytes, key: bytes = KEY) -> bytes:
    target = io.BytesIO()
    decrypt(key, io.BytesIO(raw), target)
    return target.getvalue()


@pytest.mark.parametrize("text", [b"", b"x", TEXT, bytes(1 << 16), bytes(1 << 17)])
def test_what_is_sealed_opens_again(text: bytes) -> None:
    assert opened(sealed(text)) == text


def test_it_is_compressed() -> None:
    assert len(sealed(b"From: ann@example.org\n" * 10_000)) < 2_000


def test_what_was_sealed_before_that_opens_still() -> None:
    raw = base64.b64decode(OLD)
    assert opened(raw) == b"as it was"


def test_nothing_of_it_shows() -> None:
    raw = sealed(b"a secret of Ann's" * 100)
    assert b"secret" not in raw
    assert sealed() != sealed()


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"SQLite format 3\0" + bytes(100),
        sealed()[:-1],
        sealed()[: 15 + 24 + (1 << 16) + 17],
        sealed()[: 15 + 24],
        sealed() + b"x",
        sealed() + sealed(),
        sealed()[:100] + b"\0" + sealed()[101:],
    ],
    ids=range(8),  # sealed twice, nothing is the same bytes
)
def test_what_is_not_whole_does_not_open(raw: bytes) -> None:
    with pytest.raises(EncryptionError):
        opened(raw)


def test_another_key_does_not_open_it() -> None:
    with pytest.raises(EncryptionError, match="another key"):
        opened(sealed(), bytes(31) + b"x")


def test_a_key_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    key = make_key(tmp_path / "key")
    assert read_key(tmp_path / "key") == key
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    with pytest.raises(FileExistsError):
        make_key(tmp_path / "key")


def test_a_key_that_the_disk_has_no_room_for_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", fails)
        with pytest.raises(OSError, match="No space"):
            make_key(tmp_path / "key")
    assert make_key(tmp_path / "key") == read_key(tmp_path / "key")


@pytest.mark.parametrize("text", ["", "short", "!" * 44, "QUJD"])
def test_what_is_no_key_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "key").write_text(text)
    with pytest.raises(EncryptionError):
        read_key(tmp_path / "key")
