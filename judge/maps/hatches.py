"""Hatchings, drawn pixel by pixel."""

from __future__ import annotations

from functools import lru_cache
from math import cos, radians

from PIL import Image

from judge.maps import svg


def hatching(name: str, scale: float, frame: tuple[int, int, int, int]) -> Image.Image:
    """Return how dense a hatching is in a frame. A row is like the one above it, moved by a pixel
    where the lines are turned."""
    each, (left, top, right, bottom) = svg.HATCHINGS[name], frame
    move = (each.turn > 0) - (each.turn < 0)
    step = cos(radians(each.turn)) / scale / each.every
    dense = _profile(each.width / 2 / each.every, 1 / scale / each.every, each.share)
    first = min(move * top, move * bottom)
    row = bytes(
        dense[int((left + first + k) * step % 1 * len(dense))]
        for k in range(right - left + abs(move) * (bottom - top))
    )
    starts = (move * y - first for y in range(top, bottom))
    rows = b"".join(row[start : start + right - left] for start in starts)
    return Image.frombytes("L", (right - left, bottom - top), rows)


@lru_cache(maxsize=16)
def _profile(line: float, pixel: float, share: float) -> list[int]:
    """Return how dense a hatching is along the way from one line to the next, which is 1 long: the
    part of a pixel there that a line covers."""
    found = []
    for k in range(256):
        start = k / 256
        covered = min(start + pixel, line) - start, min(start + pixel - 1, line)
        found.append(round(255 * share * sum(max(each, 0) for each in covered) / pixel))
    return found
