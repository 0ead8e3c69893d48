"""What holds for every phase, whatever was ordered."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from judge.rules.board import province_of
from judge.rules.engine import adjudicate, check, owed
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Convoy, Hold, Move, Order, Support
from judge.rules.phase import Kind
from judge.rules.position import Position
from judge.rules.result import Adjudication
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant
from tests.properties.strategies import (
    STANDARD,
    any_orders,
    positions,
    reordered,
    rulebooks,
    seeds,
    situations,
)
from tests.prove.generate import Orders
from tests.rules.table import said

powers = st.sampled_from([*STANDARD.powers, "Atlantis"])
orders_by_power = st.dictionaries(powers, st.lists(any_orders, max_size=8), max_size=7)


def summary(outcome: Adjudication) -> dict[str, Any]:
    """Everything that an outcome says but for the order in which it says it."""
    return {
        "results": sorted(
            (power, str(result.order), str(result.unit), str(result.reason))
            for power, results in outcome.results.items()
            for result in results
        ),
        "units": {power: set(own) for power, own in outcome.position.units.items() if own},
        "centers": {power: set(own) for power, own in outcome.position.centers.items() if own},
        "dislodged": {
            (power, gone.unit, gone.attacker, frozenset(gone.retreats))
            for power, own in outcome.dislodged.items()
            for gone in own
        },
        "contested": set(outcome.contested),
        "next": outcome.position.phase,
        "winners": set(outcome.winners),
    }


def mixed(position: Position, random: Random) -> Position:
    """The same position with powers and units in another order."""

    def shuffle(table: Any) -> dict[str, Any]:
        keys = list(table)
        random.shuffle(keys)
        return {key: tuple(random.sample(table[key], k=len(table[key]))) for key in keys}

    return Position(
        position.phase,
        shuffle(position.units),
        shuffle(position.centers),
        shuffle(position.dislodged),
        tuple(random.sample(position.contested, k=len(position.contested))),
    )


def one_each(orders: Orders) -> Orders:
    """Only the first order for each province: which of several counts does depend on sequence."""
    seen: set[str] = set()
    kept: Orders = {}
    for power, own in orders.items():
        for order in own:
            unit = getattr(order, "unit", None)
            if unit is not None and unit.province not in seen:
                seen.add(unit.province)
                kept.setdefault(power, []).append(order)
    return kept


@given(situations(), rulebooks, seeds)
def test_no_sequence_matters_in_movement(
    made: tuple[Variant, Position, Orders], rulebook: Rulebook, seed: int
) -> None:
    variant, position, orders = made
    orders = one_each(orders)
    random = Random(seed)
    powers = random.sample(list(orders), k=len(orders))
    shuffled = {power: random.sample(orders[power], k=len(orders[power])) for power in powers}
    first = adjudicate(variant, position, orders, rulebook)
    again = adjudicate(reordered(variant, random), mixed(position, random), shuffled, rulebook)
    assert summary(first) == summary(again)


@given(positions(), seeds)
def test_no_sequence_matters_in_other_phases(position: Position, seed: int) -> None:
    random = Random(seed)
    orders: Orders = {}
    for power in STANDARD.powers:
        legal = legal_orders(STANDARD, position, power)
        orders[power] = [random.choice(own) for own in legal.values()][: random.randint(0, 9)]
        if position.phase.kind is Kind.ADJUSTMENTS:
            # More builds than are due are cut off in the sequence given; give no more than that.
            due = owed(STANDARD, position).get(power)
            orders[power] = orders[power][: due.builds + due.removals if due else 0]
            orders[power] = one_each({power: orders[power]}).get(power, [])
    powers = random.sample(list(orders), k=len(orders))
    shuffled = {power: random.sample(orders[power], k=len(orders[power])) for power in powers}
    first = adjudicate(STANDARD, position, orders)
    again = adjudicate(reordered(STANDARD, random), mixed(position, random), shuffled)
    assert summary(first) == summary(again)


@given(situations(), rulebooks)
def test_an_added_hold_changes_nothing(
    made: tuple[Variant, Position, Orders], rulebook: Rulebook
) -> None:
    variant, position, orders = made
    # A power without any order at all is in civil disorder, which 4.D.9 may tell apart.
    rulebook = rulebook.with_options({"4.D.9": "b"})
    more: dict[str, Sequence[Order]] = {}
    for power, units in position.units.items():
        own = orders.get(power, [])
        ordered = {getattr(order, "unit").province for order in own}  # noqa: B009
        holds = [Hold(unit) for unit in units if unit.province not in ordered]
        more[power] = [*own, *holds]
    first = adjudicate(variant, position, orders, rulebook)
    assert summary(first) == summary(adjudicate(variant, position, more, rulebook))


@given(positions(), orders_by_power, rulebooks)
def test_no_order_makes_the_engine_fail(
    position: Position, orders: dict[str, list[Order]], rulebook: Rulebook
) -> None:
    outcome = adjudicate(STANDARD, position, orders, rulebook)
    for power, own in orders.items():
        results = outcome.results.get(power, [])
        assert [result.order for result in results if result.given] == own
        for order in own:
            checked = check(STANDARD, position, power, order, rulebook)
            assert checked.problem is None or said(checked.problem)
    for results in outcome.results.values():
        for result in results:
            assert said(result)
            assert said(result) == said(result).strip()
            assert "  " not in said(result)


@given(situations(), rulebooks)
def test_units_neither_multiply_nor_vanish(
    made: tuple[Variant, Position, Orders], rulebook: Rulebook
) -> None:
    variant, position, orders = made
    outcome = adjudicate(variant, position, orders, rulebook)
    after = [unit for own in outcome.position.units.values() for unit in own]
    gone = [unit for own in outcome.dislodged.values() for unit in own]
    assert len({unit.province for unit in after}) == len(after)
    for power, units in position.units.items():
        left = outcome.position.units.get(power, ())
        lost = outcome.dislodged.get(power, ())
        assert sorted(unit.kind for unit in units) == sorted(
            [unit.kind for unit in left] + [dislodged.unit.kind for dislodged in lost]
        )
    taken = {unit.province for unit in after}
    assert not taken.intersection(outcome.contested)
    for dislodged in gone:
        assert dislodged.unit.province in taken
        closed = taken.union(outcome.contested)
        assert not closed.intersection(map(province_of, dislodged.retreats))


@given(situations())
def test_results_and_positions_say_the_same(made: tuple[Variant, Position, Orders]) -> None:
    variant, position, orders = made
    outcome = adjudicate(variant, position, orders)
    standing = {power: set(own) for power, own in outcome.position.units.items()}
    lost = {gone.unit for own in outcome.dislodged.values() for gone in own}
    for power, units in position.units.items():
        results = {result.unit: result for result in outcome.results[power]}
        for unit in units:
            result = results[unit]
            if isinstance(result.order, Move) and result.succeeded:
                arrived = {other for other in standing[power] if other.kind == unit.kind}
                goal = province_of(result.order.to)
                assert goal in {other.province for other in arrived}
            elif isinstance(result.order, Hold | Support | Convoy) and result.succeeded:
                assert unit in standing[power]
                assert unit not in lost


@given(positions(), orders_by_power)
def test_phases_follow_each_other(position: Position, orders: dict[str, list[Order]]) -> None:
    # Whatever is ordered, the next position is one that the engine can go on with.
    for _ in range(6):
        outcome = adjudicate(STANDARD, position, orders)
        assert STANDARD.calendar.key(outcome.position.phase) > STANDARD.calendar.key(position.phase)
        position = outcome.position
        orders = {
            power: [own[0] for own in legal_orders(STANDARD, position, power).values()]
            for power in owed(STANDARD, position)
        }
