"""What stands in a configuration file becomes what it means, by the sections' types and checks."""

# Hints are read at every start, and are no text here: each would have to be compiled.

import difflib
from datetime import datetime
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Meta, Struct
from msgspec.structs import fields

_ALLOWED: dict[Any, str] = {
    bool: "true or false is allowed",
    int: "a whole number is allowed",
    float: "a number is allowed",
    str: 'text in quotes is allowed, such as "text"',
    Path: 'a path in quotes is allowed, such as "mail"',
    tuple: "a list is allowed, in brackets",
    datetime: "a time needs its offset, such as 2026-06-01T12:00:00Z",
}

_Place = tuple[str, ...]
"""Where something stands in the file: the names of sections, and the setting's own."""


class ConfigReader:
    """Makes of what stands in a file what it means, and notes all that is wrong with it."""

    def __init__(self, folder: Path) -> None:
        """Relative paths start at `folder`."""
        self._folder = folder
        self.problems: list[str] = []
        """All that is wrong, in words."""

    def section(self, kind: Any, values: Any, place: _Place) -> Any:
        """Return a section of this kind; None where something is wrong."""
        if not isinstance(values, dict):
            return self._refuse(place, f"a section is allowed, [{'.'.join(place)}]", values)
        before = len(self.problems)
        if hasattr(kind, "filled"):
            values = kind.filled(values)
        hints = get_type_hints(kind, include_extras=True)
        found = {}
        for each in fields(kind):
            name = each.name
            if name in values:
                found[name] = self._value(hints[name], values[name], (*place, name))
            elif each.default_factory is not NODEFAULT:
                found[name] = self.section(hints[name], {}, (*place, name))
            elif each.required:
                self._refuse((*place, name), "it is required")
            elif each.default is not None:
                found[name] = self._checked(hints[name], each.default, (*place, name))
        for name in [each for each in values if each not in hints]:
            near = difflib.get_close_matches(name, hints, n=1)
            meant = f"; did you mean {near[0]}?" if near else ""
            said = f"there is no such setting{meant} (allowed here: {', '.join(hints)})"
            self._refuse((*place, name), said)
        if len(self.problems) > before:
            return None
        try:
            return kind(**found)
        except ValueError as error:
            return self._refuse(place, str(error))

    def _value(self, hint: Any, value: Any, place: _Place) -> Any:
        """Return the value of a setting; None where something is wrong."""
        if NoneType in get_args(hint):
            hint = get_args(hint)[0]
        kind = get_args(hint)[0] if get_origin(hint) is Annotated else hint
        if isinstance(kind, type) and issubclass(kind, Struct):
            return self.section(kind, value, place)
        if get_origin(kind) is Literal:
            *first, last = map(repr, get_args(kind))
            allowed = f"{', '.join(first)} or {last} is allowed"
            return value if value in get_args(kind) else self._refuse(place, allowed, value)
        if get_origin(kind) is tuple:
            if not isinstance(value, list):
                again = f"write [[{place[-1]}]] with two brackets, a block for each"
                return self._refuse(place, again if isinstance(value, dict) else _ALLOWED[tuple])
            inner = get_args(kind)[0]
            value = tuple(
                self._value(inner, each, (*place, str(number))) for number, each in enumerate(value)
            )
        elif kind is Path and isinstance(value, str):
            value = Path(value)
        elif kind is float and type(value) is int:
            value = float(value)
        elif type(value) is not kind or (kind is datetime and value.tzinfo is None):
            return self._refuse(place, _ALLOWED[kind], value)
        return self._checked(hint, value, place)

    def _checked(self, hint: Any, value: Any, place: _Place) -> Any:
        """Return what the checks of a setting make of a value of its type; None where one refuses
        it."""
        said = value
        try:
            for check in getattr(hint, "__metadata__", ()):
                value = _within(value, check) if type(check) is Meta else check(value, self._folder)
        except ValueError as error:
            return self._refuse(place, str(error), said)
        return value

    def _refuse(self, place: _Place, said: str, value: object = None) -> Any:
        """Note what is wrong with a setting, and what is there now, unless that is or may hold a
        secret."""
        name = place[-1] if place else ""
        secret = "password" in name or name == "url"
        shown = isinstance(value, str | int | float | datetime) and not secret
        where = f"{'.'.join(place)}: " if place else ""
        self.problems.append(f"{where}{said}" + (f", not {value!r}" if shown else ""))


def _within(number: float, bounds: Meta) -> float:
    if bounds.ge is not None and not number >= bounds.ge:
        raise ValueError(f"{bounds.ge} or more is allowed")
    if bounds.le is not None and number > bounds.le:
        raise ValueError(f"{bounds.le} or less is allowed")
    return number
