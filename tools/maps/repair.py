"""Makes areas touch exactly where the variant has a border, by small changes to their edges.

Works on two arrays of pixels: `area`, the place of each pixel's area in a list of names, and
`ground`, land or sea.
"""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from scipy import ndimage

from tools.maps.grow import LAND, SEA

LONG_ENOUGH = 12
"""Pixels that a border has at least."""


@dataclass
class Plan:
    """The pixels with what they should come to.

    `wanted` are pairs of names that must touch; all other pairs of names that do not begin with an
    underscore must not. `fixed` are pixels that belong to whom they belong (seeds).
    """

    names: list[str]
    sea: set[str]
    wanted: set[frozenset[str]]
    area: np.ndarray
    ground: np.ndarray
    fixed: np.ndarray
    wrap: bool
    log: list[str] = field(default_factory=list)

    def number(self, name: str) -> int:
        return self.names.index(name)

    def allowed(self, one: int, two: int) -> bool:
        a, b = self.names[one], self.names[two]
        return a == b or a[0] == "_" or b[0] == "_" or frozenset((a, b)) in self.wanted


def touching(plan: Plan) -> Counter[tuple[int, int]]:
    """How many pixel edges each two areas share."""
    found: Counter[tuple[int, int]] = Counter()
    size = len(plan.names) + 1
    for one, two in _sides(plan):
        differ = one != two
        low, high = np.minimum(one[differ], two[differ]), np.maximum(one[differ], two[differ])
        keys, counts = np.unique(low.astype(np.int64) * size + high, return_counts=True)
        for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
            found[divmod(key, size)] += count
    return found


def _sides(plan: Plan) -> list[tuple[np.ndarray, np.ndarray]]:
    area = plan.area
    sides = [(area[:, :-1], area[:, 1:]), (area[:-1], area[1:])]
    if plan.wrap:
        sides.append((area[:, -1], area[:, 0]))
    return sides


def faults(plan: Plan) -> tuple[list[tuple[int, int, int]], list[tuple[str, str, int]]]:
    """Pairs that touch and must not, and pairs that must touch and do not, or too little."""
    counted = touching(plan)
    wrong = [
        (one, two, count)
        for (one, two), count in counted.items()
        if one >= 0 and not plan.allowed(one, two)
    ]
    missing = []
    for pair in plan.wanted:
        a, b = sorted(pair)
        one, two = sorted((plan.number(a), plan.number(b)))
        count = counted[one, two]
        if count < LONG_ENOUGH:
            missing.append((a, b, count))
    return wrong, sorted(missing)


def settle_islands(plan: Plan, reach: float) -> None:
    """Give islands that nothing grew on to the land nearby, or to nobody, or to the sea."""
    area, ground = plan.area, plan.ground
    isle = plan.number("_isle")
    alone, count = ndimage.label((area < 0) & (ground == LAND))
    if not count:
        return
    owned = (area >= 0) & (ground == LAND)
    distance, nearest = ndimage.distance_transform_edt(~owned, return_indices=True)
    for index, box in enumerate(ndimage.find_objects(alone), 1):
        mask = alone[box] == index
        rows, columns = np.nonzero(mask)
        rows, columns = rows + box[0].start, columns + box[1].start
        around = _around(area, rows, columns, plan.wrap)
        waters = {each for each in around if each >= 0 and plan.names[each] in plan.sea}
        k = int(np.argmin(distance[rows, columns]))
        row, column = rows[k], columns[k]
        near = int(area[nearest[0][row, column], nearest[1][row, column]])
        if (
            len(rows) >= 6
            and distance[row, column] <= reach
            and plan.names[near][0] != "_"
            and all(plan.allowed(near, water) for water in waters)
        ):
            area[rows, columns] = near
        elif len(rows) >= 60:
            area[rows, columns] = isle
        else:
            ground[rows, columns] = SEA
    _spread(plan, SEA)


def swell(plan: Plan, name: str, width: float, gap: float = 9) -> None:
    """Make an island larger, as far as no other land comes nearer than `gap` pixels to it."""
    number = plan.number(name)
    others = (plan.ground == LAND) & (plan.area != number) & (plan.area != plan.number("_isle"))
    near = ndimage.distance_transform_edt(plan.area != number) <= width
    clear = ndimage.distance_transform_edt(~others) > gap
    own = near & ((clear & ~plan.fixed) | (plan.area == plan.number("_isle")))
    own &= (plan.ground == SEA) | (plan.area == plan.number("_isle"))
    plan.area[own], plan.ground[own] = number, LAND


