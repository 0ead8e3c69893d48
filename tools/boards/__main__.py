"""python -m tools.boards BOARD --geography FOLDER [--look FILE.png]"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from judge import variants
from judge.rules.board import province_of
from judge.rules.variant import Variant
from tools.boards import geography, recipe
from tools.boards.grow import LAND, SEA, grow, raster, seed_cells, terrain
from tools.boards.plan import Plan
from tools.boards.repair import repair, smooth
from tools.boards.settle import settle_islands, settle_waters, stamp, swell
from tools.boards.write import drawing, save


def borders(variant: Variant) -> set[frozenset[str]]:
    """Every two provinces an army or a fleet can step between."""
    return {
        frozenset((province_of(here), province_of(there)))
        for steps in (variant.board.army, variant.board.fleet)
        for here, places in steps.items()
        for there in places
        if province_of(here) != province_of(there)
    }


def plan_for(board: str, folder: Path) -> tuple[recipe.Recipe, Plan]:
    mix = recipe.read(variants.directory() / "maps" / "recipes" / f"{board}.toml")
    variant = variants.load(board)
    land, countries = geography.read(folder, mix.scale)
    ground = terrain(mix, land, geography.lakes(folder) if mix.lakes else [])
    country = raster(mix, countries, numbered=True)
    provinces = variant.board.provinces
    sea = {key for key, place in provinces.items() if place.terrain == "sea"} | set(mix.water)
    names = [*provinces, *(name for name in mix.seeds if name[0] == "_")]
    for name, place in provinces.items():
        if place.position is not None:
            mix.seeds.setdefault(name, [[place.position]])
    absent = [name for name in names if name not in mix.seeds]
    if absent:
        raise SystemExit(f"no seeds for {absent}")
    log: list[str] = []
    area = grow(mix, ground, country, names, sea, log)
    names += ["_isle", "_lake"]
    fixed = np.zeros(ground.shape, bool)
    for name in names[:-2]:
        for cell in seed_cells(mix, name, ground, SEA if name in sea else LAND):
            fixed[cell] = True
    straits = {frozenset(pair) for pair in mix.straits}
    across = {frozenset(pair) for each in mix.quadrants for pair in each.pairs}
    wanted = borders(variant) - straits - across
    plan = Plan(names, sea | {"_lake"}, wanted, area, ground, fixed, mix.wrap, log)
    settle_islands(plan, mix.island_reach)
    settle_waters(plan)
    for name, width in mix.swell.items():
        swell(plan, name, width)
    for each in mix.quadrants:
        stamp(plan, *mix.pixel(*each.at), each.areas)
    smooth(plan)
    return mix, plan


def look(plan: Plan, path: Path) -> None:
    chance = np.random.default_rng(5)
    colors = []
    for name in plan.names:
        sea = name in plan.sea
        base = (150, 190, 225) if sea else (225, 205, 165)
        if name[0] == "_":
            base = (120, 120, 130)
        colors.append(np.clip(np.array(base) + chance.integers(-28, 28, 3), 0, 255))
    picture = np.array(colors, np.uint8)[plan.area]
    edge = np.zeros(plan.area.shape, bool)
    edge[:, 1:] |= plan.area[:, 1:] != plan.area[:, :-1]
    edge[1:] |= plan.area[1:] != plan.area[:-1]
    picture[edge] = (60, 60, 60)
    image = Image.fromarray(picture)
    draw = ImageDraw.Draw(image)
    for number, name in enumerate(plan.names):
        rows, columns = np.nonzero(plan.area == number)
        if len(rows) and name not in ("_isle", "_lake"):
            k = np.argmin((rows - rows.mean()) ** 2 + (columns - columns.mean()) ** 2)
            draw.text((columns[k] - 8, rows[k] - 5), name, fill=(0, 0, 0))
    image.save(path)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("board")
    parser.add_argument("--geography", type=Path, required=True)
    parser.add_argument("--look", type=Path)
    given = parser.parse_args()
    mix, plan = plan_for(given.board, given.geography)
    repair(plan)
    if given.look:
        look(plan, given.look)
    data = drawing(mix, plan, variants.load(given.board))
    print("\n".join(plan.log))
    save(data, variants.directory() / "maps" / f"{given.board}.json")


if __name__ == "__main__":
    main()
