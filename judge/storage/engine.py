"""One database under peewee: queries, transactions, row locks, column types.

Building SQL from a query's parts takes far longer than running it. A statement is a query with
holes, written down once in a module. It keeps its SQL from the first use on, and the holes are
filled with what is given each time:

    _FIND = Statement(_P.select().where(_P.id == given("id")))
    engine.row(_FIND, id=7)

What has another shape each time (optional conditions) stays an ordinary query, and is made a
statement for its one use.

Those who read and write some of the tables see `Rows` of one kind.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime
from functools import cache
from typing import Any, ClassVar, Generic, NamedTuple, NoReturn, TypeVar

import peewee
from msgspec import Struct
from msgspec.structs import replace

from judge.storage.columns import AS_THEY_ARE, NUMBERS
from judge.storage.connection import CHANNEL, Answer, Postgresql, Unavailable, connect
from judge.storage.records import Kept

Converter = Callable[[Any], Any]

Row = dict[str, Any]
"""Values by the names of columns; what type each has is the column's business."""


def values_of(record: Any) -> Row:
    """Return the columns of a record, its id left out: the database gives that."""
    if isinstance(record, dict):
        return record
    return {name: getattr(record, name) for name in record.__struct_fields__ if name != "id"}


def numbered_values(rows: Sequence[Row]) -> Row:
    """Return what is given for `inserting`."""
    return {f"{name}{place}": row[name] for place, row in enumerate(rows) for name in row}


def changes_of(record: Any) -> Row:
    """Return the columns of which the database has other values."""
    stored = stored_of(record)
    return {k: v for k, v in values_of(record).items() if k not in stored or stored[k] != v}


def stored_of(record: Any) -> Row:
    """Return what the database is known to have of a record."""
    found: Row = getattr(record, "stored", {})
    return found


class Given(peewee.ColumnBase):
    """A hole in a statement."""

    def __init__(self, name: str, field: Any = None) -> None:
        super().__init__()
        self.name = name
        self.field = field

    def __sql__(self, ctx: Any) -> Any:
        # A value is converted as the field it is compared with or put into says.
        convert = ctx.state.converter if self.field is None else self.field.db_value
        if type(getattr(convert, "__self__", None)) in NUMBERS:
            convert = None
        return ctx.value(None, lambda _: _Filled(self.name, convert, self.field is not None))


class _Filled(NamedTuple):
    """Where in a statement's SQL a value goes, and what the database's driver gets for it."""

    name: str
    convert: Converter | None
    nullable: bool


class Statement:
    """A query that never changes but for what fills its holes."""

    def __init__(self, query: Any, *, kept: bool = True) -> None:
        """`kept` is false for one that is used once."""
        self.query, self.kept = query, kept
        self._compiled: dict[type, Compiled] = {}
        self._locked: dict[bool, Statement] = {}

    def locked(self, skip: bool) -> Statement:
        """The same select, its rows locked as `Engine.locked` says."""
        if skip not in self._locked:
            self._locked[skip] = Statement(self.query.for_update(skip_locked=skip or None))
        return self._locked[skip]

    def compiled(self, database: Any) -> Compiled:
        """The statement as this kind of database understands it."""
        kind = type(database)
        if kind not in self._compiled:
            self._compiled[kind] = self._compile(database)
        return self._compiled[kind]

    def filled(self, database: Any, given: Row) -> tuple[str, list[Any]]:
        """Return its SQL, and the values for one use. Raises KeyError where one is not given."""
        compiled = self.compiled(database)
        return compiled.sql, compiled.filled(given)

    def rows(self, database: Any, rows: Sequence[tuple[Any, ...]]) -> list[Row]:
        """Return what came of a select by field name."""
        compiled = self.compiled(database)
        found = [dict(zip(compiled.names, row, strict=True)) for row in rows]
        for row in found:
            for name, convert in compiled.converted:
                if (value := row[name]) is not None:
                    row[name] = convert(value)
        return found

    def _compile(self, database: Any) -> Compiled:
        sql, values = database.get_sql_context().sql(self.query).query()
        sql, values = _told(sql, values, "%s" if isinstance(database, Postgresql) else "?")
        columns = [
            (each.name, each.unalias())
            for each in getattr(self.query, "selected_columns", ())
            if hasattr(each, "name")
        ]
        names = tuple(name for name, _ in columns)
        converted = [
            (name, getattr(column, "load", column.python_value))
            for name, column in columns
            if isinstance(column, peewee.Field) and type(column) not in AS_THEY_ARE
        ]
        return Compiled(sql, tuple(values), names, tuple(converted))


