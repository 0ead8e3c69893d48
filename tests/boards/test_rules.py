"""What a board's data can say besides the usual: coasts on which fleets convoy, years that count
down."""

from __future__ import annotations

from dataclasses import replace

from judge import variants
from judge.rules.engine import adjudicate
from judge.rules.orders import Convoy, Move, Order
from judge.rules.phase import Calendar, Phase
from judge.rules.position import Position, Unit
from judge.rules.variant import Variant


def with_convoys(*coasts: str) -> Variant:
    """The standard board with coasts on which fleets convoy."""
    variant = variants.load("standard")
    provinces = {
        key: replace(place, convoys=key in coasts) for key, place in variant.board.provinces.items()
    }
    return replace(variant, board=replace(variant.board, provinces=provinces))


def landed(variant: Variant) -> set[Unit]:
    """Where the units of England are after a convoy by a fleet in Denmark."""
    army, fleet = Unit("A", "kie"), Unit("F", "den")
    position = Position(
        phase=Phase.read("S1901M"),
        units={"England": (army, fleet)},
        centers=variant.centers,
    )
    orders: list[Order] = [Move(army, "swe", via=True), Convoy(fleet, army, "swe")]
    return set(adjudicate(variant, position, {"England": orders}).position.units["England"])


def test_a_fleet_convoys_on_a_coast_that_says_so() -> None:
    assert Unit("A", "kie") in landed(with_convoys())
    assert Unit("A", "swe") in landed(with_convoys("den"))


def test_before_christ_years_count_down() -> None:
    usual = variants.load("standard").calendar
    ancient = Calendar(usual.year, usual.ownership, -1)
    last = Phase.read("W400A")
    assert ancient.next(last) == Phase.read("S399M")
    assert ancient.key(last) < ancient.key(Phase.read("S399M"))
    assert usual.key(last) > usual.key(Phase.read("S399M"))
