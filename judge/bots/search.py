"""A player that tries out orders: what it could do against what the others may do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from random import Random
from typing import Final

from judge.bots.instinct import Instinct
from judge.bots.levels import Depth
from judge.bots.options import MARGIN, Joint, Options, Package, Scene
from judge.bots.worth import Worth
from judge.rules.board import province_of
from judge.rules.board_index import closed_provinces
from judge.rules.matching import submit
from judge.rules.movement import Resolver
from judge.rules.orders import Move, Order, Support
from judge.rules.planner import planner
from judge.rules.position import Unit

Orders = dict[Unit, Order]

HASTE: Final = 30
"""Trials of a player that hardly thinks, and how many starts it has."""
STARTS: Final = 13
GUESSES: Final = 40
"""So many different guesses what a power may do by instinct are made."""


class OutOfTime(Exception):
    """The time or the trials are used up."""


_NO_UNITS: Final = slice(0)


class Forward:
    """What becomes of a movement phase: fast, and only as exact as a guess about it needs."""

    def __init__(self, scene: Scene, trials: int, on_time: Callable[[], bool]) -> None:
        self.scene = scene
        self.position = scene.position
        closed = closed_provinces(scene.variant, scene.position)
        self.planner = planner(scene.variant.board, scene.rulebook, closed)
        self.worth = Worth(scene)
        self.trials = trials
        self.least = 0
        """How many trials are left to others."""
        self.on_time = on_time

    def shares(self, orders: Joint) -> list[float]:
        """Return what the position after these orders is worth to each power."""
        self.trials -= 1
        if not self.trials % 64 and not self.on_time():
            self.trials = -1
        if self.trials < self.least:
            raise OutOfTime
        sub = submit(self.planner, self.position, orders)
        resolver = Resolver(sub)
        resolver.resolve()
        after: list[Unit | None] = list(sub.units)
        for u in resolver.arrived:
            after[u] = sub.plans[u].arrival  # type: ignore[union-attr]
        for u in resolver.driven_out:
            after[u] = None
        own = [sub.spans.get(power, _NO_UNITS) for power in self.worth.powers]
        return self.worth.shares([tuple(after[numbers]) for numbers in own])


class Climber:
    """The best orders of a power against samples of the others', by steps from where it starts.

    A step changes one order, or orders that go together: a move with its supports, a journey with
    its convoys, a move into the place that another own unit leaves.
    """

    def __init__(self, scene: Scene, forward: Forward, power: str, random: Random) -> None:
        self.forward = forward
        self.power = power
        self.number = forward.worth.number[power]
        self.random = random
        self.packages = packages(scene.options(power))

    def value(self, orders: Orders, others: Joint) -> float:
        """Return what these orders are worth when the others order this."""
        return self.forward.shares({**others, self.power: list(orders.values())})[self.number]

    def values(self, orders: Orders, samples: Sequence[Joint]) -> list[float]:
        """Return the same for each of several samples."""
        return [self.value(orders, others) for others in samples]

    def climb(self, start: Orders, samples: Sequence[Joint]) -> tuple[float, Orders]:
        """Return the orders at the top of the hill, and what they are worth on average."""
        current, known = start, self.values(start, samples)
        steps = list(self.packages)
        try:
            while True:
                self.random.shuffle(steps)
                higher = False
                for step in steps:
                    if all(current[unit] is order for unit, order in step.items()):
                        continue
                    if len(step) == 1 and any(idle(order, current) for order in step.values()):
                        continue
                    trial = {**current, **step}
                    found = self._better(trial, known, samples)
                    if found is not None:
                        current, known, higher = trial, found, True
                if not higher:
                    break
        except OutOfTime:
            pass
        return sum(known) / len(known), current

    def _better(
        self, trial: Orders, known: Sequence[float], samples: Sequence[Joint]
    ) -> list[float] | None:
        """Return the values of a trial that is better than what is known; bad ones are given up
        early."""
        found: list[float] = []
        gain = 0.0
        early = len(samples) // 4
        for number, others in enumerate(samples):
            value = self.value(trial, others)
            found.append(value)
            gain += value - known[number]
            if number >= early and gain < 0:
                return None
        return found if gain > MARGIN else None


def idle(order: Order, orders: Orders) -> bool:
    """Return whether an order is a support of something that is not ordered."""
    if not isinstance(order, Support):
        return False
    other = orders[order.target]
    goal = province_of(other.to) if isinstance(other, Move) else None
    return goal != (order.to and province_of(order.to))


def packages(options: Options) -> list[Package]:
    """Return what a power can change in one go."""
    found: list[Package] = list(options.journeys)
    at_home = {unit.province: unit for unit in options.units}
    for unit in options.units:
        found.append({unit: options.holds[unit]})
        for (other, target, _), aid in options.aids.items():
            if other == unit and target != unit:
                found.append({unit: aid})
        for to, order in options.moves[unit].items():
            province = province_of(to)
            found.append({unit: order})
            helpers = [each for each in options.helpers(unit, province) if each[0] != unit]
            for helper, aid in helpers:
                found.append({unit: order, helper: aid})
            for (one, first), (two, second) in combinations(helpers, 2):
                found.append({unit: order, one: first, two: second})
            there = at_home.get(province)
            if there is not None:
                found += [
                    {there: onward, unit: order}
                    for end, onward in options.moves[there].items()
                    if province_of(end) != unit.province
                ]
    return found


class Search:
    """Orders for one power in a movement phase."""

    def __init__(self, scene: Scene, power: str, random: Random, forward: Forward) -> None:
        self.scene = scene
        self.power = power
        self.random = random
        self.forward = forward
        self.instinct = Instinct(scene)
        self.thought: dict[str, list[list[Order]]] = {}
        self.haste: dict[str, list[list[Order]]] = {}
        self._guesses: dict[str, list[Orders]] = {}
        self.others = [
            other
            for other, units in scene.position.units.items()
            if other != power and units and scene.legal(other)
        ]
        self.climber: Callable[[str], Climber] = cache(
            lambda power: Climber(scene, forward, power, random)
        )

    def guess(self, power: str) -> Orders:
        """Return orders that a power may give by instinct."""
        known = self._guesses.setdefault(power, [])
        if len(known) >= GUESSES:
            return self.random.choice(known)
        orders = self.instinct.orders(power, self.random)
        known.append(dict(zip(self.scene.options(power).units, orders, strict=True)))
        return known[-1]

    def sample(self, powers: Sequence[str], trust: tuple[float, float] = (0.0, 0.0)) -> Joint:
        """Return orders of several powers, by chance from all the ways in which they may think (see
        `Depth.trust`)."""
        thought, haste = trust
        found: Joint = {}
        for power in powers:
            chance = self.random.random()
            pool: list[list[Order]] = []
            if chance < thought:
                pool = self.thought.get(power, [])
            elif chance < thought + haste:
                pool = self.haste.get(power, [])
            found[power] = self.random.choice(pool) if pool else list(self.guess(power).values())
        return found

    def best(
        self,
        power: str,
        samples: Sequence[Joint],
        climbs: int,
        starts: Sequence[Orders],
    ) -> tuple[float, Orders]:
        """Return best orders of a power against samples, climbing from the best of some starts."""
        climber = self.climber(power)
        few = samples[: max(4, len(samples) // 3)]
        ranked = [(sum(climber.values(start, few)), -n) for n, start in enumerate(starts)]
        ranked.sort(reverse=True)
        best = climber.climb(starts[-ranked[0][1]], samples)
        for _, n in ranked[1:climbs]:
            try:
                best = max(best, climber.climb(starts[-n], samples), key=lambda each: each[0])
            except OutOfTime:
                break
        return best

    def orders(self, depth: Depth) -> list[Order]:
        """Return orders for the power: its best answer to what the others may do, and then, for so
        many rounds, what its neighbors would best do, and its answer to that, too. Of all answers
        the one is taken that is best against all samples."""
        forward, own = self.forward, self.power
        width, spare = depth.samples, forward.trials // 8
        forward.trials -= spare
        near = [other for other in self.others if self._near(other)] if depth.rounds else []
        hurried = min(forward.trials // (4 * HASTE * max(len(near), 1)), 2 * width)
        seen, found = list[Joint](), [self.guess(own)]
        try:
            for power in near:
                self.haste[power] = [self._hurried(power) for _ in range(hurried)]
            for _ in range(depth.rounds + 1):
                samples = [self.sample(self.others, depth.trust) for _ in range(width)]
                seen += samples
                self._answer(samples, found, depth.climbs)
                for power in near:
                    rest = [each for each in (*self.others, own) if each != power]
                    samples = [self.sample(rest, depth.trust) for _ in range(max(4, width // 3))]
                    starts = [self.guess(power), self.guess(power)]
                    _, orders = self.best(power, samples, 1, starts)
                    self.thought.setdefault(power, []).append(list(orders.values()))
        except OutOfTime:
            pass
        best, holds = self._chosen(found, seen, spare), self.scene.options(own).holds
        return [holds[unit] if idle(order, best) else order for unit, order in best.items()]

    def _hurried(self, power: str) -> list[Order]:
        """Return what a power orders that thinks for a moment only."""
        self.forward.least = max(self.forward.trials - HASTE, 0)
        rest = [each for each in (*self.others, self.power) if each != power]
        starts = [self.guess(power) for _ in range(STARTS)]
        try:
            _, orders = self.best(power, [self.sample(rest)], 1, starts)
        finally:
            self.forward.least = 0
        return list(orders.values())

    def _answer(self, samples: Sequence[Joint], found: list[Orders], climbs: int) -> None:
        """Add the power's best answer to samples to what it has found, even when time runs out."""
        starts = [*found[-1:], *(self.guess(self.power) for _ in range(STARTS - 1))]
        _, orders = self.best(self.power, samples, climbs, starts)
        found.append(orders)
        self.thought.setdefault(self.power, []).append(list(orders.values()))

    def _chosen(self, found: Sequence[Orders], seen: Sequence[Joint], trials: int) -> Orders:
        """Return what is best on average against all samples, or as many as there are trials
        for."""
        if len(found) <= 2:
            return found[-1]
        self.forward.trials = trials
        climber, best = self.climber(self.power), (-1.0, found[-1])
        samples = self.random.sample(seen, max(min(len(seen), trials // len(found)), 1))
        for orders in found[:0:-1]:
            try:
                value = sum(climber.values(orders, samples))
            except OutOfTime:
                break
            if value > best[0]:
                best = value, orders
        return best[1]

    def _near(self, other: str) -> bool:
        """Return whether a power has units that could meet ours within two turns."""
        reach = self.forward.worth.reach
        units = self.scene.position.units
        ours = {center for unit in units[self.power] for center, _ in reach[unit]}
        return any(center in ours for unit in units[other] for center, _ in reach[unit])
