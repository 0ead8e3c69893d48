"""What a board's drawing is made from: `variants/maps/recipes/<board>.toml`."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tools.boards.arrays import Array

Points = list[tuple[float, float]]


@dataclass
class Stroke:
    """A line drawn over the geography: points in degrees, width in pixels."""

    points: Points
    width: float


@dataclass
class Quadrants:
    """A point where four areas meet: those to the northwest, northeast, southeast, southwest.

    `across`: those that lie across from each other are neighbors, too, where the board says so.
    `canal` is its name, if that is so because of one.
    """

    at: tuple[float, float]
    areas: list[str]
    across: bool = False
    canal: str = ""

    @property
    def pairs(self) -> list[list[str]]:
        """The pairs that touch in the point only, and can step across it."""
        if not (self.across or self.canal):
            return []
        return [self.areas[0::2], self.areas[1::2]]


@dataclass
class Recipe:
    """Projection, window, and where every area grows from.

    `seeds` are polylines in degrees by area; names that begin with an underscore are areas
    nobody can enter, of which those in `water` are water. A lake is water where a point of `lakes`
    lies in it. In pixels, `reach` holds an area back and
    `swell` makes an island larger. `straits` are pairs that units cross over open water, `narrows`
    pairs whose border fills a strait, `rivers` those with a river between that fleets go along.
    """

    board: str
    scale: str
    size: tuple[int, int]
    projection: str
    center: tuple[float, float]
    window: tuple[float, float, float, float]
    wrap: bool = False
    lenses: list[tuple[float, float, float, float]] = field(default_factory=list)
    seeds: dict[str, list[Points]] = field(default_factory=dict)
    reach: dict[str, float] = field(default_factory=dict)
    swell: dict[str, float] = field(default_factory=dict)
    water: list[str] = field(default_factory=list)
    lakes: Points = field(default_factory=list)
    fill: list[Stroke] = field(default_factory=list)
    dig: list[Stroke] = field(default_factory=list)
    erase: list[Points] = field(default_factory=list)
    border_cost: float = 12.0
    island_reach: float = 12.0
    names: dict[str, str] = field(default_factory=dict)
    straits: list[tuple[str, str]] = field(default_factory=list)
    narrows: list[tuple[str, str]] = field(default_factory=list)
    rivers: list[tuple[str, str]] = field(default_factory=list)
    quadrants: list[Quadrants] = field(default_factory=list)
    prefer: dict[str, Points] = field(default_factory=dict)
    colors: dict[str, str] = field(default_factory=dict)

    def project(self, lon: Array, lat: Array) -> tuple[Array, Array]:
        """Pixels of places given in degrees."""
        x, y = _flat(self.projection, self.center, np.asarray(lon), np.asarray(lat))
        left, top, right, bottom = self.window
        width, height = self.size
        px = (x - left) / (right - left) * width
        py = (y - top) / (bottom - top) * height
        for lon0, lat0, strength, spread in self.lenses:
            cx, cy = self._plain(lon0, lat0)
            pull = strength * np.exp(-((px - cx) ** 2 + (py - cy) ** 2) / (2 * spread**2))
            px, py = px + (px - cx) * pull, py + (py - cy) * pull
        return px, py

    def _plain(self, lon: float, lat: float) -> tuple[float, float]:
        x, y = _flat(self.projection, self.center, np.array([lon]), np.array([lat]))
        left, top, right, bottom = self.window
        return (
            float((x[0] - left) / (right - left) * self.size[0]),
            float((y[0] - top) / (bottom - top) * self.size[1]),
        )

    def pixel(self, lon: float, lat: float) -> tuple[float, float]:
        """Return the pixel of one place."""
        x, y = self.project(np.array([lon]), np.array([lat]))
        return float(x[0]), float(y[0])


def _flat(name: str, center: tuple[float, float], lon: Array, lat: Array) -> tuple[Array, Array]:
    """Kilometers to the right and down from the center."""
    radius = 6371.0
    if name == "plane":
        return lon, lat
    a, b = np.radians(lon - center[0]), np.radians(lat)
    if name == "azimuthal":  # Lambert's azimuthal equal-area
        b0 = math.radians(center[1])
        cosine = np.sin(b0) * np.sin(b) + np.cos(b0) * np.cos(b) * np.cos(a)
        k = np.sqrt(2 / np.maximum(1 + cosine, 1e-3))
        x = k * np.cos(b) * np.sin(a)
        y = k * (np.cos(b0) * np.sin(b) - np.sin(b0) * np.cos(b) * np.cos(a))
        return radius * x, -radius * y
    # Cylindrical, between Miller's and equal spacing: the poles stay on the page.
    y = 1.25 * np.arcsinh(np.tan(0.8 * np.clip(b, -1.56, 1.56)))
    return radius * a, -radius * y


def _points(text: str) -> Points:
    return [(float(lon), float(lat)) for lon, lat in (each.split(",") for each in text.split())]


def _paths(text: str) -> list[Points]:
    return [_points(each) for each in text.split(";")]


def _stroke(text: str) -> Stroke:
    points, _, width = text.partition(":")
    return Stroke(_points(points), float(width))


def read(path: Path) -> Recipe:
    """Return the recipe in a file."""
    data = tomllib.loads(path.read_text())
    plain = {
        key: data[key]
        for key in (
            "scale",
            "projection",
            "wrap",
            "border_cost",
            "island_reach",
            "reach",
            "swell",
            "water",
            "names",
            "colors",
        )
        if key in data
    }
    return Recipe(
        board=path.stem,
        size=tuple(data["size"]),
        center=tuple(data["center"]),
        window=tuple(data["window"]),
        lenses=[tuple(each) for each in data.get("lenses", [])],
        seeds={key: _paths(text) for key, text in data["seeds"].items()},
        lakes=_points(data.get("lakes", "")),
        fill=[_stroke(text) for text in data.get("fill", [])],
        dig=[_stroke(text) for text in data.get("dig", [])],
        erase=[_points(text) for text in data.get("erase", [])],
        straits=[tuple(each.split()) for each in data.get("straits", [])],
        quadrants=[
            Quadrants(
                _points(each["at"])[0],
                each["areas"].split(),
                each.get("across", False),
                each.get("canal", ""),
            )
            for each in data.get("quadrants", [])
        ],
        narrows=[tuple(each.split()) for each in data.get("narrows", [])],
        rivers=[tuple(each.split()) for each in data.get("rivers", [])],
        prefer={key: _points(text) for key, text in data.get("prefer", {}).items()},
        **plain,
    )
