"""Engine and reference agree on the board of Global Diplomacy: air forces, arsenals, seasons."""

from __future__ import annotations

from random import Random

import pytest

from judge import variants
from judge.rules.board import province_of
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Convoy, Hold, Launch, Move, Order, Relay, Support
from judge.rules.phase import Phase
from judge.rules.position import Position, Unit
from judge.rules.variant import Variant
from tests.prove.compare import compare
from tests.prove.reference import Situation, TooBigError

GLOBAL = variants.load("global")
BOARD = GLOBAL.board
CENTERS = ("egy", "rus", "cam", "pol", "nio", "med", "png", "ant", "scs", "tib")
"""Where units crowd: both canals, split coasts, the seasonal spaces, islands."""


def crowd(chance: Random) -> Position:
    """Units of three powers around one space."""
    spaces = {chance.choice(CENTERS)}
    while len(spaces) < 14:
        here = chance.choice(sorted(spaces))
        places = [here, *BOARD.provinces[here].locations]
        steps = {step for place in places for step in BOARD.fleet.get(place, ())}
        spaces.add(province_of(chance.choice(sorted(steps | set(BOARD.army.get(here, ()))))))
    units: dict[str, list[Unit]] = {power: [] for power in GLOBAL.powers[:3]}
    for space in sorted(spaces):
        place = BOARD.provinces[space]
        kinds = {"sea": "N", "land": "A AF R", "coast": "A A AF AF N R"}[place.terrain].split()
        kind = chance.choice(kinds)
        location = chance.choice(place.locations) if kind == "N" else space
        if chance.random() < 0.85:
            units[chance.choice(GLOBAL.powers[:3])].append(Unit(kind, location))
    season = chance.choice("WSUF")
    return Position(
        Phase.read(f"{season}2103M"), {power: tuple(held) for power, held in units.items()}
    )


def ordered(position: Position, chance: Random) -> dict[str, list[Order]]:
    """Orders that get in each other's way: moves, supports and convoys of what was ordered."""
    legal = {
        unit: [order for order in orders if not isinstance(order, Launch | Relay)]
        for power in position.units
        for unit, orders in legal_orders(GLOBAL, position, power).items()
    }
    chosen: dict[Unit, Order] = {}
    for unit, orders in legal.items():
        moves = [order for order in orders if isinstance(order, Move)]
        if moves and chance.random() < 0.5:
            chosen[unit] = chance.choice(moves)
    for unit, orders in legal.items():
        if unit in chosen:
            continue
        fitting = [
            order
            for order in orders
            if (isinstance(order, Support) and _fits(order, chosen.get(order.target)))
            or (isinstance(order, Convoy) and _fits(order, chosen.get(order.army)))
        ]
        chosen[unit] = chance.choice(fitting if fitting and chance.random() < 0.8 else orders)
    return {power: [chosen[unit] for unit in held] for power, held in position.units.items()}


def _fits(order: Support | Convoy, other: Order | None) -> bool:
    if isinstance(other, Move):
        return order.to == other.to
    return isinstance(order, Support) and order.to is None


@pytest.mark.parametrize("options", [{}, {"4.A.2": "b", "4.A.5": "a"}], ids=["2023", "1976"])
def test_a_sample(options: dict[str, str]) -> None:
    seen = dict.fromkeys(("dislodged", "far", "contested"), 0)
    for seed in range(200):
        chance = Random(seed)
        position = crowd(chance)
        orders = ordered(position, chance)
        try:
            outcome, differences = compare(GLOBAL, position, orders, options)
        except TooBigError:
            continue
        assert differences == [], (seed, orders)
        seen["dislodged"] += len(outcome.dislodged)
        seen["contested"] += len(outcome.contested)
        seen["far"] += sum(
            isinstance(order, Support)
            and order.unit.kind == "AF"
            and outcome.succeeds[order.unit.province]
            for given in orders.values()
            for order in given
        )
    assert all(count > 10 for count in seen.values()), seen


def test_the_reference_finds_the_same_orders_legal() -> None:
    for seed in range(12):
        position = crowd(Random(seed))
        situation = Situation(GLOBAL, position, {})
        for power, units in position.units.items():
            legal = legal_orders(GLOBAL, position, power)
            for unit in units:
                piece = situation.pieces[unit.province]
                found = {order for order in legal[unit] if isinstance(order, Support | Convoy)}
                expected = {
                    order
                    for order in _written(GLOBAL, position, unit)
                    if situation.followed(piece, order) is not None
                }
                assert found == expected, (seed, unit)
                assert Hold(unit) in legal[unit]


def _written(variant: Variant, position: Position, unit: Unit) -> list[Order]:
    """Supports and convoys for the units there are, to every place where they could arrive."""
    found: list[Order] = []
    for other in (other for held in position.units.values() for other in held if other != unit):
        found.append(Support(unit, other))
        afloat = other.kind == "N"
        steps = set(variant.board.fleet.get(other.location, ())) if afloat else set(BOARD.provinces)
        found += [Support(unit, other, to) for to in sorted(steps)]
        if unit.kind == "N":
            found += [Convoy(unit, other, to) for to in BOARD.provinces]
    return found
