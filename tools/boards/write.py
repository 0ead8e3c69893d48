"""Writes a drawing: lines in tenths of a pixel, areas as rings of lines, and where things go."""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from pathlib import Path
from typing import Any

import numpy as np
from shapely import LineString, Point, Polygon
from shapely.ops import nearest_points

from judge.maps.atlas import borders_digest
from judge.rules.board import borders, province_of
from judge.rules.variant import Variant
from tools.boards.arrays import Array
from tools.boards.place import Places, Spot, mask_of, place
from tools.boards.plan import Plan
from tools.boards.recipe import Quadrants, Recipe
from tools.boards.trace import FRAME, Arc, arcs, rings, softened


def drawing(mix: Recipe, plan: Plan, variant: Variant) -> dict[str, Any]:
    """Return the drawing of a board as JSON values (the form is told in docs/maps.md)."""
    lines = softened(arcs(plan.area), mix.size)
    found = rings(lines)
    near = borders(variant.board)
    areas: dict[str, dict[str, Any]] = {}
    voids: dict[str, dict[str, Any]] = {}
    for number, name in enumerate(plan.names):
        if number not in found:
            continue
        if name[0] == "_":
            kind = "water" if name in plan.sea else "land"
            voids[name[1:]] = {"ground": kind, "rings": found[number]}
            continue
        areas[name] = _area(mix, plan, variant, name, lines, found[number])
    return {
        "board": mix.board,
        "borders": borders_digest(variant.board),
        "colors": mix.colors,
        "size": list(mix.size),
        "wrap": mix.wrap,
        "straits": [_strait(plan, lines, found, pair) for pair in mix.straits],
        "narrows": [list(pair) for pair in mix.narrows],
        **({"rivers": [list(pair) for pair in mix.rivers]} if mix.rivers else {}),
        "canals": [_corner(mix, each, near) for each in mix.quadrants if each.canal],
        "corners": [_corner(mix, each, near) for each in mix.quadrants if not each.canal],
        "areas": areas,
        "voids": voids,
        "lines": [_line(line) for line in lines],
    }


def _strait(
    plan: Plan, lines: list[Arc], found: dict[int, list[list[int]]], pair: tuple[str, str]
) -> dict[str, Any]:
    """A strait, with the line over it: the shortest between the main lands, and a bit ashore."""
    shores = [
        max((ring_points(lines, ring) for ring in found[plan.number(name)]), key=len)
        for name in pair
    ]
    return {"between": list(pair), "line": crossing(*shores)}


def crossing(one: Array, two: Array) -> list[float]:
    """Return the shortest line between two shores, with a bit ashore at both ends."""
    gaps = np.hypot(*(one[:, None] - two[None]).transpose(2, 0, 1))
    i, j = np.unravel_index(np.argmin(gaps), gaps.shape)
    line = [*_ashore(one, one[i]), *_ashore(two, two[j])]
    return [round(float(v), 1) for v in line]


def _ashore(shore: Array, at: Array) -> tuple[float, float]:
    """The nearest point that lies a few pixels inland."""
    land = Polygon(shore)
    inland = next(deep for depth in (4, 3, 2, 1.5) if not (deep := land.buffer(-depth)).is_empty)
    point = nearest_points(inland, Point(at))[0]
    return point.x, point.y


def _corner(mix: Recipe, four: Quadrants, near: Mapping[str, Set[str]]) -> dict[str, Any]:
    at = [round(value) for value in mix.pixel(*four.at)]
    pairs = [pair for pair in four.pairs if pair[1] in near[pair[0]]]
    return {"around": four.areas, "across": pairs, "at": at}


def _line(line: Arc) -> list[int]:
    tenths = np.rint(line.points * 10).astype(int)
    return [*tenths[0].tolist(), *np.diff(tenths, axis=0).ravel().tolist()]