def _around(area: np.ndarray, rows: np.ndarray, columns: np.ndarray, wrap: bool) -> set[int]:
    height, width = area.shape
    found: set[int] = set()
    for dy, dx in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        y, x = rows + dy, columns + dx
        if wrap:
            x = x % width
        good = (y >= 0) & (y < height) & (x >= 0) & (x < width)
        found |= set(area[y[good], x[good]].tolist())
    return found


def _spread(plan: Plan, value: int) -> None:
    """Pixels without an area take that of the nearest one on the same ground."""
    bare = (plan.area < 0) & (plan.ground == value)
    if not bare.any():
        return
    owned = (plan.area >= 0) & (plan.ground == value)
    distance, nearest = ndimage.distance_transform_edt(~owned, return_indices=True)
    take = bare & (distance <= 6)
    plan.area[take] = plan.area[nearest[0][take], nearest[1][take]]


def settle_waters(plan: Plan) -> None:
    """Water that no sea reached: large ones are lakes, small ones are filled."""
    area, ground = plan.area, plan.ground
    lake = plan.number("_lake")
    alone, _ = ndimage.label((area < 0) & (ground == SEA))
    for index, box in enumerate(ndimage.find_objects(alone), 1):
        mask = alone[box] == index
        if mask.sum() >= 120:
            area[box][mask] = lake
        else:
            ground[box][mask] = LAND
    _spread(plan, LAND)
    area[(area < 0) & (ground == LAND)] = plan.number("_isle")


def join_fragments(plan: Plan) -> None:
    """Parts cut off from their area go to a neighbor; true islands stay."""
    for _ in range(4):
        changed = False
        for number, name in enumerate(plan.names):
            if name in ("_isle", "_lake"):
                continue
            mine = plan.area == number
            parts, count = ndimage.label(mine)
            if plan.wrap and count > 1:
                count = _join_seam(parts)
            if count < 2:
                continue
            sizes = np.bincount(parts.ravel())
            main = int(sizes[1:].argmax()) + 1
            held = set(parts[mine & plan.fixed].tolist())
            for part in np.unique(parts):
                if part in (0, main):
                    continue
                rows, columns = np.nonzero(parts == part)
                around = _around(plan.area, rows, columns, plan.wrap) - {number}
                lands = {
                    each
                    for each in around
                    if each >= 0
                    and plan.names[each] not in plan.sea
                    and plan.names[each] != "_lake"
                }
                waters = around - lands
                if name not in plan.sea:
                    if not lands and (
                        part in held or all(w < 0 or plan.allowed(number, w) for w in waters)
                    ):
                        continue
                    if part in held and len(rows) > 40:
                        continue
                    ground, choices = LAND, lands
                else:
                    if part in held:
                        plan.log.append(f"{name} is in parts")
                        continue
                    ground, choices = SEA, waters - {-1}
                if not choices:
                    ground = SEA if ground == LAND else LAND
                    choices = (waters if ground == SEA else lands) - {-1}
                if not choices:
                    continue
                best = _most_touched(plan, rows, columns, choices)
                plan.area[rows, columns] = best
                plan.ground[rows, columns] = ground
                changed = True
        if not changed:
            return


def _join_seam(parts: np.ndarray) -> int:
    left, right = parts[:, 0], parts[:, -1]
    for one, two in {(a, b) for a, b in zip(left.tolist(), right.tolist(), strict=True) if a and b}:
        if one != two:
            parts[parts == max(one, two)] = min(one, two)
    return len(np.unique(parts)) - 1


def _most_touched(plan: Plan, rows: np.ndarray, columns: np.ndarray, choices: set[int]) -> int:
    height, width = plan.area.shape
    counted: Counter[int] = Counter()
    for dy, dx in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        y, x = rows + dy, columns + dx
        if plan.wrap:
            x = x % width
        good = (y >= 0) & (y < height) & (x >= 0) & (x < width)
        counted.update(plan.area[y[good], x[good]].tolist())
    return max(choices, key=lambda each: (counted[each], -each))


