"""Pictures of boards as PNG in few colors, with no more bytes than a letter has room for."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from functools import lru_cache
from math import inf
from typing import Final

import zopfli.zlib
from PIL import Image
from zlib_ng import zlib_ng

from judge.maps import svg
from judge.maps.symbols import (
    BORDER,
    COAST,
    EDGE,
    FOG,
    HATCH,
    INK,
    NAME,
    PAPER,
    SEA,
    SEA_NAME,
    SHORE,
    VISITED,
    VOID,
    VOID_WATER,
    band,
    mixed,
    readable,
    tint,
)


def saved(image: Image.Image, powers: Iterable[str], most: float, near: float = inf) -> bytes:
    """Return the bytes of a picture, brought down to the colors of its `powers` and those between
    them: nobody misses the others, and it takes half of the bytes. Where these are more than
    `most`, to those that cover most of it, which leaves the edges alone less smooth; not where they
    are more than `near`."""
    powers = tuple(powers)
    colors = _between(powers)
    if len(colors) > 256:
        few = image.quantize(256, Image.Quantize.MAXCOVERAGE)
    else:
        few = image.quantize(palette=_palette(powers), dither=Image.Dither.NONE)
    found = b""
    for count in _FEWER:
        if len(found) > near or (len(found) > most * _SPARED and count != _FEWER[-1]):
            continue
        fewer = _most_frequent(few, count, telling(powers))
        found = _packed(fewer, most, ((_CARE, 1.028), (_CAREFUL, 1.045)))
        if len(found) <= most:
            break
    return found


def plainly_saved(image: Image.Image, most: float) -> bytes:
    """Return the bytes of a picture of few colors with hard edges, packed as well as it takes where
    there are a few more than `most`."""
    return _packed(image, most, ((_CAREFUL, 1.3), (_BEST, 1.13)))


_SPARED: Final = 1.04
"""How much larger a picture is than with fewer colors, if not the fewest."""


def _packed(image: Image.Image, most: float, levels: Iterable[tuple[int, float]]) -> bytes:
    """Return the bytes of a picture: made fast, or with more care where it has so many times what
    it may have at most, which may bring it below that."""
    found = _packed_png(image, _FAST)
    for level, saves in levels:
        if most < len(found) < saves * most:
            found = _packed_png(image, level)
    return found


_FAST, _CARE, _CAREFUL, _BEST = 5, 7, 9, 10
"""How pictures are packed: in twice to six times as long for a thirtieth to a twentieth of the
bytes; as well as can be takes thirty times as long as with most care."""


def _packed_png(image: Image.Image, level: int) -> bytes:
    """Return a picture of few colors as PNG (https://www.w3.org/TR/png-3, sections 5 and 11): what
    compresses for Pillow takes twice the time for more bytes."""
    # Each row begins with how it is filtered, which is not at all.
    rows = image.crop((-1, 0, *image.size)).tobytes()
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", *image.size, 8, 3, 0, 0, 0)),
        (b"PLTE", image.palette.tobytes() if image.palette else b""),
        (b"IDAT", _compressed(rows, level)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib_ng.crc32(kind + data))
        for kind, data in chunks
    )


def _compressed(rows: bytes, level: int) -> bytes:
    if level < _BEST:
        return zlib_ng.compress(rows, level)
    found: bytes = zopfli.zlib.compress(rows, numiterations=1)
    return found


_FEWER = (256, 40, 32)
"""How many colors a picture keeps; with more where it has so many powers."""

_EDGES: Final = 12
"""Colors that a picture keeps at least beside those that tell something."""


def _most_frequent(image: Image.Image, count: int, telling: frozenset[bytes]) -> Image.Image:
    """Return a picture in the colors that tell something and of most of its points, the next of
    them for others."""
    if count == _FEWER[0]:
        return image
    palette = bytes(image.getpalette() or ())
    colors = [palette[k : k + 3] for k in range(0, len(palette), 3)]
    found = [(many, k) for many, k in image.getcolors() or () if isinstance(k, int)]
    points = [colors[k] for _, k in sorted(found, reverse=True)]
    first = [color for color in points if color in telling]
    others = [color for color in points if color not in telling]
    kept = [*first, *others[: max(count - len(first), _EDGES)]]
    if len(kept) == len(points):
        return image
    fewer = Image.new("P", (1, 1))
    fewer.putpalette(b"".join(kept))
    return image.convert("RGB").quantize(palette=fewer, dither=Image.Dither.NONE)


@lru_cache(maxsize=64)
def telling(powers: tuple[str, ...]) -> frozenset[bytes]:
    """Return the colors by which readers tell what is whose, and what is read."""
    found = (PAPER, SEA, INK, "#ffffff", *powers, *map(tint, powers), *map(readable, powers))
    return frozenset(bytes.fromhex(color[1:]) for color in found)


@lru_cache(maxsize=4)
def _palette(powers: tuple[str, ...]) -> Image.Image:
    """Return the colors of a picture: the same palette knows which is next to a color it had."""
    palette = Image.new("P", (1, 1))
    palette.putpalette(bytes.fromhex("".join(color[1:] for color in _between(powers))))
    return palette


@lru_cache(maxsize=64)
def _between(powers: tuple[str, ...]) -> list[str]:
    """Return the colors of a picture, and those at the edges where two of them meet."""
    grounds = [PAPER, SEA, *map(tint, powers)]
    found = [*grounds, *(mixed(power, PAPER, VISITED) for power in powers)]
    found += [mixed(SHORE, sea, share) for sea in (SEA, VOID_WATER) for share in shades()]
    found += map(band, powers)
    found += ["#ffffff", INK, NAME, SEA_NAME, EDGE, VOID, VOID_WATER, FOG, HATCH]
    found.append(mixed(HATCH, VOID, 0.5))
    for power in powers:
        found += [power, readable(power), mixed(power, "#ffffff", 0.5)]
        found.append(mixed(readable(power), "#ffffff", 0.4))
    for ground in grounds:
        found += [mixed(ground, line, 0.5) for line in (INK, BORDER)]
    for ground in (PAPER, SEA, "#ffffff"):
        found += [mixed(ground, ink, 0.5) for ink in (COAST, SEA_NAME)]
    return list(dict.fromkeys(found))


def shades() -> list[float]:
    """Return how dense the sea is shaded where one line lies, two, and so on."""
    return [1 - (1 - svg.SHADE) ** k for k in range(1, len(svg.SHORES) + 1)]
