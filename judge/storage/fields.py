"""What columns hold, meaning the same on SQLite and PostgreSQL."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cached_property
from typing import Any

import peewee
from pydantic import TypeAdapter

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
        self._kind = kind

    @cached_property
    def _adapter(self) -> TypeAdapter[Any]:
        return TypeAdapter[Any](self._kind)

    def db_value(self, value: Any) -> str | None:
        if value is None:
            return None
        plain = self._adapter.dump_python(
            value, mode="json", by_alias=True, exclude_defaults=True, warnings="error"
        )
        return super().db_value(plain)

    @cached_property
    def _default(self) -> Any:
        """The value of the rows, most of all, where all is as by default; None where it holds what
        can change: they would share that."""
        default = self._adapter.validate_python({})
        try:
            hash(default)
        except TypeError:
            return None
        return default

    def python_value(self, value: str | None) -> Any:
        if value == "{}" and self._default is not None:
            return self._default
        return None if value is None else self._adapter.validate_python(super().python_value(value))


class BytesField(peewee.BlobField):
    """Bytes, handed back as `bytes` whatever the driver thinks of."""

    def python_value(self, value: Any) -> bytes | None:
        return None if value is None else bytes(value)


AS_THEY_ARE = (TextField, peewee.BigIntegerField, peewee.BigAutoField)
"""Columns whose values the drivers give as they are meant."""
