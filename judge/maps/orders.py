"""Draws the orders of a picture and what came of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from judge.maps import symbols
from judge.maps.drawing import Drawing, Spot
from judge.maps.order_lines import (
    FAILED,
    RETREAT,
    broken_arrow,
    burst,
    cross,
    crossed_out,
    curve,
    move_arrow,
    octagon,
    outlined,
    point_along,
    shorten,
    slashes,
    support_line,
    wave,
    zigzag,
)
from judge.maps.style import BEATEN, UNIT
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
