"""Who has won when centers have been counted, and games that nobody can win any more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from judge.rules.modules.destruction import centers_left, within_reach
from judge.rules.position import Position
from judge.rules.result import Ending
from judge.rules.variant import SIDES, VICTORY, Variant, sides, victory


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who has won; `rivals` are powers that have enough to win and are in each other's way, `extra`
    is what the position remembers of it."""

    winners: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict)


GOES_ON: Final = Verdict()


def most_win(
    variant: Variant, position: Position, counts: Mapping[str, Sequence[object]]
) -> Verdict:
    """Return the standard rule: the side with the most of all, if that is enough.

    Of several at the top all win where victory is shared; else one of them needs one more.
    """
    totals = _totals(variant, position, counts)
    most = max((total for total, _ in totals), default=0)
    if most < victory(variant, position):
        return GOES_ON
    top = [side for total, side in totals if total == most]
    powers = tuple(power for side in top for power in side)
    if len(top) == 1 or variant.shared_victory:
        return Verdict(powers)
    return Verdict((), powers, {VICTORY: most + 1})


def alone_wins(
    variant: Variant, position: Position, counts: Mapping[str, Sequence[object]]
) -> Verdict:
    """Global Diplomacy, II: the one side that has enough, as long as no other has as well."""
    enough = victory(variant, position)
    there = [side for total, side in _totals(variant, position, counts) if total >= enough]
    powers = tuple(power for side in there for power in side)
    return Verdict(powers) if len(there) == 1 else Verdict((), powers)


def lead_wins(
    variant: Variant, position: Position, counts: Mapping[str, Sequence[object]]
) -> Verdict:
    """Twenty Twenty: besides the standard rule a side wins that is far enough ahead of the second:
    by one center in the variant's year `lead` and later, by one more for each year before it."""
    found = most_win(variant, position, counts)
    if found != GOES_ON:
        return found
    (most, side), *rest = sorted(_totals(variant, position, counts), reverse=True)
    ahead = most - max((total for total, _ in rest), default=0)
    needed = 1 + max(variant.lead - position.phase.year, 0)
    return Verdict(side) if ahead >= needed else GOES_ON


def _totals(
    variant: Variant, position: Position, counts: Mapping[str, Sequence[object]]
) -> list[tuple[int, tuple[str, ...]]]:
    """Return how many each side has: a power, or the powers that win together."""
    if not variant.sides and SIDES not in position.extra:
        return [(len(held), (power,)) for power, held in counts.items()]
    return [
        (sum(len(counts.get(power, ())) for power in side), side)
        for side in sides(variant, position, counts)
    ]


Raises = Callable[[Variant, Position, str, str], bool]
"""Whether a power can raise units in a center that it owns; see `judge.rules.modules`."""


def nobody_can_win(variant: Variant, position: Position, raises: Raises) -> Ending | None:
    """Global Diplomacy, II: fewer centers are left than win, or no power can ever get so many."""
    enough = victory(variant, position)
    if len(centers_left(variant, position)) < enough:
        return Ending.UNINHABITABLE
    powers = dict.fromkeys((*position.units, *position.centers))
    for side in sides(variant, position, powers):
        if all(power in variant.standing for power in side):
            continue
        found = [within_reach(variant, position, power, raises) for power in side]
        if len(frozenset[str]().union(*found)) >= enough:
            return None
    return Ending.IMPOSSIBLE
