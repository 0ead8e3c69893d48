"""JSON values as text, streams of them a line each, and what is wrong with them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any, BinaryIO, Final, NoReturn


class InterchangeError(ValueError):
    """An object that states no possible position; the message names the field and the value."""


def refuse(field: str, problem: str) -> NoReturn:
    raise InterchangeError(f"{field}: {problem}")


def shown(value: object) -> str:
    """Return a value as JSON, short enough for a message."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = repr(type(value).__name__)
    return text if len(text) <= 80 else f"{text[:77]}..."


def given_or(data: Mapping[str, Any], field: str, default: object) -> object:
    """Return a field that may be left out or null."""
    value = data.get(field)
    return default if value is None else value


def a_text(field: str, value: object) -> str:
    """Return the value of a field that must be a text."""
    if not isinstance(value, str):
        refuse(field, f"must be a text, not {shown(value)}")
    return value


def an_object(data: object) -> dict[str, Any]:
    """Return what was parsed, which must be an object."""
    if not isinstance(data, dict):
        refuse("the object", f"must be a JSON object, not {shown(data)}")
    return data


LONGEST_LINE: Final = 4_000_000
"""Bytes in a line of a stream that are read; a longer line is a bad one."""


def lines_of(source: BinaryIO) -> Iterator[bytes | None]:
    """Yield the lines of a source; None for one that is too long."""
    while line := source.readline(LONGEST_LINE + 1):
        if len(line) <= LONGEST_LINE:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = source.readline(LONGEST_LINE)
        yield None


# An answer is made of what was parsed or put together here: it cannot contain itself.
_DUMP: Final = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), check_circular=False
).encode


def written(value: object, indent: int | None = None) -> str:
    """Return a value as JSON that can be sent as UTF-8, on one line unless an indentation is
    given."""
    text = json.dumps(value, ensure_ascii=False, indent=indent) if indent else _DUMP(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        # Half a character, which JSON can name but UTF-8 cannot hold.
        return json.dumps(value, indent=indent)
    return text


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of these fields. What is given twice would be lost once."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        refuse(next(name for name in names if names.count(name) > 1), "is given twice")
    return fields


def _number(text: str) -> float:
    """Return a number that is one: not NaN, and not too large to be answered."""
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text} is no number")
    return number


_LOAD: Final = json.JSONDecoder(
    object_pairs_hook=_once, parse_float=_number, parse_constant=_number
).decode


def parse(text: str | bytes, what: str = "the line") -> object:
    """Return a JSON value as Python has it. Raises InterchangeError, which calls the text
    `what`."""
    try:
        return _LOAD(text.decode("utf-8-sig") if isinstance(text, bytes) else text)
    except InterchangeError:
        raise
    except UnicodeDecodeError as error:
        refuse(what, f"is not UTF-8: {error}")
    except (ValueError, RecursionError) as error:
        refuse(what, f"is not JSON: {error}")
