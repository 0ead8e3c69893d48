"""The chart of supply centers year by year, in the colors and letters of the map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

WIDTH, HEIGHT = 480, 190
LEFT, TOP, BOTTOM, RIGHT = 26, 14, 26, 58

_APART = 3.0
"""Units between lines that would run in one."""

_LABEL = 17
"""Units between the letters at the ends of two lines, at least."""

MOST = 9
"""Powers whose lines can be told apart; of more, these are the largest."""


@dataclass(frozen=True)
class ChartLine:
    """A power's line: its `points` as SVG has them, and at its end the letter and the `count` at
    the height `label`; `fill` is its color and `ink` what can be read on that."""

    power: str
    letter: str
    count: int
    points: str
    label: float
    fill: str
    ink: str


@dataclass(frozen=True)
class CenterChart:
    """Lines with the marks of both axes, each a position and a text; `right` is where they end."""

    lines: tuple[ChartLine, ...]
    right: float
    years: tuple[tuple[float, str], ...]
    counts: tuple[tuple[float, int], ...]
    goal: float | None


def chart(
    rows: Sequence[Mapping[str, Any]],
    powers: Mapping[str, tuple[str, str, str]],
    victory: int | None = None,
) -> CenterChart | None:
    """Return the chart of these years, as `center_years` counts them; None for fewer than two. It
    has the `MOST` powers that own the most in the end.

    `powers` have the letter, the color, and the color to write on it with.
    """
    if len(rows) < 2 or not powers:
        return None
    size = {power: (*(row["counts"].get(power, 0) for row in rows[::-1]),) for power in powers}
    largest = sorted(powers, key=lambda power: size[power], reverse=True)[:MOST]
    powers = {power: told for power, told in powers.items() if power in largest}
    most: int = max(max(row["counts"].get(power, 0) for row in rows) for power in powers)
    top = max(most, 4)
    if victory is not None and most >= 0.6 * victory:
        top = max(top, victory)
    right = WIDTH - RIGHT
    across = (right - LEFT) / (len(rows) - 1)

    def x(place: int) -> float:
        return round(LEFT + place * across, 1)

    def y(count: float) -> float:
        return round(HEIGHT - BOTTOM - count * (HEIGHT - TOP - BOTTOM) / top, 1)

    apart = [_apart(row["counts"], list(powers)) for row in rows]
    last = {power: rows[-1]["counts"].get(power, 0) for power in powers}
    labels = _spread({power: y(count) for power, count in last.items()})
    lines = []
    for power, (letter, fill, ink) in powers.items():
        dots = [
            (x(at), round(y(row["counts"].get(power, 0)) + apart[at][power], 1))
            for at, row in enumerate(rows)
        ]
        points = " ".join(f"{left:g},{down:g}" for left, down in dots)
        lines.append(ChartLine(power, letter, last[power], points, labels[power], fill, ink))
    step = max(1, -(-top // 6))
    every = -(-len(rows) // 8)
    return CenterChart(
        tuple(lines),
        right,
        tuple((x(at), str(row["year"])) for at, row in enumerate(rows) if at % every == 0),
        tuple((y(count), count) for count in range(0, top + 1, step)),
        y(victory) if victory is not None and victory <= top else None,
    )


def _apart(counts: Mapping[str, int], powers: Sequence[str]) -> dict[str, float]:
    """Return how far each line is moved, so that those of equal counts are seen beside each
    other."""
    found = {}
    for count in {counts.get(power, 0) for power in powers}:
        equal = [power for power in powers if counts.get(power, 0) == count]
        for place, power in enumerate(equal):
            found[power] = (place - (len(equal) - 1) / 2) * _APART
    return found


def _spread(wanted: Mapping[str, float]) -> dict[str, float]:
    """Return heights near the wanted ones, none nearer to another than it takes to read both."""
    placed: dict[str, float] = {}
    height, step = float(TOP), min(_LABEL, (HEIGHT - TOP - BOTTOM) / max(len(wanted) - 1, 1))
    for power, at in sorted(wanted.items(), key=lambda item: item[1]):
        height = max(at, height)
        placed[power] = height
        height += step
    over = max(0.0, height - step - (HEIGHT - BOTTOM))
    return {power: round(at - over, 1) for power, at in placed.items()}
