"""Bombs against a second opinion, which knows the board's borders and the results of moves only."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from judge import variants
from judge.rules.board import province_of
from judge.rules.engine import adjudicate
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Hold, Launch, Move, Order, Relay
from judge.rules.outcome import Reason
from judge.rules.phase import Phase
from judge.rules.position import Position, Unit
from judge.rules.result import Adjudication

GLOBAL = variants.load("global")
BOARD = GLOBAL.board
SPACES = (
    *("waf", "sah", "egy", "isr", "mie", "tib", "sau", "tur", "med"),
    *("nio", "pak", "ind", "kaz", "rus", "eaf", "caf", "nat", "mat"),
)
POWERS = GLOBAL.powers[:3]
PHASE = Phase.read("U2103M")

BORDERS: dict[str, set[str]] = {space: set() for space in BOARD.provinces}
for _steps in (BOARD.army, BOARD.fleet):
    for _here, _there in _steps.items():
        BORDERS[province_of(_here)].update(map(province_of, _there))


def reaches(unit: Unit) -> set[str]:
    """Where a unit takes a bomb: as far as its support goes, arsenals like air forces."""
    if unit.kind in ("A", "N"):
        return set(map(province_of, BOARD.steps(unit.kind, unit.location)))
    near = BORDERS[unit.province]
    return near.union(*(BORDERS[space] for space in near)) - {unit.province}


def a_position(chance: Random) -> Position:
    units: dict[str, list[Unit]] = {power: [] for power in POWERS}
    for space in chance.sample(SPACES, 13):
        place = BOARD.provinces[space]
        kinds = ["N"] if place.terrain == "sea" else ["A", "AF", "AF", "R"]
        if place.terrain == "coast":
            kinds.append("N")
        kind = chance.choice(kinds)
        location = chance.choice(place.locations) if kind == "N" else space
        units[chance.choice(POWERS)].append(Unit(kind, location))
    return Position(PHASE, {power: tuple(held) for power, held in units.items()})


Given = dict[Unit, Order]


def some_orders(position: Position, chance: Random) -> Given:
    """Moves and holds by chance, and for each arsenal a bomb with those who carry it, not always
    rightly."""
    orders: Given = {}
    standing = {unit.province: unit for held in position.units.values() for unit in held}
    for power in position.units:
        for unit, legal in legal_orders(GLOBAL, position, power).items():
            moves = [order for order in legal if isinstance(order, Move)]
            orders[unit] = chance.choice(moves) if moves and chance.random() < 0.4 else Hold(unit)
    for arsenal in [unit for unit in standing.values() if unit.kind == "R"]:
        route = [arsenal]
        while len(route) < 4 and chance.random() < 0.6:
            near = [standing[space] for space in sorted(reaches(route[-1])) if space in standing]
            near = [unit for unit in near if unit not in route and unit.kind != "R"]
            if not near:
                break
            route.append(chance.choice(near))
        target = chance.choice(sorted(reaches(route[-1])))
        via = tuple(unit.province for unit in route[1:])
        orders[arsenal] = Launch(arsenal, target, via)
        for number, unit in enumerate(route[1:], 1):
            way = [each.province for each in route] + [target]
            before, after = way[:number], way[number + 1 :]
            match chance.randrange(8):
                case 0:
                    orders[unit] = Hold(unit)
                case 1:
                    orders[unit] = Relay(unit, (*before[:-1], "ant"), (), after[0])
                case 2 | 3:
                    orders[unit] = Relay(unit, tuple(before), tuple(after[:-1]), after[-1])
                case _:
                    orders[unit] = Relay(unit, (before[-1],), (), after[0])
    return orders


def attacked(outcome: Adjudication, space: str, owner: str) -> bool:
    """Whether a unit of another power got there, to stay or not."""
    idle = (Reason.VOID, Reason.NO_CONVOY, Reason.CONVOY_DISRUPTED, Reason.SUPERSEDED)
    return any(
        isinstance(result.order, Move)
        and province_of(result.order.to) == space
        and power != owner
        and result.reason not in idle
        for power, results in outcome.results.items()
        for result in results
    )


def carries(order: Order, before: list[str], after: list[str]) -> bool:
    """Whether an order made by `some_orders` is one of the right ones for this link."""
    if not isinstance(order, Relay):
        return False
    whole = Relay(order.unit, tuple(before), tuple(after[:-1]), after[-1])
    return order in (whole, Relay(order.unit, (before[-1],), (), after[0]))


@given(st.integers(0, 1 << 32))
def test_bombs_fall_where_the_second_opinion_says(seed: int) -> None:
    chance = Random(seed)
    position = a_position(chance)
    orders = some_orders(position, chance)
    owner = {unit: power for power, held in position.units.items() for unit in held}
    standing = {unit.province: unit for unit in owner}
    outcome = adjudicate(
        GLOBAL,
        position,
        {power: [orders[unit] for unit in held] for power, held in position.units.items()},
    )
    bombed = set()
    for order in orders.values():
        if not isinstance(order, Launch):
            continue
        way = [order.unit.province, *order.via, order.to]
        fits = all(
            carries(orders[standing[space]], way[:number], way[number + 1 :])
            for number, space in enumerate(way[:-1])
            if number
        )
        if fits and not any(attacked(outcome, s, owner[standing[s]]) for s in way[:-1]):
            bombed.add(order.to)
    assert set(outcome.destroyed) == bombed
    # Who stands there after the movement is destroyed, all others are where they moved to.
    left = []
    dislodged = {gone.unit for held in outcome.dislodged.values() for gone in held}
    for results in outcome.results.values():
        for result in results:
            assert result.unit is not None
            there = result.unit.location
            if isinstance(result.order, Move) and result.reason is None:
                there = result.order.to
            if province_of(there) not in bombed and result.unit not in dislodged:
                left.append(f"{result.unit.kind} {there}")
    found = [str(unit) for held in outcome.position.units.values() for unit in held]
    assert sorted(found) == sorted(left)
    for gone in (each for held in outcome.position.dislodged.values() for each in held):
        assert gone.unit.province not in bombed
        assert not bombed & set(map(province_of, gone.retreats))
