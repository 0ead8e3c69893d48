"""Positions, outcomes, orders and problems as JSON values, as the history of games keeps them.

An object names its class under `is`; its other keys are the fields, those with their default left
out. Class and field names are stored, so a migration has to follow when one changes.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from enum import Enum
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

import judge.language.misreadings  # noqa: F401  its classes are found by their base
from judge.rules.orders import Order
from judge.rules.outcome import Outcome
from judge.rules.phase import Phase
from judge.rules.position import Dislodged, Position, Unit, read_unit
from judge.rules.problems import Problem

CLASS = "is"


def to_json(value: object) -> object:
    """Return a value of the rules as JSON; `from_json` reads it back to an equal one."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Unit):
        return str(value)
    if isinstance(value, tuple):
        return [to_json(each) for each in value]
    if not hasattr(value, "__dataclass_fields__"):
        return value
    held: dict[str, object] = {CLASS: type(value).__name__}
    for each in fields(value):  # type: ignore[arg-type]
        part = getattr(value, each.name)
        if each.default is MISSING or part != each.default:
            held[each.name] = to_json(part)
    return held


def outcome_from_json(data: Mapping[str, Any]) -> Outcome:
    """Return the outcome that `to_json` wrote. Raises KeyError for a class there is not."""
    found = _object(data)
    assert isinstance(found, Outcome)
    return found


def _object(data: Mapping[str, Any]) -> object:
    made = _classes()[data[CLASS]]
    hints = _hints(made)
    return made(**{name: _read(hints[name], data[name]) for name in data if name != CLASS})


@cache
def _hints(made: type) -> Mapping[str, Any]:
    """Return the types of the fields of a class; what else an object of it has room for is no part
    of its value."""
    known: dict[str, Any] = {}
    for each in reversed(made.__mro__):
        known |= vars(sys.modules[each.__module__])
    said = types.SimpleNamespace(__annotations__={each.name: each.type for each in fields(made)})
    return get_type_hints(said, known)


@cache
def _classes() -> Mapping[str, type]:
    """Return the classes of values by name: orders, outcomes, and problems of all packages."""
    found: list[type] = [*get_args(Order)]
    ahead: list[type] = [Outcome, Problem]
    for each in ahead:
        ahead += each.__subclasses__()
    named = {each.__name__: each.__module__ for each in (*found, *ahead)}
    # A dataclass with slots is made twice; only the second one stands in its module.
    return {name: getattr(sys.modules[module], name) for name, module in named.items()}


def _read(kind: Any, data: Any) -> Any:
    """Read a JSON value back where a field of type `kind` is due."""
    if get_origin(kind) in (Union, types.UnionType):
        if data is None:
            return None
        choices = [each for each in get_args(kind) if each is not type(None)]
        return _object(data) if len(choices) > 1 else _read(choices[0], data)
    if get_origin(kind) is tuple:
        return tuple(_read(get_args(kind)[0], each) for each in data)
    if kind is Unit:
        letter, _, location = data.rpartition(" ")
        return Unit(letter, location)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(data)
    if isinstance(kind, type) and issubclass(kind, tuple):
        parts: Sequence[Any] = data
        hints = get_type_hints(kind)
        return kind(*(_read(hint, part) for hint, part in zip(hints.values(), parts, strict=True)))
    return _object(data) if isinstance(data, dict) else data


def position_to_json(position: Position) -> dict[str, object]:
    """Return JSON values that `position_from_json` turns into an equal position."""
    return {
        "phase": str(position.phase),
        "units": {power: [str(unit) for unit in units] for power, units in position.units.items()},
        "centers": {power: list(centers) for power, centers in position.centers.items()},
        "dislodged": {
            power: [
                {
                    "unit": str(each.unit),
                    "attacker": each.attacker,
                    "retreats": list(each.retreats),
                }
                for each in dislodged
            ]
            for power, dislodged in position.dislodged.items()
        },
        "contested": list(position.contested),
        "extra": dict(position.extra),
    }


def position_from_json(values: Mapping[str, Any]) -> Position:
    """Read the position that `position_to_json` wrote."""
    return Position(
        phase=Phase.read(values["phase"]),
        units={power: tuple(map(read_unit, units)) for power, units in values["units"].items()},
        centers={power: tuple(centers) for power, centers in values["centers"].items()},
        dislodged={
            power: tuple(
                Dislodged(read_unit(each["unit"]), each["attacker"], tuple(each["retreats"]))
                for each in dislodged
            )
            for power, dislodged in values["dislodged"].items()
        },
        contested=tuple(values["contested"]),
        extra=values["extra"],
    )
