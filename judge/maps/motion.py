"""What moves in a picture: units go where their orders led them, then the board is as it was left.

A picture that moves begins and ends as the one that stands still, so that readers who see no motion
miss nothing. It plays once and for less than five seconds, so that nobody needs to stop it
(WCAG 2.2, 2.2.2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from judge.maps.drawing import Spot
from judge.maps.orders import OrderPainter
from judge.maps.strokes import curve, length, point_along, shorten
from judge.maps.symbols import BEATEN
from judge.maps.view import View
from judge.rules.board import province_of
from judge.rules.orders import Move, Retreat
from judge.rules.position import Unit

SECONDS: Final = 4.8
START: Final = 0.22
"""When units set out, as a part of the whole; until then the picture stands still."""
ARRIVED: Final = 0.55
LEFT: Final = 0.62
"""From then on the board is shown as the phase left it."""
OVER: Final = 0.96

_STEPS: Final = 8
_BOUNCE: Final = 0.42
"""How far a unit gets that is thrown back."""


@dataclass(frozen=True)
class Leg:
    """A part of a unit's way: from `start` to `end` (parts of the time units move) it goes along
    `points`."""

    start: float
    end: float
    points: Sequence[Spot]


@dataclass(frozen=True)
class Act:
    """What becomes of the sign of a unit: its way, `size`, how many times as large it is in the
    end, and whether it is `gone` then."""

    at: Spot
    legs: Sequence[Leg] = ()
    size: float = 1.0
    gone: bool = False

    def spot(self, time: float) -> tuple[Spot, float]:
        """Return where the sign is at a part of the time units move, and how many times as
        large."""
        here, size = self.at, 1.0
        for leg in self.legs:
            if time <= leg.start:
                break
            part = min((time - leg.start) / (leg.end - leg.start), 1.0)
            part = part * part * (3 - 2 * part)
            here, _ = point_along(leg.points, part)
            size = 1.0 + (self.size - 1.0) * (part if leg is self.legs[-1] else 0.0)
        return here, size

    def shift(self, time: float) -> tuple[Spot, float]:
        """Return how far the sign is moved then, once it is that many times as large."""
        (x, y), size = self.spot(time)
        return (x - self.at[0] * size, y - self.at[1] * size), size


Key = tuple[str, Unit, bool]
"""A sign: its power, the unit, and whether that is dislodged."""


def signs(view: View) -> Iterator[Key]:
    """Yield all units of a view."""
    for power, held in view.units.items():
        for unit in held:
            yield power, unit, False
    for power, lost in view.dislodged.items():
        for each in lost:
            yield power, each.unit, True


def acts(view: View, painter: OrderPainter) -> tuple[dict[Key, Act], list[Key]]:
    """Return what becomes of each unit of a view until `view.then`, and the units that are new
    there."""
    assert view.then is not None
    left = list(signs(view.then))
    ways = {key: _way(view, painter, key) for key in signs(view)}
    found = {}
    # Who goes comes first: another of its power may stand where it stood.
    for key in sorted(ways, key=lambda key: ways[key][1] is None):
        found[key] = _act(painter, key, *ways[key], left)
    return found, left


def _way(view: View, painter: OrderPainter, key: Key) -> tuple[list[Spot], str | None, bool]:
    """The way a unit was ordered to go, where it led (None: nowhere), and whether it was tried."""
    power, unit, beaten = key
    for told in view.orders:
        order = told.order
        if told.power != power or not isinstance(order, Move | Retreat):
            continue
        if order.unit.province != unit.province or isinstance(order, Retreat) != beaten:
            continue
        if not painter.known(order.to):
            continue
        way = painter.route(told) if isinstance(order, Move) else painter.retreat(order)
        return way, order.to if told.done else None, told.reason == "bounced"
    return [], None, False


def _act(
    painter: OrderPainter, key: Key, way: list[Spot], to: str | None, tried: bool, left: list[Key]
) -> Act:
    power, unit, beaten = key
    area = painter.drawing.areas[unit.province]
    at = area.beaten if beaten else painter.spot(unit.location)
    there = province_of(to) if to is not None else unit.province
    end = next(
        (each for each in left if (each[0], each[1].kind, each[1].province)
         == (power, unit.kind, there)), None
    )  # fmt: skip
    if end is not None:
        left.remove(end)
    size = BEATEN if beaten else 1.0
    if end is not None and to is not None:
        points = curve([*way[:-1], painter.near(way[-1], painter.spot(end[1].location))])
        return Act(at, [Leg(0.0, 1.0, points)], (BEATEN if end[2] else 1.0) / size)
    legs = []
    pushed = end is not None and end[2] and not beaten
    if tried and way:
        points, back = curve(way), 0.65 if pushed else 1.0
        points = shorten(points, 0, length(points) * (1 - _BOUNCE))
        legs = [Leg(0.0, back * 0.55, points), Leg(back * 0.55, back, points[::-1])]
    if pushed:
        return Act(at, [*legs, Leg(0.65, 1.0, [at, area.beaten])], BEATEN)
    return Act(at, legs, gone=end is None)


class Still:
    """How `draw` sets a picture that stands still."""

    style = ""
    views: tuple[str, ...] = ("board",)
    """Names behind the address of a picture that show its board alone (SVG 2, 16.3)."""

    def signs(self, drawn: str) -> str:
        """Return the signs of orders, below the units or above them."""
        return drawn

    def unit(self, key: Key, drawn: str) -> str:
        """Return the sign of a unit."""
        return drawn

    def later(self, draw: Callable[[View], Iterable[str]]) -> str:
        """Return what of a layer looks different when the phase is over."""
        return ""

    def new(self, draw: Callable[[Key], str]) -> str:
        """Return the signs of units that are there when the phase is over, and were not before."""
        return ""


class Moving(Still):
    """How it sets one that moves, by style rules: where programs know none, and where motion is
    not wanted, it stands still."""

    views = ("board", "before", "after")

    def __init__(self, view: View, painter: OrderPainter) -> None:
        self._view = view
        self._acts, self._new = acts(view, painter)
        self._rules = [
            _frames("orders", [(LEFT, "opacity:0"), (OVER, "opacity:0")], (ARRIVED, "opacity:1")),
            _frames("then", [(LEFT, "opacity:1"), (OVER, "opacity:1")], (ARRIVED, "opacity:0")),
        ]
        self._names = ["orders", "then"]

    @property
    def style(self) -> str:  # type: ignore[override]
        """The rules, once everything is drawn. `#still` behind the address of the picture asks for
        no motion, since browsers do not tell a picture inside a page what its reader likes;
        `#before` and `#after` ask for the board without orders."""
        play = f"{SECONDS}s linear"
        rules = "".join(f".{name}{{animation:{name} {play}}}" for name in self._names)
        still = "*{animation:none!important}"
        return (
            f"<style>{rules}#still:target {still}#before:target~* {still}"
            "#before:target~* .orders{opacity:0}#after:target~* *{animation-play-state:paused;"
            f"animation-delay:-{SECONDS * (LEFT + OVER) / 2:.4g}s}}"
            f"@media (prefers-reduced-motion:reduce){{#after:not(:target)~* {still}}}"
            f"{''.join(self._rules)}</style>"
        )

    def signs(self, drawn: str) -> str:
        return f'<g class="orders">{drawn}</g>'

    def unit(self, key: Key, drawn: str) -> str:
        act = self._acts[key]
        stops = list(_stops(act))
        if not stops and not act.gone:
            return drawn
        name = f"w{len(self._names)}"
        self._names.append(name)
        rule = "".join(f"{_percent(at)}{{{how}}}" for at, how in stops)
        if act.gone:
            rule += f"{_percent(ARRIVED)}{{opacity:1}}{_percent(LEFT, OVER)}{{opacity:0}}"
        self._rules.append(f"@keyframes {name}{{{rule}}}")
        return f'<g class="{name}">{drawn}</g>'

    def later(self, draw: Callable[[View], Iterable[str]]) -> str:
        assert self._view.then is not None
        before = set(draw(self._view))
        return _hidden(each for each in draw(self._view.then) if each not in before)

    def new(self, draw: Callable[[Key], str]) -> str:
        return _hidden(map(draw, self._new))


def _hidden(drawn: Iterable[str]) -> str:
    text = "".join(drawn)
    return f'<g class="then" opacity="0">{text}</g>' if text else ""


def _frames(name: str, stops: Sequence[tuple[float, str]], rest: tuple[float, str]) -> str:
    """A rule that is at rest from the beginning until a time, and again in the end."""
    until, how = rest
    middle = "".join(f"{_percent(at)}{{{each}}}" for at, each in stops)
    return f"@keyframes {name}{{{_percent(0, until, 1)}{{{how}}}{middle}}}"


def _stops(act: Act) -> Iterator[tuple[float, str]]:
    """Where a sign is at which time, as style; nothing where it stays."""
    if not act.legs:
        return
    yield 0.0, _moved(act, 0)
    for step in range(_STEPS + 1):
        yield START + (ARRIVED - START) * step / _STEPS, _moved(act, step / _STEPS)
    yield OVER, _moved(act, 1)
    yield OVER + 0.0001, _moved(act, 0)
    yield 1.0, _moved(act, 0)


def _moved(act: Act, time: float) -> str:
    (x, y), size = act.shift(time)
    return f"transform:translate({x:.1f}px,{y:.1f}px) scale({size:.3g})"


def _percent(*times: float) -> str:
    return ",".join(f"{time * 100:.5g}%" for time in times)
