"""Databases as peewee reaches them: SQLite files and PostgreSQL servers, and what may go wrong."""

from __future__ import annotations

import errno
import os
import threading
import weakref
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import peewee
from msgspec import Struct

if TYPE_CHECKING:
    from judge.storage.pipeline import Pipeline


class StorageError(Exception):
    """A database that cannot be used as configured; the message says how to mend it."""


class Unavailable(Exception):
    """The database cannot be reached or written right now: busy, disconnected, disk full.

    Nothing of the transaction took effect. It is nobody's fault: try the same step again later.
    """


class NameTaken(Exception):
    """A game of this name exists already."""


class Stale(Exception):
    """The record was changed by somebody else since it was read; read it again."""


class AlreadyRun(Exception):
    """This phase of this game has been processed before; a phase runs once."""


class Asked(NamedTuple):
    """A statement with `%s` for each of its values; one that is `kept` is asked again and again."""

    sql: str
    values: Sequence[Any] = ()
    kept: bool = True


class Answer(Struct, frozen=True):
    """What came of a statement: its rows, and how many it touched."""

    rows: list[tuple[Any, ...]]
    count: int


NOTHING = Answer([], 0)

CHANNEL = "judge"
"""Where judges on one PostgreSQL tell each other that there is something to do."""

AT_WORK = zlib.crc32(b"judge at work")
"""The advisory lock that each judge on a PostgreSQL shares with the others."""

_ALIVE = "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3"
"""PostgreSQL notices within seconds that a judge's machine is gone, and gives its locks back."""

# How long one statement waits for another process's lock, in seconds.
_BUSY_SECONDS = 30


class _Tracked:
    """Keeps a list of the connections threads opened, so that all can be closed at the end.

    peewee gives each thread its own connection; a thread that ends leaves its one behind.
    """

    _state: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._open: list[tuple[weakref.ref[threading.Thread], Any]] = []
        self._open_lock = threading.Lock()
        super().__init__(*args, **kwargs)

    def _connect(self) -> Any:
        connection = super()._connect()  # type: ignore[misc]
        with self._open_lock:
            kept = []
            for thread, other in self._open:
                alive = thread()
                if alive is not None and alive.is_alive():
                    kept.append((thread, other))
                else:
                    other.close()
            self._open = [*kept, (weakref.ref(threading.current_thread()), connection)]
        return connection

    def _close(self, connection: Any) -> None:
        with self._open_lock:
            self._open = [entry for entry in self._open if entry[1] is not connection]
        connection.close()

    def close_all(self) -> None:
        """Close every thread's connection; the database is not to be used again."""
        with self._open_lock:
            connections = [connection for _, connection in self._open]
            self._open = []
        for connection in connections:
            connection.close()
        self._state.reset()


class Sqlite(_Tracked, peewee.SqliteDatabase):
    def rollback(self) -> None:
        # A full disk or a failing one makes SQLite roll back by itself
        # (https://sqlite.org/lang_transaction.html, section 3).
        if self._state.conn.in_transaction:
            super().rollback()


