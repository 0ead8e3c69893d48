"""Lines, arrows and small signs as SVG, and the geometry of curves."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from math import atan2, cos, dist, pi, sin

from judge.maps.drawing import Spot
from judge.maps.symbols import INK, disc, number

HALO = "#ffffff"


def curve(through: Sequence[Spot], bend: float = 0.1) -> list[Spot]:
    """Return a line through places, as points close to each other. Two places are joined by an arc
    that bends to the left by `bend` of its length, so that there and back are two lines."""
    if len(through) == 2:
        (x0, y0), (x1, y1) = through
        cx, cy = (x0 + x1) / 2 + (y1 - y0) * bend, (y0 + y1) / 2 - (x1 - x0) * bend
        return [
            (
                (1 - t) ** 2 * x0 + 2 * t * (1 - t) * cx + t * t * x1,
                (1 - t) ** 2 * y0 + 2 * t * (1 - t) * cy + t * t * y1,
            )
            for t in (k / 16 for k in range(17))
        ]
    ends = [through[0], *through, through[-1]]
    points = [through[0]]
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        points += [_between(a, b, c, d, k / 16) for k in range(1, 17)]
    return points


def _between(a: Spot, b: Spot, c: Spot, d: Spot, t: float) -> Spot:
    """Return a point on Catmull and Rom's curve from `b` to `c`."""

    def one(p: float, q: float, r: float, s: float) -> float:
        return 0.5 * (
            2 * q
            + (r - p) * t
            + (2 * p - 5 * q + 4 * r - s) * t**2
            + (3 * q - p - 3 * r + s) * t**3
        )

    return one(a[0], b[0], c[0], d[0]), one(a[1], b[1], c[1], d[1])


def shorten(points: Sequence[Spot], start: float, end: float) -> list[Spot]:
    """Return the line without `start` pixels at its beginning and `end` at its end."""
    total = length(points)
    if start + end > total * 0.8:
        start, end = start * 0.8 * total / (start + end), end * 0.8 * total / (start + end)
    return _after(_after(points, start)[::-1], end)[::-1]


def _after(points: Sequence[Spot], skip: float) -> list[Spot]:
    rest = list(points)
    while len(rest) > 2 and (step := dist(rest[0], rest[1])) <= skip:
        skip -= step
        rest.pop(0)
    step = dist(rest[0], rest[1])
    part = min(skip / step, 0.99) if step else 0.0
    (x0, y0), (x1, y1) = rest[:2]
    return [(x0 + (x1 - x0) * part, y0 + (y1 - y0) * part), *rest[1:]]


def length(points: Sequence[Spot]) -> float:
    """Return how long a line is."""
    return sum(map(dist, points, points[1:]))


def point_along(points: Sequence[Spot], part: float) -> tuple[Spot, float]:
    """Return the place at a part (0 to 1) of a line, and the angle the line has there."""
    left = length(points) * part
    for a, b in itertools.pairwise(points):
        step = dist(a, b)
        if left <= step and step:
            t = left / step
            return (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t), atan2(
                b[1] - a[1], b[0] - a[0]
            )
        left -= step
    a, b = points[-2], points[-1]
    return b, atan2(b[1] - a[1], b[0] - a[0])


def path_data(points: Sequence[Spot], close: bool = False) -> str:
    """Return points as an SVG path."""
    body = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f"M{body}{'z' if close else ''}"


def stroke(
    data: str,
    width: float,
    color: str = INK,
    dash: str = "",
    fill: str = "none",
    cap: str = "round",
) -> str:
    """Draw a path as a line."""
    pattern = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<path d="{data}" fill="{fill}" stroke="{color}" stroke-width="{number(width)}"'
        f'{pattern} stroke-linecap="{cap}" stroke-linejoin="round"/>'
    )


def arrow_head(tip: Spot, angle: float, size: float, fill: str, edge: str = INK) -> str:
    """Draw an arrow head."""
    back = size * 1.25
    corners = [
        tip,
        *(
            (
                tip[0] - back * cos(angle) + side * size * 0.72 * sin(angle),
                tip[1] - back * sin(angle) - side * size * 0.72 * cos(angle),
            )
            for side in (1, -1)
        ),
    ]
    data = path_data(corners, close=True)
    return stroke(data, 5, HALO) + stroke(data, 2, edge, fill=fill)


def outlined(
    data: str, width: float, halo: float, dash: str = "", cap: str = "round", color: str = INK
) -> str:
    """Draw a path on white, so that it is seen on any ground."""
    return stroke(data, halo, HALO) + stroke(data, width, color, dash, cap=cap)


