"""Frozen values, as `dataclass(frozen=True, slots=True)` makes them, in a third of the time.

It compiles six methods of each class, one by one; here three are compiled at once, and the others
are the same for all. A judge declares some hundred such classes whenever it starts.
"""

from __future__ import annotations

from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[_T]) -> type[_T]:
    """Make a class one of frozen values with slots, which the functions of `dataclasses` take.

    Fields are as in a dataclass, but for `init` and `hash`. What the class has itself stays, its
    `__repr__` even where it inherits it.
    """
    made: Any = dataclass(init=False, repr=False, eq=False, slots=True)(kind)
    scope: dict[str, Any] = {"MISSING": MISSING}
    first, named, body = ["self"], ["*"], list[str]()
    for each in fields(made):
        name = each.name
        value, parameter = name, name
        scope[f"set_{name}"] = getattr(made, name).__set__
        if each.default is not MISSING:
            scope[f"default_{name}"] = each.default
            parameter = f"{name}=default_{name}"
        elif each.default_factory is not MISSING:
            scope[f"make_{name}"] = each.default_factory
            parameter, value = f"{name}=MISSING", f"make_{name}() if {name} is MISSING else {name}"
        (named if each.kw_only else first).append(parameter)
        body.append(f"set_{name}(self, {value})")
    if hasattr(made, "__post_init__"):
        body.append("self.__post_init__()")
    parts = "".join(f"self.{each.name}, " for each in fields(made) if each.compare)
    parameters = ", ".join(first + named if named[1:] else first)
    exec(
        f"def __init__({parameters}):\n {'; '.join(body) or 'pass'}\n"
        "def __eq__(self, other):\n"
        " if other.__class__ is not self.__class__: return NotImplemented\n"
        f" return ({parts}) == ({parts.replace('self.', 'other.')})\n"
        f"def __hash__(self): return hash(({parts}))",
        scope,
    )
    for name in ("__init__", "__eq__", "__hash__"):
        if name not in vars(kind) or (name == "__hash__" and "__eq__" not in vars(kind)):
            scope[name].__qualname__ = f"{made.__qualname__}.{name}"
            setattr(made, name, scope[name])
    if made.__repr__ is object.__repr__:
        made.__repr__ = _shown
    made.__setattr__, made.__delattr__ = _refuse_to_set, _refuse_to_delete
    made.__getstate__, made.__setstate__ = _state, _restore
    return made  # type: ignore[no-any-return]


def _shown(value: Any) -> str:
    facts = (f"{each.name}={getattr(value, each.name)!r}" for each in fields(value) if each.repr)
    return f"{type(value).__qualname__}({', '.join(facts)})"


def _refuse_to_set(value: Any, name: str, _: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(value: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(value: Any) -> list[Any]:
    return [getattr(value, each.name) for each in fields(value)]


def _restore(value: Any, state: list[Any]) -> None:
    for each, part in zip(fields(value), state, strict=True):
        object.__setattr__(value, each.name, part)
