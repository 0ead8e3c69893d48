"""A board as pixels, and what is wrong with it.

`area` is the place of each pixel's area in a list of names, `ground` land or sea.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from tools.boards.arrays import Array

LONG_ENOUGH = 12
"""Pixels that a border has at least."""


@dataclass
class Plan:
    """The pixels with what they should come to.

    `wanted` are pairs of names that must touch; all other pairs of names that do not begin with an
    underscore must not. `fixed` are pixels that belong to whom they belong (seeds).
    """

    names: list[str]
    sea: set[str]
    wanted: set[frozenset[str]]
    area: Array
    ground: Array
    fixed: Array
    wrap: bool
    log: list[str] = field(default_factory=list)

    def number(self, name: str) -> int:
        return self.names.index(name)

    def allowed(self, one: int, two: int) -> bool:
        a, b = self.names[one], self.names[two]
        return a == b or a[0] == "_" or b[0] == "_" or frozenset((a, b)) in self.wanted


def touching(plan: Plan) -> Counter[tuple[int, int]]:
    """Return how many pixel edges each two areas share."""
    found: Counter[tuple[int, int]] = Counter()
    size = len(plan.names) + 1
    for one, two in _sides(plan):
        differ = one != two
        low, high = np.minimum(one[differ], two[differ]), np.maximum(one[differ], two[differ])
        keys, counts = np.unique(low.astype(np.int64) * size + high, return_counts=True)
        for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
            found[divmod(key, size)] += count
    return found


def _sides(plan: Plan) -> list[tuple[Array, Array]]:
    area = plan.area
    sides = [(area[:, :-1], area[:, 1:]), (area[:-1], area[1:])]
    if plan.wrap:
        sides.append((area[:, -1], area[:, 0]))
    return sides


def faults(plan: Plan) -> tuple[list[tuple[int, int, int]], list[tuple[str, str, int]]]:
    """Return pairs that touch and must not, and pairs that must touch and do not, or too little."""
    counted = touching(plan)
    wrong = [
        (one, two, count)
        for (one, two), count in counted.items()
        if one >= 0 and not plan.allowed(one, two)
    ]
    missing = []
    for pair in plan.wanted:
        a, b = sorted(pair)
        one, two = sorted((plan.number(a), plan.number(b)))
        count = counted[one, two]
        if count < LONG_ENOUGH:
            missing.append((a, b, count))
    return wrong, sorted(missing)
