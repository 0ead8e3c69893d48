"""How conversions are ordered: `convert F Mad to A`, `F mad becomes an army`, `A mad: to fleet`.

Era of Empire, "Conversion": a unit in an own center becomes one of another kind in winter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from judge.language.vocabulary import CONVERT
from judge.rules.phase import Kind
from judge.rules.position import Unit

if TYPE_CHECKING:
    from judge.language.grammar import Parser

_INTO: Final = {"to", "into", "in", "as", "zu", "zur", "en"}
_A: Final = {"a", "an", "the", "ein", "eine", "einer", "une", "un"}
_FROM: Final = {"from", "von", "de"}
_TURNS: Final = {"change", "turn"}
"""Verbs that mean a conversion only where the new kind of unit is named."""


class Change(NamedTuple):
    """A unit that is to become one of another kind; `into` is its letter, "" where not said."""

    unit: Unit
    into: str


def commands(parser: Parser, place: int) -> Iterator[tuple[Change, str | None, int, int]]:
    """Conversions that begin with the verb: (change, owner, end, tier)."""
    verb = parser.verb(place) == CONVERT
    if not verb and parser.key(place) not in _TURNS:
        return
    for unit, owner, end, tier in parser.owned_units(parser.skip_kind(place + 1, ":")):
        for into, after in _becomes(parser, end):
            if into or (verb and end == after):
                yield Change(unit, into), owner, after, tier


def actions(parser: Parser, unit: Unit, place: int) -> Iterator[tuple[Change, int]]:
    """What follows a unit that is to become another one: (change, end)."""
    spoken = parser.skip_kind(place, "-")
    verb = parser.verb(spoken) == CONVERT
    for into, end in _becomes(parser, spoken + 1 if verb else place):
        if verb or (into and parser.kind is Kind.ADJUSTMENTS and end > place + 1):
            yield Change(unit, into), end


def _becomes(parser: Parser, place: int) -> Iterator[tuple[str, int]]:
    """The kind that a unit is to become: `from fleet to army`, `into an army`, or none."""
    yield "", place
    place = parser.skip_kind(place, ":")
    old = parser.unit_kind(parser.skip(place, _FROM))
    if old is not None and parser.key(old[1]) in _INTO:
        place = old[1]
    place = parser.skip(parser.skip_kind(place, "-"), _INTO)
    for start in dict.fromkeys((parser.skip(place, _A), place)):
        if kind := parser.unit_kind(start):
            yield kind[0], parser.skip(kind[1], {"um"})
