"""DumbBot, the yardstick of the field: a computer player by David Norman (2003), here by its
published description and apart from the players that are measured with it.

Every place gets a value from the centers around it, and every unit goes to the best place it can
reach, or to the next best by the fall of dice. It looks one move ahead, and never convoys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Final, NamedTuple

from judge.bots.options import Options, Scene
from judge.rules.adjustments import due
from judge.rules.board import province_of
from judge.rules.orders import Build, Disband, Move, Order, Retreat, Waive
from judge.rules.phase import Kind
from judge.rules.position import Unit

PLAY_ALTERNATIVE: Final = 50
"""Percent: how often the next best place is tried."""
DIFFERENCE_MODIFIER: Final = 500
"""Percent of the difference in value that speak against it."""
COMPETITION: Final = 1000
STRENGTH: Final = 1000
BUILD_DEFENSE: Final = 1000


class Weights(NamedTuple):
    """What counts in a season: attack and defense of centers, and their worth by distance."""

    attack: int
    defense: int
    proximity: tuple[int, ...]


SPRING: Final = Weights(700, 300, (100, 1000, 30, 10, 6, 5, 4, 3, 2, 1))
FALL: Final = Weights(600, 400, (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1))
WINTER: Final = Weights(700, 300, (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1))

Place = tuple[str, str]
"""How units come there ("army" or "fleet"), and a location."""


class DumbBot:
    """What one power thinks of one position."""

    def __init__(self, scene: Scene, power: str, random: Random) -> None:
        self.scene = scene
        self.power = power
        self.random = random
        board, position = scene.variant.board, scene.position
        self.graphs = {"army": board.army, "fleet": board.fleet}
        phase = position.phase
        if phase.kind is Kind.ADJUSTMENTS:
            weights = WINTER
        else:
            weights = FALL if phase.season in scene.variant.calendar.ownership else SPRING
        attack, defense = self._centers()
        base = {
            center: weights.attack * attack.get(center, 0)
            + weights.defense * defense.get(center, 0)
            for center in {*attack, *defense}
        }
        self.strength, self.competition = self._strengths()
        self.values = self._spread(base, weights.proximity)
        for way, location in self.values:
            province = province_of(location)
            if phase.kind is Kind.ADJUSTMENTS:
                self.values[way, location] += BUILD_DEFENSE * defense.get(province, 0)
            else:
                self.values[way, location] += STRENGTH * self.strength.get(province, 0)
                self.values[way, location] -= COMPETITION * self.competition.get(province, 0)

    def place(self, unit: Unit) -> Place:
        """Where a unit stands."""
        return "fleet" if self.scene.variant.board.kind(unit.kind).afloat else "army", unit.location

    def _centers(self) -> tuple[dict[str, int], dict[str, int]]:
        """The sizes of the owners of others' centers, and of those who threaten the own ones."""
        position, board = self.scene.position, self.scene.variant.board
        owner = {center: power for power, held in position.centers.items() for center in held}
        held = {power: len(centers) for power, centers in position.centers.items()}
        centers = [province.id for province in board.provinces.values() if province.supply_center]
        neutral = _size(sum(center not in owner for center in centers))
        attack: dict[str, int] = {}
        defense: dict[str, int] = {}
        for center in centers:
            if owner.get(center) != self.power:
                attack[center] = _size(held[owner[center]]) if center in owner else neutral
                continue
            threats = [
                _size(held.get(power, 0))
                for power, units in position.units.items()
                for unit in units
                if power != self.power and center in self._around(unit)
            ]
            defense[center] = max(threats, default=0)
        return attack, defense

    def _around(self, unit: Unit) -> set[str]:
        steps = self.scene.variant.board.steps(unit.kind, unit.location)
        return set(map(province_of, steps))

    def _strengths(self) -> tuple[dict[str, int], dict[str, int]]:
        """For each province the own units at or next to it, and those of the strongest other."""
        counts: dict[str, dict[str, int]] = {}
        for power, units in self.scene.position.units.items():
            for unit in units:
                for province in self._around(unit) | {unit.province}:
                    there = counts.setdefault(province, {})
                    there[power] = there.get(power, 0) + 1
        own = {province: there.get(self.power, 0) for province, there in counts.items()}
        others = {
            province: max((n for power, n in there.items() if power != self.power), default=0)
            for province, there in counts.items()
        }
        return own, others

    def _spread(self, base: dict[str, int], weights: Sequence[int]) -> dict[Place, int]:
        """The worth of centers by distance, summed up for every place."""
        near: dict[Place, list[list[Place]]] = {}
        for way, graph in self.graphs.items():
            for location, there in graph.items():
                coasts: dict[str, list[Place]] = {}
                for beyond in there:
                    coasts.setdefault(province_of(beyond), []).append((way, beyond))
                near[way, location] = list(coasts.values())
        layer = {place: base.get(province_of(place[1]), 0) for place in near}
        values = {place: weights[0] * worth for place, worth in layer.items()}
        for weight in weights[1:]:
            layer = {
                place: (layer[place] + sum(max(layer[coast] for coast in each) for each in beyond))
                // 5
                for place, beyond in near.items()
            }
            for place, worth in layer.items():
                values[place] += weight * worth
        return values

    # -- choosing -----------------------------------------------------------------------------

    def dice(self, ranked: Sequence[Place], value: Callable[[Place], int], always: bool) -> int:
        """Which of the places, best first, is taken."""
        chosen = 0
        while chosen + 1 < len(ranked) and self.random.randrange(100) < PLAY_ALTERNATIVE:
            here, there = value(ranked[chosen]), value(ranked[chosen + 1])
            against = (here - there) * DIFFERENCE_MODIFIER // here if here > 0 else 0
            if not always and self.random.randrange(100) < against:
                break
            chosen += 1
        return chosen

    def best(self, places: Iterable[Place]) -> Place:
        """One of the best places."""
        ranked = sorted(places, key=lambda place: (-self.values[place], place))
        return ranked[self.dice(ranked, self.values.__getitem__, always=False)]

    def orders(self) -> list[Order]:
        """Orders for everything that the power has to decide."""
        kind = self.scene.position.phase.kind
        if kind is Kind.MOVEMENT:
            return self._moves()
        if kind is Kind.RETREATS:
            return self._retreats()
        owed = due(self.scene.variant, self.scene.position, self.power)
        return self._removals(-owed) if owed < 0 else self._builds(owed)

    def _retreats(self) -> list[Order]:
        orders: list[Order] = []
        taken: set[str] = set()
        for unit, legal in self.scene.legal(self.power).items():
            way = self.place(unit)[0]
            ways = {
                (way, order.to): order
                for order in legal
                if isinstance(order, Retreat) and province_of(order.to) not in taken
            }
            if not ways:
                orders.append(Disband(unit))
                continue
            goal = self.best(ways)
            taken.add(province_of(goal[1]))
            orders.append(ways[goal])
        return orders

    def _removals(self, owed: int) -> list[Order]:
        left = {self.place(unit): unit for unit in self.scene.legal(self.power)}
        orders: list[Order] = []
        while len(orders) < owed:
            ranked = sorted(left, key=lambda place: (self.values[place], place))
            gone = ranked[self.dice(ranked, lambda place: -self.values[place], always=True)]
            orders.append(Disband(left.pop(gone)))
        return orders

    def _builds(self, owed: int) -> list[Order]:
        legal = [order for own in self.scene.legal(self.power).values() for order in own]
        free = {self.place(order.unit): order for order in legal if isinstance(order, Build)}
        orders: list[Order] = []
        while free and len(orders) < owed:
            goal = self.best(free)
            orders.append(free[goal])
            free = {
                place: order
                for place, order in free.items()
                if province_of(place[1]) != province_of(goal[1])
            }
        if len(orders) < owed and any(isinstance(order, Waive) for order in legal):
            orders.append(Waive(owed - len(orders)))
        return orders

    def _moves(self) -> list[Order]:
        options = self.scene.options(self.power)
        plan = _Plan(self, options)
        units = list(options.units)
        self.random.shuffle(units)
        for unit in units:
            if unit not in plan.orders:
                plan.decide(unit, ())
        plan.support_by_holding()
        return [plan.orders[unit] for unit in options.units]


