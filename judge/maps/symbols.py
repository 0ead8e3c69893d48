"""The signs of units and centers as SVG, with the sizes, fonts and colors of a picture.

A picture is 1,200 pixels wide. Most color-blind people tell the colors apart, and they differ in
brightness, too. No fact is told by color alone: the shape of a unit tells the kind, the letter the
power, the pattern of a line the order.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from colorsys import hls_to_rgb
from functools import cache, lru_cache
from html import escape
from math import dist
from pathlib import Path
from typing import Final

from judge.maps.atlas import drawing_of
from judge.maps.drawing import Spot, rounded
from judge.rules.board import Derived
from judge.rules.variant import Variant

UNIT: Final = (36.0, 26.0)
"""Width and height of a unit's symbol."""

BEATEN: Final = 0.75
"""How large a dislodged unit is drawn beside the one that took its place."""

CENTER: Final = 17.0
"""Diameter of a supply center's mark."""

HOME: Final = 0.8
"""How large that is on a unit that stands on a center of its own power."""

LABEL: Final = 17.0
"""Size of the type that provinces are named in."""

FONT: Final = "DejaVu Sans"
SERIF: Final = "DejaVu Serif"
SPACED: Final = 0.03
"""What stands between the letters of a sea's name besides their own room, by its size."""

FONT_FILES: Final = tuple(
    Path(__file__).resolve().parent / "fonts" / name
    for name in (
        "DejaVuSansCondensed.ttf",
        "DejaVuSansCondensed-Bold.ttf",
        "DejaVuSerifCondensed-Italic.ttf",
    )
)

PALETTE: Final = (
    *("#9b3217", "#1c379b", "#74c4ea", "#242323", "#3a8c69", "#7b4579", "#f0d014"),
    *("#ed8544", "#9278ed", "#9210ed", "#9fe085", "#c678ac", "#441051", "#acb992"),
    *("#c64410", "#6b519f", "#d3acb9", "#927844", "#e09f1d", "#1d5e44", "#10106b"),
    *("#6b92d3", "#5110b9", "#9251ed", "#6b1d10", "#78ed5e", "#5eeded", "#6b2a51"),
    *("#37c65e", "#b91dc6", "#6b9f6b", "#443778", "#517878", "#9f9292"),
)
"""For powers of which the drawing of a board says nothing, in the order of the variant: each is the
one that lies farthest from those before it, for all eyes (tests/maps/test_pictures.py)."""

TINT: Final = 0.57
"""How much of a power's color its provinces have, as `tint` has it; the rest is paper."""

APART: Final = 15.2
"""How far a tint lies from the sea at least, in steps of CIELAB that can just be seen."""

WRITTEN: Final = 4.6
"""The contrast of ink on a tint at least (WCAG 2.2)."""

VISITED: Final = 0.26
"""The same where one of its units stands and there is no center."""

PAPER: Final = "#f8efdc"
SEA: Final = "#d9e7ec"
INK: Final = "#22272b"
NAME: Final = "#14181b"
SEA_NAME: Final = "#1f4f69"
EDGE: Final = "#e3e4de"
"""The ground around the board."""
VOID: Final = "#c9c4b8"
HATCH: Final = "#a49e90"
VOID_WATER: Final = "#d0e0e6"
SHORE: Final = "#689bb3"
"""What the sea is shaded with along coasts."""
FOG: Final = "#a3a9ad"
RIVER: Final = "#2f7396"
COAST: Final = "#46565e"
BORDER: Final = "#7a705a"
SHORELESS: Final = "#557f95"
"""Borders between waters."""


Lab = tuple[float, float, float]


def power_colors(powers: tuple[str, ...], chosen: Mapping[str, str]) -> dict[str, str]:
    """Return a color for each power: the one its drawing has chosen, or the next of the palette."""
    found = {}
    taken = {chosen[power] for power in powers if power in chosen}
    spare = (color for color in PALETTE if color not in taken)
    for number, power in enumerate(powers):
        if power in chosen:
            found[power] = chosen[power]
        else:
            found[power] = next(spare, None) or _wheel(number)
    return found


@Derived
def badge_colors(variant: Variant) -> dict[str, tuple[str, str]]:
    """Return the color of each power on the board, and the one to write on it with."""
    found = power_colors(variant.powers, drawing_of(variant).colors)
    return {power: (color, on(color)) for power, color in found.items()}


