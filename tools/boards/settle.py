"""What a recipe and geography leave open: islands, lakes, points where four areas meet."""

from __future__ import annotations

import numpy as np
from scipy import ndimage

from tools.boards.arrays import Array
from tools.boards.grow import LAND, SEA
from tools.boards.plan import Plan


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
        around = touched(area, rows, columns, plan.wrap)
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


def touched(area: Array, rows: Array, columns: Array, wrap: bool) -> set[int]:
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


def swell(plan: Plan, name: str, width: float, gap: float = 9) -> None:
    """Make an island larger, as far as no other land comes nearer than `gap` pixels to it."""
    number = plan.number(name)
    others = (plan.ground == LAND) & (plan.area != number) & (plan.area != plan.number("_isle"))
    near = ndimage.distance_transform_edt(plan.area != number) <= width
    clear = ndimage.distance_transform_edt(~others) > gap
    own = near & ((clear & ~plan.fixed) | (plan.area == plan.number("_isle")))
    own &= (plan.ground == SEA) | (plan.area == plan.number("_isle"))
    plan.area[own], plan.ground[own] = number, LAND


def stamp(plan: Plan, x: float, y: float, four: list[str], reach: int = 14) -> None:
    """Let four areas meet in a point: those to its northwest, northeast, southeast, southwest."""
    row, column = round(y), round(x)
    for number, name in enumerate(four):
        up, left = number in (0, 1), number in (0, 3)
        down, over = np.ogrid[: plan.area.shape[0], : plan.area.shape[1]]
        mine = (down - row + 0.5) ** 2 + (over - column + 0.5) ** 2 < reach**2
        mine &= ((down < row) == up) & ((over < column) == left)
        plan.area[mine] = plan.number(name)
        plan.ground[mine] = SEA if name in plan.sea else LAND
        plan.fixed |= mine
