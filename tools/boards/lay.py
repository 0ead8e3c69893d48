"""Lays a net out in pixels: a spot for each point, a way for each joint, then all ground between.

Two areas come to touch only where they may. What is left between areas that may not is void.
"""

from __future__ import annotations

import dataclasses
import heapq
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import ndimage

from tools.boards.arrays import Array
from tools.boards.net import Net

Cell = tuple[int, int]

EMPTY = -1
RING = ((0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1))
SIDES = RING[::2]


@dataclass
class Rules:
    """Which labels may touch: `may[a, b]`; `ashore` are pairs on land that must not touch beside
    water, `sea` the labels of waters. Labels are numbers of provinces, further ones voids."""

    may: Array
    ashore: Array
    sea: Array


@dataclass
class Field:
    """Labels of pixels, and the joints that found no way."""

    label: Array
    rules: Rules
    wrap: bool
    failed: list[int] = dataclasses.field(default_factory=list)

    def around(self, cell: Cell) -> Iterator[Cell]:
        """The pixels beside one."""
        height, width = self.label.shape
        for dy, dx in SIDES:
            y, x = cell[0] + dy, cell[1] + dx
            if self.wrap:
                x %= width
            if 0 <= y < height and 0 <= x < width:
                yield y, x

    def ring(self, cell: Cell) -> list[int]:
        """The labels around a pixel; EMPTY beyond the edge."""
        height, width = self.label.shape
        found = []
        for dy, dx in RING:
            y, x = cell[0] + dy, cell[1] + dx
            if self.wrap:
                x %= width
            good = 0 <= y < height and 0 <= x < width
            found.append(int(self.label[y, x]) if good else EMPTY)
        return found


def fits(rules: Rules, own: int, ring: list[int]) -> bool:
    """Whether a pixel can take a label, from what lies around it."""
    near = {label for label in ring if label not in (EMPTY, own)}
    if not all(rules.may[own, other] for other in near):
        return False
    if len(near) > 1:
        three = [own, *near]
        waters = [each for each in three if rules.sea[each]]
        if waters:
            lands = [each for each in three if not rules.sea[each]]
            for k, one in enumerate(lands):
                if any(rules.ashore[one, two] for two in lands[k + 1 :]):
                    return False
    for k in (1, 3, 5, 7):
        corner, one, two = ring[k], ring[k - 1], ring[(k + 1) % 8]
        if corner == own and one not in (own, EMPTY) and two not in (own, EMPTY):
            return False
        if one == two != own and one != EMPTY and corner not in (one, EMPTY):
            return False
    return True


