"""A drawing for boards that have none: a box for each province, a line for each border.

Pure and repeatable: the same borders always come out the same. Distances in the picture follow the
number of steps between provinces (stress majorization), then every box takes a place of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import ceil, cos, hypot, pi, radians, sin, sqrt
from typing import Final

from judge.maps.drawing import WIDTH, Area, Drawing, DrawnLine, LineKind, Spot, rounded
from judge.rules.board import Board, borders, distances
from judge.rules.variant import Variant


@dataclass(frozen=True)
class Box(Area):
    """A province as a box, with corners of a radius."""

    corner: float = 0.0

    @cached_property
    def path(self) -> str:
        """The box as an SVG path."""
        left, top, right, bottom = self.box
        middle = (left + right) / 2, (top + bottom) / 2
        return rounded(middle, right - left, bottom - top, self.corner)


BOX: Final = (112.0, 78.0)
"""Width and height of a box at the usual size."""

ROUNDS: Final = 40
SWAPS: Final = 6


def schematic(variant: Variant) -> Drawing:
    """Return a drawing laid out from the borders alone, or from positions where the board tells
    them."""
    board = variant.board
    names = list(board.provinces)
    near = _neighbors(board)
    if all(len(others) == len(names) - 1 for others in near.values()):
        return _ring(board)
    given = [board.provinces[name].position for name in names]
    known = [at for at in given if at is not None]
    start = (
        [(lon * cos(radians(lat)), -lat) for lon, lat in known]
        if len(known) == len(names)
        else _start(names, near)
    )
    points = _relaxed(names, near, start, ROUNDS)
    columns = max(ceil(sqrt(len(names) * 1.5)), 3)
    rows = max(ceil(len(names) * 1.35 / columns), 2)
    cells = _settled(names, near, points, columns, rows)
    wide = WIDTH / (columns + 0.5)
    scale = min(wide / (BOX[0] * 1.22), 1.3)
    high = BOX[1] * scale * 1.5
    middles = {
        name: ((column + 0.5 + 0.5 * (row % 2)) * wide, (row + 0.5) * high)
        for name, (column, row) in cells.items()
    }
    height = round(rows * high)
    areas = {name: _box(board, name, middles[name], scale) for name in names}
    return Drawing((WIDTH, height), areas, list(_links(board, middles)), schematic=True)


def _ring(board: Board) -> Drawing:
    """Return a circle, for a board on which all border on all."""
    names, scale = list(board.provinces), 1.3
    # Wide enough for boxes side by side, and for the arrows across.
    radius = max(BOX[0] * scale * 0.3 * len(names), BOX[0] * scale * 1.5)
    height = round(2 * radius + BOX[1] * scale * 1.5)
    turns = [2 * pi * (k / len(names) - 0.25) for k in range(len(names))]
    middles = {
        name: (WIDTH / 2 + radius * cos(turn), height / 2 + radius * sin(turn))
        for name, turn in zip(names, turns, strict=True)
    }
    areas = {name: _box(board, name, middles[name], scale, 1.45) for name in names}
    return Drawing((WIDTH, height), areas, list(_links(board, middles)), schematic=True)


def _neighbors(board: Board) -> dict[str, list[str]]:
    return {name: sorted(others - {name}) for name, others in borders(board).items()}


def _distances(names: Sequence[str], near: Mapping[str, Sequence[str]]) -> list[list[float]]:
    """Return the steps from each province to each; twice the longest way where there is none."""
    found = [distances(near, [name]) for name in names]
    far = max((steps for row in found for steps in row.values()), default=0) or 1
    return [[float(row.get(there, far * 1.5)) for there in names] for row in found]


def _start(names: Sequence[str], near: Mapping[str, Sequence[str]]) -> list[Spot]:
    """Return a first layout: by the distances from four provinces far from each other."""
    steps = _distances(names, near)
    first = max(range(len(names)), key=lambda k: (max(steps[0][k], 0), -k))
    second = max(range(len(names)), key=lambda k: (steps[first][k], -k))

    def even(k: int) -> tuple[float, float, int]:
        return (
            -abs(steps[first][k] - steps[second][k]), steps[first][k] + steps[second][k], -k,
        )  # fmt: skip

    third = max(range(len(names)), key=even)
    fourth = max(range(len(names)), key=lambda k: (steps[third][k], -k))
    # A turn for each, so that no two lie in the same place.
    return [
        (
            steps[first][k] - steps[second][k] + 0.3 * cos(k * 2.4),
            steps[third][k] - steps[fourth][k] + 0.3 * sin(k * 2.4),
        )
        for k in range(len(names))
    ]


def _relaxed(
    names: Sequence[str], near: Mapping[str, Sequence[str]], start: Sequence[Spot], rounds: int
) -> list[Spot]:
    """Return the layout in which distances fit the number of steps best, from a first one."""
    steps = _distances(names, near)
    spread = max(hypot(x - start[0][0], y - start[0][1]) for x, y in start) or 1.0
    size = max(map(max, steps)) / spread
    xs, ys = [x * size for x, _ in start], [y * size for _, y in start]
    count = len(names)
    for _ in range(rounds):
        for i in range(count):
            total = sum_x = sum_y = 0.0
            x, y, row = xs[i], ys[i], steps[i]
            for j in range(count):
                wish = row[j]
                if i == j:
                    continue
                dx, dy = x - xs[j], y - ys[j]
                apart = sqrt(dx * dx + dy * dy) or 0.01
                weight = 1 / (wish * wish)
                sum_x += weight * (xs[j] + wish * dx / apart)
                sum_y += weight * (ys[j] + wish * dy / apart)
                total += weight
            if total:
                xs[i], ys[i] = sum_x / total, sum_y / total
    return list(zip(xs, ys, strict=True))


Cell = tuple[int, int]


def _settled(
    names: Sequence[str],
    near: Mapping[str, Sequence[str]],
    points: Sequence[Spot],
    columns: int,
    rows: int,
) -> dict[str, Cell]:
    """Return a place of its own for each, near where the layout has it and near its neighbors."""
    left, top = min(x for x, _ in points), min(y for _, y in points)
    wide = (max(x for x, _ in points) - left) or 1.0
    high = (max(y for _, y in points) - top) or 1.0
    aims = {
        name: ((x - left) / wide * (columns - 1), (y - top) / high * (rows - 1))
        for name, (x, y) in zip(names, points, strict=True)
    }
    grid = {(column, row) for column in range(columns) for row in range(rows)}
    middle = ((columns - 1) / 2, (rows - 1) / 2)
    cells: dict[str, Cell] = {}
    for name in sorted(names, key=lambda each: (-_gap(aims[each], middle), each)):
        free = grid.difference(cells.values())
        cells[name] = min(free, key=lambda each: (_gap(each, aims[name]), each))
    for _ in range(SWAPS):
        if not _swap(names, near, cells, grid):
            break
    return cells


def _gap(a: tuple[float, float], b: tuple[float, float]) -> float:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _swap(
    names: Sequence[str], near: Mapping[str, Sequence[str]], cells: dict[str, Cell], grid: set[Cell]
) -> bool:
    """Move boxes to places, taken or free, where their lines are shorter; whether any moved."""

    def cost(moved: Sequence[str]) -> float:
        return sum(_gap(cells[name], cells[other]) for name in moved for other in near[name])

    holders = {cell: name for name, cell in cells.items()}
    any_moved = False
    for name in names:
        column, row = cells[name]
        for dx, dy in product(range(-2, 3), repeat=2):
            here, there = cells[name], (column + dx, row + dy)
            if there == here or there not in grid:
                continue
            other = holders.get(there)
            moved = [name, other] if other else [name]
            before = cost(moved)
            cells.update(zip(moved, (there, here), strict=False))
            if cost(moved) < before - 0.01:
                del holders[here]
                holders.update((cells[each], each) for each in moved)
                any_moved = True
            else:
                cells.update(zip(moved, (here, there), strict=False))
    return any_moved


def _box(board: Board, name: str, middle: Spot, scale: float, wider: float = 1.0) -> Area:
    """Return a box: its label and its center above, the unit and a dislodged one side by side
    below."""
    province = board.provinces[name]
    x, y = middle
    w, h = BOX[0] * scale * wider, BOX[1] * scale
    left, top, right, bottom = x - w / 2, y - h / 2, x + w / 2, y + h / 2
    unit = (x - 22 * scale, y + 12 * scale)
    return Box(
        rings=[((left, top), (right, top), (right, bottom), (left, bottom))],
        scale=scale,
        unit=unit,
        beaten=(x + 24 * scale, y + 12 * scale),
        label=(x - (10 * scale if province.supply_center else 0), y - 20 * scale),
        center=(right - 24 * scale, y - 19 * scale) if province.supply_center else None,
        coasts=dict.fromkeys(province.coasts, unit),
        corner=h * (0.42 if province.terrain == "sea" else 0.12),
    )


def _links(board: Board, middles: Mapping[str, Spot]) -> Iterator[DrawnLine]:
    """Yield a line for each border, straight; those that only fleets cross are told apart."""
    walked = {frozenset((here, there)) for here, places in board.army.items() for there in places}
    for here, others in _neighbors(board).items():
        for there in others:
            if here < there:
                kind: LineKind = "link" if frozenset((here, there)) in walked else "route"
                yield DrawnLine(kind, (here, there), [middles[here], middles[there]])
