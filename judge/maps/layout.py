"""Where the names of a board stand: whole names where there is room, else what orders call them."""

from __future__ import annotations

import json
import unicodedata
from array import array
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from functools import cached_property, lru_cache
from itertools import product
from math import ceil
from typing import Final

from judge.maps.drawing import Drawing, Spot
from judge.maps.shelf import shelved
from judge.maps.symbols import CENTER, FONT_FILES, LABEL, SPACED, UNIT
from judge.rules.board import Board
from judge.sentences.terms import placed

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

LINE: Final = 1.08
"""Height of a line of a name, by the size of its type."""

_MOST_OUTSIDE: Final = 0.45
"""How much of a name may reach over its area's borders, as a part of it."""

_GAP: Final = 4.0
"""Pixels between a name and what stands beside it, a sign with its edge or another name: fewer are
lost in a small picture."""

_SMALLER: Final = (1.0, 0.9, 0.8)
"""How large the type of a name is tried, by that of others, before a code stands for it."""

_CELL: Final = 3.0
"""Pixels across a cell of a plan."""

Plan = list[str]

_WIDTHS: Final = tuple(map(int, FONT_FILES[0].with_name("widths.txt").read_text().split()))
"""How wide the letters from blank to tilde are in the shipped fonts, that of the land's names and
that of the sea's, in hundredths of their size."""


@dataclass(frozen=True)
class NameLabel:
    """A name in a picture: its lines, around which middle they stand, and the size of the type."""

    key: str
    lines: tuple[str, ...]
    at: Spot
    size: float
    sea: bool = False

    @property
    def coast(self) -> bool:
        """Whether it is that of a coast."""
        return len(self.lines[0]) == 2

    @cached_property
    def box(self) -> Box:
        """The box it takes."""
        return _box(self.at, *_extent(self.lines, self.size, self.sea))


@lru_cache(maxsize=32)
def labels(
    drawing: Drawing, board: Board, spoken: str, zoom: float, *, whole: bool = False
) -> tuple[NameLabel, ...]:
    """Return the names of all areas in the language `spoken`, which is the one that is spoken.

    Signs and names are `zoom` times as large as usual. No name lies under a sign or over another.
    In the picture of a `whole` board a name may be smaller than others, where else it had no room.
    """
    if drawing.schematic:
        return tuple(_in_box(drawing, board, key) for key in drawing.areas)
    named = [
        (key, placed(each.name), each.terrain, each.supply_center)
        for key, each in board.provinces.items()
    ]

    def made() -> bytes:
        found = _placed(drawing, board, zoom, _SMALLER if whole else (1.0,))
        return json.dumps(list(map(astuple, found))).encode()

    kept = json.loads(shelved(drawing.source, (named, zoom, whole), made))
    return tuple(
        NameLabel(key, tuple(lines), (x, y), size, sea) for key, lines, (x, y), size, sea in kept
    )


def _placed(drawing: Drawing, board: Board, zoom: float, sizes: Sequence[float]) -> list[NameLabel]:
    plan = _plan(drawing)
    numbers = {key: chr(number) for number, key in enumerate(drawing.areas)}
    whole = "".join(plan)
    inside = {key: whole.count(number) for key, number in numbers.items()}
    scale = drawing.scale * zoom
    w, h = UNIT[0] * scale, UNIT[1] * scale
    size = LABEL * scale
    taken = list(_signs(drawing, board, scale))
    found = []
    for key, area in drawing.areas.items():
        for coast, spot in area.coasts.items():
            at = _beside(plan, numbers[key], spot, w, h, size, taken)
            taken.append(_box(at, size * 1.2, size))
            found.append(NameLabel(key, (coast,), at, size, True))
    for key in sorted(drawing.areas, key=inside.__getitem__):
        name = placed(board.provinces[key].name)
        sea = board.provinces[key].terrain == "sea"
        best: tuple[float, NameLabel] | None = None
        ways = [(lines, size * part) for part in sizes for lines in _broken(name)]
        for lines, type_size in (*ways, ((key.upper(),), size)):
            if best is not None and (type_size < size or len(lines[0]) == len(key)):
                break
            extent = _extent(lines, type_size, sea)
            reach = _wider(drawing.areas[key].box, extent)
            near = [box for box in taken if overlap(box, reach)]
            # The best first: where one can stand, no other needs to be looked at.
            for cost, at, box in _places(drawing, key, extent, (w, h)):
                cost += 4 * (len(lines) - 1)
                if best is not None and cost >= best[0]:
                    break
                if _covers(box, near):
                    continue
                outside = _outside(plan, numbers[key], box)
                if outside <= _MOST_OUTSIDE and (best is None or cost + 150 * outside < best[0]):
                    best = cost + 150 * outside, NameLabel(key, lines, at, type_size, sea)
        label = (
            best[1] if best else NameLabel(key, (key.upper(),), drawing.areas[key].label, size, sea)
        )
        taken.append(_apart(label.box))
        found.append(label)
    return found


