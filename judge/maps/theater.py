"""The part of a board that matters to a reader: own units, neighbors, and what threatens them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from judge.maps.atlas import drawing_of
from judge.maps.drawing import Drawing, Spot
from judge.maps.symbols import LABEL
from judge.maps.view import View
from judge.rules.board import province_of

PHONE: Final = 330
"""CSS pixels across a picture in a letter on a phone."""

SMALLEST: Final = 9.1
"""CSS pixels of the smallest name."""

ZOOMS: Final = (1.0, 1.25, 1.5, 2.0)
"""How much larger than usual signs and names are in a larger theater."""

_MARGIN: Final = 34.0


@dataclass(frozen=True)
class Theater:
    """A part of a board for the players of `powers`: left, top, right, bottom."""

    box: tuple[float, float, float, float]
    zoom: float
    powers: tuple[str, ...]


def theater_of(view: View, powers: Sequence[str]) -> Theater | None:
    """Return the part of the board that matters to powers; None where they have nothing on it.

    It is square, or less high. Names in it have the size that a phone needs: the closer together
    the powers are, the more is shown around them.
    """
    drawing = drawing_of(view.variant)
    own = list(_own(view, drawing, powers))
    if not own or drawing.schematic:
        return None
    near = [*own, *_near(view, drawing, powers)]
    width, height = drawing.size
    for zoom in ZOOMS:
        wide = part_wide(drawing, zoom)
        if _span(own, 0) + 2 * _MARGIN <= wide and _span(own, 1) + 2 * _MARGIN <= wide:
            break
    else:
        own = near = _densest(own, wide)
    high = min(max(_span(near, 1) + 3 * _MARGIN, wide * 0.8), wide, height)
    left = _start(own, near, 0, wide, width)
    top = _start(own, near, 1, high, height)
    return Theater((left, top, left + wide, top + high), zoom, tuple(powers))


def part_wide(drawing: Drawing, zoom: float) -> float:
    """Return how much of a board a phone can show across, when names are `zoom` times as large."""
    return min(PHONE * LABEL * drawing.scale * zoom / SMALLEST, drawing.size[0])


def _own(view: View, drawing: Drawing, powers: Sequence[str]) -> Iterator[Spot]:
    """Where a player has units, and centers; where they have units, centers far away may be cut."""
    board = view.board
    for power in powers:
        for unit in board.units.get(power, ()):
            yield drawing.spot(unit.location)
        for each in board.dislodged.get(power, ()):
            yield drawing.areas[each.unit.province].beaten
            yield from (drawing.spot(place) for place in each.retreats)
        yield from (drawing.areas[place].unit for place in board.sites.get(power, ()))
    if not any(board.units.get(power) or board.dislodged.get(power) for power in powers):
        for power in powers:
            yield from (drawing.areas[place].unit for place in board.centers.get(power, ()))


def _near(view: View, drawing: Drawing, powers: Sequence[str]) -> Iterator[Spot]:
    """What lies beside: where their units can go, their centers, and units that can come there."""
    board, steps = view.board, view.variant.board.steps
    reach = {
        province_of(place)
        for power in powers
        for unit in board.units.get(power, ())
        for place in (unit.location, *steps(unit.kind, unit.location))
    }
    reach |= {center for power in powers for center in board.centers.get(power, ())}
    yield from (drawing.areas[province].unit for province in sorted(reach))
    for power, held in board.units.items():
        for unit in held if power not in powers else ():
            if any(province_of(place) in reach for place in steps(unit.kind, unit.location)):
                yield drawing.spot(unit.location)


def _span(spots: Sequence[Spot], axis: int) -> float:
    values = [spot[axis] for spot in spots]
    return max(values) - min(values)


def _densest(spots: Sequence[Spot], wide: float) -> list[Spot]:
    """The most spots that one window has."""

    def held(corner: Spot) -> list[Spot]:
        room = wide - 2 * _MARGIN
        return [
            (x, y) for x, y in spots if 0 <= x - corner[0] <= room and 0 <= y - corner[1] <= room
        ]

    corners = [(x, y) for x, _ in spots for _, y in spots]
    return max((held(corner) for corner in corners), key=len)


def _start(own: Sequence[Spot], near: Sequence[Spot], axis: int, size: float, most: float) -> float:
    """Where a window begins: all own units in it, and of the rest as much on either side."""
    low, high = min(s[axis] for s in near), max(s[axis] for s in near)
    wanted = (low + high - size) / 2
    first = max(s[axis] for s in own) + _MARGIN - size
    last = min(s[axis] for s in own) - _MARGIN
    return min(max(wanted, first, 0.0), max(min(last, most - size), 0.0))
