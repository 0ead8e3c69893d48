"""Sizes, fonts and colors of a picture that is 1,200 pixels wide.

Most color-blind people tell the colors apart, and they differ in brightness, too. No fact is told
by color alone: powers have letters, units shapes, orders patterns.
"""

from __future__ import annotations

from collections.abc import Mapping
from colorsys import hls_to_rgb
from pathlib import Path
from typing import Final

WIDTH: Final = 1200
UNIT: Final = (36.0, 26.0)
"""Width and height of a unit's symbol."""

BEATEN: Final = 0.75
"""How large a dislodged unit is drawn beside the one that took its place."""

CENTER: Final = 17.0
"""Diameter of a supply center's mark."""

LABEL: Final = 17.0
"""Size of the type that provinces are named in."""

FONT: Final = "DejaVu Sans"
FONT_FILES: Final = tuple(
    Path(__file__).resolve().parent / "fonts" / name
    for name in ("DejaVuSansCondensed.ttf", "DejaVuSansCondensed-Bold.ttf")
)

PALETTE: Final = (
    *("#9b3217", "#1c379b", "#74c4ea", "#242323", "#3a8c69", "#7b4579", "#f0d014"),
    *("#8a5a2b", "#e88bb0", "#7f7f00"),
)
"""For powers of which the drawing of a board says nothing, in the order of the variant."""

TINT: Final = 0.55
"""How much of a power's color its provinces have; the rest is paper."""

PAPER: Final = "#f3ecd9"
SEA: Final = "#d3e4ec"
INK: Final = "#22272b"
VOID: Final = "#c9c4b8"
VOID_WATER: Final = "#bccad1"
FOG: Final = "#a3a9ad"
COAST: Final = "#5b6b72"
BORDER: Final = "#8f8672"
SHORELESS: Final = "#93b1c0"
"""Borders between waters."""


def power_colors(powers: tuple[str, ...], chosen: Mapping[str, str]) -> dict[str, str]:
    """Return a color for each power: the one its drawing has chosen, or the next of the palette."""
    found = {}
    spare = (color for color in PALETTE if color not in chosen.values())
    for number, power in enumerate(powers):
        if power in chosen:
            found[power] = chosen[power]
        else:
            found[power] = next(spare, None) or _wheel(number)
    return found


def _wheel(number: int) -> str:
    """One of endlessly many colors: golden steps around the wheel, in three brightnesses."""
    red, green, blue = hls_to_rgb(number * 0.618 % 1, (0.38, 0.55, 0.7)[number % 3], 0.55)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


def mixed(color: str, other: str, part: float) -> str:
    """Mix `part` (0 to 1) of one color with the rest of the other."""
    pairs = zip(_parts(color), _parts(other), strict=True)
    return "#" + "".join(f"{round(a * part + b * (1 - part)):02x}" for a, b in pairs)


def on(color: str) -> str:
    """Black or white, whichever can be read on a color (WCAG 2.2, contrast)."""
    return "#ffffff" if _contrast(color, "#ffffff") >= _contrast(color, INK) else INK


def _contrast(one: str, two: str) -> float:
    low, high = sorted((_luminance(one), _luminance(two)))
    return (high + 0.05) / (low + 0.05)


def _luminance(color: str) -> float:
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (part / 255 for part in _parts(color))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _parts(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)
