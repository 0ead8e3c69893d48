"""Powers, locations and units in the language that is spoken."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from judge.i18n import gettext, language, marked, say
from judge.rules.board import Board
from judge.rules.position import Unit
from judge.sentences.places import placed

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
