"""SQLite files and PostgreSQL servers: all that they do differently.

They differ in how a row is claimed, in how others hear that there is something to do, in what a
driver's error means, and in how a connection is opened and a database occupied.
"""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import sqlite3
import threading
import time
import weakref
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import (
    AbstractContextManager,
    ExitStack,
    closing,
    contextmanager,
    nullcontext,
    suppress,
)
from datetime import datetime
from pathlib import Path
from select import select
from typing import Any

import peewee

from judge.storage.errors import StorageError
from judge.storage.queries import Engine, Heard

try:
    import psycopg
    import psycopg.types.numeric
except ImportError:  # The extra `postgres` brings it.
    psycopg = None  # type: ignore[assignment]

log = logging.getLogger(__name__)


def open_engine(url: str, writing: AbstractContextManager[object] | None = None) -> Engine:
    """Return the database at `sqlite:/path/to/judge.db` or `postgresql://user:password@host/name`,
    which is connected to when it is used.

    `writing` is the turn to write where another process writes to the same SQLite file, too.
    Raises StorageError for a URL of another form, and where a file cannot be made.
    """
    scheme, _, rest = url.partition(":")
    if scheme in ("postgresql", "postgres") and rest.startswith("//"):
        return Postgresql(rest)
    if scheme == "sqlite" and rest.strip("/"):
        return Sqlite(_path(rest), writing)
    raise StorageError(
        f"{scheme}:... is no database the judge knows; write sqlite:/path/to/judge.db"
        " or postgresql://user:password@host/name"
    )


def _literal(value: str | int) -> str:
    quoted = str(value).replace("'", "''")
    return f"'{quoted}'" if isinstance(value, str) else str(value)


def _path(rest: str) -> Path:
    return Path(rest.removeprefix("//") if rest.startswith("///") else rest)


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


# -- SQLite -----------------------------------------------------------------------------------

# How long one statement waits for another process's lock, in seconds.
_BUSY_SECONDS = 30

# Primary result codes for what another try may cure (https://sqlite.org/rescode.html):
# BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN, PROTOCOL.
_PASSING = {5, 6, 8, 10, 13, 14, 15}


class SqliteFile(_Tracked, peewee.SqliteDatabase):
    """A file as peewee has it."""

    def rollback(self) -> None:
        # A full disk or a failing one makes SQLite roll back by itself
        # (https://sqlite.org/lang_transaction.html, section 3).
        if self._state.conn.in_transaction:
            super().rollback()


class Sqlite(Engine):
    """A file of one judge. Its transactions exclude each other, so that rows need no locks."""

    _reading = "DEFERRED"

    def __init__(self, path: Path, writing: AbstractContextManager[object] | None) -> None:
        _make_private(path)
        pragmas = {"journal_mode": "wal", "synchronous": "full"}
        database = SqliteFile(
            str(path),
            pragmas={**pragmas, "foreign_keys": 1, "secure_delete": 1},
            timeout=_BUSY_SECONDS,
            returning_clause=True,
            check_same_thread=False,
        )
        # Threads queue here instead of polling SQLite's own lock.
        super().__init__(database, f"sqlite:{path}", writing or threading.Lock())
        self._reserving = threading.Lock()
        self._reserved: set[int] = set()

    def _begun(self) -> AbstractContextManager[object]:
        self._wait_for_disk(True)
        begun: AbstractContextManager[object] = self.database.transaction("IMMEDIATE")
        return begun

    def note(self, query: Any) -> None:
        if self.database.in_transaction():
            self.run(query)
            return
        with self.errors(), self._writing:
            self._wait_for_disk(False)
            query.execute(self.database)

    def _wait_for_disk(self, waits: bool) -> None:
        """Let this thread's commits from now on wait for the disk, as they do at first, or not."""
        if getattr(self._local, "waits", True) is not waits:
            self.database.synchronous = "full" if waits else "normal"
            self._local.waits = waits

    def locked(self, query: Any, *, skip: bool = False) -> Any:
        self.need_transaction()
        return query

    @contextmanager
    def reserved(self, ids: Sequence[int]) -> Iterator[list[int]]:
        with self._reserving:
            mine = [each for each in ids if each not in self._reserved]
            self._reserved.update(mine)
        try:
            yield mine
        finally:
            with self._reserving:
                self._reserved.difference_update(mine)

    def serialize(self, what: str) -> None:
        self.need_transaction()

    def _announce(self, news: set[str]) -> None:
        """There is no other judge."""

    def _hear(self, news: set[str]) -> None:
        """Do nothing: the one judge looks after each mail it takes."""

    def listener(self, heard: Heard) -> Listener | None:
        return None

    def _passes(self, error: Exception) -> bool:
        cause = getattr(error, "orig", None) or error
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in _PASSING

    def said(self, error: Exception) -> str:
        return str(error)

    def server_time(self) -> datetime | None:
        return None

    def count_on(self, model: Any) -> None:
        """Do nothing: SQLite looks for the highest id at each insert."""

    def literal(self, value: Any) -> str:
        return f"x'{value.hex()}'" if isinstance(value, bytes) else _literal(value)

    def is_served(self) -> bool:
        try:
            with _lock_of(Path(self.database.database)).open() as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except OSError:
            # It is held, or nothing can be said of it.
            return True
        return False

    def save_as(self, path: Path) -> bool:
        with self.errors(), closing(sqlite3.connect(path)) as file:
            self.database.connection().backup(file)
            # One file, that needs no other beside it.
            file.execute("PRAGMA journal_mode=DELETE")
        return True


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


