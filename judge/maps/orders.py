"""Draws the orders of a picture and what came of them.

What their lines mean is told by the pattern, never by color alone. A move is a solid arrow, one
that fails a broken one with a cross; a support is dotted, a convoy has waves, a bomb zigzags, a
retreat is dashed with an open head.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import atan2, cos, hypot, pi, sin

from judge.maps import symbols
from judge.maps.drawing import Drawing, Spot
from judge.maps.symbols import BEATEN, INK, UNIT, number
from judge.maps.view import ShownOrder, View
from judge.rules.board import province_of
from judge.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Launch,
    Move,
    Relay,
    Retreat,
    Support,
)
from judge.rules.position import Unit

HALO = "#ffffff"


def curve(through: Sequence[Spot], bend: float = 0.1) -> list[Spot]:
    """Return a line through places, as points close to each other. Two places are joined by an arc
    that bends to the left by `bend` of its length, so that there and back are two lines."""
    if len(through) == 2:
        (x0, y0), (x1, y1) = through
        cx, cy = (x0 + x1) / 2 + (y1 - y0) * bend, (y0 + y1) / 2 - (x1 - x0) * bend
        return [
            (
                (1 - t) ** 2 * x0 + 2 * t * (1 - t) * cx + t * t * x1,
                (1 - t) ** 2 * y0 + 2 * t * (1 - t) * cy + t * t * y1,
            )
            for t in (k / 32 for k in range(33))
        ]
    ends = [through[0], *through, through[-1]]
    points = [through[0]]
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        points += [_between(a, b, c, d, k / 16) for k in range(1, 17)]
    return points


def _between(a: Spot, b: Spot, c: Spot, d: Spot, t: float) -> Spot:
    """A point on Catmull and Rom's curve from `b` to `c`."""

    def one(p: float, q: float, r: float, s: float) -> float:
        return 0.5 * (
            2 * q
            + (r - p) * t
            + (2 * p - 5 * q + 4 * r - s) * t**2
            + (3 * q - p - 3 * r + s) * t**3
        )

    return one(a[0], b[0], c[0], d[0]), one(a[1], b[1], c[1], d[1])


def shorten(points: Sequence[Spot], start: float, end: float) -> list[Spot]:
    """Return the line without `start` pixels at its beginning and `end` at its end."""
    total = length(points)
    if start + end > total * 0.8:
        start, end = start * 0.8 * total / (start + end), end * 0.8 * total / (start + end)
    return _after(_after(points, start)[::-1], end)[::-1]


def _after(points: Sequence[Spot], skip: float) -> list[Spot]:
    rest = list(points)
    while len(rest) > 2 and (step := _apart(rest[0], rest[1])) <= skip:
        skip -= step
        rest.pop(0)
    step = _apart(rest[0], rest[1])
    part = min(skip / step, 0.99) if step else 0.0
    (x0, y0), (x1, y1) = rest[:2]
    return [(x0 + (x1 - x0) * part, y0 + (y1 - y0) * part), *rest[1:]]


def _apart(a: Spot, b: Spot) -> float:
    return hypot(b[0] - a[0], b[1] - a[1])


def length(points: Sequence[Spot]) -> float:
    """Return how long a line is."""
    return sum(_apart(a, b) for a, b in itertools.pairwise(points))


def point_along(points: Sequence[Spot], part: float) -> tuple[Spot, float]:
    """Return the place at a part (0 to 1) of a line, and the angle the line has there."""
    left = length(points) * part
    for a, b in itertools.pairwise(points):
        step = _apart(a, b)
        if left <= step and step:
            t = left / step
            return (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t), atan2(
                b[1] - a[1], b[0] - a[0]
            )
        left -= step
    a, b = points[-2], points[-1]
    return b, atan2(b[1] - a[1], b[0] - a[0])


def path_data(points: Sequence[Spot], close: bool = False) -> str:
    """Return points as an SVG path."""
    body = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f"M{body}{'z' if close else ''}"


