"""Seas full of fleets and shores full of units: positions of any size made to be hard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from benchmarks.selfplay import Orders, Turn
from judge.rules.board import province_of
from judge.rules.orders import Convoy, Hold, Move, Order, Support
from judge.rules.position import Position, Unit
from judge.rules.variant import Variant

KINDS = (
    "all fleets for one journey, attacked",
    "all fleets for two journeys, attacked",
    "journeys of their own",
    "convoys that nobody asked for",
    "supports of journeys",
    "journeys to one place",
    "three orders for each unit",
)


def crowds(variant: Variant, units: int, seed: int, count: int) -> Iterator[tuple[str, Turn]]:
    """`count` named positions of each kind with so many units."""
    random = Random(seed)
    for kind in KINDS:
        for number in range(count):
            yield (
                f"{kind}, number {number} with {units} units",
                _crowd(variant, units, kind, random),
            )


def _crowd(variant: Variant, units: int, kind: str, random: Random) -> Turn:
    board = variant.board
    coasts = [name for name, space in board.provinces.items() if space.terrain == "coast"]
    random.shuffle(coasts)
    fleets = _fleets(variant, random, random.choice((units // 2, units * 3 // 4, units - 2)))
    ashore = coasts[: units - len(fleets)]
    goals = coasts[units - len(fleets) :] or coasts
    if "attacked" in kind:
        journeys = 2 if "two" in kind else 1
        return _attacked(variant, fleets, ashore, goals[:journeys], random)
    armies = [Unit("A", name) for name in ashore]
    chosen: dict[Unit, list[Order]] = {}
    aims = {army: goals[0] if "one place" in kind else random.choice(coasts) for army in armies}
    for army in armies:
        chosen[army] = [Move(army, aims[army], via=True)]
        if "three" in kind:
            chosen[army] += [Move(army, random.choice(coasts), via=True) for _ in "23"]
    for fleet in fleets:
        army = random.choice(armies)
        if "nobody" in kind:
            chosen[fleet] = [Convoy(fleet, army, random.choice(coasts))]
        elif "three" in kind:
            chosen[fleet] = [Convoy(fleet, army, random.choice(coasts)) for _ in "123"]
        elif "supports" in kind:
            near = [place for place in board.fleet[fleet.location] if province_of(place) in coasts]
            chosen[fleet] = [Support(fleet, army, random.choice(near)) if near else Hold(fleet)]
        else:
            chosen[fleet] = [Convoy(fleet, army, aims[army])]
    return _turn(variant, chosen, random)


def _attacked(
    variant: Variant,
    fleets: Sequence[Unit],
    ashore: Sequence[str],
    goals: Sequence[str],
    random: Random,
) -> Turn:
    """Armies that all fleets carry, and attacks on these, with and without support."""
    board = variant.board
    waters = {fleet.location for fleet in fleets}
    armies = [Unit("A", name) for name in ashore[: len(goals)]]
    chosen: dict[Unit, list[Order]] = {
        army: [Move(army, goal)] for army, goal in zip(armies, goals, strict=False)
    }
    for fleet in fleets:
        number = random.randrange(len(armies))
        chosen[fleet] = [Convoy(fleet, armies[number], goals[number])]
    attacks: list[Move] = []
    for name in ashore[len(goals) :]:
        unit = Unit("F", board.provinces[name].locations[0])
        near = [place for place in board.fleet[unit.location] if place in waters]
        helped = [attack for attack in attacks if attack.to in near]
        order: Order = Hold(unit)
        if helped and random.random() < 0.5:
            attack = random.choice(helped)
            order = Support(unit, attack.unit, attack.to)
        elif near:
            order = Move(unit, random.choice(near))
            attacks.append(order)
        chosen[unit] = [order]
    return _turn(variant, chosen, random)


def _fleets(variant: Variant, random: Random, count: int) -> list[Unit]:
    """So many fleets in neighboring waters, or one in each water there is."""
    board = variant.board
    left = {name for name, space in board.provinces.items() if space.terrain == "sea"}
    waters: list[str] = []
    while left and len(waters) < count:
        near = {province_of(step) for water in waters for step in board.fleet[water]} & left
        waters.append(random.choice(sorted(near or left)))
        left.discard(waters[-1])
    return [Unit("F", water) for water in waters]


def _turn(variant: Variant, chosen: dict[Unit, list[Order]], random: Random) -> Turn:
    standing: dict[str, tuple[Unit, ...]] = dict.fromkeys(variant.powers, ())
    orders: Orders = {power: [] for power in variant.powers}
    for unit, own in chosen.items():
        power = random.choice(variant.powers)
        standing[power] += (unit,)
        orders[power] += own
    return Turn(Position(variant.start_phase, standing), orders)
