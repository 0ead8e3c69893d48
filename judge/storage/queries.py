"""Runs peewee's queries in flat transactions: what the rest of this package asks of a database.

`judge.storage.databases` has the two there are. No other module knows which of them it has.
"""

from __future__ import annotations

import copy
import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import peewee
from msgspec import Struct
from msgspec.structs import replace

from judge.storage.errors import NameTaken, Unavailable
from judge.storage.models import HousedModel, WholeRow
from judge.storage.records import Kept

if TYPE_CHECKING:
    from judge.storage.databases import Listener

T = TypeVar("T", bound=Struct)
Row = dict[str, Any]
"""Values by the names of columns."""

Heard = Callable[[str], None]
"""Hears what there is to do: `mail` or `letter`."""


class Engine(ABC):
    """An open database. Safe to share by threads, each of which has a connection of its own.

    Reads are free; writes belong in a transaction. Both raise Unavailable where the database is out
    of reach.
    """

    def __init__(self, database: Any, name: str, writing: AbstractContextManager[object]) -> None:
        self.database = database
        """As peewee has it: `query.execute(engine.database)`."""
        self.name = name
        """Where it is, without a password."""
        self.alone = False
        """Whether no other judge needs to hear of mails and letters."""
        self.house: str | None = None
        """The house whose rows alone are read and written; None for those of all."""
        self._whole: Any = self
        self._writing = writing
        self._local = threading.local()

    def of(self, house: str) -> Engine:
        """Return the same database, with the rows of one house alone; "" is the main one."""
        found = copy.copy(self)
        found.house = house
        return found

    def __repr__(self) -> str:
        return f"Engine({self.name})"

    @property
    def whole(self) -> Engine:
        """The same database with the rows of all houses."""
        found: Engine = self._whole
        return found

    # Transactions

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Let all inside happen or nothing: any exception rolls back, leaving commits.

        SQLite: the whole write lock (BEGIN IMMEDIATE); PostgreSQL: READ COMMITTED with row locks
        taken by `locked`. Raises RuntimeError inside another one, Unavailable as its class says.
        """
        if self.database.in_transaction():
            raise RuntimeError("transactions are flat: this thread is in one already")
        news: set[str] = set()
        self._local.news = news
        with self.errors(), self._writing, self._begun():
            yield
            self._announce(news)
        self._hear(news)

    def own_transaction(self) -> AbstractContextManager[None]:
        """Return a transaction of its own, or a part of the one this thread is in."""
        return nullcontext() if self.database.in_transaction() else self.transaction()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Begin a transaction in which every read sees the database as it was at the first one.

        Nothing is to be written in it; others go on writing. Raises as `transaction` does.
        """
        if self.database.in_transaction():
            raise RuntimeError("transactions are flat: this thread is in one already")
        with self.errors(), self.database.transaction(self._reading):
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
        except (peewee.OperationalError, peewee.InterfaceError, sqlite3.OperationalError) as error:
            if not self._passes(error):
                raise
            raise Unavailable(f"{self.name}: {error}") from error

    def announce(self, what: str) -> None:
        """Let judges know, once this transaction has committed, that there is a mail or letter."""
        self.need_transaction()
        self._local.news.add(what)

    def close(self) -> None:
        """Close the connections of all threads; the engine is not to be used again."""
        self.database.close_all()

    # Queries

    def tuples(self, query: Any) -> list[tuple[Any, ...]]:
        """Run a select and return the values of its rows."""
        query = self._within(query)
        with self.errors():
            rows: list[tuple[Any, ...]] = self.database.execute(query).fetchall()
        # As in `records`; what a function of SQL gives stays as it is.
        columns = query.selected_columns
        loads = [each.loads if hasattr(type(each), "loads") else None for each in columns]
        return _loaded(rows, loads)

    def rows(self, query: Any) -> list[Row]:
        """Run a select and return its rows by field name."""
        query = self._within(query)
        with self.errors():
            return list(query.dicts().execute(self.database))

    def records(self, kind: type[T], query: Any) -> list[T]:
        """Run a select of whole rows and return them as records of this kind."""
        make = _maker(kind)
        query = self._within(query)
        whole, *_ = query.selected_columns
        with self.errors():
            if not isinstance(whole, WholeRow):
                return list(query.objects(make).execute(self.database))
            # peewee would find out anew which column is which, and what makes a value of it.
            rows = self.database.execute(query).fetchall()
        return [make(**whole.read(row)) for row in rows]

    def record(self, kind: type[T], query: Any) -> T | None:
        """Return the first row of a select as a record of this kind, or None."""
        return next(iter(self.records(kind, query)), None)

    def having(
        self, kind: type[T], model: Any, /, newest: int | None = None, **where: Any
    ) -> list[T]:
        """Return what rows that have these values hold of a record of this kind, as `columns`; all
        of them in the order of their ids."""
        make = _maker(kind)
        names = kind.__struct_fields__
        rows = self.columns(model, names, newest=newest, **where)
        if newest is None and len(rows) > 1:
            # A server would have to be asked to sort what is one row, nearly always.
            rows.sort(key=itemgetter(names.index("id")))
        return [make(**dict(zip(names, row, strict=True))) for row in rows]

    def one(self, kind: type[T], model: Any, /, **where: Any) -> T | None:
        """Return the first of those, or None."""
        return next(iter(self.having(kind, model, **where)), None)

    def columns(
        self, model: Any, names: Sequence[str], /, newest: int | None = None, **where: Any
    ) -> list[tuple[Any, ...]]:
        """Return the values of columns of the rows of this house that have the values of `where`,
        a tuple of them where any of these will do; so many `newest` of them, the last one first, or
        all in any order."""
        if () in where.values():
            return []
        told, given = self._equal(model, where)
        fields = [model._meta.fields[name] for name in names]
        wanted = ", ".join([f'"{each.column_name}"' for each in fields])
        some = "" if newest is None else f'ORDER BY "id" DESC LIMIT {newest:d}'
        # As in `_added`.
        table = f'FROM "{model._meta.table_name}" WHERE {told} {some}'
        with self.errors():
            rows = self.database.execute_sql(f"SELECT {wanted} {table}", given).fetchall()
        return _loaded(rows, [each.loads for each in fields])

    def column(self, model: Any, name: str, /, **where: Any) -> Any:
        """Return a value of a row that has these, or None; as `columns`."""
        return next((value for (value,) in self.columns(model, (name,), **where)), None)

    def value(self, query: Any) -> Any:
        """Return the first column of the first row of a select, or None."""
        row = next(iter(self.tuples(query)), None)
        return None if row is None else row[0]

    def exists(self, query: Any) -> bool:
        """Return whether a select finds anything."""
        return bool(self.tuples(query.limit(1)))

    def count(self, model: Any, condition: Any) -> int:
        """Return how many rows of a table there are of which that is true."""
        return int(self.value(model.select(peewee.fn.COUNT(model.id)).where(condition)))

    def run(self, query: Any) -> int:
        """Run an update or delete and return how many rows it touched."""
        self.need_transaction()
        query = self._within(query)
        with self.errors():
            return int(query.execute(self.database))

    def add(self, model: Any, record: Any) -> int:
        """Insert a row, or what a record holds, and return its id."""
        return self.add_all(model, [record])[0]

    def add_new(self, model: Any, record: Any) -> int | None:
        """Do as `add`; None where one of its unique keys is taken."""
        return next(iter(self._added(model, [record], "ON CONFLICT DO NOTHING")), None)

    def add_missing(self, model: Any, records: Sequence[Any]) -> None:
        """Insert those of some records of which no unique key is taken, in one statement."""
        self._added(model, records, "ON CONFLICT DO NOTHING")

    def add_all(self, model: Any, records: Sequence[Any]) -> list[int]:
        """Insert rows, or records of one kind, in one statement and return their ids in order."""
        return self._added(model, records)

    def _added(self, model: Any, records: Sequence[Any], conflicts: str = "") -> list[int]:
        self.need_transaction()
        if not records:
            return []
        # All inserts are alike; to write one takes peewee as long as twenty rows take the database.
        rows = [self._owned(model, record) for record in records]
        fields = [each for name, each in model._meta.fields.items() if name in rows[0]]
        columns = ", ".join([f'"{each.column_name}"' for each in fields])
        holes = f"({', '.join([self.database.param] * len(fields))})"
        values = f"VALUES {', '.join([holes] * len(rows))} {conflicts}"
        with self.errors():
            cursor = self.database.execute_sql(
                f'INSERT INTO "{model._meta.table_name}" ({columns}) {values} RETURNING "id"',
                [each.db_value(row[each.name]) for row in rows for each in fields],
            )
            # Ids are given in the order of the records, but need not come back in it.
            return sorted(found for (found,) in cursor.fetchall())

    def save(self, model: Any, record: Any) -> None:
        """Store what changed about a record."""
        if changes := changes_of(record):
            self.change(model, changes, id=record.id)
            record.stored = stored_of(record) | changes

    def change(self, model: Any, changes: Row, **where: Any) -> int:
        """Give the rows that have these values, of this house alone, others; how many these are."""
        self.need_transaction()
        # As in `_added`.
        which, given = self._equal(model, where)
        fields = [model._meta.fields[name] for name in changes]
        holes = ", ".join([f'"{each.column_name}" = {self.database.param}' for each in fields])
        told = f"SET {holes} WHERE {which}"
        new = [field.db_value(value) for field, value in zip(fields, changes.values(), strict=True)]
        with self.errors():
            sql = f'UPDATE "{model._meta.table_name}" {told}'
            return int(self.database.execute_sql(sql, [*new, *given]).rowcount)

    def _equal(self, model: Any, where: Row) -> tuple[str, list[Any]]:
        """Return the condition that rows are of this house and have these values, with holes, and
        what belongs into these."""
        if self.house is not None and issubclass(model, HousedModel):
            where = {**where, "house": self.house}
        given, told = list[Any](), list[str]()
        for name, value in where.items():
            field, hole = model._meta.fields[name], self.database.param
            if isinstance(value, tuple):
                told.append(f'"{field.column_name}" IN ({", ".join([hole] * len(value))})')
                given += map(field.db_value, value)
            else:
                told.append(f'"{field.column_name}" = {hole}')
                given.append(field.db_value(value))
        return " AND ".join(told), given

    def _within(self, query: Any) -> Any:
        """Return a select, an update or a delete, of the rows of this house alone."""
        if self.house is None or not issubclass(query.model, HousedModel):
            return query
        return query.where(self.owns(query.model))

    def owns(self, model: Any) -> Any:
        """Return condition that a row of a table is of this house, for those that are joined."""
        return peewee.SQL("1 = 1") if self.house is None else model.house == self.house

    def _owned(self, model: Any, record: Any) -> Row:
        """Return the columns of a new row."""
        row: Row = model._meta.get_default_dict() | values_of(record)
        if self.house and issubclass(model, HousedModel):
            row["house"] = self.house
        return row

    # What differs

    _reading: str
    """How a transaction begins that only reads, and sees one state."""

    @abstractmethod
    def _begun(self) -> AbstractContextManager[object]:
        """Begin a transaction."""

    @abstractmethod
    def note(self, query: Any) -> None:
        """Run a write that commits at once, or is a part of the transaction this thread is in. No
        kill undoes it; a power cut may, unless something else has been committed since."""

    @abstractmethod
    def locked(self, query: Any, *, skip: bool = False) -> Any:
        """Return a select whose rows stay locked until the transaction ends.

        With `skip`, rows another transaction has locked are left out; else it waits for them.
        """

    @abstractmethod
    def reserved(self, ids: Sequence[int]) -> AbstractContextManager[list[int]]:
        """Return those of some letters that nobody else has reserved, which are the caller's until
        the block is left, or this process ends. Not inside a transaction."""

    @abstractmethod
    def serialize(self, what: str) -> None:
        """Let no other transaction pass that calls this for `what`, until this one ends."""

    @abstractmethod
    def _announce(self, news: set[str]) -> None:
        """Let other judges hear of news when this transaction commits."""

    @abstractmethod
    def _hear(self, news: set[str]) -> None:
        """Hear of news that have been committed."""

    @abstractmethod
    def listener(self, heard: Heard) -> Listener | None:
        """Return what hears from other judges that there is something to do, still to be started;
        None where there are none."""

    @abstractmethod
    def _passes(self, error: Exception) -> bool:
        """Return whether an error may not come again at another try."""

    @abstractmethod
    def said(self, error: Exception) -> str:
        """Return what can be shown of an error that came while it was opened."""

    @abstractmethod
    def server_time(self) -> datetime | None:
        """Return what time the database's machine says it is; None where it is this one."""

    @abstractmethod
    def count_on(self, model: Any) -> None:
        """Give ids behind those that are there, some of which were given elsewhere."""

    @abstractmethod
    def literal(self, value: Any) -> str:
        """Return how a value of ours is written where a column is declared."""

    @abstractmethod
    def is_served(self) -> bool:
        """Return whether a process works on it right now (`occupied`). Raises Unavailable."""

    @abstractmethod
    def save_as(self, path: Path) -> bool:
        """Write all there is at one instant into a new file; False where that takes another
        way."""