def stroke(
    data: str,
    width: float,
    color: str = INK,
    dash: str = "",
    fill: str = "none",
    cap: str = "round",
) -> str:
    """Draw a path as a line."""
    pattern = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<path d="{data}" fill="{fill}" stroke="{color}" stroke-width="{number(width)}"'
        f'{pattern} stroke-linecap="{cap}" stroke-linejoin="round"/>'
    )


def arrow_head(tip: Spot, angle: float, size: float, fill: str) -> str:
    """Draw an arrow head."""
    back = size * 1.25
    corners = [
        tip,
        *(
            (
                tip[0] - back * cos(angle) + side * size * 0.72 * sin(angle),
                tip[1] - back * sin(angle) - side * size * 0.72 * cos(angle),
            )
            for side in (1, -1)
        ),
    ]
    data = path_data(corners, close=True)
    return stroke(data, 4.5, HALO) + stroke(data, 2, INK, fill=fill)


def outlined(data: str, width: float, halo: float, dash: str = "", cap: str = "round") -> str:
    """Draw a path on white, so that it is seen on any ground."""
    return stroke(data, halo, HALO) + stroke(data, width, INK, dash, cap=cap)


def move_arrow(points: Sequence[Spot], color: str) -> str:
    """Draw a move that succeeds, or of which nobody knows."""
    tip, angle = point_along(points, 1.0)
    body = path_data(shorten(points, 0, 11))
    return (
        stroke(body, 9, HALO)
        + stroke(body, 6.4)
        + stroke(body, 3.2, color)
        + arrow_head(tip, angle, 14, color)
    )


def broken_arrow(
    points: Sequence[Spot], dash: str, width: float = 3.4, halo: float = 7, head: float = 12
) -> str:
    """Draw an arrow that is dashed, with an open head: a way that failed, a retreat, a choice."""
    tip, angle = point_along(points, 1.0)
    body = path_data(shorten(points, 0, min(head, 11)))
    return outlined(body, width, halo, dash, "butt") + arrow_head(tip, angle, head, HALO)


def support_line(points: Sequence[Spot], color: str) -> str:
    """Draw a support: dots that end in a disc."""
    x, y = points[-1]
    return outlined(path_data(points), 4.4, 7, "0.1 7.5") + (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="5" fill="{color}" stroke="{INK}"'
        ' stroke-width="2"/>'
    )


def crossed_out(middle: Spot, width: float, height: float) -> str:
    """Draw the sign of a unit that disbands: two strokes over all of it."""
    (x, y), w, h = middle, width / 2, height / 2
    strokes = (path_data([(x - w, y - k * h), (x + w, y + k * h)]) for k in (1, -1))
    return outlined("".join(strokes), 3.2, 6.5)


FAILED, RETREAT, CHOICE = "8 7", "11 5", "5 4"
"""Dashes of arrows."""


def cross(at: Spot, size: float = 7.0) -> str:
    """Draw the sign of failure: a cross on white."""
    x, y = at
    lines = "".join(
        f"M{number(x - size * 0.5)} {number(y + k * size * 0.5)}"
        f"L{number(x + size * 0.5)} {number(y - k * size * 0.5)}"
        for k in (1, -1)
    )
    disc = (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(size)}" fill="{HALO}"'
        f' stroke="{INK}" stroke-width="1.5"/>'
    )
    return disc + stroke(lines, 2.6)


def slashes(at: Spot, angle: float) -> str:
    """Draw the sign of a support that was cut: two strokes across the line."""
    data = ""
    for shift in (-3.0, 3.0):
        x, y = at[0] + shift * cos(angle), at[1] + shift * sin(angle)
        dx, dy = 8 * cos(angle + pi / 2 + 0.4), 8 * sin(angle + pi / 2 + 0.4)
        data += f"M{number(x - dx)} {number(y - dy)}L{number(x + dx)} {number(y + dy)}"
    return outlined(data, 2.4, 6)


