"""A board for more units than the standard one holds, and crowded positions on any board."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from judge.rules.board import Board, Province
from judge.rules.position import Position, Unit
from judge.rules.variant import Variant

SEAMS = (("nat", "syr"), ("stp/nc", "naf"), ("mos", "por"), ("bar", "eas"), ("sev", "mid"))
"""Where a copy of the board borders on the next one: pairs of locations, fleets or armies."""


def tripled(variant: Variant) -> Variant:
    """Three copies of a board side by side, grown together at their edges."""
    provinces: dict[str, Province] = {}
    army: dict[str, tuple[str, ...]] = {}
    fleet: dict[str, tuple[str, ...]] = {}
    board = variant.board
    for copy in "123":
        for name, province in board.provinces.items():
            provinces[name + copy] = replace(province, id=name + copy)
        for old, new in ((board.army, army), (board.fleet, fleet)):
            for here, around in old.items():
                new[_named(here, copy)] = tuple(_named(step, copy) for step in around)
    for copy, following in (("1", "2"), ("2", "3")):
        for here, there in SEAMS:
            one, other = _named(here, copy), _named(there, following)
            for steps in (army, fleet):
                if one in steps and other in steps:
                    steps[one] = (*steps[one], other)
                    steps[other] = (*steps[other], one)
    return replace(variant, name="tripled", board=Board(provinces, army, fleet))


def _named(location: str, copy: str) -> str:
    province, slash, coast = location.partition("/")
    return province + copy + slash + coast


def scattered(variant: Variant, units: int, random: Random) -> Position:
    """So many units on provinces chosen by chance, shared out among all powers."""
    board = variant.board
    standing: dict[str, list[Unit]] = {power: [] for power in variant.powers}
    for name in random.sample(sorted(board.provinces), k=units):
        province = board.provinces[name]
        if province.terrain == "sea" or (province.terrain == "coast" and random.random() < 0.4):
            unit = Unit("F", random.choice(province.locations))
        else:
            unit = Unit("A", name)
        standing[random.choice(variant.powers)].append(unit)
    return Position(variant.start_phase, {power: tuple(own) for power, own in standing.items()})