def _wheel(number: int) -> str:
    """Return one of endlessly many colors: golden steps around the wheel, in three brightnesses."""
    red, green, blue = hls_to_rgb(number * 0.618 % 1, (0.38, 0.55, 0.7)[number % 3], 0.55)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


@lru_cache(maxsize=512)
def mixed(color: str, other: str, part: float) -> str:
    """Mix `part` (0 to 1) of one color with the rest of the other."""
    pairs = zip(_parts(color), _parts(other), strict=True)
    return "#" + "".join(f"{round(a * part + b * (1 - part)):02x}" for a, b in pairs)


def on(color: str) -> str:
    """Return black or white, whichever can be read on a color (WCAG 2.2, contrast)."""
    return "#ffffff" if contrast(color, "#ffffff") >= contrast(color, INK) else INK


@lru_cache(maxsize=512)
def readable(color: str) -> str:
    """Return a color, as much darker as it takes to be seen on white (WCAG 2.2: 3 to 1)."""
    part = 1.0
    while contrast(mixed(color, INK, part), "#ffffff") < 3:
        part -= 0.05
    return mixed(color, INK, part)


@cache
def tint(color: str) -> str:
    """Return the color of a power's provinces: so much of its own that the sea is another, and so
    little that ink can be read on it."""
    part = TINT
    while dist(_lab(mixed(color, PAPER, part)), _lab(SEA)) < APART and part < 1:
        part += 0.02
    while contrast(mixed(color, PAPER, part), INK) < WRITTEN:
        part -= 0.02
    return mixed(color, PAPER, part)


@lru_cache(maxsize=512)
def band(color: str) -> str:
    """Return the color along the borders of a power's provinces."""
    return mixed(readable(color), tint(color), 0.5)


@cache
def contrast(one: str, two: str) -> float:
    """Return the contrast of two colors (WCAG 2.2), 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(two)))
    return (high + 0.05) / (low + 0.05)


def _luminance(color: str) -> float:
    red, green, blue = _linear(color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(color: str) -> list[float]:
    """Return a color as red, green and blue light, 0 to 1."""
    return [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (part / 255 for part in _parts(color))
    ]


def _lab(color: str) -> Lab:
    """Return a color in CIELAB (D65), where distances are those that eyes see."""
    red, green, blue = _linear(color)
    x, y, z = (
        value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116
        for value in (
            (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
            0.2126 * red + 0.7152 * green + 0.0722 * blue,
            (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
        )
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _parts(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def number(value: float) -> str:
    """Return a coordinate, to a tenth of a pixel."""
    return f"{value:.1f}".removesuffix(".0")


def text(
    at: Spot,
    words: str,
    size: float,
    *,
    bold: bool = False,
    fill: str = INK,
    anchor: str = "middle",
    halo: str = "",
    italic: bool = False,
) -> str:
    """Draw a line of text, its middle (or start, or end) at `at`, level with it; `halo` is a color
    that sets it off from what it stands on. `italic` is the hand of the seas: spaced, with serifs.
    """
    weight = ' font-weight="700"' if bold else ""
    if italic:
        family = f"'{SERIF} Condensed', '{SERIF}', Georgia, serif"
        weight += f' font-style="italic" font-family="{family}"'
        weight += f' letter-spacing="{size * SPACED:.2f}"'
    if halo:
        weight += f' stroke="{halo}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"'
    return (
        f'<text x="{number(at[0])}" y="{number(at[1] + size * 0.36)}" font-size="{number(size)}"'
        f'{weight} fill="{fill}" text-anchor="{anchor}">{escape(words)}</text>'
    )


SHAPES: Final = {
    "F": (
        "M-.5 -.28L-.3 -.28L-.3 -.5L.22 -.5L.22 -.28L.5 -.28Q.44 .5 .2 .5L-.26 .5Q-.46 .5 -.5 -.28z"
    ),
    "AF": "M0 -.5L.5 .28L.5 .5L.16 .36L0 .5L-.16 .36L-.5 .5L-.5 .28z",
    "R": "M-.3 -.5L.3 -.5L.42 -.26L.42 .26L.3 .5L-.3 .5L-.42 .26L-.42 -.26z",
}
"""The signs of units, 1 wide and high: a hull with its bow to the right, a wing seen from above,
and a block with eight corners. Others have a box."""

SHAPES["N"] = SHAPES["F"]


@cache
def _shape(kind: str, w: float, h: float) -> str:
    """Return the outline of a unit's sign, as an SVG path around 0 0."""
    if kind not in SHAPES:
        return rounded((0, 0), w, h, h * 0.24)
    sides = itertools.cycle((w, h))
    return re.sub(r"-?[\d.]+", lambda found: f"{float(found[0]) * next(sides):.1f}", SHAPES[kind])