@dataclass
class Router:
    """Finds ways for joints through a field, and takes others up that are in the way."""

    net: Net
    spots: Array
    label_of: list[int]
    field: Field
    owner: Array = dataclasses.field(init=False)
    ways: dict[int, list[Cell]] = dataclasses.field(default_factory=dict)
    blame: Array = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        self.owner = np.full(self.field.label.shape, -1, int)
        self.blame = np.zeros(len(self.net.joints))
        for k, (y, x) in enumerate(self.spots.tolist()):
            for dy in (-1, 0, 1):
                for dx in (-1, 0, 1):
                    cell = self._cell(y + dy, x + dx)
                    if cell:
                        self.field.label[cell] = self.label_of[k]
                        self.owner[cell] = -2 - k

    def _cell(self, y: int, x: int) -> Cell | None:
        height, width = self.field.label.shape
        if self.field.wrap:
            x %= width
        return (y, x) if 0 <= y < height and 0 <= x < width else None

    def run(self, patience: int) -> None:
        """Give every joint a way, short ones first."""
        gaps = [self._gap(a, b) for a, b in self.net.joints]
        queue = [(gap, k) for k, gap in enumerate(gaps)]
        heapq.heapify(queue)
        tries = [0] * len(gaps)
        while queue:
            _, k = heapq.heappop(queue)
            tries[k] += 1
            free = self._search(k, force=False)
            if free is None and tries[k] <= patience:
                free = self._search(k, force=True)
                if free is not None:
                    gone = {int(self.owner[c]) for c in free if self.owner[c] >= 0} - {k}
                    for c in free:
                        for near in self._close(c):
                            if self.owner[near] >= 0 and self.owner[near] != k:
                                gone.add(int(self.owner[near]))
                    for other in self._truly(k, free, gone):
                        self._take_up(other)
                        self.blame[other] += 1
                        heapq.heappush(queue, (gaps[other] + 1000 * tries[other], other))
            if free is None:
                self.field.failed.append(k)
                continue
            self._put_down(k, free)

    def _truly(self, k: int, way: list[Cell], gone: set[int]) -> set[int]:
        """Those of the ways nearby that this one cannot lie beside."""
        one, two = (self.label_of[e] for e in self.net.joints[k])
        may = self.field.rules.may
        cells = set(way)
        found = set()
        for other in gone:
            if any(c in cells for c in self.ways[other]):
                found.add(other)
                continue
            labels = {self.label_of[e] for e in self.net.joints[other]}
            if not all(a == b or may[a, b] for a in (one, two) for b in labels):
                found.add(other)
        return found

    def _gap(self, a: int, b: int) -> float:
        way = (self.spots[b] - self.spots[a]).astype(float)
        width = self.field.label.shape[1]
        if self.field.wrap:
            way[1] -= width * np.round(way[1] / width)
        return float(np.hypot(*way))

    def _close(self, cell: Cell) -> Iterator[Cell]:
        for dy, dx in RING:
            near = self._cell(cell[0] + dy, cell[1] + dx)
            if near:
                yield near

    def _search(self, k: int, force: bool) -> list[Cell] | None:
        """The cheapest way for a joint; with force through ways of others, at a price."""
        a, b = self.net.joints[k]
        one, two = self.label_of[a], self.label_of[b]
        may, label = self.field.rules.may, self.field.label
        width = label.shape[1]
        start, goal = tuple(self.spots[a].tolist()), tuple(self.spots[b].tolist())
        wrap = self.field.wrap

        if not force and (way := self._straight(start, goal, one, two)):
            return way

        def left(cell: Cell) -> float:
            dy, dx = abs(cell[0] - goal[0]), abs(cell[1] - goal[1])
            if wrap:
                dx = min(dx, width - dx)
            return float(np.hypot(dy, dx))

        base = left(start)
        limit = base * 2.2 + 60
        best = {start: 0.0}
        back: dict[Cell, Cell] = {}
        queue = [(base, 0.0, start)]
        while queue:
            _, spent, cell = heapq.heappop(queue)
            if cell == goal:
                way = [goal]
                while way[-1] != start:
                    way.append(back[way[-1]])
                return way[::-1]
            if spent > best[cell]:
                continue
            for near in self.field.around(cell):
                here = label[near]
                price = 1.0
                if here not in (EMPTY, one, two):
                    if not force or self.owner[near] < 0:
                        continue
                    price += 25 + 15 * self.blame[self.owner[near]]
                elif here == EMPTY:
                    for y, x in self._close(near):
                        other = label[y, x]
                        if other in (EMPTY, one, two):
                            continue
                        free = may[one, other] and may[two, other]
                        if free:
                            price += 0.4
                            continue
                        if not force or self.owner[y, x] < 0:
                            price = -1.0
                            break
                        price += 9 + 6 * self.blame[self.owner[y, x]]
                    if price < 0:
                        continue
                else:
                    price = 0.6
                new = spent + price
                if new < best.get(near, 1e9) and (force or new < limit):
                    best[near] = new
                    back[near] = cell
                    heapq.heappush(queue, (new + left(near) * 0.6, new, near))
        return None

    def _straight(self, start: Cell, goal: Cell, one: int, two: int) -> list[Cell] | None:
        """The straight way, if nothing lies in it or too near."""
        may, label = self.field.rules.may, self.field.label
        width = label.shape[1]
        dy, dx = goal[0] - start[0], goal[1] - start[1]
        if self.field.wrap and abs(dx) > width / 2:
            dx -= width if dx > 0 else -width
        steps = max(abs(dy), abs(dx), 1)
        way = [start]
        for n in range(1, steps + 1):
            y, x = start[0] + round(dy * n / steps), start[1] + round(dx * n / steps)
            cell = (y, x % width if self.field.wrap else x)
            if cell[0] != way[-1][0] and cell[1] != way[-1][1]:
                way.append((cell[0], way[-1][1]))
            way.append(cell)
        for cell in way:
            here = label[cell]
            if here not in (EMPTY, one, two):
                return None
            if here == EMPTY:
                for near in self._close(cell):
                    other = label[near]
                    if other not in (EMPTY, one, two) and not (may[one, other] and may[two, other]):
                        return None
        return way

    def _put_down(self, k: int, way: list[Cell]) -> None:
        a, b = self.net.joints[k]
        label = self.field.label
        free = [c for c in way if label[c] == EMPTY]
        half = len(free) / 2
        for n, cell in enumerate(free):
            label[cell] = self.label_of[a] if n < half else self.label_of[b]
            self.owner[cell] = k
        self.ways[k] = free

    def _take_up(self, k: int) -> None:
        for cell in self.ways.pop(k):
            self.field.label[cell] = EMPTY
            self.owner[cell] = -1


