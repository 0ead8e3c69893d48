"""One database under peewee: connections, transactions, row locks, errors made ours."""

from __future__ import annotations

import fcntl
import os
import threading
import weakref
import zlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import peewee

from judge.storage.sql import Row, Statement, inserting, inserting_many, replacing


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


# SQLite's primary result codes for what another try may cure (https://sqlite.org/rescode.html):
# BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN, PROTOCOL.
_PASSING = {5, 6, 8, 10, 13, 14, 15}

CHANNEL = "judge"
"""Where judges on one PostgreSQL tell each other that there is something to do."""

_ALIVE = "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3"
"""PostgreSQL notices within seconds that a judge's machine is gone, and gives its locks back."""

_OF_DRIVERS = (peewee.OperationalError, peewee.InterfaceError)
"""What drivers raise for a database that is out of reach, and for more."""

# How long one statement waits for another process's lock, in seconds.
_BUSY_SECONDS = 30


# What is run: a query built for this once, or one whose SQL is kept.
Query = Any | Statement

T = TypeVar("T")


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


class _Sqlite(_Tracked, peewee.SqliteDatabase):
    def rollback(self) -> None:
        # A full disk or a failing one makes SQLite roll back by itself
        # (https://sqlite.org/lang_transaction.html, section 3).
        if self._state.conn.in_transaction:
            super().rollback()


class _Postgresql(_Tracked, peewee.PostgresqlDatabase):
    def lost(self) -> bool:
        """Whether this thread's connection is broken; if so, the next use opens a new one."""
        connection = self._state.conn
        if connection is None or not (connection.closed or connection.broken):
            return False
        self.close()
        return True

    def begin(self, *args: Any, **kwargs: Any) -> None:
        try:
            super().begin(*args, **kwargs)
        except (peewee.OperationalError, peewee.InterfaceError):
            # A server that was restarted shows only when the old connection is used.
            if not self.lost():
                raise
            super().begin(*args, **kwargs)

    def execute_sql(self, sql: str, params: Any = None) -> Any:
        try:
            return super().execute_sql(sql, params)  # type: ignore[no-untyped-call]
        except (peewee.OperationalError, peewee.InterfaceError):
            if self.in_transaction() or not self.lost():
                raise
            return super().execute_sql(sql, params)  # type: ignore[no-untyped-call]


