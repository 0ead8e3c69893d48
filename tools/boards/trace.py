"""Turns areas of pixels into shared lines: every border is one line that both sides use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from scipy import ndimage
from shapely import LineString, STRtree

from tools.boards.arrays import Array

FRAME = -9
"""What lies outside of the picture."""

Corner: TypeAlias = tuple[int, int]
Piece: TypeAlias = tuple[tuple[float, float], int]
"""Where a line begins, and its number."""


@dataclass
class Arc:
    """A line between two points where three areas meet, or a closed one.

    `left` and `right` are the areas on its sides, going along. `points` are pixels.
    """

    left: int
    right: int
    points: Array
    closed: bool


def arcs(area: Array) -> list[Arc]:
    """Return all lines between the areas, as fine as the pixels."""
    height, width = area.shape
    padded = np.full((height + 2, width + 2), FRAME, area.dtype)
    padded[1:-1, 1:-1] = area
    # A corner (y, x) lies above and left of the pixel (y, x). A step leads to the next corner.
    steps: dict[Corner, list[Corner]] = {}

    def link(one: Corner, two: Corner) -> None:
        steps.setdefault(one, []).append(two)
        steps.setdefault(two, []).append(one)

    for y, x in zip(*np.nonzero(padded[1:-1, :-1] != padded[1:-1, 1:]), strict=True):
        link((int(y), int(x)), (int(y) + 1, int(x)))
    for y, x in zip(*np.nonzero(padded[:-1, 1:-1] != padded[1:, 1:-1]), strict=True):
        link((int(y), int(x)), (int(y), int(x) + 1))
    frame = {(0, 0), (0, width), (height, 0), (height, width)}
    nodes = {corner for corner, near in steps.items() if len(near) != 2} | frame
    seen: set[tuple[Corner, Corner]] = set()
    found = []

    def follow(start: Corner, second: Corner) -> list[Corner]:
        line = [start, second]
        seen.add((start, second))
        while line[-1] not in nodes and line[-1] != start:
            here, before = line[-1], line[-2]
            ahead = next(each for each in steps[here] if each != before)
            line.append(ahead)
            seen.add((here, ahead))
        seen.add((line[-1], line[-2]))
        return line

    for start in sorted(nodes):
        for second in sorted(steps.get(start, [])):
            if (start, second) not in seen:
                found += [follow(start, second)]
    for start in sorted(steps):
        if start not in nodes:
            for second in sorted(steps[start])[:1]:
                if not any((start, each) in seen or (each, start) in seen for each in steps[start]):
                    found += [follow(start, second)]
    result = []
    for line in found:
        (y0, x0), (y1, x1) = line[0], line[1]
        # Padding has shifted pixels by one: the pixel (y, x) is padded[y + 1, x + 1].
        if y1 > y0:
            left, right = padded[y0 + 1, x0 + 1], padded[y0 + 1, x0]
        elif y1 < y0:
            left, right = padded[y1 + 1, x0], padded[y1 + 1, x0 + 1]
        elif x1 > x0:
            left, right = padded[y0, x0 + 1], padded[y0 + 1, x0 + 1]
        else:
            left, right = padded[y0 + 1, x1 + 1], padded[y0, x1 + 1]
        points = np.array([(x, y) for y, x in line], float)
        result.append(Arc(int(left), int(right), points, line[0] == line[-1]))
    return result


def softened(lines: list[Arc], size: tuple[int, int]) -> list[Arc]:
    """Return the same lines, round where the pixels made stairs, with few points, none crossing."""
    strengths = [3] * len(lines)
    while True:
        soft = [
            _soft(line, strength, size) for line, strength in zip(lines, strengths, strict=True)
        ]
        bad = crossing(soft)
        if not bad:
            return soft
        for index in bad:
            strengths[index] -= 1
        if min(strengths) < -1:
            raise ValueError("lines cross")


def crossing(lines: list[Arc]) -> set[int]:
    """Return the lines that meet themselves or others anywhere but at their ends."""
    shapes = [LineString(line.points) for line in lines]
    bad = {
        index
        for index, shape in enumerate(shapes)
        if not shape.is_simple and not (lines[index].closed and shape.is_ring)
    }
    tree = STRtree(shapes)
    for one, two in tree.query(shapes, predicate="intersects").T.tolist():
        if one >= two:
            continue
        meet = shapes[one].intersection(shapes[two])
        ends = [lines[one].points[0], lines[one].points[-1]]
        others = [lines[two].points[0], lines[two].points[-1]]
        shared = {tuple(a) for a in ends} & {tuple(b) for b in others}
        points = _points_of(meet)
        if points is None or any(point not in shared for point in points):
            bad |= {one, two}
    return bad


def _points_of(shape: Any) -> list[tuple[float, float]] | None:
    if shape.geom_type == "Point":
        return [(shape.x, shape.y)]
    if shape.geom_type == "MultiPoint":
        return [(point.x, point.y) for point in shape.geoms]
    return None


def _soft(line: Arc, strength: int, size: tuple[int, int]) -> Arc:
    points = line.points
    sigma = {3: 1.7, 2: 1.1, 1: 0.7, 0: 0.0, -1: 0.0}[strength]
    tolerance = {3: 0.55, 2: 0.3, 1: 0.2, 0: 0.1, -1: 0.0}[strength]
    if FRAME in (line.left, line.right):
        sigma, tolerance = 0.0, 0.01
    if sigma and len(points) > 4:
        if line.closed:
            ring = points[:-1]
            ring = ndimage.gaussian_filter1d(ring, sigma, axis=0, mode="wrap")
            points = np.vstack([ring, ring[:1]])
        else:
            body = ndimage.gaussian_filter1d(_reflected(points), sigma, axis=0, mode="nearest")
            points = body[len(points) - 1 : 2 * len(points) - 1]
            points[0], points[-1] = line.points[0], line.points[-1]
    if tolerance:
        flat = LineString(points).simplify(tolerance)
        if line.closed and len(flat.coords) < 4:
            flat = LineString(points)
        points = np.array(flat.coords)
    return Arc(line.left, line.right, np.round(points, 1), line.closed)


def _reflected(points: Array) -> Array:
    """The line mirrored through both of its ends, so that smoothing leaves these in place."""
    head, tail = 2 * points[0] - points[:0:-1], 2 * points[-1] - points[-2::-1]
    return np.vstack([head, points, tail])


def rings(lines: list[Arc]) -> dict[int, list[list[int]]]:
    """For each area its rings, as numbers of lines; `~n` is line n backwards.

    An area lies on the right of its rings.
    """
    starts: dict[int, list[Piece]] = {}
    for index, line in enumerate(lines):
        first, last = tuple(line.points[0]), tuple(line.points[-1])
        starts.setdefault(line.right, []).append((first, index))
        starts.setdefault(line.left, []).append((last, ~index))
    found: dict[int, list[list[int]]] = {}
    for area, pieces in starts.items():
        if area == FRAME:
            continue
        left = list(pieces)
        while left:
            start, index = left.pop(0)
            ring = [index]
            while (here := _end(lines, ring[-1])) != start:
                options = [piece for piece in left if piece[0] == here]
                piece = options[0] if len(options) == 1 else _sharpest(lines, ring[-1], options)
                left.remove(piece)
                ring.append(piece[1])
            found.setdefault(area, []).append(ring)
    return found


def _end(lines: list[Arc], index: int) -> tuple[float, float]:
    points = lines[index].points if index >= 0 else lines[~index].points[::-1]
    x, y = points[-1]
    return x, y


def _sharpest(lines: list[Arc], index: int, options: list[Piece]) -> Piece:
    """Of the lines an area could go on along, the one that keeps the area in one piece."""
    points = lines[index].points if index >= 0 else lines[~index].points[::-1]
    back = points[-2] - points[-1]

    def turn(piece: Piece) -> float:
        ahead = lines[piece[1]].points if piece[1] >= 0 else lines[~piece[1]].points[::-1]
        step = ahead[1] - ahead[0]
        angle = np.arctan2(step[1], step[0]) - np.arctan2(back[1], back[0])
        return float(angle % (2 * np.pi))

    return max(options, key=turn)
