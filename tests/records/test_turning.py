"""Where a game turned, and on which orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from judge.bots import orders_of
from judge.language.read import read_order
from judge.records import turning
from judge.records.outlook import promised
from judge.records.turning import WORTH, Played, TurningPoint, least, turning_points
from judge.rules.engine import adjudicate, owed
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Order
from judge.rules.phase import Kind
from judge.rules.position import Position
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant
from judge.variants import load

STANDARD = load("standard")
RULES = Rulebook.edition(STANDARD.rulebook)

GAME: Sequence[Mapping[str, str]] = (
    {
        "Austria": "A vie - tri, F tri - alb, A bud - ser",
        "France": "A par - bur, A mar S A par - bur, F bre - mid",
        "Germany": "A mun - ruh, F kie - den, A ber - kie",
        "Russia": "F sev - bla, A war - ukr",
        "Turkey": "F ank - bla, A con - bul",
    },
    {},
    {
        "France": "A bur - mun, F mid - por",
        "Germany": "A ruh - bel, A kie - hol",
        "Turkey": "A bul - rum, F ank - bla",
        "Russia": "F sev - rum",
    },
)
"""Phase by phase."""


def orders(position: Position, told: Mapping[str, str]) -> dict[str, list[Order]]:
    return {
        power: [read_order(each, STANDARD, position.phase, power) for each in lines.split(", ")]
        for power, lines in told.items()
    }


def played() -> tuple[list[Played], Position]:
    position, found = STANDARD.opening, []
    for told in (*GAME, {}):
        given = orders(position, told)
        if position.phase.kind is Kind.MOVEMENT:
            found.append(Played(position, given))
        position = adjudicate(STANDARD, position, given).position
    return found, position


@pytest.fixture(scope="module")
def turns() -> list[TurningPoint]:
    return turning_points(STANDARD, RULES, *played())


def test_the_phase_in_which_a_center_fell_is_one_and_who_took_it_made_it(
    turns: list[TurningPoint],
) -> None:
    assert [str(each.phase) for each in turns] == ["S1901M", "F1901M"]
    fall = turns[1]
    gains = {each.power: each.gain for each in fall.changes}
    assert gains["France"] > 0 > gains["Germany"] - 0.02
    assert abs(fall.changes[0].gain) == max(map(abs, gains.values()))
    made = {str(each.given) for each in fall.made}
    assert made
    for each in fall.made:
        # Without an order that made it less of the change would have come.
        assert each.change.power == fall.changes[0].power
        assert each.change.gain * fall.changes[0].gain < 0
    if fall.changes[0].power == "France":
        assert "A bur - mun" in made


def test_no_other_order_would_have_been_worth_more(turns: list[TurningPoint]) -> None:
    """All that can be ordered is tried, also what the search passes over."""
    first, _ = played()
    position, given = first[1].position, first[1].orders
    before = {power: len(held) for power, held in STANDARD.opening.centers.items()}

    def worth(orders: Mapping[str, Sequence[Order]], power: str) -> float:
        after = adjudicate(STANDARD, position, orders).position
        return promised(STANDARD, after, before, RULES).get(power, 0.0)

    best: dict[str, float] = {}
    for power in STANDARD.powers:
        mine = given.get(power, ())
        base = worth(given, power)
        gains = [
            worth({**given, power: [*(o for o in mine if o.unit != unit), order]}, power) - base  # type: ignore[union-attr]
            for unit, choices in legal_orders(STANDARD, position, power).items()
            for order in choices
        ]
        if max(gains) >= WORTH:
            best[power] = max(gains)
    told = {each.power: each.change.gain for each in turns[1].better}
    assert best
    assert told == pytest.approx(best)
    assert [*told.values()] == sorted(told.values(), reverse=True)
    instead = {each.power: str(each.instead) for each in turns[1].better}
    assert instead["Russia"] == "A ukr S F sev - rum"


def test_a_standoff_that_kept_a_center_from_somebody_is_told(turns: list[TurningPoint]) -> None:
    standoffs = dict(turns[1].standoffs)
    assert "rum" in standoffs
    assert str(standoffs["rum"].given) in ("A bul - rum", "F sev - rum")
    assert standoffs["rum"].change.power in ("Russia", "Turkey")


def test_what_there_is_no_time_for_is_said() -> None:
    first, end = played()
    none = turning_points(STANDARD, RULES, first, end, most=0)
    assert [each.tried for each in none] == [False, False]
    assert not any(each.made or each.better or each.standoffs for each in none)
    assert [each.changes for each in none] == [
        each.changes for each in turning_points(STANDARD, RULES, first, end)
    ]


def test_who_won_has_everything() -> None:
    first, end = played()
    last = turning_points(STANDARD, RULES, first, end, ["Turkey"])[-1]
    assert (last.changes[0].power, last.changes[0].new) == ("Turkey", 1.0)


def test_among_many_less_is_a_change() -> None:
    chaos = load("chaos")
    assert least(chaos) < least(STANDARD) < least(load("hundred"))
    rulebook = Rulebook.edition(chaos.rulebook)
    position, found = chaos.opening, list[Played]()
    while len(found) < 4:
        orders = {
            power: orders_of(chaos, position, power, "easy") for power in owed(chaos, position)
        }
        if position.phase.kind is Kind.MOVEMENT:
            found.append(Played(position, orders))
        position = adjudicate(chaos, position, orders).position
    assert turning_points(chaos, rulebook, found, position)


def test_orders_that_leave_the_same_position_are_looked_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[Position] = []

    def counted(variant: Variant, position: Position, *rest: Any) -> dict[str, float]:
        looked.append(position)
        return promised(variant, position, *rest)

    monkeypatch.setattr(turning, "promised", counted)
    first, end = played()
    turning_points(STANDARD, RULES, first, end)
    places = [(str(each.phase), sorted(each.units.items()), str(each.dislodged)) for each in looked]
    alike = [each for each in places if places.count(each) > 1]
    assert len(places) > 100
    assert len(alike) <= 2 * len(first), "but for what stands on the board itself"
