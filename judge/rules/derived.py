"""Values that are worked out once for a board or a variant and kept with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Generic, Protocol, TypeVar, cast


class Keeper(Protocol):
    """What keeps the values derived from it, by what made them."""

    @property
    def derived(self) -> dict[Derived[Any, Any], object]:
        """The values kept; empty in a copy that differs in anything."""
        ...


Owner = TypeVar("Owner", bound=Keeper)
Value = TypeVar("Value")


class Derived(Generic[Owner, Value]):
    """A function of a board or a variant whose value is kept with its argument."""

    def __init__(self, make: Callable[[Owner], Value]) -> None:
        self.make = make
        update_wrapper(self, make)

    def __call__(self, owner: Owner) -> Value:
        """Return the value, made when it is first asked for."""
        known = owner.derived.get(self)
        if known is None:
            known = owner.derived[self] = self.make(owner)
        return cast(Value, known)
