"""Games by chance on every board with every number of players, to their end: what always holds.

A few years of each here; `python -m tests.boards` plays them to a victory or for long.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from judge.bots import orders_of
from judge.rules import engine
from judge.rules.position import Position, Unit
from judge.rules.result import Adjudication
from judge.rules.rulebook import Rulebook
from tests.boards.held import broken
from tests.boards.tables import GROUND, TABLES, Table, chosen
from tests.sampled import some

PHASES = some(20, 40)
FEWER = some(6, 12)
"""How many phases are played, and how many on boards without rules of their own."""


def play(
    table: Table, seed: str, phases: int, computer: str | None = None
) -> tuple[int, tuple[str, ...], list[str]]:
    """A game by chance: how many phases it took, who won, and what did not hold.

    `computer` is a power whose orders are a computer's, so that somebody wins before long.
    """
    variant = table.variant
    lineup = variant.lineups[table.lineup] if table.lineup else None
    edition = (lineup and lineup.rulebook) or variant.rulebook
    chance, rulebook = random.Random(seed), Rulebook.edition(edition)
    position: Position = variant.opening
    for number in range(1, phases + 1):
        powers = dict.fromkeys((*position.units, *position.centers, *position.dislodged))
        orders = {
            power: orders_of(variant, position, power, "easy", seed=number)
            if power == computer and engine.owed(variant, position).get(power)
            else chosen(variant, position, power, chance)
            for power in powers
        }
        done = engine.adjudicate(variant, position, orders, rulebook)
        if problems := broken(variant, position, done):
            return number, (), problems
        position = done.position
        if done.winners or done.ending:
            return number, done.winners, []
    return phases, (), []


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_some_years_by_chance(table: Table) -> None:
    phases = PHASES if table.board in GROUND else FEWER
    played, _, problems = play(table, str(table), phases)
    assert problems == []
    assert played


def test_what_does_not_hold_is_found() -> None:
    table = Table("standard", "6")
    variant = table.variant
    before = variant.opening
    done = engine.adjudicate(variant, before, {})

    def found(position: Position) -> str:
        return "; ".join(broken(variant, before, Adjudication({}, position, {}, ())))

    assert found(done.position) == ""
    units, centers = dict(done.position.units), dict(done.position.centers)
    twice = {**units, "Austria": (Unit("A", "bud"), Unit("A", "bud"))}
    assert "are in one province" in found(replace(done.position, units=twice))
    afloat = {**units, "Austria": (Unit("A", "ion"),)}
    assert "cannot stand there" in found(replace(done.position, units=afloat))
    more = {**units, "Austria": (*units["Austria"], Unit("A", "gal"))}
    assert "had 3 units and has 4" in found(replace(done.position, units=more))
    walked = {**units, "Italy": (Unit("A", "tus"),)}
    assert "Italy stands" in found(replace(done.position, units=walked))
    lost = {**centers, "Austria": ("bud",)}
    assert "belongs to nobody" in found(replace(done.position, centers=lost))
    taken = {**centers, "Austria": ("bud", "tri"), "Russia": (*centers["Russia"], "vie")}
    assert "who is not there" in found(replace(done.position, centers=taken))


def won(table: Table, phases: int) -> tuple[str, ...]:
    """Who wins a game by chance in which one power is a computer's, in the first game that is won.

    Raises:
        AssertionError: Something did not hold, or nobody won.
    """
    for seed in range(4):
        computer = random.Random(seed).choice(list(table.variant.played))
        _, winners, problems = play(table, f"{table} {seed}", phases, computer)
        assert problems == []
        if winners:
            return winners
    raise AssertionError(f"{table}: nobody won in {phases} phases")


@pytest.mark.parametrize("board", ["north_sea_wars", "global", "year_1880"])
def test_a_computer_among_players_by_chance_wins(board: str) -> None:
    assert won(Table(board), 300)


@pytest.mark.parametrize("board", ["pure", "treaty_of_verdun", "three_kingdoms", "south_america_4"])
def test_somebody_wins_in_the_end(board: str) -> None:
    assert any(play(Table(board), f"{board} {seed}", 600)[1] for seed in range(3))
