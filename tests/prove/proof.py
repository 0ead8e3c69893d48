"""What is proved: streams of positions, each run through engine and reference."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import prod
from pathlib import Path
from random import Random
from typing import Any

from judge import interchange
from judge.rules.orders import Order
from judge.rules.position import Position
from judge.rules.variant import Variant
from judge.variants import load
from tests.prove.boards import ARCHIPELAGO, BOARDS, Small
from tests.prove.compare import compare
from tests.prove.generate import Orders, muddle, situation
from tests.prove.orders import legal

FOUND = Path(__file__).with_name("found")
"""Positions on which engine and reference once disagreed, and what came of it."""

RULES_OF_1976 = {"4.A.2": "b", "4.A.3": "b", "4.A.5": "a"}


@dataclass
class Tally:
    """What a stream of positions came to."""

    positions: int = 0
    paradoxes: int = 0
    nested: int = 0
    """Positions with several paradoxes, or a paradox of several convoys."""
    circles: int = 0
    disagreements: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.positions:,} positions, {self.paradoxes:,} with paradoxes "
            f"({self.nested:,} of higher order), {self.circles:,} with circular movements, "
            f"{len(self.disagreements)} disagreements"
        )


@dataclass(frozen=True)
class Stream:
    """Positions to run: `chance` makes one from a seed, or `board` has all combinations tried."""

    name: str
    variant: Variant
    make: Callable[[Variant, Random], tuple[Position, Orders]] | None = None
    small: Small | None = None
    options: Mapping[str, str] = field(default_factory=dict)


def streams() -> list[Stream]:
    """All kinds of positions: small boards first, then those made by chance."""
    standard, archipelago = load("standard"), ARCHIPELAGO.variant
    found = [Stream(f"board {small.variant.name}", small.variant, small=small) for small in BOARDS]
    for variant in (standard, archipelago):
        name = variant.name
        found += [
            Stream(f"{name}, legal orders", variant, situation),
            Stream(f"{name}, nonsense among the orders", variant, muddle),
            Stream(f"{name}, rules of 1976", variant, situation, options=RULES_OF_1976),
        ]
        found += [
            Stream(f"{name}, {issue} {letter}", variant, situation, options={issue: letter})
            for issue, letter in (
                ("4.A.1", "a"),
                ("4.A.2", "c"),
                ("4.A.3", "e"),
                ("4.A.4", "b"),
                ("4.A.7", "a"),
            )
        ]
    return found


def combinations(small: Small) -> int:
    """How many combinations of orders there are on a small board, all placements together."""
    return sum(prod(len(own) for _, own in _choices(small, at)) for at in small.positions)


def _choices(small: Small, position: Position) -> list[tuple[str, list[Order]]]:
    return [
        (power, legal(small.variant, position, unit))
        for power, units in position.units.items()
        for unit in units
    ]


def turns(stream: Stream, seed: int, count: int | None) -> Iterator[tuple[str, Position, Orders]]:
    """`count` positions with orders, each with a name by which it can be made again.

    On a small board None means every combination, a number so many of them taken by chance.
    """
    if stream.make is not None:
        for number in range(seed, seed + (count or 0)):
            yield f"seed {number}", *stream.make(stream.variant, Random(number))
        return
    assert stream.small is not None
    placements = stream.small.positions
    for place, position in enumerate(placements):
        choices = _choices(stream.small, position)
        powers = [power for power, _ in choices]
        options = [own for _, own in choices]
        random = Random(seed)
        chosen: Iterator[tuple[Order, ...]] = (
            product(*options)
            if count is None
            else (tuple(map(random.choice, options)) for _ in range(count // len(placements)))
        )
        for orders in chosen:
            given: Orders = {}
            for power, order in zip(powers, orders, strict=True):
                given.setdefault(power, []).append(order)
            yield f"placement {place}", position, given


def run(stream: Stream, seed: int, count: int | None, tally: Tally) -> Iterator[Tally]:
    """Run positions; yields the tally after each, so that a caller can show how it goes."""
    for name, position, orders in turns(stream, seed, count):
        outcome, differences = compare(stream.variant, position, orders, stream.options)
        tally.positions += 1
        tally.paradoxes += bool(outcome.paradoxes)
        tally.nested += len([fleet for core in outcome.paradoxes for fleet in core]) > 1
        tally.circles += bool(outcome.circles)
        if differences:
            data = as_object(stream, position, orders)
            said = "\n  ".join(differences)
            text = f"{stream.name}, {name}:\n  {json.dumps(data)}\n  {said}"
            tally.disagreements.append(text)
        yield tally


def as_object(stream: Stream, position: Position, orders: Orders) -> dict[str, Any]:
    """A position with its orders as an input object of the interchange format."""
    data = interchange.position_object(stream.variant, position)
    if stream.options:
        data["options"] = dict(stream.options)
    data["orders"] = {power: list(map(str, own)) for power, own in orders.items()}
    return data