def move_arrow(points: Sequence[Spot], color: str) -> str:
    """Draw a move that succeeds, or of which nobody knows."""
    tip, angle = point_along(points, 1.0)
    body = path_data(shorten(points, 0, HEAD))
    return (
        stroke(body, 8, HALO) + stroke(body, 4.4, color) + arrow_head(tip, angle, 13, color, color)
    )


def broken_arrow(
    points: Sequence[Spot], dash: str, color: str = INK, width: float = 4, head: float = 11
) -> str:
    """Draw an arrow that is dashed, with an open head: a way that failed, a retreat, a choice."""
    tip, angle = point_along(points, 1.0)
    body = path_data(shorten(points, 0, min(head, HEAD)))
    dashed = outlined(body, width, width + 3.6, dash, "butt", color)
    return dashed + arrow_head(tip, angle, head, HALO, color)


def support_line(points: Sequence[Spot], color: str) -> str:
    """Draw a support: dots that end in a ring."""
    return outlined(path_data(points), 4, 7, "0.1 7", color=color) + ring(points[-1], color)


def ring(at: Spot, color: str) -> str:
    """Draw a ring: where a support is given, where a unit came from."""
    return disc(at, 4, HALO, 2.2, color)


def crossed_out(middle: Spot, width: float, height: float) -> str:
    """Draw the sign of a unit that disbands: two strokes over all of it."""
    (x, y), w, h = middle, width / 2, height / 2
    strokes = (path_data([(x - w, y - k * h), (x + w, y + k * h)]) for k in (1, -1))
    return outlined("".join(strokes), 3.2, 6.5)


HEAD = 11.0
"""How much of an arrow is its head."""

SHAFT = 24.0
"""What of a move's shaft is to be seen, at least."""

FAILED, RETREAT, CHOICE = "8 7", "11 5", "5 4"
"""Dashes of arrows."""


def cross(at: Spot, size: float = 7.0, color: str = INK) -> str:
    """Draw the sign of failure: a cross on white."""
    x, y = at
    lines = "".join(
        f"M{number(x - size * 0.5)} {number(y + k * size * 0.5)}"
        f"L{number(x + size * 0.5)} {number(y - k * size * 0.5)}"
        for k in (1, -1)
    )
    return disc(at, size, HALO, 1.6, color) + stroke(lines, 2.6, color)


def slashes(at: Spot, angle: float, color: str = INK) -> str:
    """Draw the sign of a support that was cut: two strokes across the line."""
    data = ""
    for shift in (-3.0, 3.0):
        x, y = at[0] + shift * cos(angle), at[1] + shift * sin(angle)
        dx, dy = 8 * cos(angle + pi / 2 + 0.4), 8 * sin(angle + pi / 2 + 0.4)
        data += f"M{number(x - dx)} {number(y - dy)}L{number(x + dx)} {number(y + dy)}"
    return outlined(data, 2.4, 6, color=color)


def wave(points: Sequence[Spot], swing: float = 3.2, every: float = 11.0) -> str:
    """Return a line that goes to and fro."""
    total = length(points)
    count = max(int(total / every * 6), 2)
    found = []
    for k in range(count + 1):
        (x, y), angle = point_along(points, k / count)
        off = swing * sin(2 * pi * k / count * total / every)
        found.append((x - off * sin(angle), y + off * cos(angle)))
    return path_data(found)


def zigzag(points: Sequence[Spot], swing: float = 5.0, every: float = 13.0) -> str:
    """Return a line of strokes to and fro."""
    count = max(int(length(points) / every), 2)
    found = [points[0]]
    for k in range(1, count):
        (x, y), angle = point_along(points, k / count)
        off = swing * (1 if k % 2 else -1)
        found.append((x - off * sin(angle), y + off * cos(angle)))
    return path_data([*found, points[-1]])


def burst(at: Spot, size: float, fill: str, teeth: int = 10) -> str:
    """Draw a star with many points: something was thrown out, or blown up, here."""
    corners = []
    for k in range(teeth * 2):
        radius = size if k % 2 == 0 else size * 0.66
        angle = pi * k / teeth
        corners.append((at[0] + radius * cos(angle), at[1] + radius * sin(angle)))
    return stroke(path_data(corners, close=True), 1.6, INK, fill=fill)


def octagon(at: Spot, width: float, height: float, color: str = INK) -> str:
    """Draw the sign of a unit that holds: a ring with eight corners."""
    corners = [
        (
            at[0] + width / 2 * 1.08 * cos(pi / 8 + pi / 4 * k),
            at[1] + height / 2 * 1.08 * sin(pi / 8 + pi / 4 * k),
        )
        for k in range(8)
    ]
    data = path_data(corners, close=True)
    return outlined(data, 1.8, 4, color=color)