def part_them(plan: Plan, one: int, two: int, width: int) -> bool:
    """Put something between two areas that must not touch."""
    near = _contact(plan, one, two)
    distance = ndimage.distance_transform_edt(~near)
    window = distance <= width + 12
    present = set(np.unique(plan.area[window]).tolist()) - {one, two, -1}
    best: tuple[float, int] | None = None
    for third in present:
        if not (plan.allowed(third, one) and plan.allowed(third, two)):
            continue
        name = plan.names[third]
        if name in ("_isle", "_lake"):
            continue
        gap = float(distance[plan.area == third].min()) + (30 if name[0] == "_" else 0)
        value = SEA if name in plan.sea else LAND
        mine = ((plan.area == one) | (plan.area == two)) & (plan.ground == value) & ~plan.fixed
        if not (mine & (distance <= width)).any():
            continue
        if best is None or gap < best[0]:
            best = (gap, third)
    if best is None:
        return False
    third = best[1]
    value = SEA if plan.names[third] in plan.sea else LAND
    mine = ((plan.area == one) | (plan.area == two)) & (plan.ground == value) & ~plan.fixed
    plan.area[mine & (distance <= width)] = third
    return True


def _contact(plan: Plan, one: int, two: int) -> np.ndarray:
    a, b = plan.area == one, plan.area == two
    near = np.zeros_like(a)
    for p, q in ((a, b), (b, a)):
        near[:, :-1] |= p[:, :-1] & q[:, 1:]
        near[:, 1:] |= p[:, 1:] & q[:, :-1]
        near[:-1] |= p[:-1] & q[1:]
        near[1:] |= p[1:] & q[:-1]
        if plan.wrap:
            near[:, 0] |= p[:, 0] & q[:, -1]
            near[:, -1] |= p[:, -1] & q[:, 0]
    return near


def join_them(plan: Plan, a: str, b: str, width: int, farthest: float = 90) -> bool:
    """Lead a corridor from one area to another that must touch it."""
    one, two = plan.number(a), plan.number(b)
    grounds = {name: SEA if name in plan.sea else LAND for name in (a, b)}
    mixed = grounds[a] != grounds[b]
    height, width_all = plan.area.shape
    start = plan.area == one
    goal = plan.area == two
    reach = ndimage.distance_transform_edt(~goal)
    if not start.any() or not goal.any() or reach[start].min() > farthest:
        plan.log.append(f"{a} and {b} are too far apart")
        return False
    limit = reach[start].min() + 25
    edge = start & (reach <= limit)
    rows, columns = np.nonzero(edge)
    best = {(int(r), int(c)): 0.0 for r, c in zip(rows, columns, strict=True)}
    back: dict[tuple[int, int], tuple[int, int]] = {}
    queue = [(0.0, cell) for cell in best]
    heapq.heapify(queue)
    end = None
    while queue:
        spent, cell = heapq.heappop(queue)
        if spent > best[cell]:
            continue
        if goal[cell]:
            end = cell
            break
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                row, column = cell[0] + dy, cell[1] + dx
                if plan.wrap:
                    column %= width_all
                if not (0 <= row < height and 0 <= column < width_all):
                    continue
                if start[row, column] or reach[row, column] > limit + 30:
                    continue
                if not goal[row, column] and plan.fixed[row, column]:
                    continue
                right = mixed or plan.ground[row, column] == grounds[a]
                new = spent + np.hypot(dx, dy) * (1 if right else 5)
                if new < best.get((row, column), 1e9):
                    best[row, column] = new
                    back[row, column] = cell
                    heapq.heappush(queue, (new, (row, column)))
    if end is None:
        plan.log.append(f"no way from {a} to {b}")
        return False
    path = [end]
    while path[-1] in back:
        path.append(back[path[-1]])
    line = np.zeros_like(start)
    for row, column in path:
        line[row, column] = True
    wide = ndimage.distance_transform_edt(~line) <= width / 2
    crossed = {int(plan.area[cell]) for cell in path} - {one, two}
    wide &= ~plan.fixed & ~start & ~goal
    wide &= np.isin(plan.area, list(crossed))
    if mixed:
        land, sea = (one, two) if grounds[a] == LAND else (two, one)
        plan.area[wide & (plan.ground == LAND)] = land
        plan.area[wide & (plan.ground == SEA)] = sea
    else:
        first = ndimage.distance_transform_edt(~start)
        second = ndimage.distance_transform_edt(~goal)
        plan.area[wide] = np.where(first[wide] <= second[wide], one, two)
        plan.ground[wide] = grounds[a]
    return True


