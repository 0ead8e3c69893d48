"""python -m tools.boards.stretch BOARD: gives the crowded parts of a drawing more room.

A rubber sheet: areas that want more room push everything around them away, those that have too much
pull, and all points of all lines follow in small smooth steps. So lines that met still meet, and
none cross. What each area wants is in its recipe, under [stretch]. Units and names are placed anew.
"""

from __future__ import annotations

import json
import sys
import tomllib
from itertools import pairwise
from typing import Any

import numpy as np
from shapely import LineString

from judge import variants
from judge.rules.board import province_of
from judge.rules.variant import Variant
from tools.boards.arrays import Array
from tools.boards.place import mask_of, place
from tools.boards.write import crossing, save

ROUNDS = 100
SHORE = 90.0
"""Pixels from the frame within which points move across it ever less."""


def stretched(data: dict[str, Any], evenness: float, room: dict[str, float]) -> list[Array]:
    """Return the lines of a drawing, stretched.

    Each area wants its size to the power of `evenness`, times its `room` (1 by default).
    """
    lines = [np.cumsum(np.array(line).reshape(-1, 2), axis=0) / 10 for line in data["lines"]]
    ends = np.cumsum([0, *map(len, lines)])
    points = np.vstack(lines).astype(float)
    size = np.array(data["size"], float)
    fixed = (points <= 0.05) | (points >= size - 0.05)
    rings = []
    for name, entry in [*data["areas"].items(), *((f"_{k}", v) for k, v in data["voids"].items())]:
        for ring in entry["rings"]:
            steps = [
                np.arange(ends[max(n, ~n)], ends[max(n, ~n) + 1])[:: 1 if n >= 0 else -1]
                for n in ring
            ]
            rings.append((name, np.concatenate([step[:-1] for step in steps])))
    first = np.array([_measured(points[ring])[0] for _, ring in rings])
    rings = [ring for ring, large in zip(rings, first > 300, strict=True) if large]
    first = first[first > 300]
    wanted = np.array(
        [s**evenness * room.get(name, 1.0) for s, (name, _) in zip(first, rings, strict=True)]
    )
    wanted *= first.sum() / wanted.sum()
    for _ in range(ROUNDS):
        found = [_measured(points[ring]) for _, ring in rings]
        sizes = np.array([each[0] for each in found])
        middles = np.array([each[1] for each in found])
        reach = 0.9 * np.sqrt(sizes)
        growth = np.clip(np.log(wanted / sizes), -0.7, 0.7)
        away = points[:, None] - middles[None]
        near = np.exp(-0.5 * (away**2).sum(-1) / reach**2)
        step = (away * (near * growth)[..., None]).sum(1) * 0.06
        calm = np.clip(np.minimum(points, size - points) / SHORE, 0, 1)
        if data["wrap"]:  # both sides of the seam stay at the same heights
            calm[:, 1] *= calm[:, 0]
        points = points + np.where(fixed, 0, step * calm)
    return [points[a:b] for a, b in pairwise(ends)]


def _measured(ring: Array) -> tuple[float, Array]:
    """The size of a ring, and its middle."""
    after = np.roll(ring, -1, axis=0)
    cross = ring[:, 0] * after[:, 1] - after[:, 0] * ring[:, 1]
    size = cross.sum() / 2
    if abs(size) < 1:
        return 1.0, ring.mean(axis=0)
    return abs(float(size)), ((ring + after) * cross[:, None]).sum(axis=0) / 6 / size


def _shores(
    data: dict[str, Any], variant: Variant, name: str, lines: list[Array]
) -> dict[str, Array]:
    """The points along each coast of a split province."""
    sides: dict[int, set[str]] = {}
    for key, entry in data["areas"].items():
        for ring in entry["rings"]:
            for number in ring:
                sides.setdefault(max(number, ~number), set()).add(key)
    fleet = variant.board.fleet
    reach = {
        coast: {province_of(place) for place in fleet[f"{name}/{coast}"]}
        for coast in variant.board.provinces[name].coasts
    }
    old = data["areas"][name].get("coasts", {})
    shores: dict[str, list[Array]] = {coast: [] for coast in reach}
    for number, near in sides.items():
        (other,) = near - {name} if len(near) == 2 and name in near else ("",)
        coasts = [coast for coast, places in reach.items() if other in places]
        if not data["areas"].get(other, {}).get("water") or not coasts:
            continue
        if not np.ptp(lines[number], axis=0).any():
            continue
        # Where one water lies on both coasts, the nearer one counts.
        middle = lines[number].mean(axis=0)
        coast = min(coasts, key=lambda each: float(np.hypot(*(middle - old.get(each, middle)))))
        shores[coast].append(np.array(LineString(lines[number]).segmentize(3.0).coords))
    return {coast: np.vstack(found) for coast, found in shores.items()}


def _end_at(data: dict[str, Any], at: list[float]) -> tuple[int, int]:
    """The line that starts or ends in a corner, and which of its points does."""
    for number, line in enumerate(data["lines"]):
        for end, points in ((0, line[:2]), (-1, np.reshape(line, (-1, 2)).sum(axis=0))):
            if np.abs(np.array(points) / 10 - at).max() < 0.06:
                return number, end
    raise SystemExit(f"no line ends in {at}")


def _ring(lines: list[Array], ring: list[int]) -> Array:
    return np.vstack([lines[n] if n >= 0 else lines[~n][::-1] for n in ring])


def _main_shore(data: dict[str, Any], lines: list[Array], name: str) -> Array:
    """The longest ring of an area."""
    return max((_ring(lines, ring) for ring in data["areas"][name]["rings"]), key=len)


def main() -> None:
    """Stretch the drawing of a board in its place."""
    board = sys.argv[1]
    folder = variants.directory() / "maps"
    mix = tomllib.loads((folder / "recipes" / f"{board}.toml").read_text())["stretch"]
    path = folder / f"{board}.json"
    data = json.loads(path.read_text())
    variant = variants.load(board)
    lines = stretched(data, mix["evenness"], mix["room"])
    corners = [(each, _end_at(data, each["at"])) for each in data["canals"] + data["corners"]]
    tenths = [np.rint(line * 10).astype(int) for line in lines]
    data["lines"] = [
        [*line[0].tolist(), *np.diff(line, axis=0).ravel().tolist()] for line in tenths
    ]
    lines = [line / 10 for line in tenths]
    for each, (line, end) in corners:
        each["at"] = lines[line][end].round(1).tolist()
    for each in data["straits"]:
        each["line"] = crossing(*(_main_shore(data, lines, name) for name in each["between"]))
    width, height = data["size"]
    for name, entry in data["areas"].items():
        rings = [_ring(lines, ring) for ring in entry["rings"]]
        province = variant.board.provinces[name]
        shores = _shores(data, variant, name, lines) if province.coasts else {}
        mask = mask_of((width, height), rings)
        placed = place(mask, name.upper(), province.supply_center, shores)
        if placed is None:
            raise SystemExit(f"{name}: no room")
        if placed.scale < 1:
            print(f"{name}: only {placed.scale}")
        entry |= {"scale": placed.scale}
        entry |= {key: [round(v, 1) for v in at] for key, at in placed.spots.items()}
        if placed.coasts:
            entry["coasts"] = {key: [round(v, 1) for v in at] for key, at in placed.coasts.items()}
    save(data, path)


if __name__ == "__main__":
    main()
