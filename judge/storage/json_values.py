"""Structs as JSON values: what is as by default is left out, and a key that is missing has its
default. A field may name a key other than its name; keys nobody knows are passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from types import NoneType
from typing import Any, NamedTuple, get_args, get_origin

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