# -- PostgreSQL -------------------------------------------------------------------------------

_CHANNEL = "judge"
"""Where judges on one PostgreSQL tell each other that there is something to do."""

_AT_WORK = zlib.crc32(b"judge at work")
"""The advisory lock that each judge on a PostgreSQL shares with the others."""

_LETTERS = (zlib.crc32(b"letter") - 2**31) << 32
"""Advisory locks take two 32-bit keys or one of 64 bits, and ids outgrow 32 bits: those of letters
begin here."""

_ALIVE = "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3"
"""PostgreSQL notices within seconds that a judge's machine is gone, and gives its locks back."""

_PREPARED = 500
"""Statements a server keeps for a connection."""

_COMPRESS = """\
SELECT set_config(name, 'lz4', false) FROM pg_settings
WHERE name = 'default_toast_compression' AND 'lz4' = ANY(enumvals)
"""
"""Letters are compressed in a third of the time, where the server can."""


class PostgresqlServer(_Tracked, peewee.PostgresqlDatabase):
    """A server as peewee has it. Outside of transactions a connection that broke is replaced
    without a word."""

    def _connect(self) -> Any:
        connection = super()._connect()
        # All that is asked again and again stays prepared; a number has one type, however small.
        connection.prepare_threshold, connection.prepared_max = 2, _PREPARED
        connection.adapters.register_dumper(int, psycopg.types.numeric.Int8Dumper)
        connection.execute(_COMPRESS)
        return connection

    def cursor(self, named_cursor: Any = None) -> Any:
        # Letters come as they are, and not as text of twice their length.
        return self.connection().cursor(binary=True)  # type: ignore[no-untyped-call]

    def execute_sql(self, sql: str, params: Any = None) -> Any:
        return self._again(super().execute_sql, sql, params)

    def begin(self, isolation_level: Any = None) -> None:
        self._again(super().begin, isolation_level)

    def _again(self, step: Callable[..., Any], *args: Any) -> Any:
        try:
            return step(*args)
        except (peewee.OperationalError, peewee.InterfaceError):
            if self.in_transaction() or not self._lost():
                raise
        return step(*args)

    def rollback(self) -> None:
        # With its connection a transaction ends by itself.
        if not self._lost():
            super().rollback()

    def _lost(self) -> bool:
        """Return whether this thread's connection is broken; if so, the next use opens a new
        one."""
        connection = self._state.conn
        if connection is None or not (connection.closed or connection.broken):
            return False
        self.close()
        return True


class Postgresql(Engine):
    """A server, on which several judges may work."""

    _reading = "REPEATABLE READ, READ ONLY"

    def __init__(self, rest: str) -> None:
        self.url = f"postgresql:{rest}"
        database = PostgresqlServer(
            self.url,
            prefer_psycopg3=True,
            application_name="judge",
            connect_timeout=10,
            options=_ALIVE,
        )
        super().__init__(database, "postgresql:" + rest.rpartition("@")[2], nullcontext())
        self.heard: Heard = lambda what: None
        """Hears what is announced where no other process needs to, for this one is alone."""

    def _begun(self) -> AbstractContextManager[object]:
        begun: AbstractContextManager[object] = self.database.transaction()
        return begun

    def note(self, query: Any) -> None:
        with self.errors():
            query.execute(self.database)

    def locked(self, query: Any, *, skip: bool = False) -> Any:
        self.need_transaction()
        return query.for_update(skip_locked=skip or None)

    @contextmanager
    def reserved(self, ids: Sequence[int]) -> Iterator[list[int]]:
        """By session advisory locks, held by this thread's connection, so that a process that dies
        gives them back."""
        lock = "SELECT id FROM unnest(%s::bigint[]) AS id WHERE pg_try_advisory_lock(%s # id)"
        with self.errors():
            mine = [row[0] for row in self.database.execute_sql(lock, (list(ids), _LETTERS))]
        try:
            yield mine
        finally:
            if mine:
                unlock = "SELECT pg_advisory_unlock(%s # id) FROM unnest(%s::bigint[]) AS id"
                with self.errors():
                    self.database.execute_sql(unlock, (_LETTERS, mine))

    def serialize(self, what: str) -> None:
        self.need_transaction()
        with self.errors():
            key = zlib.crc32(what.encode())
            self.database.execute_sql("SELECT pg_advisory_xact_lock(%s)", (key,))

    def _announce(self, news: set[str]) -> None:
        for what in () if self._whole.alone else sorted(news):
            self.database.execute_sql("SELECT pg_notify(%s, %s)", (_CHANNEL, what))

    def _hear(self, news: set[str]) -> None:
        for what in sorted(news) if self._whole.alone else ():
            self._whole.heard(what)

    def listener(self, heard: Heard) -> Listener | None:
        return Listener(self, heard)

    def _passes(self, error: Exception) -> bool:
        return True

    def said(self, error: Exception) -> str:
        # What the driver says may quote the password.
        return "write % as %25 and @ as %40 in its URL"

    def server_time(self) -> datetime | None:
        with self.errors():
            row = self.database.execute_sql("SELECT clock_timestamp()").fetchone()
        found: datetime = row[0]
        return found

    def count_on(self, model: Any) -> None:
        sequence = peewee.fn.pg_get_serial_sequence(f'"{model._meta.table_name}"', "id")
        last = peewee.fn.MAX(model.id)
        known = peewee.fn.setval(sequence, peewee.fn.COALESCE(last, 1), last.is_null(False))
        self.tuples(model.select(known))

    def literal(self, value: Any) -> str:
        return f"'\\x{value.hex()}'" if isinstance(value, bytes) else _literal(value)

    def is_served(self) -> bool:
        with self.errors():
            row = self.database.execute_sql(_JUDGES, (_AT_WORK,)).fetchone()
        return bool(row != (0,))

    def save_as(self, path: Path) -> bool:
        return False


