"""What a position is worth to each power, without looking ahead.

Each center is shared out among the powers by the squares of what each has there: who owns it, who
stands on it, who could be there in a step or two. The sums stand for the centers to come, and a
power's share of their squares for how the game will end for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add, truediv
from typing import Final, NamedTuple

from judge.bots.options import Scene, centers_of
from judge.rules.board import Derived, province_of
from judge.rules.engine import victory
from judge.rules.phase import Kind
from judge.rules.position import Unit
from judge.rules.variant import Variant

OWNED: Final = 1.0
STANDING: Final = 1.5
TAKING: Final = 2.0
AWAY: Final = (0.8, 0.3, 0.12, 0.05)
"""What counts in a center: owning it, a unit on it, one that is on it when the next moves decide
who owns it, and units one, two, and more steps away."""
NOBODY: Final = 0.05
"""What keeps a center from going to who is alone near it."""
UNOWNED: Final = 1.0
CROWD: Final = 3.0
"""The same for one that has yet to be taken, and, if there are many, for so many a power."""
EXPONENT: Final = 2.0
"""By which sums become shares."""


class Holding(NamedTuple):
    """What one power has with some units: squares of what it has in each center, the centers that
    it takes from others, with their owners."""

    have: list[float]
    squares: list[float]
    taken: tuple[tuple[int, int], ...]


class Worth:
    """The worth of what may become of one position when the movements of its phase are over.

    Powers and centers are numbered. `after_moves` says that the units are about to have moved, so
    that where centers are counted now, they take those they stand on.
    """

    MOST_REMEMBERED = 1 << 14

    def __init__(self, scene: Scene) -> None:
        variant, position = scene.variant, scene.position
        self.reach = reach_of(variant)
        self.centers = centers_of(variant)
        self.powers = list(dict.fromkeys((*position.units, *position.centers)))
        self.number = {power: n for n, power in enumerate(self.powers)}
        self.owner = [-1] * len(self.centers)
        self.held = [0] * len(self.powers)
        for n, power in enumerate(self.powers):
            for center in position.centers.get(power, ()):
                if center in self.centers:
                    self.owner[self.centers[center]] = n
                    self.held[n] += 1
        phase, calendar = position.phase, variant.calendar
        self.counted = phase.season in calendar.ownership and phase.kind is not Kind.ADJUSTMENTS
        counts = calendar.following(phase, Kind.MOVEMENT).season in calendar.ownership
        self.standing = TAKING if counts else STANDING
        # Among many free centers a unit that takes one is worth more than one that is near several.
        free = max(UNOWNED, self.owner.count(-1) / len(self.powers) / CROWD)
        self.left = [free if owner < 0 else NOBODY for owner in self.owner]
        self.enough = victory(variant, position)
        self._known: list[dict[tuple[Unit | None, ...], Holding]] = [{} for _ in self.powers]

    def holding(self, power: int, units: tuple[Unit | None, ...]) -> Holding:
        """Return what a power has in each center with these units; None stands for one that is
        gone."""
        known = self._known[power].get(units)
        if known is not None:
            return known
        have = [OWNED if owner == power else 0.0 for owner in self.owner]
        taken: list[tuple[int, int]] = []
        for unit in units:
            if unit is None:
                continue
            for center, steps in self.reach[unit]:
                if steps:
                    have[center] += AWAY[steps - 1]
                    continue
                have[center] += self.standing
                if self.counted and self.owner[center] != power:
                    have[center] += OWNED
                    taken.append((center, self.owner[center]))
        found = Holding(have, [each * each for each in have], tuple(taken))
        if len(self._known[power]) >= self.MOST_REMEMBERED:
            self._known[power].clear()
        self._known[power][units] = found
        return found

    def shares(self, units: Sequence[tuple[Unit | None, ...]]) -> list[float]:
        """Return each power's share of the squares, where these are the units of all powers."""
        holdings = [self.holding(power, own) for power, own in enumerate(units)]
        squares = [each.squares for each in holdings]
        held, totals = self.held, list(self.left)
        for power, each in enumerate(holdings):
            for center, loser in each.taken:
                if held is self.held:
                    held = list(held)
                held[power] += 1
                totals[center] = NOBODY
                if loser >= 0:
                    held[loser] -= 1
                    have = holdings[loser].have[center]
                    if squares[loser] is holdings[loser].squares:
                        squares[loser] = list(squares[loser])
                    squares[loser][center] = (have - OWNED) ** 2
        if self.counted and max(held) >= self.enough:
            most = max(held)
            top = [count == most for count in held]
            return [each / sum(top) for each in top]
        for own in squares:
            totals = list(map(add, totals, own))
        sums = [sum(map(truediv, own, totals)) ** EXPONENT for own in squares]
        whole = sum(sums) or 1.0
        return [each / whole for each in sums]


class _Reach(dict[Unit, tuple[tuple[int, int], ...]]):
    def __init__(self, variant: Variant) -> None:
        self.board = variant.board
        self.centers = centers_of(variant)

    def __missing__(self, unit: Unit) -> tuple[tuple[int, int], ...]:
        away = {unit.province: 0}
        ahead = [unit.location]
        for steps in range(1, len(AWAY) + 1):
            ways = (self.board.steps(unit.kind, here) for here in ahead)
            ahead = [*dict.fromkeys(there for beyond in ways for there in beyond)]
            for there in ahead:
                away.setdefault(province_of(there), steps)
        found = self[unit] = tuple(
            (self.centers[province], steps)
            for province, steps in away.items()
            if province in self.centers
        )
        return found


reach_of = Derived(_Reach)
"""For each unit on the board of a variant the centers that it is near, with the steps to them."""
