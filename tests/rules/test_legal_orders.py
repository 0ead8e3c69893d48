"""Legal orders: counts pinned, and generator, checker and engine trying each other."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from judge import interchange
from judge.rules.engine import adjudicate, check
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Build, Disband, Move, Order, Retreat, Support, Waive
from judge.rules.outcome import Reason
from judge.rules.phase import Kind
from judge.rules.position import Position, Unit
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant
from judge.variants import load
from tests.prove.boards import BOARDS, Small
from tests.prove.generate import situation
from tests.prove.orders import legal, writable

STANDARD = load("standard")
PINNED = json.loads(Path(__file__).with_name("legal_counts.json").read_text(encoding="utf-8"))


def asked(data: dict[str, Any]) -> Position:
    """The position of a pinned case."""
    given = {key: value for key, value in data.items() if key not in ("name", "counts")}
    return interchange.read_question(given).position


@pytest.mark.parametrize("case", PINNED, ids=lambda case: case["name"])
def test_counts(case: dict[str, Any]) -> None:
    position = asked(case)
    found = {
        power: {str(unit): len(own) for unit, own in units.items()}
        for power in STANDARD.powers
        if (units := legal_orders(STANDARD, position, power))
    }
    assert found == case["counts"]


def test_all_kinds_of_phases_are_pinned() -> None:
    kinds = [asked(case).phase.kind for case in PINNED]
    assert len(kinds) > 20
    assert min(kinds.count(kind) for kind in Kind) >= 5


@pytest.mark.parametrize("case", PINNED, ids=lambda case: case["name"])
def test_every_order_listed_passes_the_check_and_is_never_void(case: dict[str, Any]) -> None:
    _try_all(STANDARD, asked(case))


@pytest.mark.parametrize("seed", range(12))
def test_every_order_listed_passes_on_chance_positions(seed: int) -> None:
    position, _ = situation(STANDARD, Random(seed))
    _try_all(STANDARD, position)


def _try_all(variant: Variant, position: Position) -> None:
    for power in variant.powers:
        units = legal_orders(variant, position, power)
        for unit, own in units.items():
            assert len(own) == len(set(own))
            for order in own:
                checked = check(variant, position, power, order)
                assert (checked.problem, checked.order) == (None, order)
                outcome = adjudicate(variant, position, {power: [order]})
                result = outcome.results[power][0]
                assert result.order == order
                assert result.reason not in (Reason.VOID, Reason.NOT_ALLOWED, Reason.SUPERSEDED)
                if not isinstance(order, Waive):
                    assert result.unit == unit


@pytest.mark.parametrize("small", BOARDS, ids=lambda small: small.variant.name)
def test_whatever_passes_the_check_is_listed(small: Small) -> None:
    for position in small.positions:
        for power, units in position.units.items():
            listed = legal_orders(small.variant, position, power)
            assert list(listed) == list(units)
            for unit in units:
                passing = _passing(small.variant, position, power, unit)
                assert passing == set(listed[unit]) == set(legal(small.variant, position, unit))


@pytest.mark.parametrize("seed", range(100, 103))
def test_whatever_passes_the_check_is_listed_on_the_standard_board(seed: int) -> None:
    position, _ = situation(STANDARD, Random(seed))
    power, units = next(iter(position.units.items()))
    listed = legal_orders(STANDARD, position, power)
    for unit in units:
        assert _passing(STANDARD, position, power, unit) == set(listed[unit])


def _passing(variant: Variant, position: Position, power: str, unit: Unit) -> set[Order]:
    """The canonical forms of all writable orders for the unit that pass the check."""
    passing = set()
    for order in writable(variant, position, unit):
        checked = check(variant, position, power, order)
        if checked.problem is None:
            passing.add(_plain(variant, checked.order))
    return passing


def _plain(variant: Variant, order: Order) -> Order:
    """The order without a "via convoy" that says nothing, because there is no other way."""
    if isinstance(order, Move) and order.via:
        steps = variant.board.steps(order.unit.kind, order.unit.location)
        return order if order.to in steps else Move(order.unit, order.to)
    return order


@pytest.mark.parametrize(
    "case",
    [case for case in PINNED if not case["phase"].endswith("M")],
    ids=lambda case: case["name"],
)
def test_nothing_else_passes_where_retreats_and_adjustments_are_due(case: dict[str, Any]) -> None:
    position = asked(case)
    board = STANDARD.board
    places = sorted({*board.provinces, *board.fleet})
    own = {unit for units in position.units.values() for unit in units}
    own |= {gone.unit for units in position.dislodged.values() for gone in units}
    every: list[Order] = [Waive()]
    every += [Disband(unit) for unit in own]
    every += [Retreat(unit, place) for unit, place in product(own, places)]
    every += [Build(Unit(kind, place)) for kind, place in product("AF", places)]
    for power in STANDARD.powers:
        listed = {
            order for orders in legal_orders(STANDARD, position, power).values() for order in orders
        }
        passing = {
            checked.order
            for order in every
            if (checked := check(STANDARD, position, power, order)).problem is None
        }
        # A waive is also taken where builds are due and no center is free.
        assert passing - {Waive()} == listed - {Waive()}


def test_waiving_is_listed_only_where_it_is_allowed() -> None:
    position = asked(next(case for case in PINNED if case["name"] == "two builds, one inland"))
    rulebook = Rulebook.edition("2023").with_options({"4.D.7": "b"})
    listed = legal_orders(STANDARD, position, "France", rulebook)
    assert listed[Unit("A", "par")] == [Build(Unit("A", "par"))]
    assert legal_orders(STANDARD, position, "France")[Unit("A", "par")][1:] == [Waive()]


def test_the_rules_of_1976_do_not_know_via_convoy() -> None:
    name = "next door by land or by sea"
    position = asked(next(case for case in PINNED if case["name"] == name))
    army = Unit("A", "nwy")
    sailing = Move(army, "swe", via=True)
    assert sailing in legal_orders(STANDARD, position, "England")[army]
    old = legal_orders(STANDARD, position, "England", Rulebook.edition("1976"))
    assert sailing not in old[army]
    assert Move(army, "swe") in old[army]


def test_a_support_names_every_coast_by_itself() -> None:
    name = "both coasts of Spain"
    position = asked(next(case for case in PINNED if case["name"] == name))
    fleet, target = Unit("F", "por"), Unit("F", "mid")
    supports = [
        order.to
        for order in legal_orders(STANDARD, position, "France")[fleet]
        if isinstance(order, Support) and order.target == target
    ]
    assert supports == [None, "spa/nc", "spa/sc"]


def test_a_power_without_anything_to_decide_gets_nothing() -> None:
    assert legal_orders(STANDARD, asked(PINNED[1]), "France") == {}
    removals = asked(PINNED[-1])
    assert legal_orders(STANDARD, removals, "Austria") == {}
