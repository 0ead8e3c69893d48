"""Draws orders and signs as a picture, as SVG states them.

It knows the few shapes that `judge.maps.strokes` and `judge.maps.symbols` make, and takes a third
of the time of a program for all of SVG.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from html import unescape
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFont

from judge.maps.drawing import Spot
from judge.maps.hard_edges import Plate
from judge.maps.symbols import FONT_FILES

_SHAPE: Final = re.compile(r"<(path|circle|text|g|/g)([^>]*)>([^<]*)")
_ATTRIBUTE: Final = re.compile(r'([\w-]+)="([^"]*)"')
_STEP: Final = re.compile(r"([MLhvaQz])([^MLhvaQz]*)")
_MOVED: Final = re.compile(r"translate\(([^ ]+) ([^ ]+)\)(?: scale\((.+)\))?")
_KNOWN: Final = re.compile(
    r'<path d="[-MLhvaQz0-9. ]+" fill="[^"(]+"( stroke="[^"]+" stroke-width="[^"]+")?'
    r'( stroke-dasharray="[^"]+")?( stroke-linecap="\w+")?( stroke-linejoin="round")?/>'
    r'|<circle cx="[^"]+" cy="[^"]+" r="[^"]+" fill="[^"]+"'
    r'( stroke="[^"]+" stroke-width="[^"]+")?/>'
    r'|<text x="[^"]+" y="[^"]+" font-size="[^"]+" font-weight="700" fill="[^"]+"'
    r' text-anchor="middle">[^<]*</text>'
    r'|<g( class="order[^>]*| transform="translate\([-\d. ]+\)( scale\([\d.]+\))?")>|</g>'
)
_FINER: Final = 3
"""How much larger it draws, for soft edges."""


def knows(drawn: str) -> bool:
    """Return whether it can draw an SVG fragment."""
    return "<" in drawn and not _KNOWN.sub("", drawn)


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


def sprite(drawn: str, box: tuple[int, int, int, int], scale: float) -> Image.Image:
    """Return the same as one picture with soft edges, clear where it draws nothing."""
    masks = {
        color: mask.reduce(_FINER) for color, mask in _masks(drawn, box, scale * _FINER).items()
    }
    image = Image.new("RGB", (box[2] - box[0], box[3] - box[1]), next(iter(masks)))
    for color, mask in masks.items():
        image.paste(color, (0, 0), mask)
    image.putalpha(reduce(ImageChops.screen, masks.values()))
    return image


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

    groups: list[_Group] = [(-left, -top, fine)]
    for shape, text, words in _SHAPE.findall(drawn):
        if shape == "/g":
            groups.pop()
            continue
        style = dict(_ATTRIBUTE.findall(text))
        if shape == "g":
            groups.append(_within(groups[-1], style.get("transform", "")))
            continue
        x, y, zoom = groups[-1]
        width = float(style.get("stroke-width", 0)) * zoom
        fills, strokes = inks(style["fill"]), inks(style.get("stroke", "none"))
        if shape == "text":
            spot = x + float(style["x"]) * zoom, y + float(style["y"]) * zoom
            font = _font(round(float(style["font-size"]) * zoom, 1))
            for pen, ink in fills:
                pen.text(spot, unescape(words), ink, font, "ms")
            continue
        if shape == "circle":
            spot = x + float(style["cx"]) * zoom, y + float(style["cy"]) * zoom
            around = _around(spot, float(style["r"]) * zoom + width / 2)
            for pen, ink in fills:
                pen.ellipse(around, ink)
            for pen, ink in strokes:
                pen.ellipse(around, None, ink, round(width))
            continue
        dashes = [float(each) * zoom for each in style.get("stroke-dasharray", "").split()]
        for part in style["d"].split("M")[1:]:
            points = [(x + u * zoom, y + v * zoom) for u, v in _points(part)]
            for pen, ink in fills:
                pen.polygon(points, ink)
            points += points[:2] * part.endswith("z")
            for way in _dashes(points, dashes) if dashes else [points]:
                joints = _joints(way, round_ends=style.get("stroke-linecap") == "round")
                for pen, ink in strokes:
                    if len(way) > 1:
                        pen.line(way, ink, max(round(width), 1))
                    for joint in joints:
                        pen.ellipse(_around(joint, width / 2), ink)
    return masks


_Group = tuple[float, float, float]
"""Where the middle of a group of shapes is, and how large it is drawn."""


def _within(group: _Group, transform: str) -> _Group:
    x, y, zoom = group
    if moved := _MOVED.match(transform):
        across, down, larger = moved.groups("1")
        return x + float(across) * zoom, y + float(down) * zoom, zoom * float(larger)
    return group


def _points(data: str) -> Iterator[Spot]:
    """Yield the points of a part of a path, behind its M; those of curves are close to each
    other."""
    x, y = 0.0, 0.0
    for step, text in _STEP.findall(f"M{data}"):
        values = [float(each) for each in text.split()]
        if step in "ML":
            x, y = values
        elif step == "h":
            x += values[0]
        elif step == "v":
            y += values[0]
        elif step == "a":
            # A quarter of a circle, to the right: its middle is beside its start or its end.
            u, v = x + values[5], y + values[6]
            cx, cy = (x, v) if values[5] * values[6] > 0 else (u, y)
            for k in (1, 2, 3):
                near, far = cos(pi / 8 * k), sin(pi / 8 * k)
                yield cx + (x - cx) * near + (u - cx) * far, cy + (y - cy) * near + (v - cy) * far
            x, y = u, v
        elif step == "Q":
            cx, cy, u, v = values
            for part in (0.25, 0.5, 0.75):
                one, two, three = (1 - part) ** 2, 2 * part * (1 - part), part * part
                yield one * x + two * cx + three * u, one * y + two * cy + three * v
            x, y = u, v
        if step != "z":
            yield x, y


@lru_cache(maxsize=16)
def _font(size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FONT_FILES[1]), size)


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
