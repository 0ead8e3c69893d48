"""Positions through the engine, through the extension, and through arrays: what they say of each.

`python -m tests.prove.kernel --positions 200000` is the whole comparison, which `make prove` runs.
"""

from __future__ import annotations

import argparse
import sys
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from judge import variants
from judge.batch import NOTHING, Batch
from judge.rules import kernel
from judge.rules.engine import adjudicate
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Order
from judge.rules.position import Position, Unit
from judge.rules.result import Adjudication
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant
from tests.prove.boards import ARCHIPELAGO
from tests.prove.generate import Orders, muddle, situation

SETS = 20
"""Sets of orders for each scattered position."""


@dataclass
class Agreement:
    """How many positions were compared, how many were left to the engine, and what differs."""

    positions: int = 0
    odd: int = 0
    differences: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        share = 100 * self.odd / max(self.positions, 1)
        return (
            f"{self.positions:,} positions, {share:.1f} % left to the engine, "
            f"{len(self.differences)} differences"
        )


def scattered(variant: Variant, random: Random) -> Iterator[tuple[Position, Orders]]:
    """Positions with units anywhere, and legal orders by chance, some units without one."""
    board = variant.board
    spots = [
        Unit(kind, location)
        for kind in board.kinds
        for location in dict.fromkeys((*board.provinces, *board.fleet))
        if board.stands(kind, location) and board.steps(kind, location)
    ]
    random.shuffle(spots)
    standing = {unit.province: unit for unit in spots}
    chosen = random.sample([*standing.values()], min(len(standing), random.randint(3, 60)))
    powers = random.sample(variant.powers, min(len(variant.powers), random.randint(2, 7)))
    units: dict[str, tuple[Unit, ...]] = {}
    for unit in chosen:
        power = random.choice(powers)
        units[power] = (*units.get(power, ()), unit)
    phase = Batch(variant).phase
    position = Position(phase, units)
    legal = {power: legal_orders(variant, position, power) for power in units}
    for _ in range(SETS):
        yield (
            position,
            {
                power: [random.choice(each) for each in own.values() if random.random() < 0.97]
                for power, own in legal.items()
            },
        )


def compare(
    variant: Variant, turns: Sequence[tuple[Position, Orders]], found: Agreement, name: str
) -> None:
    """Compare the three ways for positions that a Batch has room for."""
    rulebook = Rulebook.edition(variant.rulebook)
    most = max(sum(map(len, position.units.values())) for position, _ in turns)
    batch = Batch(variant, width=most + 1)
    rows = [numbered(batch, *turn) for turn in turns]
    units, orders = array("i"), array("i")
    for numbers in filter(None, rows):
        units += numbers[0]
        orders += numbers[1]
    arrays = batch.adjudicate(units, orders)
    place = -1
    for (position, given), row in zip(turns, rows, strict=True):
        quick = adjudicate(variant, position, given, rulebook)
        pure = by_the_engine(variant, position, given, rulebook)
        found.positions += 1
        wrong = [] if said(quick) == said(pure) else ["the extension"]
        if row is None:
            found.odd += 1
        else:
            place += 1
            found.odd += arrays.odd[place]
            wrong += (
                [] if _row(batch, arrays, place) == _expected(batch, position, pure) else ["arrays"]
            )
        if wrong:
            text = f"{name}, {' and '.join(wrong)}: {position.units} {given}"
            found.differences.append(text)


def numbered(
    batch: Batch, position: Position, given: Orders
) -> tuple[array[int], array[int]] | None:
    """The rows of a position and its orders; None where an order has no number."""
    try:
        return batch.units(position), batch.orders(position, given)
    except ValueError:
        return None


def by_the_engine(
    variant: Variant,
    position: Position,
    given: Mapping[str, Sequence[Order]],
    rulebook: Rulebook,
) -> Adjudication:
    """Adjudicate without the extension."""
    known, kernel.BUILT = kernel.BUILT, False
    try:
        return adjudicate(variant, position, given, rulebook)
    finally:
        kernel.BUILT = known


def said(played: Adjudication) -> tuple[object, ...]:
    """All of an adjudication but what its outcomes depend on, which only the engine tells."""
    results = {power: [each[:4] for each in own] for power, own in played.results.items()}
    return results, played.position, played.dislodged, played.contested


def _row(batch: Batch, arrays: kernel.Movements, row: int) -> tuple[object, ...]:
    own = slice(row * batch.width, (row + 1) * batch.width)
    standoffs = zip(arrays.standoffs[::2], arrays.standoffs[1::2], strict=True)
    retreats = zip(*(arrays.retreats[at::3] for at in range(3)), strict=True)
    return (
        list(arrays.outcomes[own]),
        list(arrays.after[own]),
        list(arrays.attackers[own]),
        sorted(place for at, place in standoffs if at == row),
        sorted((column, location) for at, column, location in retreats if at == row),
    )


def _expected(batch: Batch, position: Position, pure: Adjudication) -> tuple[object, ...]:
    """What a row has to say, from what the engine says."""
    outcomes, after, attackers = ([], [], [])  # type: tuple[list[int], list[int], list[int]]
    retreats, location = [], batch.numbers.location
    for power, units in position.units.items():
        reasons = {each.unit: each.reason for each in pure.results[power]}
        gone = {each.unit: each for each in pure.dislodged.get(power, ())}
        left = iter(pure.position.units[power])
        for unit in units:
            outcomes.append(kernel.REASONS.index(reasons[unit]))
            if unit not in gone:
                after.append(batch.numbers.whats[next(left)] | batch.powers.index(power) << 14)
                attackers.append(kernel.NOT_DISLODGED)
                continue
            origin = gone[unit].attacker
            after.append(NOTHING)
            attackers.append(kernel.BY_SEA if origin is None else location[origin])
            retreats += [(len(after) - 1, location[to]) for to in gone[unit].retreats]
    rest = batch.width - len(after)
    return (
        outcomes + rest * [-1],
        after + rest * [NOTHING],
        attackers + rest * [kernel.NOT_DISLODGED],
        sorted(location[province] for province in pure.contested),
        sorted(retreats),
    )


def agreement(count: int, seed: int = 0) -> Iterator[tuple[str, Agreement]]:
    """Compare `count` positions: half of them crowded around a few waters, with paradoxes and
    nonsense, the others on every board there is."""
    for variant in (variants.load("standard"), ARCHIPELAGO.variant):
        found = Agreement()
        for first in range(seed, seed + count // 4, 500):
            numbers = range(first, min(first + 500, seed + count // 4))
            turns = [
                (muddle if number % 5 == 0 else situation)(variant, Random(number))
                for number in numbers
            ]
            compare(variant, turns, found, f"{variant.name} from seed {first}")
        yield variant.name, found
    found, names = Agreement(), variants.names()
    for name in names:
        variant = variants.load(name)
        for number in range(seed, seed + -(-count // (2 * SETS * len(names)))):
            compare(variant, [*scattered(variant, Random(number))], found, f"{name} seed {number}")
    yield f"{len(names)} boards", found


def main() -> int:
    """Compare, and tell; the exit status."""
    parser = argparse.ArgumentParser(description="Compare the extension with the engine.")
    parser.add_argument("--positions", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if not kernel.BUILT:
        print("The extension is not built here: make kernel")
        return 1
    wrong = 0
    for name, found in agreement(options.positions, options.seed):
        print(f"extension, {name}: {found}", flush=True)
        print(*found.differences[:10], sep="\n")
        wrong += len(found.differences)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