def _told(sql: str, values: Sequence[Any], mark: str) -> tuple[str, list[Any]]:
    """A statement with what is always the same in its text: then enough of it is known to plan it
    once and not each time."""
    first, *rest = sql.split(mark)
    told, kept = [first], []
    for value, text in zip(values, rest, strict=True):
        if type(value) is int:
            told.append(str(value))
        elif type(value) is str and value.isalnum():
            told.append(f"'{value}'")
        else:
            told.append(mark)
            kept.append(value)
        told.append(text)
    return "".join(told), kept


class Compiled(Struct, frozen=True):
    """The SQL of a statement, its values with the holes, its columns, and the converters of those
    whose values are not as the drivers give them, for what is not None."""

    sql: str
    values: tuple[Any, ...]
    names: tuple[str, ...]
    converted: tuple[tuple[str, Converter], ...]

    def filled(self, given: Row) -> list[Any]:
        """The values for one use. Raises KeyError where one is not given."""
        found = []
        for value in self.values:
            if type(value) is _Filled:
                name, convert, nullable = value
                if (value := given[name]) is not None:
                    value = convert(value) if convert else value
                elif not nullable:  # SQL's `= NULL` is never true: write IS NULL for that.
                    raise ValueError(f"nothing can be compared with None ({name})")
            found.append(value)
        return found


def given(name: str) -> Any:
    """A value that is known when the statement runs, compared with a column; None is refused."""
    return Given(name)


def put(*columns: Any) -> dict[Any, Any]:
    """For UPDATE and INSERT: these columns get the values given under their names."""
    return {column: Given(column.name, column) for column in columns}


def among(name: str, count: int) -> list[Any]:
    """For IN: so many values, given by `numbered` under that name."""
    return [given(f"{name}{place}") for place in range(count)]


def numbered(name: str, values: Sequence[Any]) -> Row:
    """What is given for `among`."""
    return {f"{name}{place}": value for place, value in enumerate(values)}


@cache
def selecting(model: Any, *columns: str) -> Statement:
    """Selects the rows with the values in columns that are given under their names, by their
    ids."""
    those = (getattr(model, name) == given(name) for name in columns)
    return Statement(model.select().where(*those).order_by(model.id))


@cache
def inserting(model: Any, names: tuple[str, ...], count: int, *, new: bool = False) -> Statement:
    """Inserts so many rows of these columns and returns their ids. Each value is given under its
    column's name with the row's number. With `new`, rows whose unique keys are taken are left
    out."""
    columns = [getattr(model, name) for name in names]
    rows = [
        {column: Given(f"{column.name}{place}", column) for column in columns}
        for place in range(count)
    ]
    query = model.insert_many(rows)
    if new:
        query = query.on_conflict_ignore()
    return Statement(query.returning(model.id))


@cache
def replacing(model: Any, names: tuple[str, ...], known: tuple[str, ...] = ("id",)) -> Statement:
    """Updates these columns of the row whose columns `known` have the values that are given under
    their names behind `known_`."""
    query = model.update(put(*(getattr(model, name) for name in names)))
    return Statement(
        query.where(*(getattr(model, each) == given(f"known_{each}") for each in known))
    )


# SQLite's primary result codes for what another try may cure (https://sqlite.org/rescode.html):
# BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN, PROTOCOL.
_PASSING = {5, 6, 8, 10, 13, 14, 15}

_TOLD = "SELECT id, pg_notify(%s, %s) FROM new"

_OF_DRIVERS = (peewee.OperationalError, peewee.InterfaceError)
"""What drivers raise for a database that is out of reach, and for more."""


# What is run: a query built for this once, or one whose SQL is kept.
Query = Any | Statement

T = TypeVar("T", bound=Struct)


def _statement(query: Query) -> Statement:
    return query if isinstance(query, Statement) else Statement(query, kept=False)