class Postgresql(_Tracked, peewee.PostgresqlDatabase):
    """A server. What is asked for by `ask` is prepared, and goes out with the next that waits."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._own = _Own()
        super().__init__(*args, **kwargs)

    def _connect(self) -> Any:
        connection = super()._connect()
        connection.execute(_COMPRESS)
        return connection

    def lost(self) -> bool:
        """Whether this thread's connection is broken; if so, the next use opens a new one."""
        connection = self._state.conn
        if connection is None or not (connection.closed or connection.broken):
            return False
        self.close()
        return True

    def ask(
        self, sql: str, values: Sequence[Any] = (), *, wait: bool = True, kept: bool = True
    ) -> Answer:
        """Run a statement with `%s` for each value; without `wait` no later than the next one, or
        the end of the transaction, and what goes wrong shows then."""
        self._own.waiting.append(Asked(sql, values, kept))
        return self._exchange()[-1] if wait else NOTHING

    def answers(self, *asked: Asked) -> list[Answer]:
        """Run these after what waits, in one exchange; what came of each."""
        self._own.waiting.extend(asked)
        return self._exchange()[-len(asked) :]

    def whole(self, sql: str, values: Sequence[Any]) -> Answer:
        """Run a statement as a transaction, in one exchange."""
        self.begin()
        try:
            self._own.waiting += [Asked(sql, values), Asked(_COMMIT)]
            return self._exchange()[-2]
        except BaseException:
            self.rollback()
            raise

    def _exchange(self) -> list[Answer]:
        asked, self._own.waiting = self._own.waiting, []
        return self._tried(asked)

    def _tried(self, asked: Sequence[Asked]) -> list[Answer]:
        try:
            return self._pipeline(asked)
        except (peewee.OperationalError, peewee.InterfaceError):
            # A server that was restarted shows only when the old connection is used. What was
            # to be committed may have been.
            first, last = asked[0].sql, asked[-1].sql
            if last == _COMMIT or (self.in_transaction() and first != _BEGIN):
                raise
            transactions, self._state.transactions = self._state.transactions, []
            try:
                if not self.lost():
                    raise
                self.connect()
            finally:
                self._state.transactions = transactions
            return self._pipeline(asked)

    def _pipeline(self, asked: Sequence[Asked]) -> list[Answer]:
        with peewee.__exception_wrapper__:  # type: ignore[attr-defined]
            connection = self.connection()  # type: ignore[no-untyped-call]
            if self._own.pipeline is None or self._own.pipeline.connection is not connection:
                from judge.storage.pipeline import Pipeline

                self._own.pipeline = Pipeline(connection)
            return self._own.pipeline.ask(asked)

    def begin(self, *args: Any, **kwargs: Any) -> None:
        # A new connection would forget what this thread is in.
        self.connection()  # type: ignore[no-untyped-call]
        # A server may have been restarted since; what goes out together with its COMMIT could not
        # be tried again. Nor is what waits part of the transaction.
        pipeline = self._own.pipeline
        gone = pipeline is not None and pipeline.told()
        self.ask(_BEGIN, wait=gone or bool(self._own.waiting))

    def commit(self) -> None:
        if [each.sql for each in self._own.waiting] == [_BEGIN]:
            self._own.waiting = []
        else:
            self.ask(_COMMIT)

    def rollback(self) -> None:
        waiting, self._own.waiting = self._own.waiting, []
        begun = not waiting or waiting[0].sql != _BEGIN
        # With its connection a transaction ends by itself; there may have been none to begin it on.
        if begun and self._state.conn is not None and not self._state.conn.closed:
            self.ask(_ROLLBACK)

    def execute_sql(self, sql: str, params: Any = None) -> Any:
        if self._own.waiting:
            self._exchange()
        return super().execute_sql(sql, params)  # type: ignore[no-untyped-call]


_COMPRESS = """\
SELECT set_config(name, 'lz4', false) FROM pg_settings
WHERE name = 'default_toast_compression' AND 'lz4' = ANY(enumvals)
"""
"""Letters are compressed in a third of the time, where the server can."""

_BEGIN, _COMMIT, _ROLLBACK = "BEGIN", "COMMIT", "ROLLBACK"


class _Own(threading.local):
    """What each thread has of a server: its pipeline, and what is to go out by it."""

    def __init__(self) -> None:
        self.pipeline: Pipeline | None = None
        self.waiting: list[Asked] = []


def connect(url: str) -> tuple[Any, str]:
    """The database at `url` (see `Engine`), and where it is, without a password.

    Raises StorageError for a URL of another form, and where a file cannot be made.
    """
    scheme, _, rest = url.partition(":")
    if scheme in ("postgresql", "postgres") and rest.startswith("//"):
        server = Postgresql(
            f"postgresql:{rest}",
            prefer_psycopg3=True,
            application_name="judge",
            connect_timeout=10,
            options=_ALIVE,
            # What `ask` prepares the driver would throw away with what it prepares itself.
            prepare_threshold=None,
        )
        return server, "postgresql:" + rest.rpartition("@")[2]
    if scheme == "sqlite" and rest.strip("/"):
        path = Path(rest.removeprefix("//") if rest.startswith("///") else rest)
        _make_private(path)
        file = Sqlite(
            str(path),
            timeout=_BUSY_SECONDS,
            check_same_thread=False,
            pragmas={
                "journal_mode": "wal",
                "synchronous": "full",
                "foreign_keys": 1,
                "secure_delete": 1,
            },
        )
        return file, f"sqlite:{path}"
    raise StorageError(
        f"{scheme}:... is no database the judge knows; write sqlite:/path/to/judge.db"
        " or postgresql://user:password@host/name"
    )


def _make_private(path: Path) -> None:
    """Create the file readable by its owner only: it holds people's mail."""
    if not path.parent.is_dir():
        raise StorageError(f"{path.parent} is no directory; make it, or configure another path")
    try:
        # One that is there is not touched: to close it would give up the locks by which other
        # processes see that this one uses it (https://sqlite.org/howtocorrupt.html, section 2.2).
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        elif not os.access(path, os.R_OK | os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}") from error
