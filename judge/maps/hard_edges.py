"""A board in few bytes: each pixel has the color of one area, line or sign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PIL import Image, ImageChops, ImageDraw

from judge.maps import svg
from judge.maps.drawing import Drawing, Spot
from judge.maps.hatches import hatching
from judge.maps.layout import shapes
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

    def seen(points: Sequence[Spot]) -> list[Spot]:
        return [(x * scale - left, y * scale - top) for x, y in points]

    numbers = list(range(len(fills)))
    numbers += [len(fills) + (void.ground == "water") for void in drawing.voids]
    colors = [*fills.values(), VOID, VOID_WATER]
    rings = [(numbers[number], seen(ring)) for number, ring in shapes(drawing)]
    image = Image.new("RGB", (right - left, bottom - top), svg.ground_of(drawing))
    draw = ImageDraw.Draw(image)
    for number, ring in rings:
        draw.polygon(ring, fill=colors[number])
    for name, areas in hatched:
        # Ground nobody can enter has a color of its own.
        if name == "void":
            continue
        over = Image.new("L", image.size)
        inside = ImageDraw.Draw(over)
        for number, ring in rings:
            inside.polygon(ring, fill=255 * (number in areas))
        lines = hatching(name, scale, frame).point([255 * (k > _COVERED) for k in range(256)])
        within = ImageChops.multiply(lines, over)
        image.paste(svg.HATCHINGS[name].color, (0, 0, *image.size), within)
    for kind, (color, width, dash) in svg.STROKES.items():
        pixels = max(int(width * scale), 1)
        for line in drawing.lines if not dash else ():
            if line.kind == kind:
                draw.line(seen(line.points), COAST if kind == "border" else color, pixels)
    return image


def mask(sprite: Image.Image) -> Image.Image:
    """Return where a sign is, for its edge to be hard."""
    return sprite.getchannel("A").point([255 * (k > 127) for k in range(256)])
