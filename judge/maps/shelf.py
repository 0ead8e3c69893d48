"""What takes long to draw and is alike in all pictures of a board, kept in files: a process that
draws ends when it has nothing to do, and the next one need not begin anew."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

FOLDER: Final = "JUDGE_SHELF"
"""The variable of the environment that names a folder, which nobody else can write to; without it,
nothing is kept."""

_MOST: Final = 1000
"""Files in it: half of about 100 kB each, boards in the sizes that readers see them in; half empty,
by which processes take turns to make one."""


def shelved(source: str, key: tuple[object, ...], make: Callable[[], bytes]) -> bytes:
    """Return what `make` gives for a drawing by its `source` and for `key`, whose parts have texts
    that tell them apart; it is asked once for all processes that share a folder. A drawing without
    a source is kept nowhere."""
    folder = os.environ.get(FOLDER)
    if not folder or not source:
        return make()
    file = Path(folder, blake2b(repr((source, key)).encode(), digest_size=16).hexdigest())
    with suppress(OSError):
        return file.read_bytes()
    with _turn(f"{file}.turn"):
        with suppress(OSError):
            return file.read_bytes()
        return _kept(file, make())


@contextmanager
def _turn(name: str) -> Iterator[None]:
    """Let one process at a time make what is kept under a name: when a judge starts, all that draw
    need the same. One that ends gives its turn back."""
    with ExitStack() as stack:
        with suppress(OSError):
            fcntl.lockf(stack.enter_context(open(name, "wb")), fcntl.LOCK_EX)  # noqa: PTH123
        yield


def _kept(file: Path, made: bytes) -> bytes:
    # A disk that is full costs time and nothing else.
    with suppress(OSError):
        if len(list(file.parent.iterdir())) < _MOST:
            with NamedTemporaryFile(dir=file.parent, delete=False) as new:
                new.write(made)
            Path(new.name).replace(file)
    return made
