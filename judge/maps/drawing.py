"""Drawings of boards: read from `variants/maps/`, or laid out where there is none.

A drawing fits a board when both have the same borders; what the variant is called does not matter,
so that all variants on one board share one drawing.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, Literal

from judge.rules.board import Board, Derived
from judge.rules.values import frozen
from judge.rules.variant import Variant
from judge.variants import folders

Spot = tuple[float, float]
LineKind = Literal["coast", "border", "water", "void", "frame", "strait", "link", "route"]

FRAME: Final = "#"
"""What lies beside a line at the edge of the picture."""


@frozen
class Line:
    """A line between two areas: `path` as SVG has it, `between` whose border it is, and where it
    goes."""

    path: str
    kind: LineKind
    between: tuple[str, str]
    points: Sequence[Spot] = ()


@frozen
class Area:
    """One province in the picture: its shape as an SVG path, and where things go.

    `coasts` are where fleets stand in a split province, by coast. `scale` is how large a unit, a
    center and a label fit, 1 being the usual size. `rings` are its shape as points.
    """

    path: str
    scale: float
    unit: Spot
    beaten: Spot
    label: Spot
    center: Spot | None = None
    coasts: Mapping[str, Spot] = field(default_factory=dict)
    rings: Sequence[tuple[Spot, ...]] = ()

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The box it lies in: left, top, right, bottom."""
        xs, ys = zip(*(point for ring in self.rings for point in ring), strict=True)
        return min(xs), min(ys), max(xs), max(ys)


@frozen
class Void:
    """Ground nobody can enter."""

    path: str
    ground: Literal["land", "water"]
    rings: Sequence[tuple[Spot, ...]] = ()


@dataclass(frozen=True, eq=False)
class Drawing:
    """A board as it is drawn; all in pixels of a picture 1,200 wide.

    `joints` are points where four areas meet and units step across; `wrap`: the left edge goes on
    at the right one, at the heights in `seam`.
    """

    size: tuple[int, int]
    areas: Mapping[str, Area]
    lines: Sequence[Line]
    voids: Sequence[Void] = ()
    joints: Sequence[Spot] = ()
    wrap: bool = False
    seam: Sequence[float] = ()
    schematic: bool = False
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


def borders_digest(board: Board) -> str:
    """Return a digest of who borders on whom, the same for all variants on one board."""
    pairs = [
        f"{kind} {here} {there}"
        for kind, steps in (("A", board.army), ("F", board.fleet))
        for here, places in steps.items()
        for there in places
    ]
    return hashlib.sha256("\n".join(sorted([*board.provinces, *pairs])).encode()).hexdigest()[:16]


@Derived
def drawing_of(variant: Variant) -> Drawing:
    """Return the drawing of a variant's board; a schematic where there is none."""
    from judge.maps.schematic import schematic

    path = file_of(variant)
    return schematic(variant) if path is None else _read(path)


def file_of(variant: Variant) -> Path | None:
    """Return the file with the drawing of a variant's board; None where there is none."""
    return _index().get(borders_digest(variant.board))


def files() -> Iterator[Path]:
    """Yield the files of all drawings there are."""
    for folder in folders():
        yield from sorted((folder / "maps").glob("*.json"))


_BORDERS: Final = re.compile(r'"borders":\s*"(\w+)"')
"""The digest, near the head of a file: the rest is read when a board is drawn."""


@cache
def _index() -> dict[str, Path]:
    found: dict[str, Path] = {}
    for path in files():
        with path.open(encoding="utf-8") as lines:
            head = "".join(itertools.islice(lines, 3))
        if borders := _BORDERS.search(head):
            found.setdefault(borders[1], path)
    return found


@cache
def _read(path: Path) -> Drawing:
    return drawing_from(json.loads(path.read_text()))


