"""Whole games of Global Diplomacy by chance, to their end: what always holds."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

from judge import variants
from judge.rules import engine
from judge.rules.adjustments import due
from judge.rules.board_index import closed_provinces, destroyed
from judge.rules.legal_orders import legal_orders
from judge.rules.modules.arsenals import rights
from judge.rules.modules.destruction import centers_left, no_centers
from judge.rules.orders import Build, Hold, Launch, Move, Order, Relay
from judge.rules.phase import Kind
from judge.rules.position import Position, Unit
from judge.rules.result import Adjudication, Ending
from judge.rules.variant import Variant, with_lineup
from tests.rules.table import said

GLOBAL = variants.load("global")
LONGEST = 600
"""Phases after which a game without an end is left."""


class Chance:
    """Players by chance: `warlike` ones build arsenals and bomb as soon as they can."""

    def __init__(self, variant: Variant, seed: int, *, warlike: float) -> None:
        self.variant = variant
        self.random = random.Random(seed)
        self.warlike = warlike

    def orders(self, position: Position) -> dict[str, list[Order]]:
        """Orders for everybody."""
        given: dict[str, list[Order]] = {}
        for power in dict.fromkeys((*position.units, *position.centers, *position.dislodged)):
            legal = legal_orders(self.variant, position, power)
            movement = position.phase.kind is Kind.MOVEMENT
            if movement and self.random.random() < self.warlike * 0.3:
                given[power] = [Hold(unit) for unit in legal]
                continue
            given[power] = [self.one(orders) for orders in legal.values()]
            self.random.shuffle(given[power])
        if position.phase.kind is Kind.MOVEMENT:
            self.bomb(position, given)
        return given

    def one(self, orders: Sequence[Order]) -> Order:
        """One order of a unit: moves and builds before others."""
        wanted = [order for order in orders if isinstance(order, Move | Build)]
        if wanted and self.random.random() < 0.7:
            return self.random.choice(wanted)
        return self.random.choice(orders)

    def bomb(self, position: Position, given: dict[str, list[Order]]) -> None:
        """Let arsenals bomb, now and then with a chain of units that carry the bomb."""
        places = {unit.province: power for power, held in position.units.items() for unit in held}
        for power, units in position.units.items():
            for arsenal in units:
                if (
                    not self.variant.board.kind(arsenal.kind).launches
                    or self.random.random() > self.warlike
                ):
                    continue
                legal = legal_orders(self.variant, position, power)[arsenal]
                launches = [order for order in legal if isinstance(order, Launch)]
                if not launches:
                    continue
                launch = self.random.choice(launches)
                self.replace(given[power], launch)
                if launch.via:
                    (via,) = launch.via
                    owner = places[via]
                    unit = next(u for u in position.units[owner] if u.province == via)
                    self.replace(given[owner], Relay(unit, (arsenal.province,), (), launch.to))

    def replace(self, orders: list[Order], order: Launch | Relay) -> None:
        """Give a unit this order instead of the one it has."""
        orders[:] = [other for other in orders if getattr(other, "unit", None) != order.unit]
        orders.append(order)


def played(
    seed: int, warlike: float, variant: Variant = GLOBAL
) -> Iterator[tuple[Position, Adjudication]]:
    """The phases of a game until it is over."""
    chance = Chance(variant, seed, warlike=warlike)
    position = variant.opening
    for _ in range(LONGEST):
        outcome = engine.adjudicate(variant, position, chance.orders(position))
        yield position, outcome
        if outcome.winners or outcome.ending:
            return
        position = outcome.position


def units_of(position: Position) -> list[Unit]:
    return [unit for held in position.units.values() for unit in held]


def check(before: Position, outcome: Adjudication, variant: Variant = GLOBAL) -> None:
    """What always holds."""
    after = outcome.position
    standing = units_of(after)
    assert len({unit.province for unit in standing}) == len(standing)
    gone = set(destroyed(after))
    for unit in standing:
        assert variant.board.stands(*unit)
        assert unit.province not in gone
    for power, held in after.units.items():
        for kind in variant.board.kinds.values():
            number = sum(unit.kind == kind.letter for unit in held)
            assert kind.limit is None or number <= kind.limit
        if before.phase.kind is Kind.ADJUSTMENTS:
            assert due(variant, after, power) >= 0
            if due(variant, before, power) <= 0:
                assert due(variant, after, power) == 0
    # Centers are conserved, or destroyed for good.
    owned = [center for held in after.centers.values() for center in held]
    assert len(set(owned)) == len(owned)
    left = set(centers_left(variant, after))
    assert set(owned) <= left
    assert left | no_centers(after.extra) >= set(centers_left(variant, before))
    known = {center for held in before.centers.values() for center in held}
    assert known - no_centers(after.extra) <= set(owned)
    assert set(destroyed(before)) | set(outcome.destroyed) == gone
    # Nobody moves or retreats in or out where that is closed.
    shut = {closure.province for closure in closed_provinces(variant, before)}
    if before.phase.kind is not Kind.ADJUSTMENTS:
        for power, held in after.units.items():
            came = {u.province for u in held} - {u.province for u in before.units.get(power, ())}
            assert not came & shut
    for retreating in outcome.position.dislodged.values():
        for each in retreating:
            assert each.retreats
            assert not {place.partition("/")[0] for place in each.retreats} & (shut | gone)
    for power, number in rights(after).items():
        assert number >= 0
        assert number <= rights(before).get(power, 0) + 1
    for power, results in outcome.results.items():
        for result in results:
            assert result.power == power
            assert said(result, variant)


@pytest.mark.parametrize(
    ("seed", "warlike", "ending"),
    [
        (1, 0.0, None),
        (2, 0.3, Ending.IMPOSSIBLE),
        (3, 0.9, Ending.IMPOSSIBLE),
        (4, 0.9, Ending.UNINHABITABLE),
    ],
)
def test_a_whole_game_by_chance(seed: int, warlike: float, ending: Ending | None) -> None:
    game = list(played(seed, warlike))
    for before, outcome in game:
        check(before, outcome)
    last = game[-1][1]
    assert last.ending is ending
    if ending is None:
        (winner,) = last.winners
        assert len(last.position.centers[winner]) >= GLOBAL.victory
    elif ending is Ending.UNINHABITABLE:
        assert len(centers_left(GLOBAL, last.position)) < GLOBAL.victory


@pytest.mark.parametrize("players", ["5", "4", "3", "2"])
def test_a_whole_game_of_fewer_players_by_chance(players: str) -> None:
    variant = with_lineup(GLOBAL, players)
    game = list(played(7, 0.6, variant))
    for before, outcome in game:
        check(before, outcome, variant)
        for power in variant.standing:
            assert set(outcome.position.units[power]) <= set(variant.start[power])
    last = game[-1][1]
    assert last.ending or last.winners


def test_bombs_fall_and_fail_in_these_games() -> None:
    outcomes = [outcome for _, outcome in played(4, 0.9)]
    assert sum(len(outcome.destroyed) for outcome in outcomes) > 20
    assert any(outcome.vanished for outcome in outcomes)
    assert any(outcome.lost for outcome in outcomes)
    fates = {
        result.reason and result.reason.value
        for outcome in outcomes
        for results in outcome.results.values()
        for result in results
        if isinstance(result.order, Launch | Relay)
    }
    assert {None, "cut"} <= fates