@lru_cache(maxsize=32)
def _signs(drawing: Drawing, board: Board, scale: float) -> Sequence[Box]:
    """Return where units and centers are, which no name covers."""
    taken: list[Box] = []
    for key, area in drawing.areas.items():
        spots = area.unit, *area.coasts.values()
        taken += [_box(at, UNIT[0] * scale + 2 * _GAP, UNIT[1] * scale) for at in spots]
        if area.center and board.provinces[key].supply_center:
            taken.append(_box(area.center, CENTER * scale + 2, CENTER * scale + 2))
    return taken


@lru_cache(maxsize=4)
def within(
    drawing: Drawing, board: Board, spoken: str, zoom: float, window: Box
) -> tuple[NameLabel, ...]:
    """Return the names in a part of a board: one that would be cut off moves in, if there is room,
    or is left out."""
    found: list[NameLabel] = []
    cut: list[NameLabel] = []
    for label in labels(drawing, board, spoken, zoom):
        if overlap(label.box, window):
            left, top, right, bottom = label.box
            dx = max(window[0] + 3 - left, 0) or min(window[2] - 3 - right, 0)
            dy = max(window[1] + 3 - top, 0) or min(window[3] - 3 - bottom, 0)
            if dx or dy:
                cut.append(replace(label, at=(label.at[0] + dx, label.at[1] + dy)))
            else:
                found.append(label)
    if cut:
        plan, numbers = _plan(drawing), {key: chr(k) for k, key in enumerate(drawing.areas)}
        taken = list(_signs(drawing, board, drawing.scale * zoom))
        taken += [_apart(each.box) for each in found]
        for label in cut:
            outside = _outside(plan, numbers[label.key], label.box)
            if outside < _MOST_OUTSIDE and not any(overlap(label.box, each) for each in taken):
                found.append(label)
                taken.append(_apart(label.box))
    return tuple(found)


def _in_box(drawing: Drawing, board: Board, key: str) -> NameLabel:
    """Return the name in a box of a board that is laid out."""
    area = drawing.areas[key]
    sea = board.provinces[key].terrain == "sea"
    size = LABEL * area.scale
    name = placed(board.provinces[key].name)
    left, _, right, _ = area.box
    room = right - left - (28 if area.center else 8) * area.scale
    short = _extent((name,), size, sea)[0] > room + 0.01
    return NameLabel(key, (key.upper() if short else name,), area.label, size, sea)


@lru_cache(maxsize=4096)
def _width(line: str, sea: bool) -> float:
    """Return how wide a line is, by the size of its type; letters with accents are as wide as
    without."""
    first, between = (95, SPACED) if sea else (0, 0.0)
    plain = unicodedata.normalize("NFD", line)
    return between * len(line) + sum(
        _WIDTHS[first + ord(char) - 32] if " " <= char <= "~" else 60
        for char in plain
        if not unicodedata.combining(char)
    ) / 100  # fmt: skip


def _extent(lines: tuple[str, ...], size: float, sea: bool) -> tuple[float, float]:
    """Return the width and height of lines."""
    return max(_width(line, sea) for line in lines) * size, len(lines) * LINE * size * 0.92


def _box(at: Spot, w: float, h: float) -> Box:
    return at[0] - w / 2, at[1] - h / 2, at[0] + w / 2, at[1] + h / 2


def _apart(box: Box) -> Box:
    """Return the box of a name, with what others leave free on either side."""
    return box[0] - _GAP, box[1], box[2] + _GAP, box[3]


def _broken(name: str) -> list[tuple[str, ...]]:
    """Return the ways to write a name: on one line, or on two of about the same length."""
    words = name.replace("-", "- ").split()
    ways: list[tuple[str, ...]] = [(name,)]
    if len(words) > 1:
        cuts = [
            tuple(" ".join(part).replace("- ", "-") for part in (words[:k], words[k:]))
            for k in range(1, len(words))
        ]
        ways.append(min(cuts, key=lambda cut: max(map(len, cut))))
    return ways


def _beside(
    plan: Plan, number: str, spot: Spot, w: float, h: float, size: float, taken: list[Box]
) -> Spot:
    """Return where the name of a coast stands: beside the fleet, in the province if there is
    room."""
    side = w / 2 + size * 0.6 + _GAP + 0.1
    ways = [(side, 0.0), (-side, 0.0), (0.0, h / 2 + size * 0.55)]
    ways.append((0.0, -h / 2 - size * 0.55))

    def cost(way: Spot) -> float:
        box = _box((spot[0] + way[0], spot[1] + way[1]), size * 1.2, size)
        blocked = any(overlap(box, other) for other in taken)
        return _outside(plan, number, box) + 5 * blocked

    x, y = min(ways, key=cost)
    return spot[0] + x, spot[1] + y


