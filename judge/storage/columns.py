"""The types of columns, the same on SQLite and PostgreSQL.

A struct is kept as JSON. What is as by default is left out, and a key that is missing has its
default. A field may name a key other than its name; keys nobody knows are passed over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

import msgspec
import peewee
from zlib_ng import zlib_ng


class _Column:
    """What `dump` makes of a value goes into the database, and `load` makes the value of that
    again. Both leave alone what they do not change; neither gets a None."""

    column_name: str
    model: Any

    @property
    def loads(self) -> Callable[[Any], Any] | None:
        """What makes a value of what a database has; None where that is one."""
        return None if type(self).load is _Column.load else self.python_value

    def dump(self, value: Any) -> Any:
        return value

    def load(self, value: Any) -> Any:
        return value

    def __sql__(self, ctx: Any) -> Any:
        # As peewee.Field does, which takes a dozen calls for each mention of a column.
        if ctx.scope == peewee.SCOPE_VALUES:
            return ctx.literal(f'"{self.column_name}"')
        table = ctx.alias_manager[self.model._meta.table]
        return ctx.literal(f'"{table}"."{self.column_name}"')

    def db_value(self, value: Any) -> Any:
        return None if value is None else self.dump(value)

    def python_value(self, value: Any) -> Any:
        return None if value is None else self.load(value)


class IdField(_Column, peewee.BigAutoField):
    """What a row is known by."""


class IntegerField(_Column, peewee.BigIntegerField):
    """A number."""


class BooleanField(_Column, peewee.BooleanField):
    """Yes or no."""

    def load(self, value: Any) -> bool:
        return bool(value)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class InstantField(_Column, peewee.BigIntegerField):
    """An instant: an aware datetime outside, microseconds since 1970 UTC inside.

    Integers compare and index alike on every engine and lose nothing on the way.
    A naive datetime is refused with ValueError: nobody could say what it means.
    """

    def dump(self, value: datetime) -> int:
        if value.tzinfo is None:
            raise ValueError(f"{value!r} names no time zone; times are aware UTC datetimes")
        return (value - _EPOCH) // _MICROSECOND

    def load(self, value: int) -> datetime:
        return _EPOCH + timedelta(0, 0, value)


# What UTF-8 cannot carry (lone surrogates) and what PostgreSQL's text type refuses (NUL).
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class TextField(_Column, peewee.TextField):
    """Text of any origin: characters a database cannot hold become U+FFFD."""

    def dump(self, value: Any) -> str:
        text: str = value
        return text if text.isprintable() else _UNSTORABLE.sub("\ufffd", text)


class EnumField(TextField):
    """One of the strings of an enum; a member outside, the bare string inside."""

    def __init__(self, members: type[StrEnum], **options: Any) -> None:
        super().__init__(**options)
        self.members = members
        self._members = {each.value: each for each in members}

    def dump(self, value: Any) -> str:
        return str.__str__(self._members[value])

    def load(self, value: str) -> StrEnum:
        return self._members[value]


_TO_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class JsonField(TextField):
    """A JSON value, kept as text; the order of keys is kept."""

    def dump(self, value: Any) -> str:
        return super().dump(_TO_JSON.encode(value))

    def load(self, value: str) -> Any:
        try:
            return msgspec.json.decode(value)
        except msgspec.DecodeError:
            # It takes a third of the time, and leaves out what is no JSON, such as NaN.
            return json.loads(value)


class ValueField(JsonField):
    """A frozen struct, or some, kept as JSON."""

    def __init__(self, kind: Any, **options: Any) -> None:
        super().__init__(**options)
        self._kind = kind

    def dump(self, value: Any) -> str:
        return super().dump(msgspec.to_builtins(value))

    def load(self, value: str) -> Any:
        return msgspec.convert(super().load(value), self._kind)


class BytesField(_Column, peewee.BlobField):
    """Bytes, handed back as `bytes` whatever the driver thinks of."""

    def load(self, value: Any) -> bytes:
        return bytes(value)


_PACKED = b"\0z"
"""What bytes begin with that were compressed; those of judges before 0.3.0 were not."""


class PackedField(BytesField):
    """Bytes that are compressed where that makes them fewer (RFC 1950)."""

    def dump(self, value: bytes) -> bytes:
        packed = _PACKED + zlib_ng.compress(value, 6)
        return packed if len(packed) < len(value) or value.startswith(_PACKED) else value

    def load(self, value: Any) -> bytes:
        kept = bytes(value)
        return zlib_ng.decompress(kept[len(_PACKED) :]) if kept.startswith(_PACKED) else kept
