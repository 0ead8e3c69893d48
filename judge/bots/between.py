"""Retreats, builds, and removals by trial: what a position is worth after them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from judge.bots.instinct import Instinct
from judge.bots.options import MARGIN, Joint, Scene
from judge.bots.worth import Worth
from judge.rules.engine import adjudicate
from judge.rules.orders import Build, Order, Waive
from judge.rules.phase import Kind


class Between:
    """The orders of a power between two phases of movement, from those by instinct on.

    `trials` are how many positions are looked at, more or less, `samples` how many answers of the
    others.
    """

    def __init__(self, scene: Scene, power: str, random: Random, trials: int, samples: int) -> None:
        self.scene = scene
        self.power = power
        self.trials = trials
        instinct = Instinct(scene)
        self.start = instinct.orders(power, random)
        others = [other for other in scene.position.units if other != power]
        self.samples: list[Joint] = [
            {other: instinct.orders(other, random) for other in others} for _ in range(samples)
        ]

    def orders(self) -> list[Order]:
        """Return orders that no change of a single one makes better."""
        current = self.start
        known = self.value(current)
        higher = True
        while higher:
            higher = False
            for number, order in self._changes(current):
                if self.trials <= 0:
                    return current
                trial = [*current[:number], order, *current[number + 1 :]]
                found = self.value(trial)
                if found > known + MARGIN:
                    current, known, higher = trial, found, True
        return current

    def value(self, orders: Sequence[Order]) -> float:
        """Return what these orders are worth on average; less than nothing if they cannot be
        followed."""
        self.trials -= 1 + len(self.samples)
        if len({*orders}) < len(orders) or self.scene.refused(self.power, orders):
            return -1.0
        scene, found = self.scene, 0.0
        for others in self.samples:
            joint = {**others, self.power: orders}
            after = adjudicate(scene.variant, scene.position, joint, scene.rulebook).position
            worth = Worth(Scene(scene.variant, after, scene.rulebook))
            if self.power in worth.number:
                units = [after.units.get(power, ()) for power in worth.powers]
                found += worth.shares(units)[worth.number[self.power]]
        return found

    def _changes(self, start: Sequence[Order]) -> list[tuple[int, Order]]:
        """Return what could stand in place of which order; after the last, what could be added."""
        position, legal = self.scene.position, self.scene.legal(self.power)
        if position.phase.kind is Kind.RETREATS:
            return [(n, each) for n, orders in enumerate(legal.values()) for each in orders]
        standing = position.units.get(self.power, ())
        found: list[tuple[int, Order]] = []
        for unit, orders in legal.items():
            for each in orders:
                if isinstance(each, Build) and unit in standing:
                    # It is another kind of unit from then on, whatever else is due.
                    found.append((len(start), each))
                elif not isinstance(each, Waive):
                    found += [
                        (n, each) for n, order in enumerate(start) if type(order) is type(each)
                    ]
        return found
