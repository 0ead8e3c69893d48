"""Queries that are turned into SQL once, and column types.

Building SQL from a query's parts takes far longer than running it. A statement is a query with
holes, written down once in a module. It keeps its SQL from the first use on, and the holes are
filled with what is given each time:

    _FIND = Statement(_P.select().where(_P.id == given("id")))
    engine.row(_FIND, id=7)

What has another shape each time (optional conditions) stays an ordinary query.

The column types mean the same on SQLite and PostgreSQL.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple

import peewee
from pydantic import TypeAdapter

Converter = Callable[[Any], Any]

Row = dict[str, Any]
"""Values by the names of columns; what type each has is the column's business."""


class Given(peewee.ColumnBase):
    """A hole in a statement."""

    def __init__(self, name: str, field: Any = None) -> None:
        super().__init__()
        self.name = name
        self.field = field

    def __sql__(self, ctx: Any) -> Any:
        # A value is converted as the field it is compared with or put into says.
        if self.field is None:
            filled = _Filled(self.name, ctx.state.converter or None, nullable=False)
        else:
            filled = _Filled(self.name, self.field.db_value, nullable=True)
        return ctx.value(None, lambda _: filled)


class _Filled(NamedTuple):
    """Where in a statement's SQL a value goes, and what the database's driver gets for it."""

    name: str
    convert: Converter | None
    nullable: bool

    def value(self, given: Row) -> Any:
        found = given[self.name]
        if found is None and not self.nullable:
            # SQL's `= NULL` is never true: write IS NULL where that is meant.
            raise ValueError(f"nothing can be compared with None ({self.name})")
        return found if self.convert is None else self.convert(found)


class Statement:
    """A query that never changes but for what fills its holes."""

    def __init__(self, query: Any) -> None:
        self.query = query
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
        columns = self.compiled(database).columns
        return [
            {name: convert(value) for (name, convert), value in zip(columns, row, strict=True)}
            for row in rows
        ]

    def _compile(self, database: Any) -> Compiled:
        sql, values = database.get_sql_context().sql(self.query).query()
        selected = getattr(self.query, "selected_columns", ())
        columns = [(c.name, c.python_value) for c in selected if isinstance(c, peewee.Field)]
        return Compiled(sql, tuple(values), tuple(columns))


@dataclass(frozen=True, slots=True)
class Compiled:
    """The SQL of a statement, its values with the holes, and its columns, by name and converter."""

    sql: str
    values: tuple[Any, ...]
    columns: tuple[tuple[str, Converter], ...]

    def filled(self, given: Row) -> list[Any]:
        """The values for one use. Raises KeyError where one is not given."""
        return [each.value(given) if isinstance(each, _Filled) else each for each in self.values]


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
def inserting(model: Any, names: tuple[str, ...], *, new: bool = False) -> Statement:
    """Inserts a row of these columns and returns its id; with `new`, only where its unique keys
    are free."""
    query = model.insert(put(*(getattr(model, name) for name in names)))
    if new:
        query = query.on_conflict_ignore()
    return Statement(query.returning(model.id))


@cache
def inserting_many(model: Any, names: tuple[str, ...], count: int) -> Statement:
    """Inserts so many rows of these columns, each value given under its column's name with the
    row's number."""
    columns = [getattr(model, name) for name in names]
    rows = [
        {column: Given(f"{column.name}{place}", column) for column in columns}
        for place in range(count)
    ]
    return Statement(model.insert_many(rows))


@cache
def replacing(model: Any, names: tuple[str, ...]) -> Statement:
    """Updates these columns of the row with the id that is given as `id`."""
    query = model.update(put(*(getattr(model, name) for name in names)))
    return Statement(query.where(model.id == given("id")))


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class InstantField(peewee.BigIntegerField):
    """An instant: an aware datetime outside, microseconds since 1970 UTC inside.

    Integers compare and index alike on every engine and lose nothing on the way.
    A naive datetime is refused with ValueError: nobody could say what it means.
    """

    def db_value(self, value: datetime | None) -> int | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value!r} names no time zone; times are aware UTC datetimes")
        return (value - _EPOCH) // _MICROSECOND

    def python_value(self, value: int | None) -> datetime | None:
        return None if value is None else _EPOCH + timedelta(microseconds=value)


# What UTF-8 cannot carry (lone surrogates) and what PostgreSQL's text type refuses (NUL).
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class TextField(peewee.TextField):
    """Text of any origin: characters a database cannot hold become U+FFFD."""

    def db_value(self, value: str | None) -> str | None:
        return None if value is None else _UNSTORABLE.sub("\ufffd", value)


class EnumField(TextField):
    """One of the strings of an enum; a member outside, the bare string inside."""

    def __init__(self, members: type[StrEnum], **options: Any) -> None:
        super().__init__(**options)
        self.members = members

    def db_value(self, value: str | None) -> str | None:
        return None if value is None else self.members(value).value

    def python_value(self, value: str | None) -> StrEnum | None:
        return None if value is None else self.members(value)


class JsonField(TextField):
    """A JSON value, kept as text; the order of keys is kept."""

    def db_value(self, value: Any) -> str | None:
        if value is None:
            return None
        return super().db_value(json.dumps(value, ensure_ascii=False, separators=(",", ":")))

    def python_value(self, value: str | None) -> Any:
        return None if value is None else json.loads(value)


class ValueField(JsonField):
    """A frozen dataclass, kept as JSON without what is as by default."""

    def __init__(self, kind: type, **options: Any) -> None:
        super().__init__(**options)
        self._adapter = TypeAdapter[Any](kind)

    def db_value(self, value: Any) -> str | None:
        if value is None:
            return None
        plain = self._adapter.dump_python(
            value, mode="json", by_alias=True, exclude_defaults=True, warnings="error"
        )
        return super().db_value(plain)

    def python_value(self, value: str | None) -> Any:
        return None if value is None else self._adapter.validate_python(super().python_value(value))


class BytesField(peewee.BlobField):
    """Bytes, handed back as `bytes` whatever the driver thinks of."""

    def python_value(self, value: Any) -> bytes | None:
        return None if value is None else bytes(value)