class Engine:
    """A database, and what SQLite and PostgreSQL do differently. Safe to share by threads."""

    def __init__(self, url: str) -> None:
        """`url` is `sqlite:/path/to/judge.db` or `postgresql://user:password@host:port/name`.

        Raises StorageError for any other form.
        """
        scheme, _, rest = url.partition(":")
        self._news = threading.local()
        self._reserving = threading.Lock()
        self._reserved: set[tuple[str, int]] = set()
        self.postgresql = scheme in ("postgresql", "postgres")
        if self.postgresql and rest.startswith("//"):
            self.database: Any = _Postgresql(
                f"postgresql:{rest}",
                prefer_psycopg3=True,
                application_name="judge",
                connect_timeout=10,
                options=_ALIVE,
            )
            self._writing: AbstractContextManager[Any] = nullcontext()
            self.name = "postgresql:" + rest.rpartition("@")[2]
        elif scheme == "sqlite" and rest.strip("/"):
            path = Path(rest.removeprefix("//") if rest.startswith("///") else rest)
            _make_private(path)
            self.database = _Sqlite(
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
            # Threads of one process queue here instead of polling SQLite's own lock.
            self._writing = threading.Lock()
            self.name = f"sqlite:{path}"
        else:
            raise StorageError(
                f"{scheme}:... is no database the judge knows; write sqlite:/path/to/judge.db"
                " or postgresql://user:password@host/name"
            )

    def __repr__(self) -> str:
        return f"Engine({self.name})"

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything inside happens or nothing does: any exception rolls back, leaving commits.

        SQLite: the whole write lock (BEGIN IMMEDIATE); PostgreSQL: READ COMMITTED with row locks
        taken by `locked`. Raises RuntimeError inside another one, Unavailable as its class says.
        """
        if self.database.in_transaction():
            raise RuntimeError("transactions are flat: this thread is in one already")
        begin = () if self.postgresql else ("IMMEDIATE",)
        self._news.what = set()
        with self.errors(), self._writing, self.database.transaction(*begin):
            yield
            for what in sorted(self._news.what):
                self.database.execute_sql("SELECT pg_notify(%s, %s)", (CHANNEL, what))

    @contextmanager
    def quick_transaction(self) -> Iterator[None]:
        """A transaction that outlives the process but perhaps not the machine's power.

        It does not wait for the disk, and none after it does longer because of it.
        """
        self.database.connection()
        if self.postgresql:
            with self.transaction(), self.errors():
                self.database.execute_sql("SET LOCAL synchronous_commit = off")
                yield
            return
        # SQLite in WAL mode syncs at commit only when told FULL; it cannot be told within one.
        self.database.synchronous = 1
        try:
            with self.transaction():
                yield
        finally:
            self.database.synchronous = 2

    @contextmanager
    def rebuilding_tables(self) -> Iterator[None]:
        """Outside of a transaction in which tables are rebuilt: a new column is, in SQLite, a new
        table under the old name (https://sqlite.org/lang_altertable.html, section 7), and other
        tables refer to it meanwhile. `check_references` before it ends."""
        if self.postgresql:
            yield
            return
        self.database.connection()
        with self.errors():
            self.database.foreign_keys = 0
        try:
            yield
        finally:
            self.database.foreign_keys = 1

    def check_references(self) -> None:
        """Raise StorageError where a row refers to one that is not there."""
        if not self.postgresql:
            with self.errors():
                lost = self.database.execute_sql("PRAGMA foreign_key_check").fetchone()
            if lost:
                raise StorageError(f"{self.name}: a row of {lost[0]} refers to none of {lost[2]}")

    def own_transaction(self) -> AbstractContextManager[None]:
        """A transaction of its own, or a part of the one this thread is in."""
        return nullcontext() if self.database.in_transaction() else self.transaction()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """A transaction in which every read sees the database as it was at the first one.

        Nothing is to be written in it; others go on writing. Raises as `transaction` does.
        """
        if self.database.in_transaction():
            raise RuntimeError("transactions are flat: this thread is in one already")
        with self.errors(), self.database.transaction(*(() if self.postgresql else ("DEFERRED",))):
            if self.postgresql:
                self.database.execute_sql(
                    "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
                )
            yield

    def need_transaction(self) -> None:
        """Raise RuntimeError unless this thread is in a transaction."""
        if not self.database.in_transaction():
            raise RuntimeError("this write belongs in `with storage.transaction():`")

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turn what the driver says about a database out of reach into Unavailable."""
        try:
            yield
        except _OF_DRIVERS as error:
            self._raise(error)

    def _raise(self, error: Exception) -> NoReturn:
        """Raise Unavailable for an error that another try may cure, and the error itself else."""
        if not self.postgresql:
            cause = getattr(error, "orig", None)
            if getattr(cause, "sqlite_errorcode", 0) & 0xFF not in _PASSING:
                raise error
        elif not self.database.in_transaction():
            self.database.lost()
        raise Unavailable(f"{self.name}: {error}") from error

    # What writes raises RuntimeError outside a transaction.

    def rows(self, query: Query, **given: Any) -> list[Row]:
        """Run a select and return its rows by field name."""
        if not isinstance(query, Statement):
            with self.errors():
                return list(query.dicts().execute(self.database))
        return query.rows(self.database, self._execute(query, given).fetchall())

    def row(self, query: Query, **given: Any) -> Row | None:
        """The first row of a select, or None."""
        rows = self.rows(query, **given)
        return rows[0] if rows else None

    def records(self, kind: type[T], query: Query, **given: Any) -> list[T]:
        """Run a select of whole rows and return them as records of this kind."""
        return [kind(**row) for row in self.rows(query, **given)]

    def record(self, kind: type[T], query: Query, **given: Any) -> T | None:
        """The first row of a select as a record of this kind, or None."""
        row = self.row(query, **given)
        return None if row is None else kind(**row)

    def value(self, query: Query, **given: Any) -> Any:
        """The first column of the first row as the driver gives it, or None."""
        if isinstance(query, Statement):
            row = next(iter(self._execute(query, given).fetchall()), None)
        else:
            with self.errors():
                row = next(iter(query.tuples().execute(self.database)), None)
        return None if row is None else row[0]

    def count(self, model: Any, condition: Any) -> int:
        """How many rows of a table there are of which that is true."""
        return int(self.value(model.select(peewee.fn.COUNT(model.id)).where(condition)))

    def run(self, query: Query, **given: Any) -> int:
        """Run an update or delete and return how many rows it touched."""
        self.need_transaction()
        if isinstance(query, Statement):
            return int(self._execute(query, given).rowcount)
        with self.errors():
            return int(query.execute(self.database))

    def _execute(self, statement: Statement, given: Row) -> Any:
        sql, values = statement.filled(self.database, given)
        try:
            return self.database.execute_sql(sql, values)
        except _OF_DRIVERS as error:
            self._raise(error)

    def add(self, model: Any, values: Row) -> int:
        """Insert a row and return its id."""
        self.need_transaction()
        return int(self.value(inserting(model, tuple(values)), **values))

    def add_all(self, model: Any, rows: Sequence[Row]) -> None:
        """Insert rows in one statement, all with the same columns."""
        if rows:
            given = {
                f"{name}{place}": value
                for place, row in enumerate(rows)
                for name, value in row.items()
            }
            self.run(inserting_many(model, tuple(rows[0]), len(rows)), **given)

    def add_new(self, model: Any, values: Row) -> int | None:
        """Insert a row and return its id; None where one of its unique keys is taken."""
        self.need_transaction()
        found: int | None = self.value(inserting(model, tuple(values), new=True), **values)
        return found

    def replace(self, model: Any, row_id: int, values: Row) -> None:
        """Give the row of that id other values."""
        self.run(replacing(model, tuple(values)), id=row_id, **values)

    def locked(self, query: Any, *, skip: bool = False) -> Any:
        """A select whose rows stay locked until the transaction ends.

        With `skip`, rows another transaction has locked are left out; else it waits for them.
        SQLite's transactions exclude each other, so there is nothing to add.
        """
        self.need_transaction()
        return query.locked(skip) if self.postgresql else query

    @contextmanager
    def reserved(self, kind: str, ids: Sequence[int]) -> Iterator[list[int]]:
        """Those of `ids` no other thread or process has reserved, reserved until the block is left.

        PostgreSQL: session advisory locks, held by this thread's connection, so that a process that
        dies gives them back. SQLite serves one judge, which keeps them in mind.
        """
        if not self.postgresql:
            with self._reserving:
                free = [each for each in ids if (kind, each) not in self._reserved]
                self._reserved.update((kind, each) for each in free)
            try:
                yield free
            finally:
                with self._reserving:
                    self._reserved.difference_update((kind, each) for each in free)
            return
        key = zlib.crc32(kind.encode()) - 2**31
        # Advisory locks take two 32-bit keys or one of 64 bits; ids outgrow 32 bits.
        keys = {each: (key << 32) ^ each for each in ids}
        got: list[int] = []
        try:
            lock = "SELECT k, pg_try_advisory_lock(k) FROM unnest(%s::bigint[]) AS k"
            with self.errors():
                held = dict(self.database.execute_sql(lock, (list(keys.values()),)).fetchall())
            got += [each for each in ids if held[keys[each]]]
            yield got
        finally:
            if got:
                unlock = "SELECT pg_advisory_unlock(k) FROM unnest(%s::bigint[]) AS k"
                with self.errors():
                    self.database.execute_sql(unlock, ([keys[each] for each in got],))

    def announce(self, what: str) -> None:
        """Once this transaction has committed, tell other judges that there is a mail or letter."""
        self.need_transaction()
        if self.postgresql:
            self._news.what.add(what)

    def server_time(self) -> datetime | None:
        """What time PostgreSQL's machine says it is; None for SQLite."""
        if not self.postgresql:
            return None
        with self.errors():
            found: datetime = self.database.execute_sql("SELECT clock_timestamp()").fetchone()[0]
        return found

    def serialize(self, what: str) -> None:
        """Until this transaction ends, let no other one pass that calls this for `what`."""
        self.need_transaction()
        if self.postgresql:
            with self.errors():
                key = zlib.crc32(what.encode())
                self.database.execute_sql("SELECT pg_advisory_xact_lock(%s)", (key,))

    def close(self) -> None:
        """Close the connections of all threads; the engine is not to be used again."""
        self.database.close_all()


class Part:
    """What reads and writes some of the tables. Writes belong in a transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine


def _make_private(path: Path) -> None:
    """Create the file readable by its owner only: it holds people's mail."""
    if not path.parent.is_dir():
        raise StorageError(f"{path.parent} is no directory; make it, or configure another path")
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}") from error


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
