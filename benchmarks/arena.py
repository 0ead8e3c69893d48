"""How strong computer players are, and what they cost: games with one seat against all others.

The measured player takes each power in turn. Its share of a game is its centers squared over the
sum of all powers' squares, or 1 for a win; equal players of seven powers get 0.143.

`python -m benchmarks.arena BOARD PLAYER OTHERS GAMES [YEARS]` plays alone, where a player is
`dumbbot`, a level, or a level with its seconds (`hard:0.5`).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

from benchmarks.dumbbot import DumbBot
from benchmarks.rows import Row, say
from judge.bots import orders_of
from judge.bots.options import Scene
from judge.rules.engine import adjudicate, owed
from judge.rules.orders import Order
from judge.rules.phase import Kind
from judge.rules.position import Position
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant
from judge.variants import load

YEARS = 10
"""How many years of a calendar a game lasts at most."""

Player = Callable[[Variant, Position, str, int], list[Order]]
"""The orders of a power in a position, by a seed."""


class Measured(NamedTuple):
    """One game of the measured player: its share, and its processor time for a movement phase."""

    share: float
    seconds: float


def dumbbot(variant: Variant, position: Position, power: str, seed: int) -> list[Order]:
    """DumbBot's orders."""
    scene = Scene(variant, position, Rulebook.edition(variant.rulebook))
    return DumbBot(scene, power, Random(f"{seed} {power} {position.phase}")).orders()


def bot(level: str, seconds: float | None = None) -> Player:
    """A computer player of a level, with the level's own time to think unless one is given."""

    def orders(variant: Variant, position: Position, power: str, seed: int) -> list[Order]:
        return orders_of(variant, position, power, level, seed=seed, seconds=seconds)

    return orders


def play(
    variant: Variant, mine: Player, others: Player, power: str, seed: int, years: int = YEARS
) -> Measured:
    """Play one game in which `power` is the measured player's."""
    position = variant.opening
    start_year, length = variant.start_phase.year, years * abs(variant.calendar.years)
    times = []
    while abs(position.phase.year - start_year) < length:
        orders = {}
        for each in owed(variant, position):
            start = time.process_time()
            player = mine if each == power else others
            orders[each] = player(variant, position, each, seed)
            if each == power and position.phase.kind is Kind.MOVEMENT:
                times.append(time.process_time() - start)
        outcome = adjudicate(variant, position, orders)
        position = outcome.position
        if outcome.winners:
            return Measured(float(power in outcome.winners), fmean(times))
    squares = {each: len(held) ** 2 for each, held in position.centers.items()}
    return Measured(squares.get(power, 0) / sum(squares.values()), fmean(times) if times else 0.0)


def arena(name: str, mine: Player, others: Player, games: int) -> list[Measured]:
    """Play games on a board, the measured player as each power in turn."""
    variant = load(name)
    powers: Sequence[str] = variant.powers
    return [play(variant, mine, others, powers[seed % len(powers)], seed) for seed in range(games)]


def rows(games: int) -> Iterator[Row]:
    """Strength and cost, with standard errors; `games` for each row."""
    hard, normal, easy = bot("hard"), bot("normal"), bot("easy")
    for what, mine, others, least in (
        ("hard against six DumbBots", hard, dumbbot, 0.60),
        ("hard against six normal ones", hard, normal, 0.30),
        ("hard against six hard ones with a third of the time", hard, bot("hard", 1 / 3), 0.25),
        ("normal against six DumbBots", normal, dumbbot, 0.30),
        ("normal against six easy ones", normal, easy, 0.30),
        ("DumbBot against six DumbBots", dumbbot, dumbbot, None),
    ):
        say(f"{games} games: {what}")
        found = arena("standard", mine, others, games)
        shares = [each.share for each in found]
        error = stdev(shares) / sqrt(len(shares)) if len(shares) > 1 else 0.0
        share = fmean(shares)
        target = "" if least is None else f">= {least:.2f}, within two errors"
        kept = None if least is None else share + 2 * error >= least
        yield Row(f"share, {what}", f"{share:.3f} ± {error:.3f}", target, kept)
        cost = fmean(each.seconds for each in found)
        yield Row("  processor time for a movement phase", f"{cost:.2f} s", "<= 3 s", cost <= 3)


def named(text: str) -> Player:
    """The player of a name such as `dumbbot`, `easy` or `hard:0.5`."""
    level, _, seconds = text.partition(":")
    return dumbbot if level == "dumbbot" else bot(level, float(seconds) if seconds else None)


def main() -> None:
    """Play the games that the command names, and print each."""
    board, mine, others, games, *years = sys.argv[1:]
    variant, shares = load(board), list[float]()
    for seed in range(int(games)):
        power = variant.powers[seed % len(variant.powers)]
        length = int(years[0]) if years else YEARS
        found = play(variant, named(mine), named(others), power, seed, length)
        shares.append(found.share)
        error = stdev(shares) / sqrt(len(shares)) if seed else 0.0
        mean = f"{fmean(shares):.3f} ± {error:.3f}"
        say(f"{power}: {found.share:.3f}, {found.seconds:.2f} s a movement; all: {mean}")


if __name__ == "__main__":
    main()
