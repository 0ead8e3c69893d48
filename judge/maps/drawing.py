"""Drawings of boards: areas, lines, and where signs stand (docs/maps.md)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal

Spot = tuple[float, float]
LineKind = Literal["coast", "border", "river", "water", "void", "frame", "strait", "link", "route"]

WIDTH: Final = 1200
"""Width of a picture that is laid out, and of every SVG."""

FRAME: Final = "#"
"""What lies beside a line at the edge of the picture."""


@dataclass(frozen=True)
class DrawnLine:
    """A line between two areas: whose border it is, and where it goes."""

    kind: LineKind
    between: tuple[str, str]
    points: Sequence[Spot]

    @cached_property
    def path(self) -> str:
        """The line as an SVG path."""
        return _path(self.points)


@dataclass(frozen=True)
class Shape:
    """Ground in the picture: its rings, as points."""

    rings: Sequence[tuple[Spot, ...]]

    @cached_property
    def path(self) -> str:
        """Its shape as an SVG path."""
        return "".join(_path(ring) + "z" for ring in self.rings)

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """The box it lies in: left, top, right, bottom."""
        xs, ys = zip(*(point for ring in self.rings for point in ring), strict=True)
        return min(xs), min(ys), max(xs), max(ys)


@dataclass(frozen=True)
class Area(Shape):
    """One province in the picture: its shape, and where things go.

    `coasts` are where fleets stand in a split province, by coast. `scale` is how large a unit, a
    center and a label fit, 1 being the usual size. `water` is a sea.
    """

    scale: float
    unit: Spot
    beaten: Spot
    label: Spot
    center: Spot | None = None
    coasts: Mapping[str, Spot] = field(default_factory=dict)
    water: bool = False


@dataclass(frozen=True)
class EmptyArea(Shape):
    """Ground nobody can enter."""

    ground: Literal["land", "water"]


@dataclass(frozen=True, eq=False)
class Drawing:
    """A board as it is drawn; all in pixels of a picture 1,200 wide.

    `joints` are points where four areas meet and units step across; `wrap`: the left edge goes on
    at the right one, at the heights in `seam`. `source` is a digest of the file it was read from.
    """

    size: tuple[int, int]
    areas: Mapping[str, Area]
    lines: Sequence[DrawnLine]
    voids: Sequence[EmptyArea] = ()
    joints: Sequence[Spot] = ()
    wrap: bool = False
    seam: Sequence[float] = ()
    schematic: bool = False
    source: str = ""
    colors: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def scale(self) -> float:
        """How large units, centers and names are in all areas: so that they fit into most."""
        scales = sorted(area.scale for area in self.areas.values())
        return min(max(scales[len(scales) // 8], 0.7), 1.0)

    def spot(self, location: str) -> Spot:
        """Return where a unit stands at a location."""
        province, _, coast = location.partition("/")
        area = self.areas[province]
        return area.coasts.get(coast, area.unit)


def rounded(middle: Spot, w: float, h: float, r: float) -> str:
    """Draw a box with round corners, as an SVG path."""
    x, y = middle
    corner = f"a{r:.1f} {r:.1f} 0 0 1"
    return (
        f"M{x - w / 2 + r:.1f} {y - h / 2:.1f}h{w - 2 * r:.1f}{corner} {r:.1f} {r:.1f}"
        f"v{h - 2 * r:.1f}{corner} {-r:.1f} {r:.1f}h{2 * r - w:.1f}{corner} {-r:.1f} {-r:.1f}"
        f"v{2 * r - h:.1f}{corner} {r:.1f} {-r:.1f}z"
    )


def drawing_from(data: Mapping[str, Any]) -> Drawing:
    """Return the drawing that JSON values state (their form: docs/maps.md)."""
    points = [_points(line) for line in data["lines"]]

    def rings(entry: Mapping[str, Any]) -> list[tuple[Spot, ...]]:
        return [_ring(points, ring) for ring in entry["rings"]]

    areas = {
        name: Area(
            rings=rings(entry),
            scale=entry["scale"],
            unit=_spot(entry["unit"]),
            beaten=_spot(entry["beaten"]),
            label=_spot(entry["label"]),
            center=_spot(entry["center"]) if "center" in entry else None,
            coasts={coast: _spot(at) for coast, at in entry.get("coasts", {}).items()},
            water=entry.get("water", False),
        )
        for name, entry in data["areas"].items()
    }
    voids = [EmptyArea(rings(entry), entry["ground"]) for entry in data["voids"].values()]
    sides: dict[int, list[tuple[str, str]]] = {}
    owners = data["areas"] | {f"_{name}": entry for name, entry in data["voids"].items()}
    for name, entry in owners.items():
        side = name, entry.get("ground", "water" if entry.get("water") else "land")
        for number in itertools.chain(*entry["rings"]):
            sides.setdefault(max(number, ~number), []).append(side)
    lines = []
    marked: dict[frozenset[str], LineKind] = {frozenset(p): "strait" for p in data["narrows"]}
    marked |= {frozenset(pair): "river" for pair in data.get("rivers", ())}
    for number, line in enumerate(points):
        near = sorted(sides.get(number, []))
        near += [(FRAME, FRAME)] * (2 - len(near))
        between = near[0][0], near[1][0]
        kind = marked.get(frozenset(between)) or _kind(near)
        lines.append(DrawnLine(kind, between, line))
    for strait in data["straits"]:
        x0, y0, x1, y1 = strait["line"]
        one, two = strait["between"]
        lines.append(DrawnLine("strait", (one, two), [(x0, y0), (x1, y1)]))
    width, height = data["size"]
    joints = [_spot(each["at"]) for each in (*data["canals"], *data["corners"]) if each["across"]]
    edge = [line for line in points if data["wrap"] and {x for x, _ in line} == {0}]
    return Drawing(
        size=(width, height),
        areas=areas,
        lines=lines,
        voids=voids,
        joints=joints,
        wrap=data["wrap"],
        seam=[(line[0][1] + line[-1][1]) / 2 for line in edge],
        colors=data["colors"],
    )


def _kind(near: Sequence[tuple[str, str]]) -> LineKind:
    grounds = {ground for _, ground in near}
    if FRAME in grounds:
        return "frame"
    if grounds == {"land", "water"}:
        return "coast"
    if all(name.startswith("_") for name, _ in near):
        return "void"
    return "water" if grounds == {"water"} else "border"


def _spot(value: Sequence[float]) -> Spot:
    return value[0], value[1]


def _points(line: Sequence[int]) -> list[Spot]:
    """Return the points of a line, which is stated in tenths of a pixel: a start, then steps."""
    xs, ys = itertools.accumulate(line[::2]), itertools.accumulate(line[1::2])
    return [(x / 10, y / 10) for x, y in zip(xs, ys, strict=True)]


def _ring(lines: Sequence[Sequence[Spot]], numbers: Sequence[int]) -> tuple[Spot, ...]:
    """Return the points of a ring; each line ends where the next one begins."""
    ways = [lines[each] if each >= 0 else lines[~each][::-1] for each in numbers]
    return tuple(point for way in ways for point in way[:-1])


def _path(points: Sequence[Spot]) -> str:
    """Return a line as SVG: a start, then steps, without the blanks that SVG does not need."""
    (x, y), text = points[0], ""
    for one, two in itertools.pairwise(points):
        for before, after in zip(one, two, strict=True):
            value = _tenths(after - before)
            text += value if value.startswith("-") or not text else f" {value}"
    return f"M{_tenths(x)} {_tenths(y)}l{text}"


def _tenths(value: float) -> str:
    """Return a number as shortly as SVG can have it, to a tenth: "12.5", "3", "-.5"."""
    text = f"{value:.1f}".removesuffix(".0")
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
