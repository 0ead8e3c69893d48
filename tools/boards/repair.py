"""Makes areas touch exactly where the variant has a border, by small changes to their edges."""

from __future__ import annotations

import heapq
from collections import Counter

import numpy as np
from scipy import ndimage

from tools.boards.arrays import Array
from tools.boards.grow import LAND, SEA
from tools.boards.plan import LONG_ENOUGH, Plan, faults, touching
from tools.boards.settle import touched


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
                around = touched(plan.area, rows, columns, plan.wrap) - {number}
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


def _join_seam(parts: Array) -> int:
    left, right = parts[:, 0], parts[:, -1]
    for one, two in {(a, b) for a, b in zip(left.tolist(), right.tolist(), strict=True) if a and b}:
        if one != two:
            parts[parts == max(one, two)] = min(one, two)
    return len(np.unique(parts)) - 1


def _most_touched(plan: Plan, rows: Array, columns: Array, choices: set[int]) -> int:
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


def _contact(plan: Plan, one: int, two: int) -> Array:
    a, b = plan.area == one, plan.area == two
    near: Array = np.zeros_like(a)
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
                _set(plan, row, column + 1, here)
    if plan.wrap:
        plan.area[:, -1] = plan.area[:, 0]
        plan.ground[:, -1] = plan.ground[:, 0]


def _set(plan: Plan, row: int, column: int, number: int) -> None:
    plan.area[row, column] = number
    name = plan.names[number]
    plan.ground[row, column] = SEA if name in plan.sea or name == "_lake" else LAND


def repair(plan: Plan, rounds: int = 14) -> None:
    """Repair the plan until nothing is wrong or nothing helps."""
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
