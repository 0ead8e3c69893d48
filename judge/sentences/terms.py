"""Powers, places, units, seasons and phases in the language that is spoken.

Boards name places in English. Those of the standard board have names in other languages, the words
by which players may call them there (`templates/locale/<language>.toml`); the first one of each is
what messages say. A name without one is the same in every language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from judge.i18n import Message, gettext, language, marked, say, word_lists
from judge.rules.board import Board
from judge.rules.phase import Kind, Phase, Season
from judge.rules.position import Unit

KINDS = (
    *(marked("army"), marked("fleet"), marked("navy"), marked("air force"), marked("arsenal")),
    *(marked("an army"), marked("a fleet"), marked("a navy"), marked("an air force")),
    *(marked("an arsenal"), marked("a unit"), marked("unit"), marked("units")),
    *(marked("armies"), marked("fleets"), marked("navies"), marked("air forces")),
    marked("arsenals"),
)
"""Types of units as sentences name them: alone, with an article, several."""

POWERS = (
    marked("Austria"),
    marked("England"),
    marked("France"),
    marked("Germany"),
    marked("Italy"),
    marked("Russia"),
    marked("Turkey"),
)
"""The powers whose names are printed in the reader's language, those of the standard board."""

LABELS = (
    marked("Master"),
    marked("Observer"),
    marked("Observers"),
    marked("Anonymous"),
    marked("The keeper"),
    marked("The master"),
    marked("An observer"),
    marked("A player"),
)
"""What letters call people who are no power, and whose names are not told."""

NAMED = {*POWERS, *LABELS}
"""All that is printed in the reader's language wherever it stands for itself."""

_LONGEST_NAME = 50


def named(fact: object) -> object:
    """Return what to print: the name of a power or province in the reader's language; anything
    else unchanged."""
    if not isinstance(fact, str):
        return fact
    if fact in NAMED:
        return gettext(fact)
    return placed(fact) if language() != "en" and len(fact) < _LONGEST_NAME else fact


def clauses(*parts: str) -> str:
    """Return clauses as one sentence without a full stop."""
    return "; ".join(parts)


def listed(names: Sequence[object], last: str = "and") -> str:
    """Join names: "A", "A and B", "A, B and C"; `last` is "and" or "or"."""
    words = [str(named(name)) for name in names]
    if len(words) < 2:
        return "".join(words)
    both = say("{names} or {last}", names="{0}", last="{1}")
    if last == "and":
        both = say("{names} and {last}", names="{0}", last="{1}")
    return both.format(", ".join(words[:-1]), words[-1])


def either(names: Sequence[object]) -> str:
    """Join names as a choice: "a, b or c"."""
    return listed(names, "or")


def place_words(location: str, board: Board) -> str:
    """Return the full name of a location; what is no location of the board stays as it is."""
    if location.partition("/")[0] in board.provinces:
        return placed(board.name(location))
    return location


def kind_words(letter: str, board: Board) -> str:
    """Return what a type of unit is called: "army"."""
    return gettext(board.kind(letter).name)


def unit_words(unit: Unit, board: Board) -> str:
    """Return a unit in words: "army Paris", "fleet St. Petersburg (south coast)", or "the unit in
    Paris" where its type was not written."""
    return _unit_words(unit, board, language())


# A message about a phase names each unit a dozen times.
@lru_cache(maxsize=8192)
def _unit_words(unit: Unit, board: Board, language: str) -> str:
    """Return a unit in words; `language` is the one that is spoken."""
    place = place_words(unit.location, board)
    if not unit.kind:
        return say("the {kind} in {place}", kind=gettext("unit"), place=place)
    return say("{kind} {place}", kind=kind_words(unit.kind, board), place=place)


COASTS = {
    "north coast": Message("north coast"),
    "south coast": Message("south coast"),
    "east coast": Message("east coast"),
    "west coast": Message("west coast"),
}

_COAST = re.compile(rf"(.+) \(({'|'.join(COASTS)})\)")


def placed(name: str) -> str:
    """Return a province's name, with its coast where it names one: "Sankt Petersburg (Südküste)".

    Args:
        name: As the board has it, in English.
    """
    if language() == "en":
        return name
    if found := _COAST.fullmatch(name):
        return f"{placed(found[1])} ({COASTS[found[2]]})"
    return _names(language()).get(name, name)


@cache
def _names(language: str) -> Mapping[str, str]:
    names: dict[str, str] = {}
    for local, english in word_lists(language)["provinces"].items():
        if local != english:
            names.setdefault(english, local)
    return names


SEASONS = {
    Season.SPRING: Message("Spring {year}"),
    Season.SUMMER: Message("Summer {year}"),
    Season.FALL: Message("Fall {year}"),
    Season.WINTER: Message("Winter {year}"),
}
NAMED_SEASONS = {
    Season.SPRING: Message("spring"),
    Season.SUMMER: Message("summer"),
    Season.FALL: Message("fall"),
    Season.WINTER: Message("winter"),
}
TYPES = {
    Kind.MOVEMENT: Message("movement"),
    Kind.RETREATS: Message("retreats"),
    Kind.ADJUSTMENTS: Message("adjustments"),
}


def phase_words(phase: str | Phase | None) -> str:
    """Return the phase as letters name it: "Spring 1901, movement"; "before the start" for None."""
    if phase is None:
        return say("before the start")
    found = Phase.read(phase) if isinstance(phase, str) else phase
    return f"{str(SEASONS[found.season]).format(year=found.year)}, {TYPES[found.kind]}"
