"""The extension and its arrays: movement phases a second of one core.

The phases are those of games that computer players play, each of them once; the engine has not seen
them before. `python -m benchmarks --only kernel` measures it, beside the package `diplomacy` where
that is installed, so that figures of different machines can be compared.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from benchmarks.rows import Row
from benchmarks.scale.meter import package_cost
from benchmarks.selfplay import Turn, movements
from judge.batch import Batch
from judge.rules import kernel
from judge.rules.engine import adjudicate
from judge.rules.variant import Variant
from judge.variants import load

PHASES, REPEATS = 1500, 100


def rows() -> Iterator[Row]:
    """Play games for the phases, and measure."""
    variant = load("standard")
    turns = movements(variant, 1901, 1901, 1912, PHASES)
    package = package_cost(turns[:100])
    if package:
        yield Row("calibration: the package diplomacy, µs a movement phase", f"{package:,.0f}")
    if not kernel.BUILT:
        yield Row("the extension is not built here", "make kernel")
        return
    for name, built in (("pure", False), ("extension", True)):
        kernel.BUILT = built
        fresh = [Turn(replace(turn.position), turn.orders) for turn in turns]
        spent = _seconds(partial(_play, variant, fresh))
        yield Row(f"adjudicate(), {name}, next position, µs", f"{spent / len(turns) * 1e6:.1f}")
    batch = Batch(variant)
    units, orders, count = array("i"), array("i"), 0
    for turn in turns:
        try:
            given = batch.orders(turn.position, turn.orders)
        except ValueError:
            continue
        units, orders, count = units + batch.units(turn.position), orders + given, count + 1
    units, orders = units * REPEATS, orders * REPEATS
    spent = _seconds(lambda: batch.adjudicate(units, orders))
    rate = count * REPEATS / spent
    yield Row(
        f"phases a second, judge.batch ({count} phases, {REPEATS} times)",
        f"{rate:,.0f}",
    )
    if package:
        # 300,000 a second where the package needs 980 µs.
        ratio = rate * package / 1e6
        yield Row("the same, times the package diplomacy", f"{ratio:,.0f}", ">= 294", ratio >= 294)


def _play(variant: Variant, turns: Sequence[Turn]) -> None:
    for turn in turns:
        adjudicate(variant, turn.position, turn.orders)


def _seconds(work: Callable[[], object]) -> float:
    """Seconds of the processor."""
    begun = time.process_time()
    work()
    return time.process_time() - begun