def _places(
    drawing: Drawing, key: str, extent: tuple[float, float], unit: tuple[float, float]
) -> list[tuple[float, Spot, Box]]:
    """Return where a name could stand, and its box there, the best first: how far from the unit
    that is, and whether it covers the place of a dislodged one."""
    area = drawing.areas[key]
    (x, y), (w, h) = area.unit, extent
    near_x, near_y = (unit[0] + w) / 2 + _GAP + 0.1, (unit[1] + h) / 2 + 1.5
    spots = [area.label]
    spots += [(x + dx * w / 8, y + side * near_y) for dx in range(-4, 5) for side in (1, -1)]
    spots += [(x + side * near_x, y + dy * 4) for dy in range(-4, 5) for side in (1, -1)]
    left, top, right, bottom = area.box
    step_x, step_y = max((right - left) / 9, 8), max((bottom - top) / 12, 7)
    columns, rows = int((right - left) / step_x), int((bottom - top) / step_y)
    spots += [
        (left + (column + 0.5) * step_x, top + (row + 0.5) * step_y)
        for column, row in product(range(columns), range(rows))
    ]
    width, height = drawing.size
    lost = _box(area.beaten, unit[0] * 0.75, unit[1] * 0.75)
    found, half_w, half_h = [], w / 2, h / 2
    for at in spots:
        # As `_box` and `overlap` have it, which would take as long again to be called.
        left, top, right, bottom = at[0] - half_w, at[1] - half_h, at[0] + half_w, at[1] + half_h
        if left >= 3 and top >= 3 and right <= width - 3 and bottom <= height - 3:
            away = abs(at[0] - x) * 0.35 + abs(at[1] - y)
            blocked = left < lost[2] and lost[0] < right and top < lost[3] and lost[1] < bottom
            cost = away * 0.5 + 12 * blocked - 4 * (at[1] > y)
            found.append((cost, at, (left, top, right, bottom)))
    return sorted(found)


def _wider(box: Box, extent: tuple[float, float]) -> Box:
    w, h = extent[0] + UNIT[0], extent[1] + UNIT[1]
    return box[0] - w, box[1] - h, box[2] + w, box[3] + h


def overlap(one: Box, two: Box) -> bool:
    """Return whether two boxes have ground in common."""
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def _covers(box: Box, others: Sequence[Box]) -> bool:
    """Return whether a box has ground in common with one of the others; most are asked for that."""
    left, top, right, bottom = box
    for other in others:
        if left < other[2] and other[0] < right and top < other[3] and other[1] < bottom:
            return True
    return False


def _outside(plan: Plan, number: str, box: Box) -> float:
    """Return the part of a box that lies outside an area."""
    left, right = max(int(box[0] / _CELL), 0), min(int(box[2] / _CELL) + 1, len(plan[0]))
    rows = plan[max(int(box[1] / _CELL), 0) : int(box[3] / _CELL) + 1]
    inside = sum([row.count(number, left, right) for row in rows])
    return 1 - inside / max(len(rows) * (right - left), 1)


@lru_cache(maxsize=8)
def _plan(drawing: Drawing) -> Plan:
    """Return which area each cell of a board is in, row by row, as the characters of their numbers;
    the last is none."""
    columns, rows = (round(each / _CELL) for each in drawing.size)
    plan = [array("H", [0xFFFF]) * columns for _ in range(rows)]
    for number, ring in shapes(drawing):
        crossed: dict[int, list[float]] = {}
        for (x0, y0), (x1, y1) in zip(ring, (*ring[1:], ring[0]), strict=True):
            low, high = sorted((y0 / _CELL - 0.5, y1 / _CELL - 0.5))
            for row in range(max(ceil(low), 0), min(ceil(high), rows)):
                x = x0 + ((row + 0.5) * _CELL - y0) / (y1 - y0) * (x1 - x0)
                crossed.setdefault(row, []).append(x / _CELL)
        for row, places in crossed.items():
            places.sort()
            for start, end in zip(places[::2], places[1::2], strict=False):
                first, last = max(round(start), 0), min(round(end), columns)
                plan[row][first:last] = array("H", [number]) * (last - first)
    return ["".join(map(chr, row)) for row in plan]


@lru_cache(maxsize=8)
def shapes(drawing: Drawing) -> list[tuple[int, tuple[Spot, ...]]]:
    """Return the rings of a board, each with the number of its area; ground nobody can enter has
    the numbers after theirs. What lies in a hole of another comes later than that."""
    owned = [each.rings for each in drawing.areas.values()]
    owned += [each.rings for each in drawing.voids]
    sized = [
        (-_size(ring), -max(map(_size, rings)), number, ring)
        for number, rings in enumerate(owned)
        for ring in rings
    ]
    return [(number, ring) for *_, number, ring in sorted(sized, key=lambda each: each[:3])]


def _size(ring: tuple[Spot, ...]) -> float:
    """Return how large a ring is, in square pixels."""
    ends = zip(ring, (*ring[1:], ring[0]), strict=True)
    return round(abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in ends)) / 2, 1)
