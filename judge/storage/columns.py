"""The types of columns, the same on SQLite and PostgreSQL, and structs as JSON values.

Of a struct what is as by default is left out, and a key that is missing has its default. A field
may name a key other than its name; keys nobody knows are passed over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import Enum, StrEnum
from functools import cached_property
from types import NoneType
from typing import Any, NamedTuple, get_args, get_origin

import msgspec
import peewee
from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

Convert = Callable[[Any], Any]


class Ways(NamedTuple):
    """What makes JSON values of the values of a type, and what makes these of them again."""

    dump: Convert
    load: Convert


def ways(kind: Any) -> Ways:
    """The ways of a type: a struct, or what may stand in one. One that has a function
    `from_json` is left to that and to `to_json`."""
    inner = get_args(kind)
    if NoneType in inner:
        some = ways(inner[0])
        return Ways(
            lambda value: None if value is None else some.dump(value),
            lambda value: None if value is None else some.load(value),
        )
    if (origin := get_origin(kind)) is not None:
        each = ways(inner[-1] if origin is Mapping else inner[0])
        if origin is Mapping:
            return Ways(
                lambda value: {key: each.dump(item) for key, item in value.items()},
                lambda value: {key: each.load(item) for key, item in value.items()},
            )
        made: Convert = tuple if origin is tuple else list
        assert origin in (tuple, Sequence)
        return Ways(
            lambda value: [each.dump(item) for item in value],
            lambda value: made([each.load(item) for item in value]),
        )
    if hasattr(kind, "from_json"):
        return Ways(kind.to_json, kind.from_json)
    if kind is datetime:
        return Ways(lambda value: value.isoformat().replace("+00:00", "Z"), datetime.fromisoformat)
    if isinstance(kind, type) and issubclass(kind, Struct):
        return _of_struct(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return Ways(lambda value: value.value, kind)
    return Ways(_same, float if kind is float else _same)


def _same(value: Any) -> Any:
    return value


def _of_struct(kind: type[Struct]) -> Ways:
    parts = []
    for each in fields(kind):
        made = each.default if each.default_factory is NODEFAULT else each.default_factory()
        parts.append((each.name, each.encode_name, made, ways(each.type)))

    def dump(value: Any) -> dict[str, Any]:
        return {
            key: way.dump(item)
            for name, key, default, way in parts
            if (item := getattr(value, name)) != default
        }

    def load(values: Mapping[str, Any]) -> Any:
        return kind(**{name: way.load(values[key]) for name, key, _, way in parts if key in values})

    return Ways(dump, load)


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
        return None if value is None else self.read(value)

    @staticmethod
    def read(value: int) -> datetime:
        """Return what a row has that has something here."""
        return _EPOCH + timedelta(0, 0, value)


# What UTF-8 cannot carry (lone surrogates) and what PostgreSQL's text type refuses (NUL).
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class TextField(peewee.TextField):
    """Text of any origin: characters a database cannot hold become U+FFFD."""

    def db_value(self, value: str | None) -> str | None:
        return value if value is None or value.isprintable() else _UNSTORABLE.sub("\ufffd", value)


NUMBERS = (peewee.BigIntegerField, peewee.BigAutoField)
AS_THEY_ARE = (TextField, *NUMBERS)
"""Columns whose values the drivers give as they are meant."""


class EnumField(TextField):
    """One of the strings of an enum; a member outside, the bare string inside."""

    def __init__(self, members: type[StrEnum], **options: Any) -> None:
        super().__init__(**options)
        self.members = members
        self._members = {each.value: each for each in members}
        self.read = self._members.__getitem__

    def db_value(self, value: str | None) -> str | None:
        return None if value is None else str.__str__(self._members[value])

    def python_value(self, value: str | None) -> StrEnum | None:
        return None if value is None else self._members[value]


_TO_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def _from_json(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        # It takes a third of the time, and leaves out what is no JSON, such as NaN.
        return json.loads(text)


class JsonField(TextField):
    """A JSON value, kept as text; the order of keys is kept."""

    def db_value(self, value: Any) -> str | None:
        if value is None:
            return None
        return super().db_value(_TO_JSON.encode(value))

    def python_value(self, value: str | None) -> Any:
        return None if value is None else _from_json(value)


class ValueField(JsonField):
    """A frozen struct, kept as JSON without what is as by default."""

    def __init__(self, kind: type, **options: Any) -> None:
        super().__init__(**options)
        self._kind = kind

    @cached_property
    def _ways(self) -> Ways:
        return ways(self._kind)

    def db_value(self, value: Any) -> str | None:
        return None if value is None else super().db_value(self._ways.dump(value))

    @cached_property
    def _default(self) -> Any:
        """The value of the rows, most of all, where all is as by default; None where it holds what
        can change: they would share that."""
        default = self._ways.load({})
        try:
            hash(default)
        except TypeError:
            return None
        return default

    def python_value(self, value: str | None) -> Any:
        if value == "{}" and self._default is not None:
            return self._default
        return None if value is None else self._ways.load(super().python_value(value))


class BytesField(peewee.BlobField):
    """Bytes, handed back as `bytes` whatever the driver thinks of."""

    def python_value(self, value: Any) -> bytes | None:
        return None if value is None else bytes(value)
