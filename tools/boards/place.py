"""Finds room in every area for a unit, a dislodged unit, the center and the label.

Boxes are in pixels of the picture; those of one area never overlap and never leave it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from scipy import ndimage

from judge.maps.symbols import BEATEN, CENTER, FONT_FILES, LABEL, UNIT
from tools.boards.arrays import Array

SCALES = (1.15, 1.0, 0.9, 0.8, 0.7, 0.62, 0.55, 0.48, 0.42)
MARGIN = 1.5
"""Pixels between a box and the edge of its area."""


class Spot(NamedTuple):
    """The middle of a box."""

    x: float
    y: float


@dataclass
class Places:
    """Where things go in one area; `scale` is how large, 1 being the usual size."""

    scale: float
    spots: dict[str, Spot] = field(default_factory=dict)
    coasts: dict[str, Spot] = field(default_factory=dict)


def label_width(text: str) -> float:
    """Pixels that a label takes at the usual size."""
    font = ImageFont.truetype(str(FONT_FILES[1]), 100)
    return float(font.getlength(text)) * LABEL / 100


def mask_of(size: tuple[int, int], rings: list[Array]) -> Array:
    """Return the pixels of an area: what its rings enclose an odd number of times, away from the
    edge."""
    factor = 2
    points = np.vstack(rings)
    left, top = np.floor(points.min(axis=0)).astype(int)
    right, bottom = np.ceil(points.max(axis=0)).astype(int)
    width, height = right - left, bottom - top
    total = np.zeros((height * factor, width * factor), bool)
    edges = Image.new("1", (width * factor, height * factor), 0)
    for ring in rings:
        image = Image.new("1", (width * factor, height * factor), 0)
        flat = ((ring - (left, top)) * factor).tolist()
        ImageDraw.Draw(image).polygon([tuple(p) for p in flat], fill=1)
        total ^= np.array(image)
        # An inlet narrower than a pixel is an edge, too.
        ImageDraw.Draw(edges).line([tuple(p) for p in [*flat, flat[0]]], fill=1)
    total &= ~np.array(edges)
    small = total.reshape(height, factor, width, factor).all(axis=(1, 3))
    inner = (ndimage.distance_transform_edt(np.pad(small, 1)) > MARGIN)[1:-1, 1:-1]
    mask = np.zeros((size[1], size[0]), bool)
    mask[top:bottom, left:right] = inner
    return mask


class Room:
    """The room of one area, cut out of the picture."""

    def __init__(self, mask: Array) -> None:
        rows, columns = np.nonzero(mask)
        self.top, self.left = int(rows.min()), int(columns.min())
        self.free = mask[self.top : rows.max() + 1, self.left : columns.max() + 1]
        self.depth = ndimage.distance_transform_edt(np.pad(self.free, 1))[1:-1, 1:-1]
        self.sums = np.pad(self.free.cumsum(0).cumsum(1), ((1, 0), (1, 0)))

    def fits(self, width: float, height: float) -> Array:
        """Return whether a box of this size fits with its top left corner at each pixel."""
        w, h = int(np.ceil(width)), int(np.ceil(height))
        rows, columns = self.free.shape
        fit = np.zeros(self.free.shape, bool)
        if h > rows or w > columns:
            return fit
        s = self.sums
        total = s[h:, w:] - s[:-h, w:] - s[h:, :-w] + s[:-h, :-w]
        fit[: rows - h + 1, : columns - w + 1] = total == w * h
        return fit


Box = tuple[float, float, float, float]
"""Middle, width and height."""


def _apart(spots: Array, width: float, height: float, boxes: list[Box]) -> Array:
    free = np.ones(len(spots), bool)
    for x, y, w, h in boxes:
        free &= (abs(spots[:, 0] - x) >= (w + width) / 2 + 1.5) | (
            abs(spots[:, 1] - y) >= (h + height) / 2 + 1.5
        )
    return free


def place(
    mask: Array,
    label: str,
    center: bool,
    shores: dict[str, Array],
    prefer: Spot | None = None,
    land: bool = True,
) -> Places | None:
    """Return the largest arrangement that fits into an area.

    `shores` are the points along each coast of a split province: fleets stand near them.
    """
    room = Room(mask)
    best = None
    for scale in SCALES:
        best = _arrange(room, scale, label, center, shores, prefer)
        if best is not None:
            break
    return best


def _candidates(room: Room, width: float, height: float) -> Array:
    rows, columns = np.nonzero(room.fits(width, height))
    return np.stack([columns + room.left + width / 2, rows + room.top + height / 2], axis=1).astype(
        float
    )


def _arrange(
    room: Room,
    scale: float,
    label: str,
    center: bool,
    shores: dict[str, Array],
    prefer: Spot | None,
) -> Places | None:
    unit = (UNIT[0] * scale, UNIT[1] * scale)
    sizes = {"label": (label_width(label) * scale, LABEL * 0.76 * scale)}
    if center:
        sizes["center"] = (CENTER * scale, CENTER * scale)
    sizes["beaten"] = (unit[0] * BEATEN, unit[1] * BEATEN)
    spots = {name: _candidates(room, *size) for name, size in sizes.items()}
    units = _candidates(room, *unit)
    if not len(units) or any(not len(each) for each in spots.values()):
        return None
    middle = np.array(prefer) if prefer else units.mean(axis=0)
    rows = (units[:, 1] - room.top).astype(int)
    columns = (units[:, 0] - room.left).astype(int)
    worth = np.minimum(room.depth[rows, columns], 60) - 0.25 * np.hypot(*(units - middle).T)
    order = np.argsort(-worth)
    chosen = order[:: max(len(order) // 70, 1)][:70]
    best: tuple[float, Places] | None = None
    for index in chosen:
        found = _around_unit(units[index], unit, sizes, spots, shores, room)
        if found is None:
            continue
        cost, spots_found, coasts = found
        cost -= 0.8 * float(worth[index])
        if best is None or cost < best[0]:
            best = (cost, Places(scale, spots_found, coasts))
    return best[1] if best else None


def _around_unit(
    at: Array,
    unit: tuple[float, float],
    sizes: dict[str, tuple[float, float]],
    spots: dict[str, Array],
    shores: dict[str, Array],
    room: Room,
) -> tuple[float, dict[str, Spot], dict[str, Spot]] | None:
    boxes: list[Box] = [(at[0], at[1], *unit)]
    found = {"unit": Spot(float(at[0]), float(at[1]))}
    coasts: dict[str, Spot] = {}
    total = 0.0
    units = _candidates(room, *unit) if shores else None
    for coast, line in shores.items():
        assert units is not None
        near = np.array([np.hypot(*(line - each).T).min() for each in units[::7]])
        # Far from the water of the other coasts, near to its own.
        others = [points for name, points in shores.items() if name != coast]
        far = np.array([min(np.hypot(*(o - each).T).min() for o in others) for each in units[::7]])
        if not (near < far - 2).any():
            return None
        pick = int(np.argmin(near - 0.3 * np.minimum(far, 60) + 999 * (near > far - 2)))
        x, y = units[::7][pick]
        coasts[coast] = Spot(float(x), float(y))
        boxes.append((x, y, *unit))
    for name, size in sizes.items():
        options = spots[name]
        free = _apart(options, *size, boxes)
        if not free.any():
            return None
        options = options[free]
        distance = np.hypot(options[:, 0] - at[0], (options[:, 1] - at[1]) * 1.15)
        # Close by, but where there is air around.
        rows = np.clip((options[:, 1] - room.top).astype(int), 0, room.depth.shape[0] - 1)
        columns = np.clip((options[:, 0] - room.left).astype(int), 0, room.depth.shape[1] - 1)
        score = distance - 0.35 * np.minimum(room.depth[rows, columns], 25)
        if name == "label":
            score = score - 6 * (options[:, 1] > at[1])
        pick = int(np.argmin(score))
        x, y = options[pick]
        found[name] = Spot(float(x), float(y))
        boxes.append((x, y, *size))
        total += float(score[pick]) * (0.5 if name == "beaten" else 1)
    return total, found, coasts
