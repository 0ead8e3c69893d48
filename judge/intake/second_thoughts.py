"""Second thoughts: lines that speak again of a unit that a line above orders, and are not read.

Who takes an order back in words that nobody understands does not want it carried out, nor does who
makes it hang on something.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from judge.game.orders.interpret import InterpretedOrder
from judge.game.orders.order_context import OrderContext
from judge.game.state.answers import Answer
from judge.intake.addressees import JUDGE, called, letters
from judge.intake.lines import MOST_CHARACTERS, Line, is_talk
from judge.intake.wishes import learned, marks
from judge.language.cover import (
    CONDITION,
    CONTRAST,
    COURTESY,
    DOUBT,
    JOIN,
    MARK,
    NAME,
    NEGATION,
    TIME,
    VERB,
)
from judge.language.names import Names, words_of
from judge.language.read import Reader
from judge.language.speech import PERSON, YOU, speaks
from judge.language.vocabulary import tokens


def counting(lines: Sequence[Line]) -> dict[str | None, list[Line]]:
    """The lines with orders that count for the phase that is open, by power: each unit's last."""
    by_power: dict[str | None, dict[object, Line]] = {}
    for line in lines:
        if line.kind == "order" and line.asked and not line.problem and line.later is None:
            given = by_power.setdefault(line.asked.power, {})
            key = line.asked.place or len(given)
            # In adjustments the order of writing counts.
            given.pop(key, None)
            given[key] = line
    return {power: list(given.values()) for power, given in by_power.items()}


Taken: TypeAlias = Mapping[tuple[range, str], str]
"""The orders, by their rows and texts, that a line below takes back, each with that line."""


def revoked(lines: Sequence[Line], desk: OrderContext) -> Taken:
    """Return the orders that a line below speaks of again; what stands below a ruled line is no
    second thought."""
    given: dict[str, Line] = {}
    found: dict[str, tuple[Line, str]] = {}
    addressed = _in_letters(lines, desk)
    for number, line in enumerate(lines):
        if given and _RULED.fullmatch(line.text):
            break
        where = line.asked.place if line.asked else None
        if where and line.asked and line.kind == "order" and line.problem is None:
            given[where] = line
            found.pop(where, None)
            places = _provinces(" ".join(line.asked.left), desk) - {where}
        elif line.asked:
            places = _taken_back(line, line.asked, desk)
        elif given and is_talk(line) and number not in addressed:
            places = _doubted(line, given, desk)
        else:
            continue
        found |= {each: (given.pop(each), line.text) for each in places & given.keys()}
    return {(order.rows, order.text): said for order, said in found.values()}


_RULED = re.compile(r"\s*([-_=*~#+])\1{4,}\s*")


def _in_letters(lines: Sequence[Line], desk: OrderContext) -> set[int]:
    """The numbers of the lines that somebody else is written to in."""
    talk = [line.text[:MOST_CHARACTERS] if is_talk(line) else "" for line in lines]
    found: set[int] = set()
    for letter in letters(talk, called(desk.variant)):
        if not letter.may_be_ours and JUDGE not in letter.to:
            found.update(range(letter.first, letter.end))
    return found


def _taken_back(line: Line, asked: InterpretedOrder, desk: OrderContext) -> set[str]:
    """The units of which an order that is not taken says that what stands above is not wanted: who
    asks a question has not decided."""
    if not asked.barred or any(
        token.kind == "?" for each in asked.barred for token in tokens(each)
    ):
        return set()
    return _provinces(line.text, desk) | {asked.place or ""}


def held_back(line: Line, taken: Taken) -> Line:
    """Return an order that a line below takes back as one that is not carried out, and that line as
    one that asks for nothing besides."""
    said = taken.get((line.rows, line.text))
    if said is None and is_talk(line) and line.text in taken.values():
        said = line.text
    if said is None:
        return line
    problem = Answer("below_label", {"label": said})
    return replace(line, problem=problem, offers=(line.read,) if line.read else ())


def without_revoked(lines: Sequence[Line], desk: OrderContext) -> list[Line]:
    """Return lines with the orders held back that a line below takes back."""
    taken = revoked(lines, desk)
    return [held_back(line, taken) for line in lines]


def _doubted(line: Line, given: Mapping[str, Line], desk: OrderContext) -> set[str]:
    """The provinces of those units, with the lines that order them, that ordinary text speaks of.

    It names a province of the order, and another one or a word that could change the meaning. A
    condition on what happens on the board goes on from the order right above it, whatever it
    names, and a wish for no orders from all.
    """
    text = line.text
    if len(text) > MOST_CHARACTERS:
        return set()
    wishes = learned().guesses(text, marks(desk.variant))
    if wishes and wishes[0].wish == "CLEAR NOW":
        return set(given)
    named = _provinces(text, desk)
    about = {each for each, order in given.items() if named & _provinces(order.read or "", desk)}
    last = max(order.rows.stop for order in given.values())
    above = {each for each, order in given.items() if order.rows.stop == last}
    parts = Reader.of(desk.variant).line(text, desk.wanted, desk.commands).parts
    kinds = [part.kind for part in parts if part.kind not in _AROUND]
    if kinds[:1] == [CONDITION] and (NAME in kinds or named):
        about |= above if last == line.rows.start else given.keys()
    # A single name among words that change nothing is that of a place where somebody sits.
    tells = [part for part in parts if part.kind in _CHANGING and not speaks(part.text, *_PEOPLE)]
    return about if tells or len(named) > 1 else set()


_PEOPLE = (PERSON, YOU)
_CHANGING = frozenset({CONDITION, NEGATION, DOUBT, TIME, VERB, CONTRAST})
_AROUND = (MARK, JOIN, COURTESY, CONTRAST)


def _provinces(text: str, desk: OrderContext) -> set[str]:
    """The provinces that a text names."""
    known, words = Names.of(desk.variant).provinces.exact, words_of(text)
    names = {
        "".join(words[start:end])
        for start in range(len(words))
        for end in range(start + 1, start + 4)
    }
    return {known[each] for each in names & known.keys()}
