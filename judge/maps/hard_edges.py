"""A board in few bytes: each pixel has the color of one area, line or sign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from PIL import Image, ImageChops, ImageDraw

from judge.maps import svg
from judge.maps.drawing import Drawing
from judge.maps.encoding import telling
from judge.maps.hatches import hatching
from judge.maps.layout import shapes
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
        self._palette = self.colored(Image.new("L", (1, 1)), b"".join(colors[:256]))
        self._numbers: dict[str, int] = {}

    def colored(self, image: Image.Image, colors: bytes = b"") -> Image.Image:
        """Give a picture in numbers its colors."""
        image.putpalette(colors or bytes(self._palette.getpalette() or ()))
        return image

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
    colors = [plate.number(color) for color in (*fills.values(), VOID, VOID_WATER)]
    inks = [plate.number(COAST if kind == "border" else color) for kind, color, _ in _LINES]
    bare = plate.number(svg.ground_of(drawing))
    grounds: list[Image.Image] = []
    for start, plan in zip(range(0, len(colors), _MOST), plans(drawing, scale), strict=True):
        part = plan.crop(frame)
        own = colors[start : start + _MOST]
        table = [bare, *own, *[bare] * (_MOST - len(own)), *inks]
        image = part.point(table + [bare] * (256 - len(table)))
        for name, below in hatched.items():
            over = part.point([255 * (start + k - 1 in below) for k in range(256)])
            dense = hatching(name, scale, frame).point([255 * (k > _COVERED) for k in range(256)])
            within, solid = ImageChops.multiply(dense, over), svg.HATCHINGS[name].solid
            image.paste(plate.number(solid), (0, 0, *image.size), within)
        if grounds:
            grounds[0].paste(image, mask=part.point([255 * (k > 0) for k in range(256)]))
        grounds.append(image)
    return plate.colored(grounds[0])


_LINES: Final = [
    (kind, color, width) for kind, (color, width, dash) in svg.STROKES.items() if not dash
]

_MOST: Final = 255 - len(_LINES)
"""How many areas a plan has at most."""


@lru_cache(maxsize=3)
def plans(drawing: Drawing, scale: float) -> list[Image.Image]:
    """Return a board by numbers: 0 where there is nothing, or what another plan has, those of areas
    and voids from 1, and the lines."""
    numbers = list(range(len(drawing.areas)))
    numbers += [len(numbers) + (void.ground == "water") for void in drawing.voids]
    size = round(drawing.size[0] * scale), round(drawing.size[1] * scale)
    found = [Image.new("L", size) for _ in range(0, len(drawing.areas) + 2, _MOST)]
    draws = [ImageDraw.Draw(plan) for plan in found]
    for number, ring in shapes(drawing):
        points = [(x * scale, y * scale) for x, y in ring]
        plan, place = divmod(numbers[number], _MOST)
        for own, draw in enumerate(draws):
            draw.polygon(points, fill=(place + 1) * (own == plan))
    for number, (kind, _, width) in enumerate(_LINES, _MOST + 1):
        for line in drawing.lines:
            points = [(x * scale, y * scale) for x, y in line.points]
            for draw in draws if line.kind == kind else ():
                draw.line(points, number, max(int(width * scale), 1))
    return found
