"""A board in few bytes: each pixel has the color of one area, line or sign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImagePath

from judge.maps import svg
from judge.maps.arrows import around
from judge.maps.drawing import Drawing
from judge.maps.encoding import telling
from judge.maps.hatches import hatching
from judge.maps.layout import Box, overlap, shapes
from judge.maps.symbols import (
    COAST,
    EDGE,
    FOG,
    NAME,
    PAPER,
    SEA_NAME,
    VISITED,
    VOID,
    VOID_WATER,
    mixed,
)

_COVERED: Final = 100
"""How dense a hatching is where a pixel has its color, of 255."""


class Plate:
    """The colors of powers, grounds and lines, by numbers: a picture has no others."""

    def __init__(self, powers: tuple[str, ...]) -> None:
        found = [color for color, _, _ in svg.STROKES.values()]
        found += [each.solid for each in svg.HATCHINGS.values()]
        found += [mixed(power, PAPER, VISITED) for power in powers]
        found += [NAME, SEA_NAME, EDGE, VOID, VOID_WATER, FOG]
        colors = sorted({*telling(powers), *(bytes.fromhex(color[1:]) for color in found)})
        self._palette = self._new((1, 1), b"".join(colors[:256]))
        self._numbers: dict[str, int] = {}

    def _new(self, size: tuple[int, int], colors: bytes, number: int = 0) -> Image.Image:
        image = Image.new("P", size, number)
        image.putpalette(colors)
        return image

    def blank(self, size: tuple[int, int], color: str) -> Image.Image:
        """Return a picture of one color."""
        colors = bytes(self._palette.getpalette() or ())
        return self._new(size, colors, self.number(color))

    def number(self, color: str) -> int:
        """Return the number of a color, or of the next one."""
        if color not in self._numbers:
            pixel = self._in_numbers(Image.new("RGB", (1, 1), color)).tobytes()
            self._numbers[color] = pixel[0]
        return self._numbers[color]

    def pressed(self, sprite: Image.Image) -> tuple[Image.Image, Image.Image]:
        """Return a sign in numbers, and where it is, with a hard edge."""
        return self._in_numbers(sprite.convert("RGB")), sprite.getchannel("A").point(_HARD)

    def _in_numbers(self, image: Image.Image) -> Image.Image:
        return image.quantize(palette=self._palette, dither=Image.Dither.NONE)


_HARD: Final = [255 * (k > 127) for k in range(256)]

plate_of = lru_cache(maxsize=4)(Plate)


def ground(
    plate: Plate,
    drawing: Drawing,
    scale: float,
    frame: tuple[int, int, int, int],
    fills: Mapping[str, str],
    hatched: Mapping[str, Sequence[int]],
) -> Image.Image:
    """Return the areas of a frame (pixels: left, top, right, bottom) in their colors, and the
    lines; `hatched` are hatchings with the numbers of the areas they lie over."""
    left, top, right, bottom = frame
    window = left / scale, top / scale, right / scale, bottom / scale

    def seen(points: ImagePath.Path) -> ImagePath.Path:
        moved = ImagePath.Path(points)
        moved.transform((scale, 0, -left, 0, scale, -top))
        return moved

    colors = [plate.number(color) for color in (*fills.values(), VOID, VOID_WATER)]
    areas, lines = _boxed(drawing)
    rings = [(number, seen(ring)) for number, ring, box in areas if overlap(box, window)]
    image = plate.blank((right - left, bottom - top), svg.ground_of(drawing))
    draw = ImageDraw.Draw(image)
    for number, ring in rings:
        draw.polygon(ring, fill=colors[number])
    for name, below in hatched.items():
        over = Image.new("L", image.size)
        inside = ImageDraw.Draw(over)
        for number, ring in rings:
            inside.polygon(ring, fill=255 * (number in below))
        dense = hatching(name, scale, frame).point([255 * (k > _COVERED) for k in range(256)])
        within = ImageChops.multiply(dense, over)
        image.paste(plate.number(svg.HATCHINGS[name].solid), (0, 0, *image.size), within)
    for kind, (color, width, dash) in svg.STROKES.items():
        pixels, ink = max(int(width * scale), 1), plate.number(COAST if kind == "border" else color)
        for points, box in lines.get(kind, ()) if not dash else ():
            if overlap(box, window):
                draw.line(seen(points), ink, pixels)
    return image


@lru_cache(maxsize=4)
def _boxed(
    drawing: Drawing,
) -> tuple[list[tuple[int, ImagePath.Path, Box]], dict[str, list[tuple[ImagePath.Path, Box]]]]:
    """Return the rings of a drawing with the numbers of their areas, and its lines by kind, each
    with the box it lies in; voids have the two numbers after those of areas."""
    numbers = list(range(len(drawing.areas)))
    numbers += [len(numbers) + (void.ground == "water") for void in drawing.voids]
    rings = [
        (numbers[number], ImagePath.Path(ring), around(ring, 0)) for number, ring in shapes(drawing)
    ]
    lines: dict[str, list[tuple[ImagePath.Path, Box]]] = {}
    for line in drawing.lines:
        lines.setdefault(line.kind, []).append(
            (ImagePath.Path(line.points), around(line.points, 2))
        )
    return rings, lines