class _Plan:
    """The orders of a movement phase so far, and which own unit will be in which province."""

    def __init__(self, bot: DumbBot, options: Options) -> None:
        self.bot = bot
        self.options = options
        self.orders: dict[Unit, Order] = {}
        self.goals: dict[str, Unit] = {}

    def decide(self, unit: Unit, waiting: tuple[Unit, ...]) -> None:
        """Give a unit its order; those `waiting` want to go where it or another one is."""
        bot, options = self.bot, self.options
        way, _ = bot.place(unit)
        places = {(way, to) for to in options.moves[unit]} | {bot.place(unit)}
        while places:
            goal = bot.best(places)
            places.remove(goal)
            province = province_of(goal[1])
            if goal == bot.place(unit):
                if province not in self.goals:
                    break
                continue
            there = next((other for other in options.units if other.province == province), None)
            if there in waiting:
                continue
            if there is not None and there not in self.orders:
                self.decide(there, (*waiting, unit))
            comes = self.goals.get(province)
            if comes is None:
                self.orders[unit] = options.moves[unit][goal[1]]
                self.goals[province] = unit
                return
            stays = comes.province == province
            aid = options.aids.get((unit, comes, None if stays else province))
            if aid is not None and bot.competition.get(province, 0) > stays:
                self.orders[unit] = aid
                self.goals.setdefault(unit.province, unit)
                return
        self.orders[unit] = options.holds[unit]
        self.goals.setdefault(unit.province, unit)

    def support_by_holding(self) -> None:
        """Let each unit that holds support the most valuable own unit beside it, if that helps."""
        bot = self.bot
        for unit, order in self.orders.items():
            if order is not self.options.holds[unit]:
                continue
            best: tuple[int, str] | None = None
            for province, other in self.goals.items():
                stays = not isinstance(self.orders[other], Move)
                aid = self.options.aids.get((unit, other, None if stays else province))
                if aid is not None and bot.competition.get(province, 0) > stays:
                    best = max(best or (0, ""), (bot.values[bot.place(other)], province))
            if best is not None and best[1]:
                other = self.goals[best[1]]
                stays = not isinstance(self.orders[other], Move)
                self.orders[unit] = self.options.aids[unit, other, None if stays else best[1]]


def _size(centers: int) -> int:
    return centers * centers + 4 * centers + 16
