"""Who works on a database: judges, or one who must have it to himself."""

from __future__ import annotations

import fcntl
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from judge.storage.engine import Engine
from judge.storage.errors import StorageError

_KEY = zlib.crc32(b"judge at work")


@contextmanager
def occupied(url: str, *, alone: bool = False) -> Iterator[None]:
    """Be a judge that runs on the database at `url`, or, `alone`, one that moves or replaces it.

    A SQLite database serves one at a time: two judges would send every letter twice. PostgreSQL
    serves many judges, but none beside one who is alone. What holds this ends with the process,
    however it ends. Raises StorageError where somebody is there already, Unavailable where the
    database cannot be reached.
    """
    scheme, _, path = url.partition(":")
    with ExitStack() as stack:
        if scheme == "sqlite":
            lock = _lock_file(Path(path), stack)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise StorageError(f"another judge runs on {path} already") from error
        else:
            engine = Engine(url)
            stack.callback(engine.close)
            function = "pg_try_advisory_lock" if alone else "pg_try_advisory_lock_shared"
            with engine.errors():
                got = engine.database.execute_sql(f"SELECT {function}(%s)", (_KEY,)).fetchone()[0]
            if not got:
                who = "a judge runs on it; stop it first" if alone else "it is being moved just now"
                raise StorageError(f"{engine.name}: {who}")
        yield


def _lock_file(path: Path, stack: ExitStack) -> int:
    try:
        return stack.enter_context(Path(f"{path}.lock").open("w")).fileno()
    except OSError as error:
        raise StorageError(f"{path}.lock cannot be written: {error.strerror}") from error
