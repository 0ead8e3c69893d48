"""Reads what orders for later hang on: phases as people name them, and conditions on a position.

`F1901R`, `Fall 1901 Retreat`, `Winter 1901`; `not French A Ruh and (Mun or F Kie)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, TypeAlias

from judge.language.drafts import Misread
from judge.language.grammar import Parser
from judge.language.misreadings import Fault, Misreading, ReadError
from judge.language.names import Names, missing_coast
from judge.language.place_names import Mode
from judge.language.vocabulary import SAID, Token, tokens
from judge.rules.board import name_key
from judge.rules.phase import Kind, Phase, Season
from judge.rules.position import Position, Unit
from judge.rules.variant import Variant

Step: TypeAlias = tuple[Season, Kind]

_SEASONS = {season.value.lower(): season for season in Season} | {
    word: season for season in Season for word in SAID[season.name.lower()].single
}
_KINDS = {word: kind for kind in Kind for word in SAID[f"phase_{kind.name.lower()}"].single}


def _said(text: str, variant: Variant) -> tuple[Season | None, int | None, Kind | None]:
    """Return the season, the year and the kind that a text names. Raises ReadError."""
    season: Season | None = None
    year: int | None = None
    kind: Kind | None = None
    for word in map(name_key, re.findall(r"\d+|[^\W\d_]+", text)):
        if word.isdecimal() and len(word) < 6:
            # Two digits are in the century the game starts in.
            century = variant.start_phase.year // 100 * 100 if len(word) == 2 else 0
            year = century + int(word) if year is None else None
        elif season is None and word in _SEASONS:
            season = _SEASONS[word]
        elif kind is None and (found := _kind(word)):
            kind = found
        elif word not in SAID["phase_filler"]:
            raise _no_phase(text, variant)
    return season, year, kind


def read_phase(text: str, variant: Variant) -> Phase:
    """Return the phase of `variant` that `text` names, in letters or in words.

    Without a kind the season's first phase is meant. Adjustments may be named by the season before
    them (`F1901B` is the standard game's W1901A). Raises ReadError, with the
    phases of a year, when it names none.
    """
    season, year, kind = _said(text, variant)
    steps = variant.calendar.year
    no_summer = all(step[0] is not Season.SUMMER for step in steps)
    if season is Season.SUMMER and kind in (None, Kind.RETREATS) and no_summer:
        # Some call the retreats after a spring those of summer.
        season, kind = Season.SPRING, Kind.RETREATS
    named = [step for step in steps if season in (None, step[0]) and kind in (None, step[1])]
    if not named and kind is Kind.ADJUSTMENTS and season is not None:
        named = _adjustments_after(season, steps)
    if year is None or not named or (season is None and kind is not Kind.ADJUSTMENTS):
        raise _no_phase(text, variant)
    return Phase(named[0][0], year, named[0][1])


def is_season(word: str) -> bool:
    """Return whether a word in comparable form names a season, by its letter or in words."""
    return word in _SEASONS


def is_kind(word: str) -> bool:
    """Return whether a word in comparable form names a kind of phase, as `is_season` does."""
    return _kind(word) is not None


def _adjustments_after(season: Season, steps: Sequence[Step]) -> list[Step]:
    """Return the adjustments that follow a season before anything moves again."""
    last = max((place for place, step in enumerate(steps) if step[0] is season), default=len(steps))
    ahead = takewhile(lambda step: step[1] is not Kind.MOVEMENT, steps[last + 1 :])
    return [step for step in ahead if step[1] is Kind.ADJUSTMENTS]


def _kind(word: str) -> Kind | None:
    """Return the kind of phase a word stands for; longer words by how they begin."""
    if word in _KINDS:
        return _KINDS[word]
    stems = (stem for stem in _KINDS if len(stem) > 2 and word.startswith(stem))
    return next((_KINDS[stem] for stem in stems), None)


def _no_phase(text: str, variant: Variant) -> ReadError:
    year = variant.start_phase.year
    phases = tuple(str(Phase(season, year, kind)) for season, kind in variant.calendar.year)
    return ReadError(Misreading(Fault.NO_PHASE, text.strip(), phases))


# -- conditions -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stands:
    """A unit is there: of `power` and of the kind in `unit`, where these are named.

    Without a coast in `unit` any will do. A dislodged unit still is where it was.
    """

    unit: Unit
    power: str | None = None

    def __str__(self) -> str:
        return f"{self.power} {self.unit}" if self.power else str(self.unit)

    def holds(self, position: Position) -> bool:
        """Return whether it is so in `position`."""
        kind, location = self.unit
        gone = {power: [each.unit for each in at] for power, at in position.dislodged.items()}
        return any(
            kind in ("", unit.kind) and location in (unit.location, unit.province)
            for owner, units in (*position.units.items(), *gone.items())
            for unit in units
            if self.power in (None, owner)
        )


@dataclass(frozen=True, slots=True)
class Not:
    """What is not so."""

    of: Condition

    def __str__(self) -> str:
        return f"NOT {_bracketed(self.of)}"

    def holds(self, position: Position) -> bool:
        """Return whether it is so in `position`."""
        return not self.of.holds(position)


@dataclass(frozen=True, slots=True)
class Joined:
    """Several conditions: all of them (AND), or at least one (OR)."""

    word: str
    of: tuple[Condition, ...]

    def __str__(self) -> str:
        return f" {self.word} ".join(map(_bracketed, self.of))

    def holds(self, position: Position) -> bool:
        """Return whether it is so in `position`."""
        found = (each.holds(position) for each in self.of)
        return all(found) if self.word == "AND" else any(found)


Condition: TypeAlias = Stands | Not | Joined

LONGEST: Final = 300
"""Characters of a condition that is read."""

_MOST_NESTED: Final = 20


def read_condition(text: str, variant: Variant, *, spoken: bool = False) -> Condition:
    """Return the condition that `text` is; NOT binds closer than AND, AND closer than OR.

    `spoken`: also in sentences (`Burgundy is empty`). `str` of it is canonical and read back to an
    equal one. Raises ReadError when it is none.
    """
    if len(text) > LONGEST:
        raise ReadError(Misreading(Fault.CONDITION_TOO_LONG, count=LONGEST))
    return _Conditions(text, variant, spoken).read()


def _bare(found: Sequence[Token]) -> Iterator[Token]:
    """Yield the words of a sentence without those that only say that something stands somewhere."""
    place = 0
    while place < len(found):
        end = max(SAID[kind].end(found, place) for kind in _STANDING)
        if end == place:
            yield found[place]
        place = max(end, place + 1)


_STANDING: Final = ("there", "stands", "holds", "occupied", "by")


class _Conditions:
    """Goes through the tokens of a condition, from left to right."""

    def __init__(self, text: str, variant: Variant, spoken: bool) -> None:
        self.variant, self.spoken = variant, spoken
        self.found = tuple(_bare(tokens(text))) if spoken else tokens(text)
        self.parser, self.fuzzy, self.lenient = (
            Parser(Names.of(variant), self.found, Kind.MOVEMENT, mode)
            for mode in (Mode.PLAIN, Mode.FUZZY, Mode.LENIENT)
        )
        self.place = 0
        self.depth = 0

    def read(self) -> Condition:
        if not self.found:
            raise ReadError(Misreading(Fault.NO_PROVINCE))
        condition = self._any()
        if self.place < len(self.found):
            rest = " ".join(token.text for token in self.found[self.place :])
            raise ReadError(Misreading(Fault.LEFT_OVER, rest, after=str(condition)))
        return condition

    def _word(self, kind: str) -> bool:
        """Return whether words for this stand here, which are passed over then."""
        before, self.place = self.place, self.parser.skip(self.place, SAID[kind])
        return self.place > before

    def _any(self) -> Condition:
        return self._joined("or", lambda: self._joined("and", self._one))

    def _joined(self, word: str, part: Callable[[], Condition]) -> Condition:
        parts = [part()]
        while self._word(word):
            parts.append(part())
        return parts[0] if len(parts) == 1 else Joined(word.upper(), tuple(parts))

    def _one(self) -> Condition:
        self.depth += 1
        if self.depth > _MOST_NESTED:
            raise ReadError(Misreading(Fault.TOO_NESTED))
        found: Condition
        if self.spoken and self._word("nobody"):
            found = Not(self._stands())
        elif self._word("not"):
            found = Not(self._one())
        elif self.parser.kind_at(self.place) == "(":
            self.place += 1
            found = self._any()
            if self.parser.kind_at(self.place) != ")":
                raise ReadError(Misreading(Fault.OPEN_BRACKET, after=str(found)))
            self.place += 1
        else:
            found = self._told()
        self.depth -= 1
        return found

    def _told(self) -> Condition:
        """Return what is said of a place or of who stands there: `Germany holds Burgundy`."""
        if not self.spoken:
            return self._stands()
        start, owner = self.place, self._owner()
        if owner and self._word("not"):
            return Not(Stands(self._stands().unit, owner))
        self.place = start
        there = self._stands()
        denied = self._word("not")
        if self._word("empty"):
            return there if denied else Not(there)
        there = Stands(there.unit, self._owner() or there.power)
        return Not(there) if denied else there

    def _owner(self) -> str | None:
        """Return the power that is named here, which is passed over then."""
        start = self.parser.skip(self.place, SAID["article"])
        named = [each for each in self.parser.owners(start) if each[0] is not None]
        if not named:
            return None
        power, self.place, _ = max(named, key=lambda each: each[1])
        return power

    def _stands(self) -> Stands:
        for parser in (self.parser, self.fuzzy):
            ways = list(self._ways(parser))
            if not ways:
                continue
            # The longest reading of the surest names.
            tier = min(tier for _, _, tier in ways)
            end = max(end for _, end, sure in ways if sure == tier)
            best = dict.fromkeys(each for each, at, sure in ways if (at, sure) == (end, tier))
            if len(best) > 1:
                meanings = tuple(map(str, best))
                raise ReadError(Misreading(Fault.AMBIGUOUS, candidates=meanings))
            (stands,) = best
            location, board = stands.unit.location, self.variant.board
            province = board.provinces[stands.unit.province]
            if location not in (province.id, *province.locations):
                raise ReadError(missing_coast(board, location))
            self.place = end
            return stands
        raise ReadError(self._problem())

    def _ways(self, parser: Parser) -> Iterator[tuple[Stands, int, int]]:
        for unit, owner, end, tier in parser.owned_units(self.place):
            yield Stands(unit, owner), end, tier
        # Letters of powers: one that is a unit's letter, too, is it only before another unit's.
        first, second = parser.key(self.place), parser.key(self.place + 1)
        power, kinds = self.variant.letters.get(first.upper()), parser.words.kinds
        if power and (second in kinds or first not in kinds):
            for unit, end, tier in parser.units(self.place + 1):
                yield Stands(unit, power), end, tier

    def _problem(self) -> Misreading:
        misread = [
            (owner is not None, unit.location.problem)
            for unit, owner, _, _ in self.lenient.owned_units(self.place)
            if isinstance(unit.location, Misread)
        ]
        if misread:
            return max(misread, key=lambda found: found[0])[1]
        if self.place >= len(self.found):
            return Misreading(Fault.ENDS_EARLY)
        return Misreading(Fault.UNKNOWN_PROVINCE, self.found[self.place].text)


def _bracketed(condition: Condition) -> str:
    return f"({condition})" if isinstance(condition, Joined) else str(condition)
