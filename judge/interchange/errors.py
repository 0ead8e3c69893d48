"""Objects from outside that state no possible position."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn


class InterchangeError(ValueError):
    """An object that states no possible position; the message names the field and the value."""


def refuse(field: str, problem: str) -> NoReturn:
    raise InterchangeError(f"{field}: {problem}")


def shown(value: object) -> str:
    """A value as JSON, short enough for a message."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = repr(type(value).__name__)
    return text if len(text) <= 80 else f"{text[:77]}..."


def given_or(data: Mapping[str, Any], field: str, default: object) -> object:
    """A field that may be left out or null."""
    value = data.get(field)
    return default if value is None else value
