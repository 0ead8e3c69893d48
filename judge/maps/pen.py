"""Draws the lines, arrows and rings of orders as a picture, as SVG states them.

It knows the few shapes that `judge.maps.strokes` makes, and takes a third of the time of a program
for all of SVG.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot
from typing import Final

from PIL import Image, ImageDraw

from judge.maps.drawing import Spot
from judge.maps.hard_edges import Plate

_SHAPE: Final = re.compile(r"<(path|circle) ([^>]*)/>")
_ATTRIBUTE: Final = re.compile(r'([\w-]+)="([^"]*)"')
_GROUP: Final = re.compile(r'<g class="order[^>]*>|</g>')
_KNOWN: Final = re.compile(
    r'<path d="[-MLz0-9. ]+" fill="[^"(]+" stroke="[^"]+" stroke-width="[^"]+"'
    r'( stroke-dasharray="[^"]+")? stroke-linecap="\w+" stroke-linejoin="round"/>'
    r'|<circle cx="[^"]+" cy="[^"]+" r="[^"]+" fill="[^"]+" stroke="[^"]+" stroke-width="[^"]+"/>'
)
_FINER: Final = 3
"""How much larger it draws, for soft edges."""


def knows(drawn: str) -> bool:
    """Return whether it can draw an SVG fragment."""
    return not _KNOWN.sub("", _GROUP.sub("", drawn))


Stamp = list[tuple[tuple[int, int], Image.Image | str | int, Image.Image]]
"""What is laid upon a picture, one upon the other: where it begins, a picture, a color or the
number of one, and the mask through which it is laid."""


def sketch(
    drawn: str, box: tuple[int, int, int, int], scale: float, plate: Plate | None = None
) -> Stamp:
    """Return what a fragment that it knows draws in a box of pixels (left, top, right, bottom), so
    many for one of the fragment; with hard edges, in the colors of a plate."""
    found: Stamp = []
    for color, mask in _masks(drawn, box, scale * _FINER).items():
        size = mask.width // _FINER, mask.height // _FINER
        where = mask.resize(size, Image.Resampling.NEAREST) if plate else mask.reduce(_FINER)
        if around := where.getbbox():
            first = box[0] + around[0], box[1] + around[1]
            found.append((first, plate.number(color) if plate else color, where.crop(around)))
    return found


def _masks(drawn: str, box: tuple[int, int, int, int], fine: float) -> dict[str, Image.Image]:
    """Return where a fragment has its colors, `_FINER` times as large: one upon the other."""
    left, top, right, bottom = (each * _FINER for each in box)
    # Masks have a quarter of the bytes that colors have, and as soft edges.
    masks: dict[str, Image.Image] = {}
    pens: list[ImageDraw.ImageDraw] = []

    def inks(color: str) -> list[tuple[ImageDraw.ImageDraw, int]]:
        """Return pens for a color: the first one draws, and others erase what lies above."""
        if color == "none":
            return []
        if color not in masks:
            masks[color] = Image.new("L", (right - left, bottom - top))
            pens.append(ImageDraw.Draw(masks[color]))
        own = list(masks).index(color)
        return [(pen, 255 * (not k)) for k, pen in enumerate(pens[own:])]

    def at(x: str, y: str) -> Spot:
        return float(x) * fine - left, float(y) * fine - top

    for shape, text in _SHAPE.findall(drawn):
        style = dict(_ATTRIBUTE.findall(text))
        width = float(style["stroke-width"]) * fine
        fills, strokes = inks(style["fill"]), inks(style["stroke"])
        if shape == "circle":
            around = _around(at(style["cx"], style["cy"]), float(style["r"]) * fine + width / 2)
            for pen, ink in fills:
                pen.ellipse(around, ink)
            for pen, ink in strokes:
                pen.ellipse(around, None, ink, round(width))
            continue
        dashes = [float(each) * fine for each in style.get("stroke-dasharray", "").split()]
        for part in style["d"][1:].split("M"):
            points = [at(*each.split()) for each in part.rstrip("z").split("L")]
            for pen, ink in fills:
                pen.polygon(points, ink)
            points += points[:2] * part.endswith("z")
            for way in _dashes(points, dashes) if dashes else [points]:
                joints = _joints(way, round_ends=style["stroke-linecap"] == "round")
                for pen, ink in strokes:
                    if len(way) > 1:
                        pen.line(way, ink, max(round(width), 1))
                    for joint in joints:
                        pen.ellipse(_around(joint, width / 2), ink)
    return masks


def _joints(way: Sequence[Spot], *, round_ends: bool) -> list[Spot]:
    """Return where a line has round corners: discs make them in half of the time that Pillow's own
    take."""
    found = [b for a, b, c in zip(way, way[1:], way[2:], strict=False) if _turns(a, b, c)]
    return [*found, *{way[0], way[-1]}] if round_ends else found


def _turns(a: Spot, b: Spot, c: Spot) -> bool:
    """Return whether a line turns so much at `b` that a gap could be seen."""
    x, y, u, v = b[0] - a[0], b[1] - a[1], c[0] - b[0], c[1] - b[1]
    return abs(x * v - y * u) > 0.1 * (x * u + y * v)


def _around(middle: Spot, radius: float) -> tuple[float, float, float, float]:
    x, y = middle
    return x - radius, y - radius, x + radius, y + radius


def _dashes(points: Sequence[Spot], pattern: Sequence[float]) -> Iterator[list[Spot]]:
    """Yield dashes of a line; `pattern` is how long a dash is, and how long the gap after it."""
    number, left, dash = 0, pattern[0], [points[0]]
    for a, b in pairwise(points):
        whole, gone = hypot(b[0] - a[0], b[1] - a[1]), 0.0
        while whole - gone >= left:
            gone += left
            at = a[0] + (b[0] - a[0]) * gone / whole, a[1] + (b[1] - a[1]) * gone / whole
            if number % 2 == 0:
                # A dash that is no longer than a point is one.
                yield [at] if pattern[0] < 1 else [*dash, at]
            number, dash = number + 1, [at]
            left = pattern[number % 2]
        left -= whole - gone
        dash.append(b)
    if number % 2 == 0:
        yield dash
