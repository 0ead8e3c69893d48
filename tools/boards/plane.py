"""python -m tools.boards.plane BOARD ...: draw boards from the places in their recipes."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from scipy import ndimage

from judge import variants
from judge.rules.board import Board, province_of
from judge.rules.variant import Variant
from tools.boards import lay, net, trace
from tools.boards.arrays import Array
from tools.boards.plan import Plan
from tools.boards.recipe import Recipe
from tools.boards.relax import relax, shortest
from tools.boards.write import drawing, save

WIDTH = 1200
COARSE = 2
"""Pixels of the picture in one of the layout."""

VISIBLE = 8.5
"""Pixels of the picture that a border has at least."""

SPARE = 600
"""Numbers for voids."""


def rules(board: Board) -> tuple[lay.Rules, Array]:
    """What may touch; and, by numbers of provinces, where fleets go."""
    names = list(board.provinces)
    number = {name: k for k, name in enumerate(names)}
    size = len(names) + SPARE
    may, sailed = np.zeros((size, size), bool), np.zeros((size, size), bool)
    walked = np.zeros((size, size), bool)
    for steps, table in ((board.fleet, sailed), (board.army, walked)):
        for here, others in steps.items():
            for there in others:
                one, two = number[province_of(here)], number[province_of(there)]
                table[one, two] = table[two, one] = True
    may = sailed | walked
    may[len(names) :] = may[:, len(names) :] = True
    sea = np.zeros(size, bool)
    sea[: len(names)] = [place.terrain == "sea" for place in board.provinces.values()]
    return lay.Rules(may, walked & ~sailed, sea), sailed


def frame(web: net.Net, count: int) -> tuple[tuple[int, int], Array]:
    """The size of the layout, and the pixel (row, column) of each point."""
    width = WIDTH // COARSE
    points = web.points
    low, high = points.min(axis=0), points.max(axis=0)
    margin = 0.55 * float(np.sqrt((high - low).prod() / count))
    if web.turn:
        scale = width / web.turn
        columns = (points[:, 0] - low[0]) * scale % width
    else:
        scale = width / (high[0] - low[0] + 2 * margin)
        columns = np.clip((points[:, 0] - low[0] + margin) * scale, 2, width - 3)
    height = int(np.ceil((high[1] - low[1] + 2 * margin) * scale / 3) * 3)
    rows = np.clip((points[:, 1] - low[1] + margin) * scale, 2, height - 3)
    spots = np.stack([rows, columns], axis=1).round().astype(int)
    spots[:, 1] %= width
    return (height, width), spots


def layout(variant: Variant, recipe: Path, log: list[str]) -> tuple[Plan, list[tuple[str, str]]]:
    """Return the areas in pixels, and the pairs that only a line over others joins."""
    at, told = net.places(recipe)
    board = variant.board
    names = list(board.provinces)
    number = {name: k for k, name in enumerate(names)}
    cut = set(told.get("lines", ()))
    table, sailed = rules(board)
    for turn in range(6):
        for pair in cut:
            one, two = (number[name] for name in pair.split("-"))
            table.may[one, two] = table.may[two, one] = False
        web = net.net(board, dict(at), bool(told.get("wrap")), cut)
        net.untangle(web, 9, seed=turn + 1)
        size, spots = frame(web, len(names))
        field = lay.Field(np.full(size, lay.EMPTY, np.int32), table, bool(web.turn))
        router = lay.Router(web, spots, [number[province_of(name)] for name in web.names], field)
        router.run(6)
        lost = {
            tuple(sorted(province_of(web.names[end]) for end in web.joints[k]))
            for k in field.failed
        }
        lay.spread(field)
        missing = _missing(field, table, len(names), cut, names) | _dry(field, table, sailed, names)
        log.append(f"turn {turn}: no way for {sorted(lost)}; wrong {sorted(missing)}")
        cut |= {f"{a}-{b}" for a, b in missing}
        if missing:
            continue
        label, all_names, ground = _settled(field, names, table)
        short = _visible(label, len(names))
        log.append(f"the shortest border has {short:.1f} pixels")
        if short >= VISIBLE:
            break
    else:
        raise ValueError("\n".join(log))
    sea = {name for k, name in enumerate(all_names) if not ground[k]}
    label = label.repeat(COARSE, axis=0).repeat(COARSE, axis=1)
    grounds = ground[label].astype(np.uint8)
    plan = Plan(all_names, sea, set(), label, grounds, np.zeros(label.shape, bool), field.wrap, log)
    if field.wrap:
        plan.area[:, -1] = plan.area[:, 0]
    return plan, [(a, b) for a, b in (pair.split("-") for pair in sorted(cut))]


def _touching(label: Array, wrap: bool) -> set[tuple[int, int]]:
    pairs = [(label[:, :-1], label[:, 1:]), (label[:-1], label[1:])]
    if wrap:
        pairs.append((label[:, -1], label[:, 0]))
    found: set[tuple[int, int]] = set()
    for one, two in pairs:
        differ = (one != two) & (one >= 0) & (two >= 0)
        low, high = np.minimum(one, two)[differ], np.maximum(one, two)[differ]
        found |= set(zip(low.tolist(), high.tolist(), strict=True))
    return found


def _missing(
    field: lay.Field, table: lay.Rules, count: int, cut: set[str], names: list[str]
) -> set[tuple[str, str]]:
    """Pairs that should touch and do not."""
    there = _touching(field.label, field.wrap)
    wanted = {
        (int(a), int(b))
        for a, b in zip(*np.nonzero(table.may[:count, :count]), strict=True)
        if a < b
    }
    return {(names[a], names[b]) for a, b in wanted - there}


def _dry(
    field: lay.Field, table: lay.Rules, sailed: Array, names: list[str]
) -> set[tuple[str, str]]:
    """Pairs on land between which fleets go, though no water reaches the border between them."""
    label = field.label
    wide = np.pad(label, ((0, 0), (0, 1)), mode="wrap") if field.wrap else label
    blocks = np.stack([wide[:-1, :-1], wide[:-1, 1:], wide[1:, :-1], wide[1:, 1:]], axis=-1)
    blocks = np.unique(np.sort(blocks.reshape(-1, 4), axis=1), axis=0)
    wet: set[tuple[int, int]] = set()
    for block in blocks.tolist():
        kinds = sorted({each for each in block if each >= 0})
        if any(table.sea[each] for each in kinds):
            lands = [each for each in kinds if not table.sea[each]]
            wet |= {(a, b) for k, a in enumerate(lands) for b in lands[k + 1 :]}
    land = [k for k in range(len(names)) if not table.sea[k]]
    return {
        (names[a], names[b])
        for a in land
        for b in land
        if a < b and sailed[a, b] and table.may[a, b] and (a, b) not in wet
    }


def _settled(
    field: lay.Field, names: list[str], table: lay.Rules
) -> tuple[Array, list[str], Array]:
    """The layout evened out, with names for the voids, and which labels are land."""
    label, all_names = field.label.copy(), list(names)
    parts, found = lay.gaps(field)
    land = [not table.sea[k] for k in range(len(names))]
    for part, near in found:
        label[parts == part] = len(all_names)
        all_names.append(f"_{len(all_names) - len(names) + 1}")
        waters = sum(bool(table.sea[k]) for k in near)
        land.append(2 * waters <= len(near))
    count = len(names)
    total = len(all_names)
    size = np.bincount(label.ravel(), minlength=total).astype(float)
    mean = size[:count].mean()
    wish = 0.55 * mean + 0.45 * np.clip(size, 0.3 * mean, 3 * mean)
    wish[count:] = np.clip(size[count:] * 0.5, 36, mean)
    ground = np.array(land)
    may = table.may[:total, :total].copy()
    np.fill_diagonal(may, True)
    chance = np.random.default_rng(3)
    rough = ndimage.gaussian_filter(chance.standard_normal(label.shape), 3.0, mode="wrap")
    rough *= 2.0 / rough.std()
    label = relax(label, wish, field.wrap, 110, 10, may=may)
    label = relax(label, wish, field.wrap, 40, 10, may=may, press=3, pull=14)
    label = relax(label, wish, field.wrap, 40, 12, rough, ~ground, may, pull=16)
    for turn in range(5):
        if shortest(label, total, field.wrap) >= 9 and _visible(label, count) >= VISIBLE:
            break
        label = relax(label, wish, field.wrap, 20, 16 + turn, may=may, press=2, pull=40, seed=turn)
    return label, all_names, ground


def _visible(label: Array, count: int) -> float:
    """The length in pixels of the shortest border between two of the first `count` labels, as it
    will be drawn."""
    wide = label.repeat(COARSE, axis=0).repeat(COARSE, axis=1)
    long: dict[tuple[int, int], float] = {}
    for line in trace.softened(trace.arcs(wide), wide.shape[::-1]):
        pair = min(line.left, line.right), max(line.left, line.right)
        if pair[0] >= 0 and pair[1] < count:
            steps = np.diff(line.points, axis=0)
            long[pair] = long.get(pair, 0.0) + float(np.hypot(steps[:, 0], steps[:, 1]).sum())
    return min(long.values(), default=VISIBLE)


def make(board: str, folder: Path) -> list[str]:
    """Draw one board; return what there is to say of it."""
    variant = variants.read(folder / f"{board}.toml")
    log: list[str] = []
    recipe = folder / "maps" / "recipes" / f"{board}.toml"
    plan, straits = layout(variant, recipe, log)
    height, width = plan.area.shape
    mix = Recipe(
        board=board,
        scale="",
        size=(width, height),
        projection="plane",
        center=(0, 0),
        window=(0, 0, width, height),
        wrap=plan.wrap,
        straits=straits,
        colors=net.places(recipe)[1].get("colors", {}),
    )
    save(drawing(mix, plan, variant), folder / "maps" / f"{board}.json")
    return log


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("boards", nargs="+")
    parser.add_argument("--folder", type=Path, default=variants.directory())
    given = parser.parse_args()
    for board in given.boards:
        print(board, *make(board, given.folder), sep="\n  ", flush=True)


if __name__ == "__main__":
    main()
