"""How bombs and conversions are ordered, which only some boards know.

`R WAF bomb via ISR via MIE to TIB`, `AF EGY drop bomb from SAH to SIO`: in Global Diplomacy,
XII+, an arsenal names the whole way of its bomb, the units that carry it all of it or their own
part. What stands behind "from" lies before the unit on that way, what stands behind
"via" after it; in the prose of the rules ("from West Africa via Israel to drop on Tibet") it may
lie before, and there the board tells which can be meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from judge.language.drafts import Change, Misread, Parse
from judge.language.vocabulary import SAID, Verb
from judge.rules.board import ANY_WAY, province_of
from judge.rules.board_index import board_index
from judge.rules.orders import Launch, Order, Relay
from judge.rules.phase import Kind
from judge.rules.position import Unit

if TYPE_CHECKING:
    from judge.language.grammar import Parser

_MOST_WAYS: Final = 3
_MOST_STOPS: Final = 40


class _Stop(NamedTuple):
    """A space on the way of a bomb; `mark`: from, via, (via), to, drop, or "" before it."""

    mark: str
    place: str


class _SpaceRow(NamedTuple):
    """Spaces in a row, and where they end in the line."""

    stops: tuple[_Stop, ...]
    end: int
    tier: int


def bombs(parser: Parser, unit: Unit, place: int) -> Iterator[Parse]:
    """Yield what follows the unit from the verb at `place` on."""
    verb = parser.verb(place)
    start = place + 1
    while parser.key(start) in SAID["bomb_filler"]:
        start += 1
    if parser.key(start) in SAID["bomb_article"] and parser.verb(start + 1) == Verb.BOMB:
        start += 1
    if verb in (Verb.CARRY, Verb.DROP) and parser.verb(start) == Verb.BOMB:
        start += 1
    for way in _SpaceRows(parser).of(start):
        for order in _orders(parser, unit, verb or Verb.BOMB, way.stops):
            yield Parse(order, way.end, way.tier)


class _SpaceRows:
    """The ways that go on from each place of a line; of those to one end only the surest."""

    def __init__(self, parser: Parser) -> None:
        self.parser = parser
        self.known: dict[int, list[_SpaceRow]] = {}

    def of(self, place: int) -> list[_SpaceRow]:
        found = self.known.get(place)
        if found is None:
            by_end: dict[int, list[_SpaceRow]] = {}
            for way in self._each(place):
                by_end.setdefault(way.end, []).append(way)
            found = self.known[place] = [
                way
                for ways in by_end.values()
                for way in sorted(ways, key=lambda way: (way.tier, len(way.stops)))[:_MOST_WAYS]
            ]
        return found

    def _each(self, place: int) -> Iterator[_SpaceRow]:
        mark, start = self._mark(place)
        for unit, _, end, tier in self.parser.owned_units(start):
            bad = isinstance(unit.location, Misread)
            stop = _Stop(mark, unit.location if bad else province_of(unit.location))
            yield _SpaceRow((stop,), end, tier)
            for way in self.of(end):
                if len(way.stops) < _MOST_STOPS:
                    yield _SpaceRow((stop, *way.stops), way.end, max(tier, way.tier))

    def _mark(self, place: int) -> tuple[str, int]:
        """Return what stands before a space, in one word, and where the space begins."""
        parser, mark = self.parser, ""
        while True:
            key, kind = parser.key(place), parser.kind_at(place)
            if parser.verb(place) in (Verb.DROP, Verb.BOMB):
                mark = "drop"
            elif key in SAID["bomb_from"]:
                mark = "from"
            elif key in SAID["bomb_via"]:
                mark = "(via)" if parser.kind_at(place - 1) == "(" else "via"
            elif key == "on" and parser.key(place + 1) == "to":
                mark = mark if mark == "drop" else "via"
                place += 1
            elif key in SAID["bomb_to"]:
                mark = mark if mark == "drop" else "to"
            elif kind == "-":
                mark = mark or "to"
            elif kind == "," and parser.unit_kind(place + 1):
                # Another unit's order follows.
                return mark, place
            elif kind not in ("(", ")", ",") and key not in SAID["bomb_filler"]:
                return mark, place
            place += 1


def _orders(parser: Parser, unit: Unit, verb: str, stops: Sequence[_Stop]) -> Iterator[Order]:
    """Yield what spaces come to for `unit`: one order, or two where either can be meant."""
    marked = _marked(stops, "via" if verb == Verb.CARRY else "to")
    origins = [place for mark, place in marked if mark == "from"]
    aims = [place for mark, place in marked if mark in ("to", "drop")]
    between = [place for mark, place in marked if mark == "via"]
    drops = any(mark == "drop" for mark, _ in marked)
    *onward, to = [*between, *aims] if aims else [*between, None]
    via = tuple(place for place in onward if place is not None)
    if not origins:
        # To be carried by others, a bomb needs its whole way: its end, too.
        if to is not None and (via or drops or verb != Verb.CARRY):
            yield Launch(unit, to, via)
        return
    said = Relay(unit, tuple(origins), via, to)
    if drops and between and len(aims) == 1:
        before = Relay(unit, (*origins, *between), (), to)
        yield from [each for each in (said, before) if _reaches(parser, each)] or [before]
    elif via or to is not None:
        yield said


def _marked(stops: Sequence[_Stop], first: str) -> list[tuple[str, str]]:
    """Return the spaces with what each is: from, via, to or drop. One without a mark is like that
    before it, or like `first`; "(via)" goes on with what it stands behind."""
    found: list[tuple[str, str]] = []
    last = first
    for mark, place in stops:
        if mark and not (mark == "(via)" and last == "from" and found):
            last = mark.strip("()")
        found.append((last, place))
    return found


def _reaches(parser: Parser, order: Relay) -> bool:
    """Return whether the unit can take a bomb to the next space on its way."""
    board = parser.names.variant.board
    ahead = order.via[0] if order.via else order.to
    places = board_index(board).place
    if order.unit.location not in places or ahead not in places:
        return False
    kind = board.kinds.get(order.unit.kind)
    return places[ahead] in board_index(board).reach(order.unit, kind.bombs if kind else ANY_WAY)


# -- conversions: `convert F Mad to A`, `F mad becomes an army`, `A mad: to fleet` ----------------
# Era of Empire, "Conversion": a unit in an own center becomes one of another kind in winter.


def conversions(parser: Parser, place: int) -> Iterator[Parse]:
    """Conversions that begin with the verb, or with `change` or `turn`."""
    verb = parser.verb(place) == Verb.CONVERT
    for unit, owner, end, tier in parser.owned_units(parser.skip_kind(place + 1, ":")):
        for into, after in _becomes(parser, end, unit):
            if into or (verb and end == after):
                yield Parse(Change(unit, into), after, tier, owner)


def conversions_of(parser: Parser, unit: Unit, place: int) -> Iterator[Parse]:
    """Yield what a unit is to become, with the verb, or without it where that may be now."""
    spoken = parser.skip_kind(place, "-")
    verb = parser.verb(spoken) == Verb.CONVERT
    act = parser.act(spoken)
    for into, end in _becomes(parser, act[1] if verb and act else place, unit):
        if verb or (into and parser.kind is Kind.ADJUSTMENTS and end > place + 1):
            yield Parse(Change(unit, into), end)


def _becomes(parser: Parser, place: int, unit: Unit) -> Iterator[tuple[str, int]]:
    """Yield the kind that a unit is to become: `from fleet to army`, `into an army`, or none."""
    yield "", place
    place = parser.skip_kind(place, ":")
    old = parser.unit_kind(parser.skip(place, SAID["converted"]))
    if old is not None and parser.key(old[1]) in SAID["into"]:
        place = old[1]
    place = parser.skip(parser.skip_kind(place, "-"), SAID["into"])
    for start in dict.fromkeys((parser.skip(place, SAID["one"]), place)):
        if kind := parser.unit_kind(start):
            end = kind[1]
            yield kind[0], end
            for location, after, _ in parser.locations(parser.skip(end, SAID["at"])):
                if province_of(location) == unit.province:
                    yield kind[0], after
