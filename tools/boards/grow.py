"""Grows areas from seeds over land and water, a pixel at a time."""

from __future__ import annotations

import itertools
from typing import TypeAlias

import numpy as np
from PIL import Image, ImageDraw
from scipy import ndimage
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra

from tools.boards.arrays import Array
from tools.boards.geography import Shape
from tools.boards.recipe import Recipe

SEA, LAND = 0, 1

Slices: TypeAlias = tuple[slice, slice | int]


def raster(recipe: Recipe, shapes: list[Shape], numbered: bool) -> Array:
    """Shapes as pixels: 1 where there is one, or the number of the country."""
    image = Image.new("I" if numbered else "L", recipe.size, 0)
    draw = ImageDraw.Draw(image)
    width, height = recipe.size
    numbers: dict[str, int] = {}
    for shape in shapes:
        number = numbers.setdefault(shape.name, len(numbers) + 1) if numbered else 1
        for shift in (-360, 0, 360) if recipe.wrap else (0,):
            for index, ring in enumerate(shape.rings):
                lon, lat = _unrolled(np.array(ring).T) if recipe.wrap else np.array(ring).T
                x, y = recipe.project(lon + shift, lat)
                if recipe.projection == "azimuthal" and _far(recipe, lon, lat):
                    continue
                if x.max() < 0 or x.min() > width or y.max() < 0 or y.min() > height:
                    continue
                flat = list(zip(x.tolist(), y.tolist(), strict=True))
                if len(flat) > 2:
                    draw.polygon(flat, fill=0 if index else number)
    return np.array(image)


def _unrolled(ring: Array) -> Array:
    """A ring that leads over the edge of the map goes on beyond it; one around a pole is closed
    there."""
    lon, lat = ring
    lon = lon + 360 * np.concatenate([[0], np.cumsum(-np.round(np.diff(lon) / 360))])
    if abs(lon[-1] - lon[0]) > 180:
        pole = 89.9 if lat.mean() > 0 else -89.9
        lon, lat = np.append(lon, [lon[-1], lon[0]]), np.append(lat, [pole, pole])
    return np.array([lon, lat])


def _far(recipe: Recipe, lon: Array, lat: Array) -> bool:
    """Whether a shape lies on the other side of the earth, where the projection breaks up."""
    b0, b = np.radians(recipe.center[1]), np.radians(lat)
    cosine = np.sin(b0) * np.sin(b) + np.cos(b0) * np.cos(b) * np.cos(
        np.radians(lon - recipe.center[0])
    )
    return bool(cosine.min() < -0.5)


def coasts(recipe: Recipe, land: list[Shape], lakes: list[Shape]) -> Array:
    """Land and sea; those of the lakes are sea in which one of the recipe's points lies."""
    ground = raster(recipe, land, numbered=False)
    numbers, _ = ndimage.label(raster(recipe, lakes, numbered=False))
    for point in recipe.lakes:
        column, row = recipe.pixel(*point)
        number = numbers[round(row), round(column)]
        if not number:
            raise SystemExit(f"no lake at {point}")
        ground[numbers == number] = SEA
    return ground


def terrain(recipe: Recipe, land: list[Shape], lakes: list[Shape]) -> Array:
    """Land and sea, with what the recipe fills and digs."""
    image = Image.fromarray(coasts(recipe, land, lakes))
    draw = ImageDraw.Draw(image)
    for points in recipe.erase:
        draw.polygon([recipe.pixel(*each) for each in points], fill=SEA)
    for strokes, value in ((recipe.dig, SEA), (recipe.fill, LAND)):
        for stroke in strokes:
            line = [recipe.pixel(*each) for each in stroke.points]
            if len(line) > 1:
                draw.line(line, fill=value, width=round(stroke.width), joint="curve")
            for x, y in line:
                r = stroke.width / 2
                draw.ellipse((x - r, y - r, x + r, y + r), fill=value)
    return np.array(image)


def seed_cells(recipe: Recipe, name: str, ground: Array, value: int) -> list[tuple[int, int]]:
    """Return the pixels that an area grows from."""
    height, width = ground.shape
    cells = set()
    for path in recipe.seeds[name]:
        xy = [recipe.pixel(*each) for each in path]
        line = xy[:1]
        for (x0, y0), (x1, y1) in itertools.pairwise(xy):
            steps = max(int(max(abs(x1 - x0), abs(y1 - y0))), 1)
            line += [
                (x0 + (x1 - x0) * k / steps, y0 + (y1 - y0) * k / steps)
                for k in range(1, steps + 1)
            ]
        for x, y in line:
            column, row = round(x), round(y)
            if recipe.wrap:
                column %= width
            if 0 <= column < width and 0 <= row < height and ground[row, column] == value:
                cells.add((row, column))
    return sorted(cells)


def grow(
    recipe: Recipe,
    ground: Array,
    country: Array,
    names: list[str],
    sea: set[str],
    log: list[str],
) -> Array:
    """Return the number of an area (its place in `names`) for every pixel; -1 where none came.

    Areas that have nothing to grow from are added to `log`.
    """
    height, width = ground.shape
    chance = np.random.default_rng(1901)
    rough = ndimage.gaussian_filter(chance.standard_normal(ground.shape), 6, mode="wrap")
    cost = np.where(ground == LAND, np.exp(0.45 * rough / rough.std()), 1.0)
    number = np.arange(height * width).reshape(height, width)
    rows, columns, weights = [], [], []
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for one, two in _neighbors(height, width, dy, dx, recipe.wrap):
            same = ground[one] == ground[two]
            weight = (cost[one] + cost[two]) / 2 * np.hypot(dx, dy)
            weight = weight + recipe.border_cost * (
                (country[one] != country[two]) & (ground[one] == LAND)
            )
            rows.append(number[one][same])
            columns.append(number[two][same])
            weights.append(weight[same])
    sources = []
    for index, name in enumerate(names):
        value = SEA if name in sea else LAND
        cells = seed_cells(recipe, name, ground, value)
        if not cells:
            log.append(f"{name}: its seeds lie on the wrong ground")
            continue
        source = height * width + index
        sources.append(source)
        for row, column in cells:
            rows.append(np.array([source]))
            columns.append(np.array([number[row, column]]))
            weights.append(np.array([1000.0 + recipe.reach.get(name, 0.0)]))
    size = height * width + len(names)
    graph = coo_matrix(
        (np.concatenate(weights), (np.concatenate(rows), np.concatenate(columns))), (size, size)
    ).tocsr()
    # Sources hang on by long lines, so that none is reached through another.
    _, _, owner = dijkstra(
        graph, directed=False, indices=sources, min_only=True, return_predecessors=True
    )
    flat = owner[: height * width]
    return np.where(flat >= 0, flat - height * width, -1).reshape(height, width)


def _neighbors(
    height: int, width: int, dy: int, dx: int, wrap: bool
) -> list[tuple[Slices, Slices]]:
    if dx >= 0:
        one = (slice(0, height - dy), slice(0, width - dx))
        two = (slice(dy, height), slice(dx, width))
    else:
        one = (slice(0, height - dy), slice(-dx, width))
        two = (slice(dy, height), slice(0, width + dx))
    pairs: list[tuple[Slices, Slices]] = [(one, two)]
    if wrap and dx:
        last, first = (width - 1, 0) if dx > 0 else (0, width - 1)
        pairs.append(((slice(0, height - dy), last), (slice(dy, height), first)))
    return pairs
