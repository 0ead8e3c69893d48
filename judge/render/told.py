"""Sentences that come from the rules and from the reading of orders, in the reader's language.

The core words what it found in English, and histories keep it so. Here these sentences are known
again by their patterns, and said in the language that is spoken. What a pattern's places may hold
follows from their names (`_PIECES`). A sentence that no pattern knows stays English.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache

from babel.dates import get_day_names

from judge.i18n import gettext, language
from judge.render.patterns import (
    ADJECTIVES,
    KINDS,
    NUMBERS,
    ONES,
    ORDERS,
    PLURALS,
    SEASONS,
)
from judge.sentences.places import placed
from judge.sentences.units import listed, named

_PLACE = re.compile(r"\{(\w+)\}")
_NUMBER = rf"(?:{'|'.join(NUMBERS)}|\d+)"
_KIND = "|".join(sorted(KINDS, key=len, reverse=True))
_ONE = "|".join(ONES)
_ARMIES = "|".join(PLURALS)
_UNIT = re.compile(rf"(?P<kind>{_KIND}) (?P<place>.+)", re.IGNORECASE)
_WHO = re.compile(
    rf"(?:the|its) (?:(?P<nation>\S.*?) )?(?P<kind>{_KIND}) (?P<link>in|from) (?P<place>.+)"
)
_NEXT_WHO = re.compile(r", (?=the |its )| and (?=the |its )")


def told(text: object) -> str:
    """The sentence, or the name of a unit, in the language that is spoken."""
    english = str(text)
    if language() == "en" or not english:
        return english
    return "; ".join(_clause(part) for part in english.split("; "))


def _clause(english: str) -> str:
    if found := _known(english):
        pattern, held = found
        pieces = {name: _piece(name, piece) for name, piece in held.items()}
        said = gettext(pattern).format(**pieces)
        return said[:1].upper() + said[1:] if english[:1].isupper() else said
    if _UNIT.fullmatch(english):
        return _unit(english)
    return _who(english) if _WHO.fullmatch(english) else english


@lru_cache(maxsize=5000)
def _known(english: str) -> tuple[str, dict[str, str]] | None:
    """The pattern of a sentence, and what stands in its places; letters to several readers tell
    the same."""
    small = english[:1].lower() + english[1:]
    for pattern, shape in _shapes():
        if found := shape.fullmatch(english) or shape.fullmatch(small):
            return pattern, found.groupdict()
    return None


@cache
def _shapes() -> list[tuple[str, re.Pattern[str]]]:
    """Each pattern with what it looks like, the most telling first."""
    ordered = sorted(ORDERS, key=lambda pattern: -len(_PLACE.sub("", pattern)))
    return [(pattern, re.compile(_shape(pattern), re.DOTALL)) for pattern in ordered]


def _shape(pattern: str) -> str:
    shape, end = "", 0
    for mark in _PLACE.finditer(pattern):
        shape += re.escape(pattern[end : mark.start()])
        shape += f"(?P<{mark[1]}>{_looks(mark[1])})"
        end = mark.end()
    return shape + re.escape(pattern[end:])


def _looks(name: str) -> str:
    kind = name.rstrip("0123456789")
    if kind in ("attack", "defense", "count"):
        return _NUMBER
    if kind == "unit":
        return rf"(?:(?i:{_KIND}|the unit in) .+?)"
    if kind == "who":
        return r"(?:(?:the|its) .+?)"
    if kind == "coasts":
        return r"\S.*\(\w+/\w+\)"
    if kind == "kind":
        return _KIND
    if kind == "one":
        return _ONE
    if kind == "ones":
        return rf"(?:{_ONE})(?:(?:, | or )(?:{_ONE}))*"
    if kind == "armies":
        return rf"(?:{_ARMIES})(?:(?:, | and )(?:{_ARMIES}))*"
    if kind == "season":
        return "|".join(SEASONS)
    return ".+?"


def _unit(english: str) -> str:
    """ "army Paris" as the reader's language has it."""
    found = _UNIT.fullmatch(english)
    if found is not None:
        kind = gettext(KINDS[found["kind"].lower()])
        unit = gettext("{kind} {place}").format(kind=kind, place=placed(found["place"]))
    else:
        unit = _one(english[:1].lower() + english[1:])
    return unit[:1].upper() + unit[1:] if english[:1].isupper() else unit


def _who(english: str) -> str:
    """One unit or several as the rules tell of them: "the Russian army from Warsaw"."""
    return listed([_each(each) for each in _NEXT_WHO.split(english)])


def _each(english: str) -> str:
    found = _WHO.fullmatch(english)
    if found is None:
        return english
    kind, place = gettext(KINDS[found["kind"]]), _place(found["place"])
    nation = found["nation"]
    if nation == "own":
        return gettext("its own {kind} in {place}").format(kind=kind, place=place)
    if nation is None:
        return gettext("the {kind} in {place}").format(kind=kind, place=place)
    power = str(named(ADJECTIVES.get(nation, nation)))
    return gettext("the {nation} {kind} in {place}").format(nation=power, kind=kind, place=place)


def _place(english: str) -> str:
    return placed(english.removeprefix("the "))


def _places(english: str) -> str:
    last = "or" if " or " in english else "and"
    names = re.split(rf", | {last} ", english)
    return listed([_place(each) for each in names], last)


def _number(english: str) -> str:
    return gettext(NUMBERS[english]) if english in NUMBERS else english


def _kind(english: str) -> str:
    return gettext(KINDS[english])


def _one(english: str) -> str:
    return gettext(ONES[english])


def _ones(english: str) -> str:
    return listed([_one(each) for each in re.split(r", | or ", english)], "or")


def _armies(english: str) -> str:
    return listed([gettext(PLURALS[each]) for each in re.split(r", | and ", english)])


def _season(english: str) -> str:
    return gettext(SEASONS[english])


def _day(english: str) -> str:
    number = {name: day for day, name in get_day_names("wide", locale="en").items()}[english]
    return str(get_day_names("wide", locale=language())[number])


_PIECES: dict[str, Callable[[str], str]] = {
    "attack": _number,
    "defense": _number,
    "count": _number,
    "unit": _unit,
    "who": _who,
    "place": _place,
    "places": _places,
    "kind": _kind,
    "one": _one,
    "ones": _ones,
    "armies": _armies,
    "season": _season,
    "power": lambda name: str(named(name)),
    "day": _day,
    "clause": lambda english: told(english),
}
"""What is done with what stands in a pattern's place of that name; all else stays as it is."""


def _piece(name: str, english: str) -> str:
    return _PIECES.get(name.rstrip("0123456789"), str)(english)
