"""Powers, places, units, strengths, seasons and phases in the language that is spoken.

Boards name places in English. Those of the standard board have names in other languages, the words
by which players may call them there (`templates/locale/<language>/words.toml`); the first one of
each is what messages say. A name without one is the same in every language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache, wraps
from typing import ParamSpec

from judge.i18n import (
    DEFAULT_LANGUAGE,
    LANGUAGES,
    Message,
    gettext,
    language,
    say,
    sentences,
    word_list,
)
from judge.rules.board import COASTS, Board, province_of
from judge.rules.outcome import Piece
from judge.rules.phase import Kind, Phase, Season
from judge.rules.position import Unit
from judge.rules.variant import Variant

_WORDS = sentences("words", DEFAULT_LANGUAGE)
NAMED = {*_WORDS["powers"], *_WORDS["labels"]}
"""What is printed in the reader's language wherever it stands for itself: the powers of the
standard board, and what letters call people whose names are not told."""

_LONGEST_NAME = 50

_P = ParamSpec("_P")


def kept_by_language(words: Callable[_P, str]) -> Callable[_P, str]:
    """Keep what a function of hashable arguments returns, for each language that is spoken: letters
    about a phase, and programs that adjudicate many, name the same things again and again."""
    kept = {each: lru_cache(8192)(words) for each in LANGUAGES}

    @wraps(words)
    def said(*args: _P.args, **kwargs: _P.kwargs) -> str:
        return kept[language()](*args, **kwargs)  # type: ignore[arg-type]

    return said


def named(fact: object) -> object:
    """Return what to print: the name of a power or province in the reader's language; anything
    else unchanged."""
    if not isinstance(fact, str):
        return fact
    if fact in NAMED:
        return gettext(fact)
    return placed(fact) if language() != DEFAULT_LANGUAGE and len(fact) < _LONGEST_NAME else fact


def clauses(*parts: str) -> str:
    """Return clauses as one sentence without a full stop."""
    return "; ".join(parts)


def listed(names: Sequence[object], last: str = "and") -> str:
    """Join names: "A", "A and B", "A, B and C"; `last` is "and" or "or"."""
    words = [str(named(name)) for name in names]
    if len(words) < 2:
        return "".join(words)
    both = gettext("{names} and {last}") if last == "and" else gettext("{names} or {last}")
    return both.format(names=", ".join(words[:-1]), last=words[-1])


def either(names: Sequence[object]) -> str:
    """Join names as a choice: "a, b or c"."""
    return listed(names, "or")


def place_words(location: str, board: Board) -> str:
    """Return the full name of a location; what is no location of the board stays as it is."""
    if province_of(location) in board.provinces:
        return placed(board.name(location))
    return location


@kept_by_language
def place(location: str, board: Board) -> str:
    """Return the name of a location as it stands within a sentence; in quotes what is none."""
    if province_of(location) not in board.provinces:
        return f"'{location}'"
    return (
        board.spoken(location) if language() == DEFAULT_LANGUAGE else placed(board.name(location))
    )


def kind_words(letter: str, board: Board) -> str:
    """Return what a type of unit is called: "army"; an unknown letter stays as it is."""
    known = not letter or letter in board.kinds
    return gettext(board.kind(letter).name) if known else letter


def one(letter: str, board: Board) -> str:
    """Return a type of unit with its article: "an army"."""
    return gettext(board.kind(letter).one)


def armies(letters: Iterable[str], board: Board) -> str:
    """Return several units of each type: "armies and fleets"."""
    return listed([gettext(board.kind(letter).plural) for letter in letters])


@kept_by_language
def unit_words(unit: Unit, board: Board) -> str:
    """Return a unit in words: "army Paris", "fleet St. Petersburg (south coast)", or "the unit in
    Paris" where its type was not written."""
    name = place_words(unit.location, board)
    if not unit.kind:
        return say("the {kind} in {place}", kind=gettext("unit"), place=name)
    return say("{kind} {place}", kind=kind_words(unit.kind, board), place=name)


@kept_by_language
def who(piece: Piece, variant: Variant) -> str:
    """Return a unit of a power: "the Russian army from Warsaw", or "in" where it stays."""
    power, unit, moving = piece
    nation = (
        variant.adjectives.get(power, power) if language() == DEFAULT_LANGUAGE else named(power)
    )
    kind, name = kind_words(unit.kind, variant.board), place(unit.province, variant.board)
    if moving:
        return say("the {nation} {kind} from {place}", nation=nation, kind=kind, place=name)
    return say("the {nation} {kind} in {place}", nation=nation, kind=kind, place=name)


def everyone(pieces: Iterable[Piece], variant: Variant) -> str:
    """Return several units of powers as a list."""
    return listed([who(piece, variant) for piece in pieces])


@kept_by_language
def own(piece: Piece, variant: Variant) -> str:
    """Return a unit of the power that is spoken to: "its own army in Warsaw"."""
    kind = kind_words(piece.unit.kind, variant.board)
    name = place(piece.unit.province, variant.board)
    if piece.moving:
        return say("its own {kind} from {place}", kind=kind, place=name)
    return say("its own {kind} in {place}", kind=kind, place=name)


def strength(number: int) -> str:
    """Return a strength in words: "one", "two"."""
    words: list[str] = sentences("words", language())["numbers"]
    return words[number] if number < len(words) else str(number)


_COAST = re.compile(rf"(.+) \(({'|'.join(COASTS.values())})\)")


def placed(name: str) -> str:
    """Return a province's name, with its coast where it names one: "Sankt Petersburg (Südküste)".

    Args:
        name: As the board has it, in English.
    """
    if language() == DEFAULT_LANGUAGE:
        return name
    if found := _COAST.fullmatch(name):
        return f"{placed(found[1])} ({gettext(found[2])})"
    return _names(language()).get(name, name)


@cache
def _names(language: str) -> Mapping[str, str]:
    names: dict[str, str] = {}
    for local, english in word_list(language, "provinces").items():
        if local != english:
            names.setdefault(english, local)
    return names


NAMED_SEASONS = {season: Message(season.name.lower()) for season in Season}
"""The seasons, in the language that is spoken when they are printed."""


@kept_by_language
def phase_words(phase: str | Phase | None) -> str:
    """Return the phase as letters name it: "Spring 1901, movement"; "before the start" for None."""
    if phase is None:
        return say("before the start")
    found = Phase.read(phase) if isinstance(phase, str) else phase
    words = sentences("phases", language())
    season, kind = (words[each.name.lower()] for each in (found.season, found.kind))
    return f"{season.format(year=found.year)}, {kind}"


@kept_by_language
def turn_words(phase: str) -> str:
    """Return the phase as subjects have it: "Spring 1901", "Spring 1901, retreats"."""
    found = Phase.read(phase)
    words = sentences("phases", language())
    season = words[found.season.name.lower()].format(year=found.year)
    usual = Kind.ADJUSTMENTS if found.season is Season.WINTER else Kind.MOVEMENT
    return season if found.kind is usual else f"{season}, {words[found.kind.name.lower()]}"