def ring_points(lines: list[Arc], ring: list[int]) -> Array:
    """Return a ring as points."""
    return np.vstack([lines[n].points if n >= 0 else lines[~n].points[::-1] for n in ring])


def _area(
    mix: Recipe, plan: Plan, variant: Variant, name: str, lines: list[Arc], ring: list[list[int]]
) -> dict[str, Any]:
    province = variant.board.provinces[name]
    mask = mask_of(mix.size, [ring_points(lines, each) for each in ring])
    shores = _shores(plan, variant, name, lines, ring)
    prefer = mix.prefer.get(name)
    spot = Spot(*mix.pixel(*prefer[0])) if prefer else None
    placed = place(mask, name.upper(), province.supply_center, shores, spot)
    if placed is None:
        plan.log.append(f"{name}: no room")
        placed = Places(0.4, {"unit": Spot(0, 0), "label": Spot(0, 0), "beaten": Spot(0, 0)})
    elif placed.scale < 0.7:
        plan.log.append(f"{name}: only {placed.scale}")
    entry: dict[str, Any] = {"rings": ring, "scale": placed.scale}
    if province.terrain == "sea":
        entry["water"] = True
    entry |= {key: [round(v, 1) for v in at] for key, at in placed.spots.items()}
    if placed.coasts:
        entry["coasts"] = {key: [round(v, 1) for v in at] for key, at in placed.coasts.items()}
    return entry


def _shores(
    plan: Plan, variant: Variant, name: str, lines: list[Arc], ring: list[list[int]]
) -> dict[str, Array]:
    """The points along each coast of a split province: of the runs of shore on whose waters, and
    beside whose neighbors along the shore, the coast lies."""
    province = variant.board.provinces[name]
    if not province.coasts:
        return {}
    reach = {
        coast: {province_of(place) for place in variant.board.fleet[f"{name}/{coast}"]}
        for coast in province.coasts
    }
    every = set().union(*reach.values())
    shores: dict[str, list[Array]] = {coast: [] for coast in province.coasts}
    for numbers in ring:
        around = []
        for line in (lines[max(number, ~number)] for number in numbers):
            other = line.left if plan.names[line.right] == name else line.right
            around.append(("#" if other == FRAME else plan.names[other], line.points))
        first = next((k for k, (each, _) in enumerate(around) if each not in plan.sea), 0)
        around = [*around[first:], *around[: first + 1]]
        run: list[Array] = []
        near: set[str] = {around[0][0]} & every
        for each, points in around:
            near |= {each} & every
            if each in plan.sea:
                run.append(points)
                continue
            for coast, places in reach.items():
                if run and near <= places:
                    shores[coast] += run
            run, near = [], {each} & every
        for coast, places in reach.items():
            if not shores[coast]:
                # A river or an inlet without a water of its own: where it meets its neighbors.
                shores[coast] += [points for each, points in around if each in places]
    return {coast: np.vstack(list(map(_dense, points))) for coast, points in shores.items()}


def _dense(points: Array) -> Array:
    """A line with a point at every third pixel at least."""
    line = LineString(points)
    return np.array(line.segmentize(3.0).coords)


def save(data: dict[str, Any], path: Path) -> None:
    """Write the drawing, a line of the file for each area and for each line of the drawing."""

    def flat(value: object) -> str:
        return json.dumps(value, separators=(",", ":"))

    rows = []
    for key, value in data.items():
        if isinstance(value, dict):
            inner = ",\n".join(f"{flat(k)}:{flat(v)}" for k, v in value.items())
            rows.append(f"{flat(key)}:{{\n{inner}\n}}")
        elif key == "lines":
            inner = ",\n".join(flat(each) for each in value)
            rows.append(f"{flat(key)}:[\n{inner}\n]")
        else:
            rows.append(f"{flat(key)}:{flat(value)}")
    path.parent.mkdir(exist_ok=True)
    path.write_text("{\n" + ",\n".join(rows) + "\n}\n")
