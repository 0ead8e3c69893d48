"""Supply centers over the years as lines, in numbers that a template draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

WIDTH, HEIGHT = 640, 260
LEFT, TOP, BOTTOM = 34, 12, 30
_NAMES, _LETTER = 118, 8
"""Units kept for the names at the ends of lines, at least, and for a letter of them."""

_APART = 3.0
"""Units between lines that would run in one."""

_LABEL = 15
"""Units between the names at the ends of two lines, at least."""

DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4", "4 2 1 2", "1 4")
"""How lines differ for who sees no colors; with the names at their ends they need no legend."""


@dataclass(frozen=True)
class Line:
    """A power's line: its `points` as SVG has them, its dots, where its name stands."""

    power: str
    points: str
    dots: tuple[tuple[float, float], ...]
    label: float
    dash: str
    number: int


@dataclass(frozen=True)
class Chart:
    """Lines with the marks of both axes, each a position and a text; `right` is where they end."""

    lines: tuple[Line, ...]
    right: float
    years: tuple[tuple[float, str], ...]
    counts: tuple[tuple[float, int], ...]
    goal: float | None


def chart(
    rows: Sequence[Mapping[str, Any]], powers: Sequence[str], victory: int | None = None
) -> Chart | None:
    """Return the chart of these years, as `center_years` counts them; None for fewer than two."""
    if len(rows) < 2 or not powers:
        return None
    most: int = max(max(row["counts"].get(power, 0) for row in rows) for power in powers)
    top = max(most, 4)
    if victory is not None and most >= 0.6 * victory:
        top = max(top, victory)
    right = WIDTH - max(_NAMES, max(map(len, powers)) * _LETTER + 16)
    across = (right - LEFT) / (len(rows) - 1)

    def x(place: int) -> float:
        return round(LEFT + place * across, 1)

    def y(count: float) -> float:
        return round(HEIGHT - BOTTOM - count * (HEIGHT - TOP - BOTTOM) / top, 1)

    apart = [_apart(row["counts"], powers) for row in rows]
    labels = _spread({power: y(rows[-1]["counts"].get(power, 0)) for power in powers})
    lines = []
    for number, power in enumerate(powers):
        dots = tuple(
            (x(at), round(y(row["counts"].get(power, 0)) + apart[at][power], 1))
            for at, row in enumerate(rows)
        )
        points = " ".join(f"{left:g},{down:g}" for left, down in dots)
        dash = DASHES[number % len(DASHES)]
        lines.append(Line(power, points, dots, labels[power], dash, number % 8))
    step = max(1, -(-top // 6))
    every = -(-len(rows) // 10)
    return Chart(
        tuple(lines),
        right,
        tuple((x(at), str(row["year"])) for at, row in enumerate(rows) if at % every == 0),
        tuple((y(count), count) for count in range(0, top + 1, step)),
        y(victory) if victory is not None and victory <= top else None,
    )


def _apart(counts: Mapping[str, int], powers: Sequence[str]) -> dict[str, float]:
    """How far each line is moved, so that those of equal counts are seen beside each other."""
    found = {}
    for count in {counts.get(power, 0) for power in powers}:
        equal = [power for power in powers if counts.get(power, 0) == count]
        for place, power in enumerate(equal):
            found[power] = (place - (len(equal) - 1) / 2) * _APART
    return found


def _spread(wanted: Mapping[str, float]) -> dict[str, float]:
    """Heights near the wanted ones, none nearer than a line of text to another."""
    placed: dict[str, float] = {}
    height = float(TOP)
    for power, at in sorted(wanted.items(), key=lambda item: item[1]):
        height = max(at, height)
        placed[power] = height
        height += _LABEL
    over = max(0.0, height - _LABEL - (HEIGHT - 6))
    return {power: round(at - over, 1) for power, at in placed.items()}