class Engine:
    """A database, and what SQLite and PostgreSQL do differently. Safe to share by threads."""

    def __init__(self, url: str, writing: AbstractContextManager[object] | None = None) -> None:
        """`url` is `sqlite:/path/to/judge.db` or `postgresql://user:password@host:port/name`.

        `writing` is the turn to write where another process writes to the same SQLite database,
        too. Raises StorageError for a URL of any other form.
        """
        self._news = threading.local()
        self.alone = False
        self.heard: Callable[[str], None] = lambda what: None
        """Hears what is announced where no other process needs to, for this one is alone."""
        self.database, self.name = connect(url)
        self.postgresql = isinstance(self.database, Postgresql)
        # Threads queue here instead of polling SQLite's own lock.
        self.writing = nullcontext() if self.postgresql else (writing or threading.Lock())

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
        with self.errors(), self.writing:
            self._wait_for_disk(True)
            with self.database.transaction(*begin):
                yield
                alone, news = self.alone, sorted(self._news.what)
                for what in () if alone else news:
                    self.database.ask("SELECT pg_notify(%s, %s)", (CHANNEL, what), wait=False)
        for what in news if alone else ():
            self.heard(what)

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
                how = "ISOLATION LEVEL REPEATABLE READ, READ ONLY"
                self.database.execute_sql(f"SET TRANSACTION {how}")
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

    def rows(self, query: Query, /, **given: Any) -> list[Row]:
        """Run a select and return its rows by field name."""
        statement = _statement(query)
        return statement.rows(self.database, self._execute(statement, given).rows)

    def tuples(self, query: Query, /, **given: Any) -> list[tuple[Any, ...]]:
        """Run a select and return its rows as the driver gives them."""
        return self._execute(_statement(query), given).rows

    def row(self, query: Query, /, **given: Any) -> Row | None:
        """The first row of a select, or None."""
        return next(iter(self.rows(query, **given)), None)

    def records(self, kind: type[T], query: Query, /, **given: Any) -> list[T]:
        """Run a select of whole rows and return them as records of this kind."""
        rows = self.rows(query, **given)
        found = [kind(**row) for row in rows]
        if issubclass(kind, Kept):
            for record, row in zip(found, rows, strict=True):
                record.stored = row  # type: ignore[attr-defined]
        return found

    def record(self, kind: type[T], query: Query, /, **given: Any) -> T | None:
        """The first row of a select as a record of this kind, or None."""
        return next(iter(self.records(kind, query, **given)), None)

    def of(self, kind: type[T], model: Any, /, **columns: Any) -> list[T]:
        """The rows with these values in these columns, by their ids, as records of this kind."""
        return self.records(kind, selecting(model, *columns), **columns)

    def one(self, kind: type[T], model: Any, /, **columns: Any) -> T | None:
        """The first of those, or None."""
        return self.record(kind, selecting(model, *columns), **columns)

    def value(self, query: Query, /, **given: Any) -> Any:
        """The first column of the first row as the driver gives it, or None."""
        row = next(iter(self.tuples(query, **given)), None)
        return None if row is None else row[0]

    def count(self, model: Any, condition: Any) -> int:
        """How many rows of a table there are of which that is true."""
        return int(self.value(model.select(peewee.fn.COUNT(model.id)).where(condition)))

    def run(self, query: Query, /, **given: Any) -> int:
        """Run an update or delete and return how many rows it touched."""
        self.need_transaction()
        return self._execute(_statement(query), given).count

    def put_in(self, statement: Statement, news: str, **given: Any) -> Any:
        """Run an insert in a transaction of its own, or as a part of the one this thread is in; its
        first value, which is announced, or None."""
        within = self.database.in_transaction()
        if self.postgresql and not (within or self.alone):
            sql, values = statement.filled(self.database, given)
            told = f"WITH new AS ({sql}) {_TOLD}"
            with self.errors():
                rows = self.database.whole(told, [*values, CHANNEL, news]).rows
        else:
            rows = self._at_once(statement, given)
            if rows and within:
                self.announce(news)
            elif rows and self.postgresql:
                self.heard(news)
        return rows[0][0] if rows else None

    def note(self, statement: Statement, **given: Any) -> None:
        """Run a write in a transaction of its own, or as a part of the one this thread is in. One
        of its own does not wait for SQLite's disk: no kill undoes it, but a power cut may, unless
        something else has been committed since."""
        self._at_once(statement, given, waits=False)

    def _at_once(self, statement: Statement, given: Row, *, waits: bool = True) -> list[Any]:
        """Run a statement; its rows. Outside of transactions it is one, and commits at its end."""
        if self.database.in_transaction():
            return self._execute(statement, given).rows
        with self.errors(), self.writing:
            if self.postgresql:
                rows: list[Any] = self.database.whole(*statement.filled(self.database, given)).rows
                return rows
            self._wait_for_disk(waits)
            return self._execute(statement, given).rows

    def _wait_for_disk(self, waits: bool) -> None:
        """Let this thread's commits from now on wait for SQLite's disk, as they do at first, or
        not."""
        if not self.postgresql and getattr(self._news, "waits", True) is not waits:
            self.database.execute_sql(f"PRAGMA synchronous = {'full' if waits else 'normal'}")
            self._news.waits = waits

    def write(self, statement: Statement, **given: Any) -> None:
        """Run an update, delete or insert of which nobody needs to know how many rows it touched:
        PostgreSQL may run it together with a later one."""
        self.need_transaction()
        self._execute(statement, given, wait=False)

    def _execute(self, statement: Statement, given: Row, *, wait: bool = True) -> Answer:
        sql, values = statement.filled(self.database, given)
        try:
            if self.postgresql:
                kept = statement.kept
                return self.database.ask(sql, values, wait=wait, kept=kept)  # type: ignore[no-any-return]
            # As peewee does, with fewer calls: no log, no hooks, no cursor of its own making.
            with peewee.__exception_wrapper__:  # type: ignore[attr-defined]
                cursor = self.database.connection().execute(sql, values)
                return Answer(cursor.fetchall(), cursor.rowcount)
        except _OF_DRIVERS as error:
            self._raise(error)

    def add(self, model: Any, record: Any) -> int:
        """Insert a row, or what a record holds, and return its id."""
        return self.insert(model, [record])[0]

    def add_new(self, model: Any, record: Any) -> int | None:
        """As `add`; None where one of its unique keys is taken."""
        return next(iter(self.insert(model, [record], new=True)), None)

    def insert(
        self, model: Any, records: Sequence[Any], *, new: bool = False, wait: bool = True
    ) -> list[int]:
        """Insert rows, or records of one kind, in one statement and return their ids in order; with
        `new`, only what has unique keys that are free. Without `wait`, as `write` does: no ids."""
        self.need_transaction()
        if not records:
            return []
        rows = [values_of(record) for record in records]
        statement = inserting(model, tuple(rows[0]), len(rows), new=new)
        given = numbered_values(rows)
        # Ids are given in the order of the records, but need not come back in it.
        return sorted(row[0] for row in self._execute(statement, given, wait=wait).rows)

    def replace(self, model: Any, row_id: int, values: Row) -> None:
        """Give the row of that id other values."""
        self.write(replacing(model, tuple(values)), known_id=row_id, **values)

    def save(self, model: Any, record: Any) -> None:
        """Store what changed about a record."""
        if changes := changes_of(record):
            self.replace(model, record.id, changes)
            record.stored = stored_of(record) | changes

    def locked(self, query: Any, *, skip: bool = False) -> Any:
        """A select whose rows stay locked until the transaction ends.

        With `skip`, rows another transaction has locked are left out; else it waits for them.
        SQLite's transactions exclude each other, so there is nothing to add.
        """
        self.need_transaction()
        return query.locked(skip) if self.postgresql else query

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
            found: datetime = self.database.ask("SELECT clock_timestamp()").rows[0][0]
        return found

    def serialize(self, what: str) -> None:
        """Until this transaction ends, let no other one pass that calls this for `what`."""
        self.need_transaction()
        if self.postgresql:
            with self.errors():
                of = (zlib.crc32(what.encode()),)
                self.database.ask("SELECT pg_advisory_xact_lock(%s)", of)

    def close(self) -> None:
        """Close the connections of all threads; the engine is not to be used again."""
        self.database.close_all()


class Part:
    """What reads and writes some of the tables. Writes belong in a transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine


class Rows(Part, Generic[T]):
    """The rows of one table, as records of one kind; those of a game or a person where it refers to
    them. Reads are free; writes belong in a transaction."""

    model: ClassVar[Any]
    kind: type[T]

    def add(self, record: T) -> T:
        """Store a new one; returned with its id."""
        return replace(record, id=self._engine.add(self.model, record))

    def find(self, row_id: int) -> T | None:
        """The one of that id."""
        return self._engine.one(self.kind, self.model, id=row_id)

    def of_game(self, game_id: int) -> list[T]:
        """Those of a game, in the order they came."""
        return self._engine.of(self.kind, self.model, game_id=game_id)

    def of_person(self, person_id: int) -> list[T]:
        """Those of a person, in the order they came."""
        return self._engine.of(self.kind, self.model, person_id=person_id)


class Changing(Rows[T]):
    """The rows of a table whose records are changed and saved."""

    def add(self, record: T) -> T:
        """Store a new one; the same value, with its id."""
        record.id = self._engine.add(self.model, record)  # type: ignore[attr-defined]
        return record

    def save(self, record: T) -> None:
        """Store what changed about one."""
        self._engine.save(self.model, record)
