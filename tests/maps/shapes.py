"""The geometry of a drawing as tests need it: who touches whom, and what lies in what."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from math import hypot
from pathlib import Path
from typing import Any

from PIL import ImageFont

from judge.maps.symbols import BEATEN, CENTER, FONT_FILES, LABEL, UNIT

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@dataclass
class Shapes:
    """A drawing read from its file, by nothing of what draws it."""

    path: Path
    data: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.data = json.loads(self.path.read_text())

    @property
    def areas(self) -> dict[str, dict[str, Any]]:
        return dict(self.data["areas"])

    @cached_property
    def lines(self) -> list[list[Point]]:
        found = []
        for line in self.data["lines"]:
            x, y = line[0], line[1]
            points = [(x / 10, y / 10)]
            for dx, dy in zip(line[2::2], line[3::2], strict=True):
                x, y = x + dx, y + dy
                points.append((x / 10, y / 10))
            found.append(points)
        return found

    @cached_property
    def sides(self) -> list[list[str]]:
        """For each line the areas that use it; impassable ones begin with an underscore."""
        found: list[list[str]] = [[] for _ in self.lines]
        voids = {f"_{name}": entry for name, entry in self.data["voids"].items()}
        for name, entry in (self.areas | voids).items():
            for ring in entry["rings"]:
                for number in ring:
                    found[max(number, ~number)].append(name)
        return found

    @cached_property
    def borders(self) -> dict[frozenset[str], list[int]]:
        """The lines between each two areas that touch."""
        found: dict[frozenset[str], list[int]] = defaultdict(list)
        for number, near in enumerate(self.sides):
            if len(near) == 2:
                found[frozenset(near)].append(number)
        if self.data["wrap"]:
            for one, two in self.seam():
                found[frozenset((one, two))] += []
        return found

    def seam(self) -> list[tuple[str, str]]:
        """Areas that meet where the picture's left edge is its right one."""
        edges: list[list[tuple[float, float, str]]] = [[], []]
        width = self.data["size"][0]
        for number, near in enumerate(self.sides):
            xs = {x for x, _ in self.lines[number]}
            for side, at in enumerate((0, width)):
                if xs == {at} and len(near) == 1:
                    ys = [y for _, y in self.lines[number]]
                    edges[side].append((min(ys), max(ys), near[0]))
        return [
            (one, two)
            for top, bottom, one in edges[0]
            for top2, bottom2, two in edges[1]
            if min(bottom, bottom2) - max(top, top2) > 0.5 and one != two
        ]

    def length(self, pair: frozenset[str]) -> float:
        return sum(
            hypot(b[0] - a[0], b[1] - a[1])
            for number in self.borders.get(pair, ())
            for a, b in pairwise(self.lines[number])
        )

    def rings(self, name: str) -> list[list[Point]]:
        """The rings of an area as points, each closed."""
        found = []
        for ring in self.areas[name]["rings"]:
            points: list[Point] = []
            for number in ring:
                line = self.lines[number] if number >= 0 else self.lines[~number][::-1]
                points += line[1:] if points else line
            found.append(points)
        return found

    def inside(self, name: str, box: Box) -> bool:
        """Whether a box lies in an area: its middle does, and no edge of the area crosses it."""
        left, top, right, bottom = box
        x, y = (left + right) / 2, (top + bottom) / 2
        odd = False
        for ring in self.rings(name):
            for (x0, y0), (x1, y1) in pairwise(ring):
                if (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
                    odd = not odd
                if _crosses((x0, y0), (x1, y1), box):
                    return False
        return odd

    def boxes(self, name: str) -> dict[str, Box]:
        """What is placed in an area: unit, dislodged unit, center, label, fleets on coasts."""
        area = self.areas[name]
        scale = area["scale"]
        w, h = UNIT[0] * scale, UNIT[1] * scale
        font = ImageFont.truetype(str(FONT_FILES[1]), 100)
        sizes = {
            "unit": (w, h),
            "beaten": (w * BEATEN, h * BEATEN),
            "center": (CENTER * scale, CENTER * scale),
            "label": (font.getlength(name.upper()) * LABEL * scale / 100, LABEL * scale * 0.73),
        }
        found = {what: _box(area[what], *size) for what, size in sizes.items() if what in area}
        for coast, at in area.get("coasts", {}).items():
            found[coast] = _box(at, w, h)
        return found


def _box(at: list[float], width: float, height: float) -> Box:
    x, y = at
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def _crosses(a: Point, b: Point, box: Box) -> bool:
    """Whether a straight line meets a box (Liang and Barsky)."""
    left, top, right, bottom = box
    start, end = 0.0, 1.0
    dx, dy = b[0] - a[0], b[1] - a[1]
    for step, gap in (
        (-dx, a[0] - left),
        (dx, right - a[0]),
        (-dy, a[1] - top),
        (dy, bottom - a[1]),
    ):
        if step == 0:
            if gap < 0:
                return False
        elif step < 0:
            start = max(start, gap / step)
        else:
            end = min(end, gap / step)
    return start <= end


def overlap(one: Box, two: Box) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def apart(at: Sequence[float], step: tuple[Point, Point]) -> float:
    """The distance of a point from a straight line."""
    (x0, y0), (x1, y1) = step
    dx, dy = x1 - x0, y1 - y0
    square = dx * dx + dy * dy
    t = 0.0 if square == 0 else ((at[0] - x0) * dx + (at[1] - y0) * dy) / square
    t = min(max(t, 0.0), 1.0)
    return hypot(at[0] - x0 - t * dx, at[1] - y0 - t * dy)