def _loaded(
    rows: list[tuple[Any, ...]], loads: Sequence[Callable[[Any], Any] | None]
) -> list[tuple[Any, ...]]:
    """Return rows with what each of these makes of a column, where it makes anything."""
    if not any(loads):
        return rows
    return [
        tuple([load(each) if load else each for load, each in zip(loads, row, strict=True)])
        for row in rows
    ]


def values_of(record: Any) -> Row:
    """Return the columns of a record, its id left out: the database gives that."""
    if isinstance(record, dict):
        return record
    return {name: getattr(record, name) for name in record.__struct_fields__ if name != "id"}


def changes_of(record: Any) -> Row:
    """Return the columns of which the database has other values."""
    stored = stored_of(record)
    return {k: v for k, v in values_of(record).items() if k not in stored or stored[k] != v}


def stored_of(record: Any) -> Row:
    """Return what the database is known to have of a record."""
    found: Row = getattr(record, "stored", {})
    return found


def _maker(kind: Any) -> Any:
    """Return what makes a record of this kind of a row."""
    return partial(_kept, kind) if issubclass(kind, Kept) else kind


def _kept(kind: Any, **row: Any) -> Any:
    record = kind(**row)
    record.stored = row
    return record


class TableGroup:
    """What reads and writes some of the tables. Reads are free; writes belong in a transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine


class Rows(TableGroup, Generic[T]):
    """The rows of one table, as records of one kind; those of a game or a person where it refers to
    them."""

    model: ClassVar[Any]
    kind: type[T]

    def add(self, record: T) -> T:
        """Store a new one; returned with its id."""
        return replace(record, id=self._engine.add(self.model, record))

    def find(self, row_id: int) -> T | None:
        """Return the one of that id."""
        return self._one(id=row_id)

    def of_game(self, game_id: int) -> list[T]:
        """Return those of a game, in the order they came."""
        return self._having(game_id=game_id)

    def of_person(self, person_id: int) -> list[T]:
        """Return those of a person, in the order they came."""
        return self._having(person_id=person_id)

    def _having(self, **where: Any) -> list[T]:
        """Return those that have these values, by their ids; see `Engine.columns`."""
        return self._engine.having(self.kind, self.model, **where)

    def _one(self, **where: Any) -> T | None:
        """Return the first of those, or None."""
        return self._engine.one(self.kind, self.model, **where)

    def _where(self, condition: Any) -> list[T]:
        """Return those of which something is true, by their ids."""
        query = self.model.select().where(condition).order_by(self.model.id)
        return self._engine.records(self.kind, query)


class Changing(Rows[T]):
    """The rows of a table whose records are changed and saved."""

    def add(self, record: T) -> T:
        """Store a new one; the same value, with its id."""
        record.id = self._engine.add(self.model, record)  # type: ignore[attr-defined]
        return record

    def save(self, record: T) -> None:
        """Store what changed about one."""
        self._engine.save(self.model, record)


class Waking(Changing[T]):
    """The rows of a table that have a name of their own, in small letters, and an instant at which
    the clock must look at them."""

    def add(self, record: T) -> T:
        """Store a new one; the same value, with its id. Raises NameTaken."""
        new: Any = record
        new.name = new.name.lower()
        new_id = self._engine.add_new(self.model, record)
        if new_id is None:
            raise NameTaken(new.name)
        new.id = new_id
        return record

    def by_name(self, name: str) -> T | None:
        """Return the one of that name, in whatever case it is written."""
        return self._one(name=name.lower())

    def due(self, now: datetime, limit: int = 100) -> list[int]:
        """Return the ids of those the clock must look at now, the longest overdue first."""
        # This is asked all the time. PostgreSQL plans a comparison with another value anew.
        first, row = self.next_wake(), self.model
        if first is None or first > now:
            return []
        query = row.select(row.id).where(row.wake_at <= now).order_by(row.wake_at, row.id)
        return [key for (key,) in self._engine.tuples(query.limit(limit))]

    def next_wake(self) -> datetime | None:
        """Return when the clock must look at one next, which may be in the past."""
        row = self.model
        query = row.select(row.wake_at).where(row.wake_at.is_null(False)).order_by(row.wake_at)
        found: datetime | None = self._engine.value(query.limit(1))
        return found
