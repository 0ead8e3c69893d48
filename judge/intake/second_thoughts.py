"""Second thoughts: lines that speak again of a unit that a line above orders, and are not read.

Who takes an order back in words that nobody understands does not want it carried out, nor does who
makes it hang on something.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from msgspec.structs import replace

from judge.game.orders.interpret import InterpretedOrder
from judge.game.orders.order_context import OrderContext
from judge.game.state.answers import Answer
from judge.intake.lines import MOST_CHARACTERS, Line, is_talk
from judge.language.cover import CONDITION, CONTRAST, COURTESY, JOIN, MARK, NAME, NEGATION
from judge.language.names import Names, words_of
from judge.language.read import Reader
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


def revoked(lines: Sequence[Line], desk: OrderContext) -> dict[int, str]:
    """Return the numbers of the orders that a line below speaks of again, each with that line."""
    given: dict[str, int] = {}
    found: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines):
        where = line.asked.place if line.asked else None
        if where and line.kind == "order" and line.problem is None:
            given[where] = number
            found.pop(where, None)
            continue
        places = {where} if where and line.asked and _takes_back(line.asked) else set()
        if is_talk(line) and given:
            orders = {each: lines[at].read or "" for each, at in given.items()}
            above = {each for each, at in given.items() if lines[at].rows.stop == line.rows.start}
            places = _doubted(line.text, desk, orders, above)
        found |= {each: (given.pop(each), line.text) for each in places & given.keys()}
    return dict(found.values())


def _takes_back(asked: InterpretedOrder) -> bool:
    """Whether an order that is not taken says that one above it is not wanted: a condition is asked
    about by itself, and who asks a question has not decided."""
    asks = any(token.kind == "?" for each in asked.barred for token in tokens(each))
    return bool(asked.barred) and not asked.hangs and not asks


def held_back(line: Line, said: str | None) -> Line:
    """Return an order as one that is not carried out because of what is `said` below it."""
    if said is None:
        return line
    problem = Answer("below_label", {"label": said})
    return replace(line, problem=problem, offers=(line.read,) if line.read else ())


def without_revoked(lines: Sequence[Line], desk: OrderContext) -> list[Line]:
    """Return lines with the orders held back that a line below takes back."""
    later = revoked(lines, desk)
    return [held_back(line, later.get(number)) for number, line in enumerate(lines)]


def _doubted(text: str, desk: OrderContext, orders: Mapping[str, str], above: Set[str]) -> set[str]:
    """Those of some orders, by the provinces of their units, that a sentence speaks of: with a
    negation it names the unit, with a condition any province of the order. A condition on what
    happens on the board goes on from the order `above` it, whatever it names."""
    if len(text) > MOST_CHARACTERS:
        return set()
    named = _provinces(text, desk)
    about = {each for each, order in orders.items() if named & _provinces(order, desk)}
    if not about and not above:
        return set()
    parts = Reader.of(desk.variant).line(text, desk.wanted, desk.commands).parts
    kinds = [part.kind for part in parts if part.kind not in _AROUND]
    if kinds[:1] == [CONDITION] and (NAME in kinds or named):
        about |= above
    return about if CONDITION in kinds else about & named if NEGATION in kinds else set()


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
