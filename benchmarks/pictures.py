"""What pictures of boards cost: seconds of the processor, and bytes.

`python -m benchmarks.pictures` measures them alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from benchmarks.selfplay import movements
from judge.maps import (
    View,
    draw,
    layout,
    png,
    position_view,
    raster,
    results_view,
    theater_of,
    theater_png,
)
from judge.maps.atlas import drawing_of
from judge.rules.engine import adjudicate
from judge.rules.orders import Order
from judge.rules.position import Position
from judge.rules.variant import Variant
from judge.variants import load

BOARDS = ("standard", "era_of_empire", "global", "modern")
"""The drawn boards, and one that is laid out."""

Measured = tuple[str, str, str, bool | None]
"""What, its value, what was promised, whether that is kept."""


def pictures(
    turns: Sequence[tuple[Position, Mapping[str, Sequence[Order]]]], rounds: int
) -> Iterator[Measured]:
    """The measurements; `turns` are phases of the standard board with their orders."""
    for name in BOARDS:
        yield from _of_board(name, turns if name == "standard" else (), rounds)


def _of_board(
    name: str, turns: Sequence[tuple[Position, Mapping[str, Sequence[Order]]]], rounds: int
) -> Iterator[Measured]:
    variant = load(name)
    first = _seconds(lambda: drawing_of(variant))
    views = _views(variant, turns)
    cold = min(_seconds(lambda: _first(views[0])) for _ in range(rounds))
    # Each phase once: what other phases left is kept, nothing of its own.
    warm = [_seconds(lambda view=view: png(view)) for view in views]  # type: ignore[misc]
    size = max(len(png(view)) for view in views)
    yield f"{name}: first reading or laying out, ms", f"{first * 1000:.0f}", "", None
    yield f"{name}: first picture of a board, ms", f"{cold * 1000:.0f}", "<= 250", cold <= 0.25
    if len(warm) > 1:
        spent = sum(warm[1:]) / len(warm[1:]) * 1000
        yield f"{name}: picture of a phase, ms", f"{spent:.0f}", "<= 60", spent <= 60
    yield f"{name}: largest PNG", f"{size / 1000:.0f} kB", "<= 70 kB", size <= 70_000
    parts = [
        (view, part)
        for view in views
        for power in variant.powers
        if (part := theater_of(view, [power])) is not None
    ]
    if parts:
        for pair in {part.zoom: (view, part) for view, part in parts}.values():
            theater_png(*pair)
        cuts = [_seconds(lambda pair=pair: theater_png(*pair)) for pair in parts]  # type: ignore[misc]
        spent = sum(cuts) / len(cuts) * 1000
        yield f"{name}: picture of a theater, ms", f"{spent:.0f}", "<= 40", spent <= 40
        size = max(len(theater_png(*pair)) for pair in parts)
        yield f"{name}: largest theater", f"{size / 1000:.0f} kB", "<= 70 kB", size <= 70_000
    size = max(len(draw(view)) for view in views)
    yield f"{name}: largest SVG", f"{size / 1000:.0f} kB", "", None


def _views(
    variant: Variant, turns: Sequence[tuple[Position, Mapping[str, Sequence[Order]]]]
) -> list[View]:
    views = [position_view(variant, variant.opening)]
    for position, orders in turns[:4]:
        outcome = adjudicate(variant, position, orders)
        views.append(results_view(variant, position, outcome))
    return views


def _first(view: View) -> None:
    """A picture of a board of which nothing is kept."""
    raster.forget()
    for placed in (layout.labels, layout.within, layout.shapes, layout._plan):
        placed.cache_clear()
    png(view)


def _seconds(work: Callable[[], object]) -> float:
    """Seconds of the processor that `work` takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Print the measurements alone; fails when a target is missed."""
    variant = load("standard")
    turns = [(turn.position, turn.orders) for turn in movements(variant, 1901, 1903, 1910, 4)]
    kept = True
    for what, value, target, met in pictures(turns, rounds=5):
        print(f"{what:58} {value:>12}  {target:10} {'MISSED' if met is False else ''}".rstrip())
        kept = kept and met is not False
    raise SystemExit(not kept)


if __name__ == "__main__":
    main()