def wave(points: Sequence[Spot], swing: float = 3.2, every: float = 11.0) -> str:
    """Return a line that goes to and fro."""
    total = length(points)
    count = max(int(total / every * 6), 2)
    found = []
    for k in range(count + 1):
        (x, y), angle = point_along(points, k / count)
        off = swing * sin(2 * pi * k / count * total / every)
        found.append((x - off * sin(angle), y + off * cos(angle)))
    return path_data(found)


def zigzag(points: Sequence[Spot], swing: float = 5.0, every: float = 13.0) -> str:
    """Return a line of strokes to and fro."""
    count = max(int(length(points) / every), 2)
    found = [points[0]]
    for k in range(1, count):
        (x, y), angle = point_along(points, k / count)
        off = swing * (1 if k % 2 else -1)
        found.append((x - off * sin(angle), y + off * cos(angle)))
    return path_data([*found, points[-1]])


def burst(at: Spot, size: float, fill: str, teeth: int = 10) -> str:
    """Draw a star with many points: something was thrown out, or blown up, here."""
    corners = []
    for k in range(teeth * 2):
        radius = size if k % 2 == 0 else size * 0.66
        angle = pi * k / teeth
        corners.append((at[0] + radius * cos(angle), at[1] + radius * sin(angle)))
    return stroke(path_data(corners, close=True), 1.6, INK, fill=fill)


def octagon(at: Spot, width: float, height: float) -> str:
    """Draw the sign of a unit that holds: a ring with eight corners."""
    corners = [
        (
            at[0] + width / 2 * 1.08 * cos(pi / 8 + pi / 4 * k),
            at[1] + height / 2 * 1.08 * sin(pi / 8 + pi / 4 * k),
        )
        for k in range(8)
    ]
    data = path_data(corners, close=True)
    return outlined(data, 2.2, 5)