def drawing_from(data: Mapping[str, Any]) -> Drawing:
    """Return the drawing that JSON values state (their form: docs/maps.md)."""
    points = [_points(line) for line in data["lines"]]
    sides: dict[int, list[tuple[str, str]]] = {}
    areas: dict[str, Area] = {}
    for name, entry in data["areas"].items():
        ground = "water" if entry.get("water") else "land"
        for ring in entry["rings"]:
            for number in ring:
                sides.setdefault(max(number, ~number), []).append((name, ground))
        areas[name] = Area(
            path=_shape(points, entry["rings"]),
            rings=[_whole(points, ring) for ring in entry["rings"]],
            scale=entry["scale"],
            unit=_spot(entry["unit"]),
            beaten=_spot(entry["beaten"]),
            label=_spot(entry["label"]),
            center=_spot(entry["center"]) if "center" in entry else None,
            coasts={coast: _spot(at) for coast, at in entry.get("coasts", {}).items()},
        )
    voids = []
    for name, entry in data["voids"].items():
        for ring in entry["rings"]:
            for number in ring:
                sides.setdefault(max(number, ~number), []).append(("_" + name, entry["ground"]))
        rings = [_whole(points, ring) for ring in entry["rings"]]
        voids.append(Void(_shape(points, entry["rings"]), entry["ground"], rings))
    lines = []
    narrows = {frozenset(pair) for pair in data["narrows"]}
    for number, line in enumerate(points):
        near = sorted(sides.get(number, []))
        near += [(FRAME, FRAME)] * (2 - len(near))
        between = near[0][0], near[1][0]
        kind = "strait" if frozenset(between) in narrows else _kind(near)
        lines.append(Line(_open(line), kind, between, [(x / 10, y / 10) for x, y in line]))
    for strait in data["straits"]:
        x0, y0, x1, y1 = strait["line"]
        one, two = strait["between"]
        lines.append(Line(f"M{x0} {y0}L{x1} {y1}", "strait", (one, two), [(x0, y0), (x1, y1)]))
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
        seam=[(line[0][1] + line[-1][1]) / 20 for line in edge],
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


def _points(line: Sequence[int]) -> list[tuple[int, int]]:
    """The points of a line, in tenths of a pixel: a start, then steps."""
    x, y = line[0], line[1]
    found = [(x, y)]
    for k in range(2, len(line), 2):
        x, y = x + line[k], y + line[k + 1]
        found.append((x, y))
    return found


def _tenths(value: int) -> str:
    """Tenths as shortly as SVG can have them: "12.5", "3", "-.5"."""
    text = f"{value / 10:.1f}".removesuffix(".0")
    if text.startswith("0."):
        return text[1:]
    return text.replace("-0.", "-.", 1) if text.startswith("-0.") else text


def _steps(points: Sequence[tuple[int, int]]) -> str:
    """Steps from each point to the next, written without the blanks that SVG does not need."""
    text = ""
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        for value in (_tenths(x1 - x0), _tenths(y1 - y0)):
            text += value if value.startswith("-") or not text else f" {value}"
    return text


def _open(points: Sequence[tuple[int, int]]) -> str:
    x, y = points[0]
    return f"M{_tenths(x)} {_tenths(y)}l{_steps(points)}"


def _shape(points: Sequence[Sequence[tuple[int, int]]], rings: Sequence[Sequence[int]]) -> str:
    return "".join(_open(_joined(points, ring)) + "z" for ring in rings)


def _joined(
    points: Sequence[Sequence[tuple[int, int]]], ring: Sequence[int]
) -> list[tuple[int, int]]:
    """The points of a ring, in tenths of a pixel."""
    whole: list[tuple[int, int]] = []
    for number in ring:
        line = points[number] if number >= 0 else points[~number][::-1]
        whole += line[1:] if whole else line
    return whole[:-1]


def _whole(points: Sequence[Sequence[tuple[int, int]]], ring: Sequence[int]) -> tuple[Spot, ...]:
    return tuple((x / 10, y / 10) for x, y in _joined(points, ring))
