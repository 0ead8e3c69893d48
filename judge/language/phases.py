"""Reads phases as people name them: `F1901R`, `Fall 1901 Retreat`, `Winter 1901`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

from judge.language.problems import Fault, Misreading, ReadError
from judge.rules.phase import Kind, Phase, Season
from judge.rules.variant import Variant

Step: TypeAlias = tuple[Season, Kind]

_SEASONS = {
    "spring": Season.SPRING,
    "summer": Season.SUMMER,
    "fall": Season.FALL,
    "autumn": Season.FALL,
    "winter": Season.WINTER,
    "s": Season.SPRING,
    "u": Season.SUMMER,
    "f": Season.FALL,
    "w": Season.WINTER,
}
_KINDS = {
    "m": Kind.MOVEMENT,
    "r": Kind.RETREATS,
    "a": Kind.ADJUSTMENTS,
    "b": Kind.ADJUSTMENTS,
    "mov": Kind.MOVEMENT,
    "retreat": Kind.RETREATS,
    "adjust": Kind.ADJUSTMENTS,
    "build": Kind.ADJUSTMENTS,
    "remov": Kind.ADJUSTMENTS,
    "disband": Kind.ADJUSTMENTS,
    "diplomacy": Kind.MOVEMENT,
    "order": Kind.MOVEMENT,
}
_FILLERS = {"phase", "turn", "the", "of", "in", "season", "year", "and"}


def read_phase(text: str, variant: Variant) -> Phase:
    """The phase of `variant` that `text` names, in letters or in words.

    Without a kind the season's first phase is meant. Adjustments may be named by the season before
    them (`F1901B` is the standard game's W1901A). Raises ReadError, with the
    phases of a year, when it names none.
    """
    season: Season | None = None
    year: int | None = None
    kind: Kind | None = None
    for word in re.findall(r"\d+|[^\W\d_]+", text.casefold()):
        if word.isdecimal() and len(word) < 6:
            year = _year(int(word), len(word), variant) if year is None else None
        elif season is None and word in _SEASONS:
            season = _SEASONS[word]
        elif kind is None and (found := _kind(word)):
            kind = found
        elif word not in _FILLERS:
            raise _no_phase(text, variant)
    if year is None or (season is None and kind is not Kind.ADJUSTMENTS):
        raise _no_phase(text, variant)
    steps = variant.calendar.year
    no_summer = all(step[0] is not Season.SUMMER for step in steps)
    if season is Season.SUMMER and kind in (None, Kind.RETREATS) and no_summer:
        # Some call the retreats after a spring those of summer.
        season, kind = Season.SPRING, Kind.RETREATS
    named = [step for step in steps if season in (None, step[0]) and kind in (None, step[1])]
    if not named and kind is Kind.ADJUSTMENTS and season is not None:
        named = _adjustments_after(season, steps)
    if not named:
        raise _no_phase(text, variant)
    return Phase(named[0][0], year, named[0][1])


def _adjustments_after(season: Season, steps: Sequence[Step]) -> list[Step]:
    """The adjustments that follow a season before anything moves again."""
    last = max((place for place, step in enumerate(steps) if step[0] is season), default=None)
    for step in steps[last + 1 :] if last is not None else ():
        if step[1] is Kind.MOVEMENT:
            break
        if step[1] is Kind.ADJUSTMENTS:
            return [step]
    return []


def _kind(word: str) -> Kind | None:
    """The kind of phase a word stands for; longer words by how they begin."""
    if word in _KINDS:
        return _KINDS[word]
    stems = (stem for stem in _KINDS if len(stem) > 2 and word.startswith(stem))
    return next((_KINDS[stem] for stem in stems), None)


def _year(number: int, digits: int, variant: Variant) -> int:
    """The year meant; two digits are in the century the game starts in."""
    return number + variant.start_phase.year // 100 * 100 if digits == 2 else number


def _no_phase(text: str, variant: Variant) -> ReadError:
    year = variant.start_phase.year
    phases = tuple(str(Phase(season, year, kind)) for season, kind in variant.calendar.year)
    return ReadError(Misreading(Fault.NO_PHASE, text.strip(), phases))
