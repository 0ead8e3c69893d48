"""Whether what people write in words of their own was meant as an order, and whether an order that
they wrote was meant as another one, of which a slip has made it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from judge.language.misreadings import Fault, Misreading
from judge.language.names import Names, edits, words_of
from judge.language.read import read_order
from judge.language.vocabulary import ARROWS, DASHES, Vocabulary
from judge.rules.board import province_of
from judge.rules.orders import Build, Hold, Move, Order, Retreat, Support, Unreadable
from judge.rules.position import Unit
from judge.rules.variant import Variant


def is_formal(text: str, names: Names) -> bool:
    """Return whether a text has the form of an order: a letter before a name, or a sign that says
    where something goes. Sentences have neither."""
    return GOES.search(text) is not None or _has_letter(text, names)


def looks_like_order(text: str, order: Unreadable, names: Names) -> bool:
    """Return whether a part of a line that could not be read, `order`, was probably meant as an
    order."""
    problem = order.problem if isinstance(order.problem, Misreading) else None
    # A word by itself that is like a name is a word.
    like = problem is not None and problem.candidates and problem.text != text.strip()
    if names_unit(order) or like or _has_letter(text, names):
        return True
    goes = GOES.search(text.rstrip(f" .{DASHES}")) is not None
    return goes and any(word in names.provinces.exact for word in words_of(text))


def _has_letter(text: str, names: Names) -> bool:
    """Return whether the letter of a kind of unit stands before a name, in capitals."""
    return any(
        word.isupper() and word.strip(".").lower() in names.words.kinds and len(name) >= _SHORTEST
        for word, name in pairwise(text.split())
    )


_SHORTEST = 3
"""Letters of a name."""


def names_unit(order: Unreadable) -> bool:
    """Return whether what could not be read speaks of a unit, wherever that may be."""
    fault = order.problem.fault if isinstance(order.problem, Misreading) else None
    unplaced = fault in (Fault.WHICH_UNIT, Fault.WHERE_BUILT)
    return unplaced or bool(order.unit and order.unit.kind)


_GAP = re.compile(r"(.+?\S)[ \t]{2,}([^\W\d_][\w. ]*)[.! ]*\Z")
GOES = re.compile(f"[{re.escape(DASHES + ARROWS)}]")
"""What stands between a unit and where it goes, and leaves no doubt of that."""


def meanings(text: str, order: Order, variant: Variant, units: Iterable[Unit]) -> tuple[str, ...]:
    """Return what a line may mean as well, as orders, the one that was read first; () where there
    is no doubt. `units` are the writer's own; there is nothing that `GOES`."""
    if isinstance(order, Move) and not order.path:
        # A letter between two blanks is soon lost, and a move looks like the support without it.
        gap = _GAP.match(text.strip())
        there = _standing(units, order.to)
        if gap and there and _is_unit(gap[1], order.unit, variant):
            return str(order), str(Support(order.unit, there))
    if isinstance(order, Support) and order.to is not None:
        there = _standing(units, order.to)
        if there is not None and _is_misspelled_kind(text, order.target, variant):
            return str(order), str(Support(order.unit, there))
    return ()


def _standing(units: Iterable[Unit], location: str) -> Unit | None:
    return next((unit for unit in units if unit.province == province_of(location)), None)


def _is_unit(text: str, unit: Unit, variant: Variant) -> bool:
    """Return whether a text names this unit, and no verb."""
    found = read_order(f"{text.rstrip(' :')} H", variant, variant.start_phase)
    return isinstance(found, Hold) and found.unit.province == unit.province


def _is_misspelled_kind(text: str, unit: Unit, variant: Variant) -> bool:
    """Return whether the word read as a unit may be the word for a kind of unit: `asmy`."""
    names, kinds = Names.of(variant).provinces, Vocabulary.of(variant.board).kinds
    return any(
        edits(word, kind, 1) == 1 and names.find((word[1:],)).ids == (unit.province,)
        for word in words_of(text)
        for kind in kinds
        if len(kind) > 3
    )


def with_coasts(order: Order, variant: Variant) -> Sequence[Order]:
    """Return the order with each coast of the province it ends in, where it names none or a wrong
    one."""
    provinces = variant.board.provinces
    match order:
        case Move(path=()) | Retreat():
            province = provinces.get(order.to.partition("/")[0])
            return [replace(order, to=to) for to in province.locations] if province else []
        case Build():
            province = provinces.get(order.unit.province)
            if province is None:
                return []
            return [
                replace(order, unit=order.unit._replace(location=there))
                for there in province.locations
            ]
    return []