class OrderPainter:
    """Draws the orders of one view. `used` gathers what the legend has to explain."""

    def __init__(self, view: View, drawing: Drawing, colors: dict[str, str]) -> None:
        self.view = view
        self.drawing = drawing
        self.colors = colors
        self.letters = {power: letter for letter, power in view.variant.letters.items()}
        self.used: set[str] = set()
        self.standing = {unit.province: unit for held in view.units.values() for unit in held}
        self.moves = {
            told.order.unit.province: told.order
            for told in view.orders
            if isinstance(told.order, Move)
        }

    # -- where things are

    def at(self, unit: Unit) -> Spot:
        """Return where a unit stands; the one on the board counts, where the order left out its
        coast."""
        there = self.standing.get(unit.province)
        place = there.location if there and there.location.startswith(unit.location) else None
        return self.spot(place or unit.location)

    def spot(self, location: str) -> Spot:
        return self.drawing.spot(location)

    def scale(self, location: str) -> float:
        return self.drawing.areas[province_of(location)].scale

    def known(self, *locations: str | None) -> bool:
        """Return whether these are places of the board; an order may name anything."""
        return all(
            location is not None and province_of(location) in self.drawing.areas
            for location in locations
        )

    # -- lines

    def below(self) -> Iterator[str]:
        """Yield everything that lies under the units: arrows last, so that they are seen best."""
        for kinds in ((Hold,), (Convoy,), (Support,), (Launch, Relay), (Move, Retreat)):
            for told in self.view.orders:
                if isinstance(told.order, kinds):
                    yield from self._tagged(told, self._line(told))

    def _tagged(self, told: ShownOrder, shown: Iterable[str]) -> Iterator[str]:
        """What is drawn for an order, with what it is: for styles, scripts and tests."""
        drawn = "".join(shown)
        if drawn:
            outcome = {None: "open", True: "succeeds", False: "fails"}[told.done]
            yield (
                f'<g class="order {outcome}" data-power="{escape(told.power)}"'
                f' data-order="{escape(str(told.order))}">{drawn}</g>'
            )

    def _line(self, told: ShownOrder) -> Iterator[str]:
        match told.order:
            case Hold(unit=unit) if self.known(unit.location):
                yield self._hold(unit)
            case Move(unit=unit, to=to) if self.known(unit.location, to):
                yield from self._move(told, self.route(told.order))
            case Retreat(unit=unit, to=to) if self.known(unit.location, to):
                yield from self._retreat(told, told.order)
            case Support(unit=unit, target=target) if self.known(unit.location, target.location):
                yield from self._support(told, told.order)
            case Convoy(unit=unit, army=army, to=to) if self.known(
                unit.location, army.location, to
            ):
                yield from self._convoy(told, told.order)
            case Launch(unit=unit, to=to, via=via) if self.known(unit.location, *via, to):
                yield from self._bomb(told, [unit.location, *via, to])

    def _hold(self, unit: Unit) -> str:
        self.used.add("hold")
        scale = self.scale(unit.location)
        return octagon(self.at(unit), UNIT[0] * scale + 15, UNIT[1] * scale + 17)

    def route(self, order: Move) -> list[Spot]:
        """Return the way of a move: over the fleets that were told to carry it, the nearest
        first."""
        start, end = self.at(order.unit), self.spot(order.to)
        fleets = [
            self.at(told.order.unit)
            for told in self.view.orders
            if isinstance(told.order, Convoy)
            and told.order.army.province == order.unit.province
            and province_of(told.order.to) == province_of(order.to)
            and self.known(told.order.unit.location)
        ]
        way, here = [start], start
        while fleets:
            here = min(fleets, key=lambda each: _far(here, each))
            fleets.remove(here)
            way.append(here)
        return self._around([*way, end])

    def retreat(self, order: Retreat) -> list[Spot]:
        """Return the way of a retreat, from where the dislodged unit is drawn."""
        start = self.drawing.areas[order.unit.province].beaten
        return self._around([start, self.spot(order.to)])

    def near(self, end: Spot, place: Spot) -> Spot:
        """Return a place as the end of a way that ends near it, or as far beyond the edge of the
        board."""
        if not self.drawing.wrap:
            return place
        width = self.drawing.size[0]
        return min(
            ((place[0] + shift, place[1]) for shift in (-width, 0, width)),
            key=lambda each: abs(each[0] - end[0]),
        )

    def _around(self, way: Sequence[Spot]) -> list[Spot]:
        """The way as it goes on a board that wraps around: over the edge where that is shorter."""
        if not self.drawing.wrap:
            return list(way)
        width = self.drawing.size[0]
        found = [way[0]]
        for x, y in way[1:]:
            before = found[-1][0]
            found.append((min((x - width, x, x + width), key=lambda each: abs(each - before)), y))
        return found

    def _both_sides(self, shown: str, points: Sequence[Spot]) -> str:
        """The line once more from the other edge, where it leads over one."""
        if self.drawing.wrap:
            width = self.drawing.size[0]
            for shift, over in (
                (width, min(x for x, _ in points) < 0),
                (-width, max(x for x, _ in points) > width),
            ):
                if over:
                    shown += f'<g transform="translate({shift} 0)">{shown}</g>'
        return shown

    def _end(self, location: str) -> float:
        """How far before a place a line to it ends: short of the unit that stands there."""
        occupied = province_of(location) in self.standing
        return (UNIT[1] * 0.5 * self.scale(location) + 9) if occupied else 3

    def _move(self, told: ShownOrder, way: list[Spot]) -> Iterator[str]:
        order = told.order
        assert isinstance(order, Move)
        points = curve(way)
        points = shorten(points, UNIT[1] * 0.4 * self.scale(order.unit.location),
                             self._end(order.to))  # fmt: skip
        if told.done is False:
            self.used.add("failed")
            shown = broken_arrow(points, FAILED) + cross(point_along(points, 0.6)[0])
        else:
            self.used.add("move")
            shown = move_arrow(points, self.colors[told.power])
        yield self._both_sides(shown, points)

    def _retreat(self, told: ShownOrder, order: Retreat) -> Iterator[str]:
        self.used.add("retreat" if told.done is not False else "failed")
        points = shorten(curve(self.retreat(order)), 10, self._end(order.to))
        shown = broken_arrow(points, RETREAT)
        if told.done is False:
            shown += cross(point_along(points, 0.55)[0])
        yield self._both_sides(shown, points)

    def _support(self, told: ShownOrder, order: Support) -> Iterator[str]:
        start = self.at(order.unit)
        if order.to is None or not self.known(order.to):
            way = self._around([start, self.at(order.target)])
            gap = UNIT[1] * 0.5 * self.scale(order.target.location) + 9
        else:
            move = self.moves.get(order.target.province)
            same = move is not None and province_of(move.to) == province_of(order.to)
            aimed = self.route(move) if move is not None and same else self._around(
                [self.at(order.target), self.spot(order.to)]
            )  # fmt: skip
            spot, _ = point_along(curve(aimed), 0.55)
            way, gap = self._around([start, spot]), 3.0
        points = shorten(curve(way, 0.04), UNIT[1] * 0.4, gap)
        shown = support_line(points, self.colors[told.power])
        self.used.add("support")
        if told.done is False:
            middle, angle = point_along(points, 0.5)
            if told.reason in ("cut", "dislodged"):
                self.used.add("cut")
                shown += slashes(middle, angle)
            else:
                self.used.add("failed")
                shown += cross(middle, 6)
        yield self._both_sides(shown, points)

    def _convoy(self, told: ShownOrder, order: Convoy) -> Iterator[str]:
        self.used.add("convoy")
        x, y = self.at(order.unit)
        scale = self.scale(order.unit.location)
        w, h = UNIT[0] * scale / 2 + 8, UNIT[1] * scale / 2
        data = "".join(
            wave([(x - w, y + side * (h + 5)), (x + w, y + side * (h + 5))]) for side in (-1, 1)
        )
        yield outlined(data, 2.4, 6)
        move = self.moves.get(order.army.province)
        if move is None or province_of(move.to) != province_of(order.to):
            # Nothing goes this way, so the wish alone is shown: from the fleet to whom it meant.
            points = shorten(curve(self._around([(x, y), self.at(order.army)])), 20, 24)
            yield self._both_sides(outlined(wave(points), 1.8, 5), points)
        if told.done is False:
            self.used.add("failed")
            yield cross((x + w - 2, y + h), 6)

    def _bomb(self, told: ShownOrder, places: Sequence[str]) -> Iterator[str]:
        way = self._around([self.spot(place) for place in places])
        for one, two in itertools.pairwise(way):
            points = shorten(curve([one, two], 0.05), 16, 12)
            yield self._both_sides(outlined(zigzag(points), 2.6, 6), points)
        end = self.spot(places[-1])
        if told.done is False:
            self.used.add("failed")
            yield cross(end, 8)
        else:
            self.used.add("bomb")
            yield burst(end, 31, "#ffd75e", 12)

    # -- on top

    def above(self) -> Iterator[str]:
        """Yield the signs on top of the units: builds, removals, units that disband."""
        for told in self.view.orders:
            if isinstance(told.order, Build | Disband) and self.known(told.order.unit.location):
                yield from self._tagged(told, self._change(told, told.order))

    def _change(self, told: ShownOrder, order: Build | Disband) -> Iterator[str]:
        unit = order.unit
        area = self.drawing.areas[unit.province]
        scale = area.scale
        failed = told.done is False
        self.used.add("failed" if failed else "build" if isinstance(order, Build) else "removal")
        if isinstance(order, Build):
            at = self.spot(unit.location)
            yield symbols.unit(
                unit.kind, at, scale, self.colors[told.power], self.letters.get(told.power, "?")
            )
            corner = (at[0] + UNIT[0] * scale / 2, at[1] - UNIT[1] * scale / 2)
            yield cross(corner) if failed else symbols.badge(corner, "+")
            return
        beaten = any(
            gone.unit.province == unit.province
            for held in self.view.dislodged.values()
            for gone in held
        )
        size = scale * (BEATEN if beaten else 1)
        middle = area.beaten if beaten else self.at(unit)
        yield crossed_out(middle, UNIT[0] * size + 6, UNIT[1] * size + 6)


def _far(a: Spot, b: Spot) -> float:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
