"""A board in few bytes: each pixel has the color of one area, line or sign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from PIL import Image, ImageChops, ImageDraw

from judge.maps import svg
from judge.maps.arrows import around
from judge.maps.drawing import Drawing, Spot
from judge.maps.hatches import hatching
from judge.maps.layout import Box, overlap, shapes
from judge.maps.symbols import COAST, VOID, VOID_WATER

_COVERED: Final = 100
"""How dense a hatching is where a pixel has its color, of 255."""


def ground(
    drawing: Drawing,
    scale: float,
    frame: tuple[int, int, int, int],
    fills: Mapping[str, str],
    hatched: Sequence[tuple[str, Sequence[int]]],
) -> Image.Image:
    """Return the areas of a frame (pixels: left, top, right, bottom) in their colors, and the
    lines; `hatched` are hatchings with the numbers of the areas they lie over."""
    left, top, right, bottom = frame

    window = left / scale, top / scale, right / scale, bottom / scale

    def seen(points: Sequence[Spot]) -> list[Spot]:
        return [(x * scale - left, y * scale - top) for x, y in points]

    colors = [*fills.values(), VOID, VOID_WATER]
    areas, lines = _boxed(drawing)
    rings = [(number, seen(ring)) for number, ring, box in areas if overlap(box, window)]
    image = Image.new("RGB", (right - left, bottom - top), svg.ground_of(drawing))
    draw = ImageDraw.Draw(image)
    for number, ring in rings:
        draw.polygon(ring, fill=colors[number])
    for name, below in hatched:
        # Ground nobody can enter has a color of its own.
        if name == "void":
            continue
        over = Image.new("L", image.size)
        inside = ImageDraw.Draw(over)
        for number, ring in rings:
            inside.polygon(ring, fill=255 * (number in below))
        dense = hatching(name, scale, frame).point([255 * (k > _COVERED) for k in range(256)])
        within = ImageChops.multiply(dense, over)
        image.paste(svg.HATCHINGS[name].solid, (0, 0, *image.size), within)
    for kind, (color, width, dash) in svg.STROKES.items():
        pixels = max(int(width * scale), 1)
        for points, box in lines.get(kind, ()) if not dash else ():
            if overlap(box, window):
                draw.line(seen(points), COAST if kind == "border" else color, pixels)
    return image


@lru_cache(maxsize=4)
def _boxed(
    drawing: Drawing,
) -> tuple[list[tuple[int, Sequence[Spot], Box]], dict[str, list[tuple[Sequence[Spot], Box]]]]:
    """Return the rings of a drawing with the numbers of their areas, and its lines by kind, each
    with the box it lies in; voids have the two numbers after those of areas."""
    numbers = list(range(len(drawing.areas)))
    numbers += [len(numbers) + (void.ground == "water") for void in drawing.voids]
    rings: list[tuple[int, Sequence[Spot], Box]] = [
        (numbers[number], ring, around(ring, 0)) for number, ring in shapes(drawing)
    ]
    lines: dict[str, list[tuple[Sequence[Spot], Box]]] = {}
    for line in drawing.lines:
        lines.setdefault(line.kind, []).append((line.points, around(line.points, 2)))
    return rings, lines


def mask(sprite: Image.Image) -> Image.Image:
    """Return where a sign is, for its edge to be hard."""
    return sprite.getchannel("A").point([255 * (k > 127) for k in range(256)])
