"""Every board with every number of players, and orders by chance for anybody who sits there."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from judge import variants
from judge.game.state import State
from judge.rules import engine
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Order, order_text
from judge.rules.phase import Kind
from judge.rules.position import Position, Unit
from judge.rules.variant import Variant, with_lineup


@dataclass(frozen=True)
class Table:
    """A board, and the lineup in which it is played, None for the full game."""

    board: str
    lineup: str | None = None

    def __str__(self) -> str:
        return self.board if self.lineup is None else f"{self.board}-{self.lineup}"

    @property
    def variant(self) -> Variant:
        """The variant as it is played here."""
        return with_lineup(variants.load(self.board), self.lineup)

    @property
    def people(self) -> int:
        """How many people play."""
        if self.lineup is None:
            return len(self.variant.played)
        return self.variant.lineups[self.lineup].players

    @property
    def options(self) -> str:
        """What CREATE takes to make such a game: the board, its rules and its players."""
        if self.lineup is None:
            return self.board
        lineup = self.variant.lineups[self.lineup]
        rules = f", RULES {lineup.rulebook}" if lineup.rulebook else ""
        # A lineup of the older rules that is usual under them is chosen by its number.
        name = self.lineup if self.lineup != "2-units" else "2"
        return f"{self.board}{rules}, PLAYERS {name}"

    def limit(self, phases: int) -> str:
        """The turn in which the game reaches so many phases, as SET END AFTER takes it."""
        phase = self.variant.start_phase
        for _ in range(phases - 1):
            phase = self.variant.calendar.next(phase)
        return f"{phase.season.value}{phase.year}"


GROUND = (
    *("standard", "fleet_rome", "winter_1900", "build_anywhere", "chaos", "france_austria"),
    *("germany_italy", "era_of_empire", "era_hawes", "global", "hundred", "modern", "pure"),
    "sail_ho",
)
"""Boards that stand for the others where a test of all would be long: between them they have all
rules, kinds of units, and ways to play there are."""

TABLES = tuple(
    Table(name, lineup)
    for name in variants.names()
    for lineup in (None, *variants.load(name).lineups)
)


def chosen(variant: Variant, position: Position, power: str, chance: random.Random) -> list[Order]:
    """What a power could order, by chance: as many builds, removals and conversions as it may."""
    owed = engine.owed(variant, position).get(power)
    legal: Mapping[Unit, list[Order]] = legal_orders(variant, position, power)
    if owed is None or not legal:
        return []
    if position.phase.kind is not Kind.ADJUSTMENTS:
        return [chance.choice(options) for options in legal.values()]
    if owed.removals:
        gone = chance.sample(list(position.units[power]), owed.removals)
        return [legal[unit][0] for unit in gone]
    places: dict[str, list[Order]] = {}
    for unit, options in legal.items():
        if unit not in owed.conversions:
            places.setdefault(unit.province, []).append(options[0])
    builds = [chance.choice(options) for options in places.values()]
    chance.shuffle(builds)
    changed = [legal[unit][-1] for unit in owed.conversions if chance.random() < 0.5]
    return builds[: owed.builds] + changed


def lines(state: State, person_id: int, chance: random.Random) -> list[str]:
    """A mail of somebody with orders for all his powers, in any sequence; [] where he has none."""
    found: list[str] = []
    silent = False
    for seat in state.seats.of(person_id):
        if seat.power is None or seat.power not in state.owed:
            continue
        own = chosen(state.variant, state.opened, seat.power, chance)
        silent |= state.sheets.of(seat.power).optional and not own
        found += [order_text(order, state.opened.phase.kind) for order in own]
    chance.shuffle(found)
    return [*found, "SET NO WAIT"] if silent else found
