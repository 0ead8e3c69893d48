"""What a line may be while it is read: orders that lack a place, and names that are none."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, NamedTuple, TypeAlias

from judge.language.misreadings import Misreading
from judge.language.names import EXACT, Names
from judge.rules.orders import Order, Unreadable, Waive
from judge.rules.position import Unit


@dataclass(frozen=True, slots=True)
class Bare:
    """A unit alone: a build or a removal, as is due."""

    unit: Unit

    def __str__(self) -> str:
        return str(self.unit)


@dataclass(frozen=True, slots=True)
class ForAll:
    """What several units do at once that are not named: hold or, in a phase for retreats, disband.

    `kinds` are the letters of those that are meant, none for all; `rest`: those only that have no
    other order. `but` are the provinces of those that do something else, or nothing. `stays`: it
    may mean that their orders are to stay as well.
    """

    kinds: frozenset[str]
    rest: bool
    stays: bool = False
    but: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Aiding:
    """A unit that aids what the order before it does; `verb` is the letter for how."""

    unit: Unit
    verb: str

    def __str__(self) -> str:
        return f"{self.unit} {self.verb}"


@dataclass(frozen=True, slots=True)
class Change:
    """A unit that is to become one of another kind; `into` is its letter, "" where not said."""

    unit: Unit
    into: str

    def __str__(self) -> str:
        return str(self.unit)


class Misread(str):
    """A location that could not be read, as it stands in an order."""

    names: Names
    words: tuple[str, ...]
    __slots__ = ("names", "words")

    @property
    def problem(self) -> Misreading:
        """Why it could not be read; what was meant is looked for only where that is asked."""
        return self.names.province_problem(self, self.words)


Draft: TypeAlias = Order | Bare | Change | ForAll | Aiding


class Parse(NamedTuple):
    """One way to understand a text up to an `end`, and how sure its names are (less is surer).

    `more` are further orders that the same words give.
    """

    order: Draft
    end: int
    tier: int = EXACT
    owner: str | None = None
    other: str | None = None
    more: tuple[Draft, ...] = ()

    def behind(self, owner: str | None, tier: int) -> Parse:
        """Return it behind a name of this tier, whose power it is unless it names another one."""
        return self._replace(tier=max(tier, self.tier), owner=self.owner or owner)


def unit_of(order: Draft) -> Unit | None:
    """Return the unit an order is for, as far as it is known where it stands."""
    if isinstance(order, Waive | Unreadable | ForAll) or isinstance(order.unit.location, Misread):
        return None
    return order.unit if order.unit.location else None


def bad_names(value: object) -> list[Misread]:
    """Return all names in a draft, or in a part of one, that could not be read."""
    if isinstance(value, Misread):
        return [value]
    if not isinstance(value, tuple):
        value = [getattr(value, each.name) for each in fields(value)] if is_dataclass(value) else ()
    return [name for part in value for name in bad_names(part)]


def replaced(order: Order, bad: Misread, good: str) -> Order:
    """Return the order with one name replaced wherever it stands."""

    def change(value: object) -> object:
        if isinstance(value, Unit):
            return Unit(value.kind, good) if value.location == bad else value
        if isinstance(value, tuple):
            return tuple(map(change, value))
        return good if value == bad else value

    changes: Any = {each.name: change(getattr(order, each.name)) for each in fields(order)}
    changed: Order = replace(order, **changes)
    return changed
