"""Draws the lines, arrows and rings of orders as a picture, as SVG states them.

It knows the few shapes that `judge.maps.strokes` makes, and takes a third of the time of a program
for all of SVG.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import hypot
from typing import Final

from PIL import Image, ImageDraw

from judge.maps.drawing import Spot

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


def sketch(drawn: str, box: tuple[int, int, int, int], scale: float) -> Image.Image:
    """Return what a fragment that it knows draws in a box of pixels (left, top, right, bottom), so
    many for one of the fragment; clear elsewhere."""
    fine = scale * _FINER
    left, top, right, bottom = (each * _FINER for each in box)
    # Premultiplied, for else all of its points would be made so, and back, to be made smaller.
    image = Image.new("RGBa", (right - left, bottom - top))
    pen = ImageDraw.Draw(image)

    def at(x: str, y: str) -> Spot:
        return float(x) * fine - left, float(y) * fine - top

    for shape, text in _SHAPE.findall(drawn):
        style = dict(_ATTRIBUTE.findall(text))
        width = float(style["stroke-width"]) * fine
        if shape == "circle":
            middle = at(style["cx"], style["cy"])
            radius = float(style["r"]) * fine + width / 2
            pen.ellipse(_around(middle, radius), style["fill"], style["stroke"], round(width))
            continue
        for part in style["d"][1:].split("M"):
            points = [at(*each.split()) for each in part.rstrip("z").split("L")]
            if style["fill"] != "none":
                pen.polygon(points, style["fill"])
            _line(pen, points + points[:2] * part.endswith("z"), style, width, fine)
    return image.reduce(_FINER).convert("RGBA")


def _line(
    pen: ImageDraw.ImageDraw,
    points: Sequence[Spot],
    style: Mapping[str, str],
    width: float,
    fine: float,
) -> None:
    """Draw a line, or its dashes."""
    pattern = [float(each) * fine for each in style.get("stroke-dasharray", "").split()]
    for way in _dashes(points, pattern) if pattern else [points]:
        pen.line(way, style["stroke"], max(round(width), 1))
        # Discs make round corners in half of the time that Pillow's own take.
        for joint in way if style["stroke-linecap"] == "round" else way[1:-1]:
            pen.ellipse(_around(joint, width / 2), style["stroke"])


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
                yield [*dash, at]
            number, dash = number + 1, [at]
            left = pattern[number % 2]
        left -= whole - gone
        dash.append(b)
    if number % 2 == 0:
        yield dash
