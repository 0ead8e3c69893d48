"""Whether what people write in words of their own was meant as an order, and whether an order that
they wrote was meant as another one, of which a slip has made it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from judge.language.names import Names, edits, words_of
from judge.language.problems import Fault, Misreading
from judge.language.read import read_order
from judge.language.vocabulary import ARROWS, DASHES, SAID, Vocabulary
from judge.rules.board import province_of
from judge.rules.orders import Build, Hold, Move, Order, Retreat, Support, Unreadable
from judge.rules.position import Unit
from judge.rules.variant import Variant

_MOST_WORDS = 12  # a line of more is prose, whatever it names


def looks_like_order(line: str, names: Names) -> bool:
    """Whether a line that could not be read was probably meant as an order.

    It begins as orders do, with a unit, a province or a verb (a power may come first), names a
    province, and says something to do; what people write to a human being seldom does all three.
    """
    words = list(words_of(line))
    if words and words[0] in names.powers.exact:
        del words[0]
    if not words or len(words) > _MOST_WORDS:
        return False
    known, first = names.words, words[0]
    places = [word for word in words if len(word) > 2 and word in names.provinces.exact]
    acts = GOES.search(line.rstrip(f" .{DASHES}")) is not None or any(
        word in known.verbs or word in SAID["to"] for word in words[1:]
    )
    if first == "a" and len(words) > 1 and words[1] in known.verbs and len(words[1]) > 1:
        # An article: "A move to Burgundy would be rude".
        return False
    if first in known.kinds or tuple(words[:2]) in known.pairs:
        rest = line.partition(" ")[2].lstrip()
        return (len(words) > 1 and words[1] in places) or (rest[:1].isalpha() and acts)
    if first in places:
        return acts
    return first in known.verbs and bool(places)


def names_unit(order: Unreadable) -> bool:
    """Whether what could not be read speaks of a unit, wherever that may be."""
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
    """Whether a text names this unit, and no verb."""
    found = read_order(f"{text.rstrip(' :')} H", variant, variant.start_phase)
    return isinstance(found, Hold) and found.unit.province == unit.province


def _is_misspelled_kind(text: str, unit: Unit, variant: Variant) -> bool:
    """Whether the word that was read as a unit may be the word for a kind of unit: `asmy`."""
    names, kinds = Names.of(variant).provinces, Vocabulary.of(variant.board).kinds
    return any(
        edits(word, kind, 1) == 1 and names.find((word[1:],)).ids == (unit.province,)
        for word in words_of(text)
        for kind in kinds
        if len(kind) > 3
    )


def with_coasts(order: Order, variant: Variant) -> Sequence[Order]:
    """The order with each coast of the province it ends in, where it names none or a wrong one."""
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
