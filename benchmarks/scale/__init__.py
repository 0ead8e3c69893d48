"""How much one judge bears: mails, letters and deadlines, with few games and with many.

Costs are seconds of the processor, PostgreSQL's included, so that what else the machine does hardly
counts; rates are by the clock on the wall. What is compared takes turns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from benchmarks.rows import Row, say
from benchmarks.scale import doors, flood, games, house, keeper, pages, together, whole
from benchmarks.scale.meter import calibration, load
from benchmarks.scale.places import KINDS, Kind
from benchmarks.scale.sizes import Sizes

PARTS: dict[str, Callable[[Kind, Sizes], Iterator[Row]]] = {
    "door": doors.taken,
    "letters": doors.sent,
    "mails": games.mails,
    "due": games.due,
    "keeper": keeper.kept,
    "whole": whole.processed,
    "flood": flood.flooded,
    "together": together.shared,
    "house": house.asked,
    "site": pages.unchanged,
}
"""What is measured, by its name on the command line."""


def scale(sizes: Sizes, parts: Sequence[str], kinds: Sequence[Kind] = KINDS) -> Iterator[Row]:
    """These parts on these databases."""
    yield Row("processes that want a core, before the scale is measured", load())
    yield from _speed()
    for part in parts:
        for kind in kinds:
            say(f"scale, {part} on {kind}")
            yield from PARTS[part](kind, sizes)
            # A machine that others share is not as fast all the time.
            yield from _speed()
    yield Row("the same, after it", load())


def _speed() -> Iterator[Row]:
    if speed := calibration():
        yield Row("the machine's speed: a phase of the package diplomacy", speed)