def stamp(plan: Plan, x: float, y: float, four: list[str], reach: int = 14) -> None:
    """Let four areas meet in a point: those to its northwest, northeast, southeast, southwest."""
    row, column = round(y), round(x)
    for number, name in enumerate(four):
        up, left = number in (0, 1), number in (0, 3)
        y, x = np.ogrid[: plan.area.shape[0], : plan.area.shape[1]]
        mine = (y - row + 0.5) ** 2 + (x - column + 0.5) ** 2 < reach**2
        mine &= ((y < row) == up) & ((x < column) == left)
        plan.area[mine] = plan.number(name)
        plan.ground[mine] = SEA if name in plan.sea else LAND
        plan.fixed |= mine


def smooth(plan: Plan) -> None:
    """Take off hairs and corners where areas meet at a point, so that edges are lines."""
    area = plan.area
    for _ in range(6):
        a, b = area[:-1, :-1], area[:-1, 1:]
        c, d = area[1:, :-1], area[1:, 1:]
        cross = ((a == d) & (b != a) & (c != a)) | ((b == c) & (a != b) & (d != b))
        # Corners that are meant stay.
        fixed = plan.fixed[:-1, :-1] & plan.fixed[1:, 1:] & plan.fixed[:-1, 1:]
        four = ~fixed & (a != b) & (a != c) & (b != d) & (c != d) & ~cross
        rows, columns = np.nonzero(cross | four)
        if not len(rows):
            break
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            block = area[row : row + 2, column : column + 2]
            if block[0, 0] == block[1, 1] and block[0, 1] != block[0, 0] != block[1, 0]:
                _set(plan, row, column + 1, int(block[0, 0]))
            elif block[0, 1] == block[1, 0] and block[0, 0] != block[0, 1] != block[1, 1]:
                _set(plan, row, column, int(block[0, 1]))
            elif len({*block.ravel().tolist()}) == 4:
                here = int(block[0, 0])
                for y, x in ((0, 1), (1, 0), (1, 1)):
                    if plan.allowed(here, int(block[1 - y, 1 - x])) or True:
                        _set(plan, row + y, column + x, here)
                        break
    if plan.wrap:
        plan.area[:, -1] = plan.area[:, 0]
        plan.ground[:, -1] = plan.ground[:, 0]


def _set(plan: Plan, row: int, column: int, number: int) -> None:
    plan.area[row, column] = number
    name = plan.names[number]
    plan.ground[row, column] = SEA if name in plan.sea or name == "_lake" else LAND


def repair(plan: Plan, rounds: int = 14) -> None:
    """All of it, until nothing is wrong or nothing helps."""
    before = None
    for turn in range(rounds):
        join_fragments(plan)
        smooth(plan)
        wrong, missing = faults(plan)
        shown = ", ".join(f"{plan.names[a]}+{plan.names[b]}({n})" for a, b, n in wrong)
        lacks = ", ".join(f"{a}-{b}({n})" for a, b, n in missing)
        plan.log.append(f"round {turn}: touch {shown or 'none'}; lack {lacks or 'none'}")
        if not wrong and not missing:
            return
        if before == (wrong, missing):
            plan.log.append("nothing helps any more")
            return
        before = wrong, missing
        for a, b, _ in missing:
            one, two = sorted((plan.number(a), plan.number(b)))
            if touching(plan)[one, two] < LONG_ENOUGH:
                if touching(plan)[one, two]:
                    _widen(plan, one, two)
                else:
                    join_them(plan, a, b, 13)
        for one, two, _ in wrong:
            if touching(plan)[min(one, two), max(one, two)]:
                part_them(plan, one, two, 4)


def _widen(plan: Plan, one: int, two: int) -> None:
    """Lengthen a border that is too short, at the cost of the areas at its ends."""
    near = _contact(plan, one, two)
    wide = ndimage.distance_transform_edt(~near) <= LONG_ENOUGH / 2 + 2
    first = ndimage.distance_transform_edt(plan.area != one)
    second = ndimage.distance_transform_edt(plan.area != two)
    grounds = [SEA if plan.names[n] in plan.sea else LAND for n in (one, two)]
    for row, column in zip(*np.nonzero(wide & ~plan.fixed), strict=True):
        if plan.area[row, column] in (one, two):
            continue
        options = [
            (distance[row, column], number)
            for distance, number, ground in zip((first, second), (one, two), grounds, strict=True)
            if ground == plan.ground[row, column]
        ]
        if options:
            plan.area[row, column] = min(options)[1]
