"""What pictures of boards cost: seconds of the processor, and bytes.

`python -m benchmarks.pictures` measures them alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from benchmarks.selfplay import movements
from judge.maps import PictureCache, View, animated_gif, draw, png, position_view, results_view
from judge.maps.drawing import drawing_of
from judge.maps.raster import forget_grounds, render
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
    svg = [draw(view) for view in views]
    cache = PictureCache()
    size = max(len(png(each, cache=cache)) for each in svg)
    drawn = min(_seconds(lambda: list(map(draw, views))) for _ in range(rounds))
    made = min(_seconds(lambda: list(map(render, svg))) for _ in range(rounds))
    cold = min(_seconds(lambda: _first(svg[0])) for _ in range(rounds))
    warm = _seconds(lambda: [png(each, cache=cache) for each in svg * 100]) / 100
    each = (drawn + made) / len(svg)
    yield f"{name}: first reading or laying out, seconds", f"{first:.2f}", "", None
    yield f"{name}: pictures a second, SVG", f"{len(svg) / drawn:,.0f}", "", None
    yield f"{name}: seconds a picture, SVG and PNG", f"{each:.2f}", "< 0.5", each < 0.5
    yield f"{name}: seconds of the first PNG of a ground", f"{cold:.2f}", "", None
    yield f"{name}: pictures a second from the cache", f"{len(svg) / warm:,.0f}", "", None
    yield f"{name}: largest PNG", f"{size / 1000:.0f} kB", "< 250 kB", size < 250_000
    told = [view for view in views if view.then is not None]
    if told:
        moving = min(_seconds(lambda: animated_gif(told[0])) for _ in range(rounds))
        yield f"{name}: seconds of a GIF that moves", f"{moving:.2f}", "", None
        heavy = max(len(animated_gif(view) or b"") for view in told)
        yield f"{name}: largest GIF", f"{heavy / 1000:.0f} kB", "< 500 kB", 0 < heavy < 500_000
    yield f"{name}: largest SVG", f"{max(map(len, svg)) / 1000:.0f} kB", "", None


def _views(
    variant: Variant, turns: Sequence[tuple[Position, Mapping[str, Sequence[Order]]]]
) -> list[View]:
    views = [position_view(variant, variant.opening)]
    for position, orders in turns[:4]:
        outcome = adjudicate(variant, position, orders)
        views.append(results_view(variant, position, outcome))
    return views


def _first(svg: str) -> None:
    """A picture of a board of which no ground is kept."""
    forget_grounds()
    render(svg)


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
