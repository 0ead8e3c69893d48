"""Draws the orders of a picture and what came of them.

Lines have the color of their power; what they mean is told by the pattern, never by color alone. A
move is a solid arrow, one that fails a broken one with a cross; a support is dotted, a convoy has
waves, a bomb zigzags, a retreat is dashed with an open head.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from judge.maps import strokes, symbols
from judge.maps.drawing import Drawing, Spot
from judge.maps.symbols import BEATEN, UNIT
from judge.maps.view import ShownOrder, View
from judge.rules.board import province_of
from judge.rules.board_index import board_index
from judge.rules.orders import Build, Convoy, Disband, Hold, Launch, Move, Relay, Retreat, Support
from judge.rules.position import Unit
from judge.rules.variant import letters_of


@dataclass(frozen=True)
class DrawnPiece:
    """Part of a picture, and the box it lies in: left, top, right, bottom.

    A sign that is often drawn is drawn around 0 0; `at` is where it stands, how much larger its
    `zoom`, and `attributes` are what tells programs which one it is.
    """

    drawn: str
    box: tuple[float, float, float, float]
    at: Spot = (0.0, 0.0)
    attributes: str = ""
    zoom: float = 1.0

    @property
    def svg(self) -> str:
        """The part as SVG, where it stands."""
        if self.at == (0.0, 0.0):
            return self.drawn
        return symbols.placed(self.drawn, self.at, self.attributes, self.zoom)


def around(points: Iterable[Spot], margin: float) -> tuple[float, float, float, float]:
    """Return the box around points, with a margin."""
    xs, ys = zip(*points, strict=True)
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin


class OrderPainter:
    """Draws the orders of one view, on the board as `shown` has it: where the phase left units, or
    where they stood. `used` gathers what the legend has to explain. `scale` is the size of units.
    """

    def __init__(
        self,
        view: View,
        drawing: Drawing,
        colors: Mapping[str, str],
        shown: View | None = None,
        zoom: float = 1.0,
    ) -> None:
        self.view = view
        self.shown = shown or view
        self.drawing = drawing
        self.colors = colors
        self.inks = {power: symbols.readable(color) for power, color in colors.items()}
        self.letters = letters_of(view.variant)
        self.zoom, self.scale = zoom, drawing.scale * zoom
        self.size = UNIT[0] * self.scale, UNIT[1] * self.scale
        self.used: set[str] = set()
        self.standing = {unit.province: unit for held in view.units.values() for unit in held}
        self.now = {unit.province: unit for held in self.shown.units.values() for unit in held}
        self.at_home = {
            center: power
            for power, held in self.shown.units.items()
            for center in {unit.province for unit in held} & set(self.shown.centers.get(power, ()))
        }
        self.moves = {
            told.order.unit.province: told for told in view.orders if isinstance(told.order, Move)
        }

    # -- where things are

    def at(self, unit: Unit) -> Spot:
        """Return where a unit stood; the one on the board counts, where the order left out its
        coast."""
        there = self.standing.get(unit.province)
        place = there.location if there and there.location.startswith(unit.location) else None
        return self.spot(place or unit.location)

    def here(self, power: str, unit: Unit) -> Spot:
        """Return where the sign of a unit is that did not leave: beside another that threw it out,
        if so."""
        lost = any(
            each.unit.province == unit.province for each in self.shown.dislodged.get(power, ())
        )
        if lost and self.shown is not self.view:
            return self.drawing.areas[unit.province].beaten
        return self.at(unit)

    def spot(self, location: str) -> Spot:
        """Return where a unit stands at a location."""
        return self.drawing.spot(location)

    def known(self, *locations: str | None) -> bool:
        """Return whether these are places of the board; an order may name anything."""
        return all(
            location is not None and province_of(location) in self.drawing.areas
            for location in locations
        )

    # -- lines

    def below(self) -> Iterator[DrawnPiece]:
        """Yield everything that lies under the units: arrows last, so that they are seen best."""
        for kinds in ((Hold,), (Convoy,), (Support,), (Launch, Relay), (Move, Retreat)):
            for told in self.view.orders:
                if isinstance(told.order, kinds):
                    yield from self._tagged(told, self._line(told))

    def _tagged(self, told: ShownOrder, shown: Iterable[DrawnPiece]) -> Iterator[DrawnPiece]:
        """Yield what is drawn for an order, with what it is: for styles, scripts and tests."""
        drawn = list(shown)
        if drawn:
            outcome = {None: "open", True: "succeeds", False: "fails"}[told.done]
            svg = "".join(each.svg for each in drawn)
            yield DrawnPiece(
                f'<g class="order {outcome}" data-power="{escape(told.power)}"'
                f' data-order="{escape(str(told.order))}">{svg}</g>',
                around([corner for each in drawn for corner in (each.box[:2], each.box[2:])], 0),
            )

    def _line(self, told: ShownOrder) -> Iterator[DrawnPiece]:
        match told.order:
            case Hold(unit=unit) if self.known(unit.location):
                yield self._hold(told, unit)
            case Move(unit=unit, to=to) if self.known(unit.location, to):
                yield from self._move(told, told.order)
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

    def _hold(self, told: ShownOrder, unit: Unit) -> DrawnPiece:
        self.used.add("hold")
        at, (w, h) = self.here(told.power, unit), self.size
        return DrawnPiece(
            strokes.octagon(at, w + 13, h + 15, self.inks[told.power]), around([at], w)
        )

    def route(self, told: ShownOrder) -> list[Spot]:
        """Return the way of a move: over the fleets that carry it, where it went by sea."""
        order = told.order
        assert isinstance(order, Move)
        start, end = self.at(order.unit), self.spot(order.to)
        return self._around([start, *map(self.at, self._fleets(told, order)), end])

    def _fleets(self, told: ShownOrder, order: Move) -> list[Unit]:
        """Return the fleets by which a move went, or was to go as far as one knows: the shortest
        way over those that carried it. None for a move that had no way by sea, or went by land."""
        board = self.view.variant.board
        here, there = order.unit.province, province_of(order.to)
        if told.done is False and told.reason not in ("bounced", "own_unit"):
            return []
        fleets = {
            each.order.unit.province: each.order.unit
            for each in self.view.orders
            if isinstance(each.order, Convoy)
            and each.order.army.province == here
            and province_of(each.order.to) == there
            and each.done is not False
            and each.reason not in ("by_land", "other_route")
            and self.known(each.order.unit.location)
        }
        by_land = order.to in board.steps(order.unit.kind, order.unit.location)
        if not fleets or (told.done is None and by_land and not order.via):
            return []
        index = board_index(board)
        waters = sum(1 << index.place[each] for each in fleets)
        route = index.shortest(index.place[here], index.place[there], waters)
        return [fleets[index.ids[water]] for water in route]

    def retreat(self, order: Retreat) -> list[Spot]:
        """Return the way of a retreat, from where the dislodged unit is drawn."""
        start = self.drawing.areas[order.unit.province].beaten
        return self._around([start, self.spot(order.to)])

    def near(self, end: Spot, place: Spot) -> Spot:
        """Return a place as the end of a way that ends near it, or as far beyond the edge of the
        board."""
        width = self.drawing.size[0] if self.drawing.wrap else 0
        return min(
            ((place[0] + shift, place[1]) for shift in (-width, 0, width)),
            key=lambda each: abs(each[0] - end[0]),
        )

    def _around(self, way: Sequence[Spot]) -> list[Spot]:
        """Return the way as it goes on a board that wraps around: over the edge where that is
        shorter."""
        found = [way[0]]
        for place in way[1:]:
            found.append(self.near(found[-1], place))
        return found

    def _both_sides(self, shown: str, points: Sequence[Spot]) -> DrawnPiece:
        """Return the line once more from the other edge, where it leads over one."""
        box = around(points, 16)
        if self.drawing.wrap:
            width = self.drawing.size[0]
            for shift, over in (
                (width, min(x for x, _ in points) < 0),
                (-width, max(x for x, _ in points) > width),
            ):
                if over:
                    shown += f'<g transform="translate({shift} 0)">{shown}</g>'
                    box = 0, box[1], width, box[3]
        return DrawnPiece(shown, box)

    def arrow(self, way: Sequence[Spot], start: float, end: float) -> list[Spot]:
        """Return the line of an arrow, short of the signs at its ends; it takes a detour where too
        little of its shaft would be seen."""
        points = strokes.shorten(strokes.curve(way), start, end)
        for more in (0.3, 0.6, 0.9, 1.2, 1.6, 2.2):
            if strokes.length(points) - strokes.HEAD >= strokes.SHAFT or len(way) > 2:
                break
            points = strokes.shorten(strokes.curve(way, more), start, end)
        return points

    def gap(self, location: str) -> float:
        """Return how far a line keeps away from a place: from the unit that stands there."""
        return self.size[1] * 0.5 + 7 if province_of(location) in self.now else 0.0

    def _move(self, told: ShownOrder, order: Move) -> Iterator[DrawnPiece]:
        way, ink = self.route(told), self.inks[told.power]
        end = self.gap(order.to) or 3.0
        if told.done is False:
            self.used.add("failed")
            start = self.here(told.power, order.unit)
            points = self.arrow([start, *way[1:]], self.size[1] * 0.45, end)
            middle, _ = strokes.point_along(points, 0.5)
            shown = strokes.broken_arrow(points, strokes.FAILED, ink)
            shown += strokes.cross(middle, 7, ink)
        else:
            self.used.add("move")
            left = told.done and self.shown is not self.view
            taken = self.gap(order.unit.location)
            points = self.arrow(way, taken if left else self.size[1] * 0.4, end)
            shown = strokes.move_arrow(points, ink)
            if left:
                self.used.add("origin")
                shown += strokes.ring(points[0], ink)
        yield self._both_sides(shown, points)

    def _retreat(self, told: ShownOrder, order: Retreat) -> Iterator[DrawnPiece]:
        self.used.add("retreat" if told.done is not False else "failed")
        ink = self.inks[told.power]
        points = self.arrow(self.retreat(order), 10, self.gap(order.to) or 3.0)
        shown = strokes.broken_arrow(points, strokes.RETREAT, ink)
        if told.done is False:
            shown += strokes.cross(strokes.point_along(points, 0.55)[0], 7, ink)
        yield self._both_sides(shown, points)

    def _support(self, told: ShownOrder, order: Support) -> Iterator[DrawnPiece]:
        start, ink = self.here(told.power, order.unit), self.inks[told.power]
        helped = self.moves.get(order.target.province)
        to = province_of(order.to) if order.to is not None and self.known(order.to) else None
        if to is None:
            way = self._around([start, self.at(order.target)])
            gap = self.size[1] * 0.5 + 9
        else:
            assert order.to is not None
            same = helped is not None and province_of(helped.order.to) == to  # type: ignore[union-attr]
            aimed = self.route(helped) if helped is not None and same else self._around(
                [self.at(order.target), self.spot(order.to)]
            )  # fmt: skip
            arrow = self.arrow(aimed, self.gap(order.target.location), 18)
            spot, _ = strokes.point_along(arrow, 0.45)
            way, gap = self._around([start, spot]), 3.0
        points = strokes.shorten(strokes.curve(way, 0.04), self.size[1] * 0.4, gap)
        shown = strokes.support_line(points, ink)
        self.used.add("support")
        if told.done is False:
            middle, angle = strokes.point_along(points, 0.5)
            if told.reason in ("cut", "dislodged"):
                self.used.add("cut")
                shown += strokes.slashes(middle, angle, ink)
            else:
                self.used.add("failed")
                shown += strokes.cross(middle, 6, ink)
        yield self._both_sides(shown, points)

    def _convoy(self, told: ShownOrder, order: Convoy) -> Iterator[DrawnPiece]:
        self.used.add("convoy")
        (x, y), ink = self.here(told.power, order.unit), self.inks[told.power]
        w, h = self.size[0] / 2 + 6, self.size[1] / 2
        above, below = y - h - 5, y + h + 5
        data = "".join(strokes.wave([(x - w, at), (x + w, at)]) for at in (above, below))
        shown = strokes.outlined(data, 2.2, 5.5, color=ink)
        if told.done is False:
            self.used.add("failed")
            shown += strokes.cross((x + w - 2, y + h), 6, ink)
        yield DrawnPiece(shown, around([(x, y)], w + 12))

    def _bomb(self, told: ShownOrder, places: Sequence[str]) -> Iterator[DrawnPiece]:
        way = self._around([self.spot(place) for place in places])
        for one, two in itertools.pairwise(way):
            points = strokes.shorten(strokes.curve([one, two], 0.05), 16, 12)
            line = strokes.outlined(strokes.zigzag(points), 2.6, 6, color=self.inks[told.power])
            yield self._both_sides(line, points)
        end = self.spot(places[-1])
        if told.done is False:
            self.used.add("failed")
            yield DrawnPiece(strokes.cross(end, 8), around([end], 12))
        else:
            self.used.add("bomb")
            yield DrawnPiece(strokes.burst(end, 31, "#ffd75e", 12), around([end], 36))

    # -- on top

    def above(self) -> Iterator[DrawnPiece]:
        """Yield the signs on top of the units: builds, removals, units that disband."""
        for told in self.view.orders:
            if isinstance(told.order, Build | Disband) and self.known(told.order.unit.location):
                yield from self._tagged(told, [self._change(told, told.order)])

    def _change(self, told: ShownOrder, order: Build | Disband) -> DrawnPiece:
        unit = order.unit
        w, h = self.size
        failed = told.done is False
        self.used.add("failed" if failed else "build" if isinstance(order, Build) else "removal")
        if isinstance(order, Build):
            at = self.spot(unit.location)
            corner = (at[0] + w / 2, at[1] - h / 2)
            sign = strokes.cross(corner) if failed else symbols.badge(corner, "+")
            new = symbols.placed(self.sign(told.power, unit), at, zoom=self.zoom)
            return DrawnPiece(new + sign, around([at], w + 4))
        beaten = any(
            gone.unit.province == unit.province
            for held in self.view.dislodged.values()
            for gone in held
        )
        size = BEATEN if beaten else 1
        at = self.drawing.areas[unit.province].beaten if beaten else self.at(unit)
        stays = any(each.province == unit.province for each in self.shown.units.get(told.power, ()))
        ghost = symbols.placed(self.sign(told.power, unit, beaten), at, zoom=self.zoom)
        ghost = "" if self.shown is self.view or stays else ghost
        return DrawnPiece(
            ghost + strokes.crossed_out(at, w * size + 6, h * size + 6), around([at], w)
        )

    def sign(self, power: str, unit: Unit, beaten: bool = False) -> str:
        """Return the sign of a unit, around 0 0, as large as usual: pictures of any part of a board
        share it."""
        size = self.drawing.scale * (BEATEN if beaten else 1.0)
        letter = self.letters.get(power, "?")
        drawn = symbols.unit(unit.kind, size, self.colors[power], letter, beaten=beaten)
        if beaten or self.at_home.get(unit.province) != power:
            return drawn
        self.used.add("home")
        corner = -UNIT[0] * size / 2, -UNIT[1] * size / 2
        return drawn + symbols.placed(symbols.center(size * symbols.HOME, None, ""), corner)
