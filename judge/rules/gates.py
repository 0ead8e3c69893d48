"""Borders that only the owner of a province crosses: a canal, a strait with forts on its shores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from judge.rules.board import Derived, province_of
from judge.rules.phase import Kind
from judge.rules.position import Position
from judge.rules.variant import Variant

Steps = frozenset[tuple[str, str]]


def passable(variant: Variant, position: Position) -> Variant:
    """The variant without the borders that are shut to the units that stand at them now.

    Whoever owns the province of a gate crosses it; while nobody owns it, nobody does. That no other
    unit crosses it means supports and retreats, too, for these go where a unit could move to.
    """
    if not variant.gates or position.phase.kind is Kind.ADJUSTMENTS:
        return variant
    owners = {center: power for power, own in position.centers.items() for center in own}
    standing = {
        unit.province: power for power, units in position.units.items() for unit in units
    } | {gone.unit.province: power for power, all_ in position.dislodged.items() for gone in all_}
    shut = frozenset(
        (here, there)
        for keeper, *ends in variant.gates
        for here, there in (ends, reversed(ends))
        if standing.get(province_of(here)) != owners.get(keeper, "")
    )
    known = _shut(variant)
    if shut not in known:
        board = variant.board
        known[shut] = replace(
            variant,
            gates=(),
            board=replace(
                board, army=_without(board.army, shut), fleet=_without(board.fleet, shut)
            ),
        )
    return known[shut]


def _without(steps: Mapping[str, tuple[str, ...]], shut: Steps) -> dict[str, tuple[str, ...]]:
    return {
        here: tuple(there for there in others if (here, there) not in shut)
        for here, others in steps.items()
    }


@Derived
def _shut(variant: Variant) -> dict[Steps, Variant]:
    return {}
