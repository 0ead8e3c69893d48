"""Second thoughts: lines that speak again of a unit that a line above orders, and are not read.

Who takes an order back in words that nobody understands does not want it carried out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from judge.game.orders.context import OrderContext
from judge.game.state.answers import Answer
from judge.intake.lines import MOST_CHARACTERS, Line, is_talk
from judge.language.cover import NEGATION
from judge.language.names import Names, words_of
from judge.language.read import Reader


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
        barred = line.asked is not None and line.asked.barred and not line.asked.hangs
        places = {where} if barred and where else set()
        if is_talk(line) and given:
            places = _denied(line.text, desk, given)
        found |= {each: (given.pop(each), line.text) for each in places & given.keys()}
    return dict(found.values())


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


def _denied(text: str, desk: OrderContext, given: Collection[str]) -> set[str]:
    """Those of some provinces that a sentence with a negation names."""
    if len(text) > MOST_CHARACTERS:
        return set()
    known, words = Names.of(desk.variant).provinces.exact, words_of(text)
    names = {
        "".join(words[start:end])
        for start in range(len(words))
        for end in range(start + 1, start + 4)
    }
    named = {known[each] for each in names & known.keys()}
    named &= set(given)
    parts = Reader.of(desk.variant).line(text, desk.wanted, desk.commands).parts if named else ()
    return named if any(part.kind == NEGATION for part in parts) else set()
