"""Orders that a slip may have made of others: they are asked about."""

from __future__ import annotations

import re
from collections.abc import Iterable

from judge.language.names import Names, edits, words_of
from judge.language.read import read_order
from judge.language.vocabulary import ARROWS, DASHES, Vocabulary
from judge.rules.board import province_of
from judge.rules.orders import Hold, Move, Order, Support
from judge.rules.position import Unit
from judge.rules.variant import Variant

_GAP = re.compile(r"(.+?\S)[ \t]{2,}([^\W\d_][\w. ]*)[.! ]*\Z")
_GOES = re.compile(f"[{re.escape(DASHES + ARROWS)}]")


def meanings(text: str, order: Order, variant: Variant, units: Iterable[Unit]) -> tuple[str, ...]:
    """Return what a line may mean as well, as orders, the one that was read first; () where there
    is no doubt. `units` are the writer's own."""
    if isinstance(order, Move) and not order.path:
        # A letter between two blanks is soon lost, and a move looks like the support without it.
        gap = _GAP.match(text.strip())
        there = _standing(units, order.to)
        if gap and there and not _GOES.search(text) and _is_unit(gap[1], order.unit, variant):
            return str(order), str(Support(order.unit, there))
    if isinstance(order, Support) and order.to is not None and not _GOES.search(text):
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
