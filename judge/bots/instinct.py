"""A player that looks at places one by one: worth where it is, spread over the board.

The idea and its numbers are those of DumbBot (David Norman, 2003), by description only. It thinks
a millisecond, never convoys, and is the model that stronger players have of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random
from typing import Final

from judge.bots.options import Options, Scene
from judge.rules.adjustments import builds, due
from judge.rules.board import Board, Derived, province_of
from judge.rules.orders import Build, Disband, Order, Retreat, Waive
from judge.rules.phase import Kind
from judge.rules.position import Unit

SPRING: Final = (100, 1000, 30, 10, 6, 5, 4, 3, 2, 1)
"""How much worth counts at each distance when centers are not counted after this season: get next
to them."""
FALL: Final = (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1)
"""The same when they are: get on them."""
ALTERNATIVE: Final = 0.5
"""How often the next best place is thought of at all."""
CAUTION: Final = 5.0
"""How much a difference in value speaks against it."""


class Ground:
    """The places of a board as numbers, each apart for armies and for fleets and for every coast.

    `near[n]` are the places one step away, `province[n]` is where place n lies; `coasts` are places
    with several places of one province one step away, of which only the best counts.
    """

    def __init__(self, board: Board) -> None:
        self.number: dict[tuple[str, str], int] = {}
        graphs = {"army": board.army, "fleet": board.fleet}
        self.province: list[str] = []
        for way, graph in graphs.items():
            for location in graph:
                self.number[way, location] = len(self.province)
                self.province.append(province_of(location))
        self.near: list[tuple[int, ...]] = []
        self.coasts: list[tuple[int, tuple[int, ...]]] = []
        for way, location in self.number:
            groups: dict[str, tuple[int, ...]] = {}
            for there in graphs[way][location]:
                province = province_of(there)
                groups[province] = (*groups.get(province, ()), self.number[way, there])
            self.near.append(tuple(node for group in groups.values() for node in group))
            here = self.number[way, location]
            self.coasts += [(here, group) for group in groups.values() if len(group) > 1]
        self.ways = {letter: kind.moves for letter, kind in board.kinds.items()}

    def node(self, unit: Unit) -> int:
        """Return the place of a unit; one that never moves is where an army would be."""
        way = self.ways.get(unit.kind, "army")
        return self.number["army" if way == "none" else way, unit.location]

    def reach(self, unit: Unit) -> set[str]:
        """Return the provinces a unit can go to in one step."""
        if self.ways.get(unit.kind) == "none":
            return set()
        return {self.province[node] for node in self.near[self.node(unit)]}


@Derived
def ground_of(board: Board) -> Ground:
    """Return the ground of a board."""
    return Ground(board)


class Instinct:
    """What a power's places are worth in one position, and orders by that.

    Who only `defends` wants nothing that others own, and goes nowhere where others stand.
    """

    def __init__(self, scene: Scene, *, defends: bool = False) -> None:
        self.scene = scene
        self.defends = defends
        self.ground = ground_of(scene.variant.board)
        position, variant = scene.position, scene.variant
        kind, season = position.phase.kind, position.phase.season
        self.counted = kind is not Kind.ADJUSTMENTS and season in variant.calendar.ownership
        self.owner = {c: power for power, held in position.centers.items() for c in held}
        neutral = sum(center not in self.owner for center in variant.board.centers)
        self.sizes: dict[str | None, int] = {
            power: _size(len(position.centers.get(power, ())))
            for power in (*position.units, *position.centers)
        }
        self.sizes[None] = _size(neutral)
        self.reached: dict[str, dict[str, int]] = {}
        """For each province the units of each power that are there or can go there."""
        self.entering: dict[str, set[str]] = {}
        for power, units in position.units.items():
            for unit in units:
                ways = self.ground.reach(unit)
                for province in ways:
                    self.entering.setdefault(province, set()).add(power)
                for province in {*ways, unit.province}:
                    counts = self.reached.setdefault(province, {})
                    counts[power] = counts.get(power, 0) + 1
        self.values: Callable[[str], list[float]] = cache(self._valued)
        """What each place is worth to a power now."""

    def competition(self, province: str, power: str) -> int:
        """Return the units that the strongest other power can bring to a province."""
        counts = self.reached.get(province, {})
        return max((n for other, n in counts.items() if other != power), default=0)

    def thinks_of(self, unit: Unit, goal: str, power: str) -> bool:
        """Return whether a unit may go there at all. When centers are counted, one that stands on a
        center of its power which others can enter leaves it for another one only."""
        if self.defends and self.is_others(goal, power):
            return False
        here = unit.province
        if not self.counted or self.owner.get(here) != power:
            return True
        if not self.entering.get(here, set()) - {power}:
            return True
        provinces = self.scene.variant.board.provinces
        return provinces[goal].supply_center and self.owner.get(goal) != power

    def is_others(self, province: str, power: str) -> bool:
        """Return whether another power owns a province, or has a unit there."""
        owner = self.owner.get(province, power)
        units = self.scene.position.units.items()
        stand = (other for other, there in units for unit in there if unit.province == province)
        return owner != power or any(other != power for other in stand)

    def _valued(self, power: str) -> list[float]:
        ground, variant = self.ground, self.scene.variant
        building = self.scene.position.phase.kind is Kind.ADJUSTMENTS
        attack, defend = (600, 400) if self.counted else (700, 300)
        worth: dict[str, float] = {}
        threat: dict[str, int] = {}
        for center in variant.board.centers:
            owner = self.owner.get(center)
            if owner == power:
                others = self.entering.get(center, set()) - {power}
                threat[center] = max((self.sizes.get(o, 16) for o in others), default=0)
                worth[center] = defend * threat[center]
            elif owner is None or not self.defends:
                worth[center] = attack * self.sizes[owner]
        layer = [worth.get(province, 0) for province in ground.province]
        weights = FALL if self.counted or building else SPRING
        total = [weights[0] * value for value in layer]
        for weight in weights[1:]:
            get = layer.__getitem__
            beyond = [
                value + sum(map(get, near)) for value, near in zip(layer, ground.near, strict=True)
            ]
            for n, group in ground.coasts:
                there = [*map(get, group)]
                beyond[n] -= sum(there) - max(there)
            layer = [value / 5 for value in beyond]
            total = [sum_ + weight * value for sum_, value in zip(total, layer, strict=True)]
        if building:
            return [
                value + 1000 * threat.get(province, 0)
                for value, province in zip(total, ground.province, strict=True)
            ]
        return [
            value
            + 1000
            * (self.reached.get(province, {}).get(power, 0) - self.competition(province, power))
            for value, province in zip(total, ground.province, strict=True)
        ]

    def orders(self, power: str, random: Random) -> list[Order]:
        """Return orders for all that the power has to decide, each legal."""
        kind = self.scene.position.phase.kind
        if kind is Kind.MOVEMENT:
            return list(_PowerMoves(self, power, random).made().values())
        if kind is Kind.RETREATS:
            return self._retreats(power, random)
        return self._adjustments(power, random)

    def _retreats(self, power: str, random: Random) -> list[Order]:
        values, taken, found = self.values(power), set[str](), list[Order]()
        for unit, legal in self.scene.legal(power).items():
            ways = {
                self.ground.node(Unit(unit.kind, order.to)): order
                for order in legal
                if isinstance(order, Retreat) and province_of(order.to) not in taken
            }
            order = pick(ways, values, random) if ways else legal[-1]
            if isinstance(order, Retreat):
                taken.add(province_of(order.to))
            found.append(order)
        return found

    def _adjustments(self, power: str, random: Random) -> list[Order]:
        scene, values = self.scene, self.values(power)
        legal = scene.legal(power)
        owed = due(scene.variant, scene.position, power)
        if owed < 0:
            left = {
                self.ground.node(unit): order
                for unit, orders in legal.items()
                for order in orders
                if isinstance(order, Disband)
            }
            least = [-value for value in values]
            found: list[Order] = []
            while len(found) < -owed and left:
                order = pick(left, least, random, bold=True)
                left = {node: other for node, other in left.items() if other is not order}
                found.append(order)
            return found
        return raised(scene, power, lambda unit: values[self.ground.node(unit)], random)


def raised(scene: Scene, power: str, worth: Callable[[Unit], float], random: Random) -> list[Order]:
    """Return builds by falling worth while they are legal together, and waives for the rest."""
    count = builds(scene.variant, scene.position, power)
    standing = {unit.province for unit in scene.position.units.get(power, ())}
    free = [unit for unit in scene.legal(power) if unit.province not in standing]
    free.sort(key=lambda unit: worth(unit) * (1 + random.random() / 4), reverse=True)
    found: list[Order] = []
    for unit in free:
        if len(found) == count:
            break
        if all(unit.province != other.unit.province for other in found if isinstance(other, Build)):
            more = [*found, Build(unit)]
            if not scene.refused(power, more):
                found = more
    if len(found) < count and any(
        isinstance(o, Waive) for own in scene.legal(power).values() for o in own
    ):
        found.append(Waive(count - len(found)))
    return found


def pick(
    ways: Mapping[int, Order], values: Sequence[float], random: Random, *, bold: bool = False
) -> Order:
    """Return the order to the best of some places, or sometimes to one that is nearly as good."""
    ranked = sorted(ways, key=lambda node: (values[node], -node), reverse=True)
    best = 0
    while best + 1 < len(ranked) and random.random() < ALTERNATIVE:
        here, there = values[ranked[best]], values[ranked[best + 1]]
        if not bold and random.random() < CAUTION * (here - there) / max(abs(here), 1):
            break
        best += 1
    return ways[ranked[best]]


class _PowerMoves:
    """The orders of one power for a movement phase, unit by unit."""

    def __init__(self, mind: Instinct, power: str, random: Random) -> None:
        self.mind = mind
        self.power = power
        self.random = random
        self.options: Options = mind.scene.options(power)
        self.orders: dict[Unit, Order] = {}
        self.goals: dict[str, Unit] = {}
        """The provinces in which own units will be, with those units."""
        self.waiting: list[Unit] = []

    def made(self) -> dict[Unit, Order]:
        units = list(self.options.units)
        self.random.shuffle(units)
        for unit in units:
            if unit not in self.orders:
                self._decide(unit)
        self._support()
        return {unit: self.orders[unit] for unit in self.options.units}

    def _decide(self, unit: Unit) -> None:
        """Send a unit where it is worth most, or let it support the own unit that will be there."""
        mind, ground = self.mind, self.mind.ground
        self.waiting.append(unit)
        values = mind.values(self.power)
        ways = {
            ground.node(Unit(unit.kind, to)): order
            for to, order in self.options.moves[unit].items()
            if mind.thinks_of(unit, province_of(to), self.power)
        }
        ways[ground.node(unit)] = self.options.holds[unit]
        at_home = {other.province: other for other in self.options.units}
        while ways:
            order = pick(ways, values, self.random)
            node = next(node for node, other in ways.items() if other is order)
            province = ground.province[node]
            del ways[node]
            if province == unit.province:
                if province in self.goals:
                    continue
                self._set(unit, order, province)
                return
            there = at_home.get(province)
            if there is not None and there not in self.orders:
                if there in self.waiting:
                    continue
                self._decide(there)
            taken = self.goals.get(province)
            if taken is None:
                self._set(unit, order, province)
                return
            stays = taken.province == province
            goal = None if stays else province
            aid = self.options.aids.get((unit, taken, goal))
            if aid is not None and mind.competition(province, self.power) > stays:
                self._set(unit, aid, unit.province)
                return
        self._set(unit, self.options.holds[unit], unit.province)

    def _set(self, unit: Unit, order: Order, province: str) -> None:
        self.orders[unit] = order
        self.goals.setdefault(province, unit)
        if unit in self.waiting:
            self.waiting.remove(unit)

    def _support(self) -> None:
        """Let units that hold support their most valuable neighbor."""
        mind, values = self.mind, self.mind.values(self.power)
        for unit in self.options.units:
            if self.orders[unit] is not self.options.holds[unit]:
                continue
            best, most = None, 0.0
            for province, other in self.goals.items():
                stays = other.province == province
                aid = self.options.aids.get((unit, other, None if stays else province))
                if other == unit or aid is None:
                    continue
                if mind.competition(province, self.power) <= stays:
                    continue
                value = values[mind.ground.node(other)]
                if best is None or value > most:
                    best, most = aid, value
            if best is not None:
                self.orders[unit] = best


def _size(centers: int) -> int:
    return centers * centers + 4 * centers + 16
