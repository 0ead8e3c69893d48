"""Positions made to be hard: paradoxes, long chains, rings, and waters full of convoys."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from benchmarks.selfplay import Orders, Turn
from judge.rules.board import province_of
from judge.rules.orders import Convoy, Move, Support
from judge.rules.position import Position, Unit
from judge.rules.variant import Variant
from tests.prove.generate import situation


def positions(variant: Variant, seed: int, count: int) -> Iterator[tuple[str, Turn]]:
    """Named positions; most come from the generator of the proof, which is rich in paradoxes."""
    yield "every water convoys one army", all_waters(variant, "stp", "syr", attacked=False)
    yield "the same, attacked", all_waters(variant, "stp", "syr", attacked=True)
    yield "everybody follows his neighbor", _procession(variant)
    random = Random(seed)
    for number in range(count):
        position, orders = situation(variant, random)
        yield f"chance position {number} of seed {seed}", Turn(position, orders)


def all_waters(variant: Variant, start: str, end: str, attacked: bool) -> Turn:
    """A fleet in every water, all convoying one army from end to end: thousands of routes."""
    board = variant.board
    army = Unit("A", start)
    orders: Orders = {"Turkey": [Move(army, end)], "Russia": [], "England": []}
    units: dict[str, list[Unit]] = {"Turkey": [army], "Russia": [], "England": []}
    taken = {start, end}
    waters = [name for name, space in board.provinces.items() if space.terrain == "sea"]
    for water in waters:
        fleet = Unit("F", water)
        units["Russia"].append(fleet)
        orders["Russia"].append(Convoy(fleet, army, end))
    for water in waters if attacked else ():
        near = [place for place in board.fleet[water] if province_of(place) not in taken]
        near = [place for place in near if board.provinces[province_of(place)].terrain == "coast"]
        for place, what in zip(near[:2], ("attack", "support"), strict=False):
            unit = Unit("F", place)
            taken.add(province_of(place))
            units["England"].append(unit)
            if what == "attack":
                attacker = unit
                orders["England"].append(Move(unit, water))
            else:
                orders["England"].append(Support(unit, attacker, water))
    return _turn(variant, units, orders)


def _procession(variant: Variant) -> Turn:
    """As long a chain of armies as is easily found, each ordered to where the next one stands."""
    board = variant.board
    chain = ["par"]
    while True:
        onward = [
            place
            for place in sorted(board.army[chain[-1]])
            if place not in chain and board.provinces[place].terrain != "sea"
        ]
        if not onward:
            break
        chain.append(min(onward, key=lambda place: (len(board.army[place]), place)))
    units: dict[str, list[Unit]] = {power: [] for power in variant.powers}
    orders: Orders = {power: [] for power in variant.powers}
    for number, (here, there) in enumerate(pairwise(chain)):
        power = variant.powers[number % len(variant.powers)]
        unit = Unit("A", here)
        units[power].append(unit)
        orders[power].append(Move(unit, there))
    return _turn(variant, units, orders)


def _turn(variant: Variant, units: dict[str, list[Unit]], orders: Orders) -> Turn:
    standing = {power: tuple(own) for power, own in units.items()}
    return Turn(Position(variant.start_phase, standing), orders)
