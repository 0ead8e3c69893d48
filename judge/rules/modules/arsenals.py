"""Arsenals: a power may raise one for each turn in which it ordered all its units to hold.

Global Diplomacy, XII+. The rights that are not used yet are kept in the position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from judge.rules.board import UnitKind
from judge.rules.modules.conscription import builds_up_to_limit
from judge.rules.planner import HOLD
from judge.rules.position import Position, Unit
from judge.rules.problems import Code, Illegal, Problem
from judge.rules.submission import Submission
from judge.rules.variant import Variant

RIGHTS: Final = "arsenals"
"""Where a position remembers how many arsenals each power may still raise."""


def rights(position: Position) -> Mapping[str, int]:
    """Return how many arsenals each power may raise when it has a build, for powers that may
    any."""
    known = position.extra.get(RIGHTS, {})
    assert isinstance(known, Mapping)
    return known


def earned(sub: Submission, *, unordered: bool = False) -> Mapping[str, object]:
    """Return what the position remembers after a movement phase: a right more for each power that
    ordered every unit it had to hold. A unit with a void order was not ordered to, nor was one
    without any order, but with `unordered`, the other reading of "ordering all units to hold"."""
    known = dict(rights(sub.position))
    for power, own in sub.spans.items():
        plans = sub.plans[own]
        if plans and all(unordered if plan is None else plan.kind == HOLD for plan in plans):
            known[power] = known.get(power, 0) + 1
    return {RIGHTS: known} if known else {}


def builds_with_rights(
    variant: Variant, position: Position, power: str, kind: UnitKind
) -> tuple[int | None, Problem]:
    """Global Diplomacy, XII+: of units that launch bombs as many as there are rights to them."""
    if kind.launches:
        too_many = Illegal(code=Code.ARSENAL_LIMIT, kind=kind.letter)
        return rights(position).get(power, 0), too_many
    return builds_up_to_limit(variant, position, power, kind)


def spent(
    variant: Variant, position: Position, raised: Mapping[str, Sequence[Unit]]
) -> Mapping[str, object]:
    """Return what the position remembers after builds: the rights that are left."""
    left = dict(rights(position))
    for power, units in raised.items():
        for unit in units:
            if variant.board.kind(unit.kind).launches and left.get(power):
                left[power] -= 1
    return {RIGHTS: {power: count for power, count in left.items() if count}} if left else {}