def placed(drawn: str, at: Spot, attributes: str = "", zoom: float = 1.0) -> str:
    """Return what is drawn around 0 0 where it stands, `zoom` times as large."""
    larger = f" scale({zoom:.4g})" if zoom != 1 else ""
    place = f"translate({number(at[0])} {number(at[1])}){larger}"
    return f'<g{attributes} transform="{place}">{drawn}</g>'


@cache
def unit(kind: str, scale: float, color: str, letter: str, *, beaten: bool = False) -> str:
    """Draw the sign of a unit around 0 0; one that is dislodged has a broken edge."""
    w, h = UNIT[0] * scale, UNIT[1] * scale
    path = _shape(kind, w, h)
    edge = max(1.6 * scale, 1.1)
    dash = ' stroke-dasharray="4 2.5"' if beaten else ""
    size = h * (0.62 if kind in ("AF", "R") else 0.66)
    drop = {"AF": h * 0.12, "F": h * 0.03, "N": h * 0.03}.get(kind, 0.0)
    # Three blades at the corners of an arsenal, so that it is not taken for an army.
    blades = "".join(
        disc((x * w, y * h), h * 0.09, on(color))
        for x in (-0.28, 0.28)
        for y in (-0.3, 0.3)
        if kind == "R"
    )
    return (
        f'<path d="{path}" fill="none" stroke="#fff" stroke-width="{number(edge * 2.6)}"/>'
        f'<path d="{path}" fill="{color}" stroke="{INK}" stroke-width="{number(edge)}"{dash}/>'
        + blades
        + text((0, drop), letter, size, bold=True, fill=on(color))
    )


def disc(at: Spot, radius: float, fill: str, edge: float = 0.0, color: str = INK) -> str:
    """Draw a disc, with an edge that is so wide."""
    around = f' stroke="{color}" stroke-width="{number(edge)}"' if edge else ""
    return (
        f'<circle cx="{number(at[0])}" cy="{number(at[1])}" r="{number(radius)}" fill="{fill}"'
        f"{around}/>"
    )


@cache
def center(scale: float, color: str | None, letter: str) -> str:
    """Draw a supply center around 0 0: a ring with a dot, or a disc with its owner's letter."""
    r, edge = CENTER * scale / 2, max(1.3 * scale, 0.9)
    if color is None:
        return disc((0, 0), r - 1, "#fff", edge) + disc((0, 0), r * 0.36, INK)
    return (
        disc((0, 0), r, "#fff")
        + disc((0, 0), r - 0.8, color, edge)
        + text((0, 0), letter, r * 1.35, bold=True, fill=on(color))
    )


def font_attributes() -> str:
    """Return what the outermost element says of the type; other machines have other condensed
    ones."""
    names = f"'{FONT} Condensed', '{FONT}', 'Arial Narrow', sans-serif"
    return f'font-family="{names}" font-stretch="condensed"'


def badge(at: Spot, sign: str) -> str:
    """Draw a small disc with a sign in it."""
    return disc(at, 8, "#fff", 1.6) + text(at, sign, 15, bold=True)


def joint(at: Spot) -> str:
    """Draw a point that units step across both ways: a ring with a cross through it."""
    x, y = at
    arms = "".join(
        f"M{number(x - 8)} {number(y + 8 * k)}L{number(x + 8)} {number(y - 8 * k)}" for k in (1, -1)
    )
    return (
        f'<path d="{arms}" stroke="#fff" stroke-width="5" stroke-linecap="round"/>'
        f'<path d="{arms}" stroke="{INK}" stroke-width="2" stroke-linecap="round"/>'
    ) + disc(at, 4, "#fff", 1.6)
