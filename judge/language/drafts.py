"""What a line may be while it is read: orders that lack a place, and names that are none."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, NamedTuple, TypeAlias

from judge.language.names import EXACT, Names
from judge.language.problems import Misreading
from judge.rules.orders import (
    Order,
    Unreadable,
    Waive,
)
from judge.rules.position import Unit


class Bare(NamedTuple):
    """A unit alone: a build or a removal, as is due."""

    unit: Unit


class Change(NamedTuple):
    """A unit that is to become one of another kind; `into` is its letter, "" where not said."""

    unit: Unit
    into: str


class Misread(str):
    """A location that could not be read, as it stands in an order."""

    names: Names
    words: tuple[str, ...]
    __slots__ = ("names", "words")

    @property
    def problem(self) -> Misreading:
        """Why it could not be read; what was meant is looked for only where that is asked."""
        return self.names.province_problem(self, self.words)


Draft: TypeAlias = Order | Bare | Change


class Parse(NamedTuple):
    """One way to understand a text up to an `end`, and how sure its names are (less is surer)."""

    order: Draft
    end: int
    tier: int = EXACT
    owner: str | None = None
    other: str | None = None


def unit_of(order: Draft) -> Unit | None:
    """The unit an order is for, as far as it is known where it stands."""
    if isinstance(order, Waive | Unreadable) or isinstance(order.unit.location, Misread):
        return None
    return order.unit if order.unit.location else None


def shown(order: Draft) -> object:
    return order.unit if isinstance(order, Bare | Change) else order


def values(order: Draft) -> dict[str, Any]:
    """What an order consists of, by name."""
    if isinstance(order, Bare | Change):
        return {"unit": order.unit}
    return {item.name: getattr(order, item.name) for item in fields(order)}


def bad_names(draft: Draft) -> list[Misread]:
    """All names in a draft that could not be read."""

    def found(value: object) -> list[Misread]:
        if isinstance(value, Misread):
            return [value]
        return [name for part in value for name in found(part)] if isinstance(value, tuple) else []

    return found(tuple(values(draft).values()))


def replaced(order: Order, bad: Misread, good: str) -> Order:
    """The order with one name replaced wherever it stands."""

    def change(value: object) -> object:
        if isinstance(value, Unit):
            return Unit(value.kind, good) if value.location == bad else value
        if isinstance(value, tuple):
            return tuple(map(change, value))
        return good if value == bad else value

    changes: Any = {name: change(value) for name, value in values(order).items()}
    changed: Order = replace(order, **changes)
    return changed