def spread(field: Field) -> None:
    """Let all labels grow over the empty ground, as far as they may."""
    label = field.label
    width = label.shape[1]
    queue: list[tuple[float, int, int, int, int, int]] = []

    def push(y: int, x: int, sy: int, sx: int) -> None:
        for ny, nx in field.around((y, x)):
            if label[ny, nx] == EMPTY:
                dx = abs(nx - sx)
                if field.wrap:
                    dx = min(dx, width - dx)
                heapq.heappush(
                    queue, (float(np.hypot(ny - sy, dx)), ny, nx, sy, sx, int(label[y, x]))
                )

    for y, x in zip(*np.nonzero(label != EMPTY), strict=True):
        push(int(y), int(x), int(y), int(x))
    later: list[tuple[int, int, int]] = []
    while queue:
        _, y, x, sy, sx, own = heapq.heappop(queue)
        if label[y, x] != EMPTY:
            continue
        if fits(field.rules, own, field.ring((y, x))):
            label[y, x] = own
            push(y, x, sy, sx)
        else:
            later.append((y, x, own))
    for _ in range(60):
        changed = False
        for y, x, _own in later:
            if label[y, x] != EMPTY:
                continue
            for ny, nx in field.around((y, x)):
                own = int(label[ny, nx])
                if own != EMPTY and fits(field.rules, own, field.ring((y, x))):
                    label[y, x] = own
                    changed = True
                    break
        later = [(y, x, 0) for y, x in zip(*np.nonzero(label == EMPTY), strict=True)]
        if not changed:
            break


def gaps(field: Field) -> tuple[Array, list[tuple[int, list[int]]]]:
    """The empty parts with their sizes and the labels around them."""
    parts, count = ndimage.label(field.label == EMPTY)
    if field.wrap:
        for a, b in zip(parts[:, 0].tolist(), parts[:, -1].tolist(), strict=True):
            if a and b and a != b:
                parts[parts == max(a, b)] = min(a, b)
    found = []
    for part in range(1, count + 1):
        rows, columns = np.nonzero(parts == part)
        if not len(rows):
            continue
        near: set[int] = set()
        for cell in zip(rows.tolist(), columns.tolist(), strict=True):
            near |= {n for n in field.ring(cell) if n != EMPTY}
        found.append((part, sorted(near)))
    return parts, found