_AGAIN = 2.0
"""Seconds after which a connection that broke is made anew."""

_HERE = "judge"
"""What one announces that has begun to listen."""

_COUNT = 60.0
"""Seconds after which judges are counted again: nobody says that they have gone."""

_JUDGES = """\
SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
WHERE locktype = 'advisory' AND classid = 0 AND objid = %s AND datname = current_database()
"""


class Listener:
    """A thread with a connection of its own, on which it hears what others announce.

    Nothing depends on it: a judge that does not hear looks by itself, only later.
    """

    def __init__(self, engine: Postgresql, heard: Heard) -> None:
        """`heard` is called, in the listener's thread, with what was announced: mail or letter;
        with both after each new connection, for what was said before was not heard."""
        self._engine, self._heard = engine, heard
        engine.heard = heard
        self._stop = threading.Event()
        self._hears, self._tells = os.pipe()
        self.connected = False
        """Whether announcements are heard right now."""
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End; what is being called is waited for."""
        self._stop.set()
        os.close(self._tells)
        self._thread.join()
        os.close(self._hears)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                url = self._engine.url
                with psycopg.connect(url, autocommit=True, connect_timeout=10) as connection:
                    self._hear(connection)
            except psycopg.Error as error:
                log.debug("announcements are not heard: %s", error)
            self.connected = self._engine.alone = False
            self._stop.wait(_AGAIN)

    def _hear(self, connection: Any) -> None:
        """Hear what is announced on a connection until this is to end."""
        connection.execute(f"LISTEN {_CHANNEL}")
        connection.execute("SELECT pg_notify(%s, %s)", (_CHANNEL, _HERE))
        count = 0.0
        self.connected = True
        for what in ("mail", "letter"):
            self._heard(what)
        while not self._stop.is_set():
            if (now := time.monotonic()) >= count:
                row = connection.execute(_JUDGES, (_AT_WORK,)).fetchone()
                self._engine.alone, count = row == (1,), now + _COUNT
            for said in connection.notifies(timeout=0):
                if said.payload == _HERE:
                    count = 0.0
                else:
                    self._heard(said.payload)
            # The library would look ten times a second.
            select([connection, self._hears], [], [], max(count - time.monotonic(), 0))


# -- Judges on a database ---------------------------------------------------------------------


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
            if not _locks(_lock_file(Path(path), stack)):
                raise StorageError(f"another judge runs on {path} already")
        else:
            engine = open_engine(url)
            stack.callback(engine.close)
            function = "pg_try_advisory_lock" if alone else "pg_try_advisory_lock_shared"
            with engine.errors():
                got = engine.database.execute_sql(f"SELECT {function}(%s)", (_AT_WORK,)).fetchone()
            if got != (True,):
                who = "a judge runs on it; stop it first" if alone else "it is being moved just now"
                raise StorageError(f"{engine.name}: {who}")
        yield


def _lock_of(path: Path) -> Path:
    return Path(f"{path}.lock")


def _lock_file(path: Path, stack: ExitStack) -> int:
    try:
        return stack.enter_context(_lock_of(path).open("w")).fileno()
    except OSError as error:
        raise StorageError(f"{path}.lock cannot be written: {error.strerror}") from error


def _locks(lock: int) -> bool:
    """Return whether a lock is had; who asks whether anybody has it holds it for a moment."""
    for pause in (*[0.1] * 5, 0):
        with suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        time.sleep(pause)
    return False
