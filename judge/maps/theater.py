"""The part of a board that matters to a reader: own units, neighbors, and what threatens them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Final

from judge.maps.atlas import drawing_of
from judge.maps.drawing import Drawing, Spot
from judge.maps.symbols import LABEL
from judge.maps.view import View
from judge.rules.board import province_of
from judge.rules.orders import Hold
from judge.rules.position import Unit

PHONE: Final = 330
"""CSS pixels across a picture in a letter on a phone."""

LEGIBLE: Final = 9.0
"""Pixels of type with hard edges that can just be read."""

SMALLEST: Final = 9.1
"""CSS pixels of the smallest name."""

STEP: Final = 2**-0.25
"""From one distance from which a board is looked at to the next: what is drawn for a distance is
kept, so that there are to be few."""

ZOOMS: Final = tuple(STEP**-k for k in range(5))
"""How much larger than usual signs and names are in a larger theater."""

FINE: Final = 2 * PHONE
"""Pixels across a theater: two for each that a phone shows in a letter."""

_MARGIN: Final = 34.0

_WIDEST_ZOOM: Final = 1.6
"""How much larger than usual signs and names are on a whole board, at most: they have no more
room."""

_FEW_BYTES: Final = 19_500
"""Bytes of a part that stands above many words, about."""

_PLAINLY: Final = 0.55
"""How many bytes a part has when drawn plainly, as a share of others."""

_LOWEST: Final = 0.36
"""How high it is at least, as a share of its width."""

_LEAST: Final = 0.4
"""How much of the height of a theater a close-up shows, at least."""


@dataclass(frozen=True)
class Theater:
    """A part of a board for the players of `powers`: left, top, right, bottom; `width` is how many
    pixels it has across, two for each that a phone shows."""

    box: tuple[float, float, float, float]
    zoom: float
    powers: tuple[str, ...]
    width: float = FINE


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


def overview(view: View) -> Theater | None:
    """Return all of a board, with signs and names as large as a phone needs, if they have room;
    None for a schematic."""
    drawing = drawing_of(view.variant)
    if drawing.schematic:
        return None
    width, height = drawing.size
    zoom = width * SMALLEST / (PHONE * LABEL * drawing.scale)
    return Theater((0.0, 0.0, width, height), min(max(zoom, 1.0), _WIDEST_ZOOM), ())


def close_up(view: View, powers: Sequence[str]) -> Theater | None:
    """Return the part of a theater in which the orders of `powers` lie: less high, and as wide, so
    that it fills a phone."""
    whole = theater_of(view, powers)
    if whole is None:
        return None
    drawing = drawing_of(view.variant)
    spots = [*_own(view, drawing, powers), *_ordered(view, drawing, powers)]
    left, top, right, bottom = whole.box
    first, last = _stretch([y for _, y in spots], top, bottom)
    return replace(whole, box=(left, first, right, last))


def glimpse(view: View, powers: Sequence[str]) -> Theater | None:
    """Return a close-up that has few bytes: as wide, and where it would be too high, what holds
    most of the units of `powers` that have no order, and of those most of all they have."""
    shown = close_up(view, powers)
    if shown is None:
        return None
    drawing = drawing_of(view.variant)
    ordered = {unit for each in view.orders if (unit := getattr(each.order, "unit", None))}
    idle = {
        drawing.spot(unit.location)
        for power in powers
        for unit in view.board.units.get(power, ())
        if unit not in ordered
    }
    left, top, right, bottom = shown.box
    spots = [
        (x, y)
        for x, y in sorted(_own(view, drawing, powers), key=lambda spot: spot[1])
        if left < x < right and top < y < bottom
    ]
    high = bottom - top
    while expected_bytes(view, shown) * _PLAINLY > _FEW_BYTES and high > (right - left) * _LOWEST:
        high *= STEP**0.5
        room = high - _MARGIN
        groups = [[each for each in spots if y <= each[1] <= y + room] for _, y in spots]
        most = max(groups, key=lambda group: (len(idle.intersection(group)), len(group)))
        first = min(max((most[0][1] + most[-1][1] - high) / 2, top), bottom - high)
        shown = replace(shown, box=(left, first, right, first + high))
    return shown


def expected_bytes(view: View, theater: Theater) -> float:
    """Return about how many bytes `raster.theater_png` makes, for nine of ten pictures to a tenth:
    edges have them, so it grows with the border of areas and with what lies upon these. The
    numbers are fitted on 285 pictures of answers and of results."""
    drawing = drawing_of(view.variant)
    left, top, right, bottom = theater.box

    def seen(spots: Iterable[Spot]) -> int:
        return sum(left < x < right and top < y < bottom for x, y in spots)

    pixels = theater.width**2 * (bottom - top) / (right - left)
    areas = seen([area.unit for area in drawing.areas.values()])
    given = [each.order for each in view.orders if not isinstance(each.order, Hold)]
    units = [unit for order in given if (unit := getattr(order, "unit", None))]
    orders = seen([drawing.spot(unit.location) for unit in units])
    return 17 * sqrt(pixels * areas) + 425 * orders - 400 * areas


def narrower(theater: Theater, share: float) -> Theater:
    """Return a part with that `share` of its pixels across, as sharp; where it is a player's, its
    signs and names keep their size in pixels."""
    left, top, right, bottom = theater.box
    # Pictures of one scale share what is drawn for it, and those of one zoom: sizes are whole
    # pixels, and zooms told apart by what can be seen.
    scale, pixels = theater.width * share / (right - left), int(theater.width * share)
    box = left, top, left + pixels / scale, bottom
    zoom = round(theater.zoom / share, 6) if theater.powers else theater.zoom
    return Theater(box, zoom, theater.powers, pixels)


def legible_at(view: View, theater: Theater) -> float:
    """Return the share of its width to which a part can be made `narrower` so that its names can
    still be read."""
    wide = theater.box[2] - theater.box[0]
    size = LABEL * drawing_of(view.variant).scale * theater.zoom * theater.width / wide
    return 0.0 if theater.powers else LEGIBLE / size


def _ordered(view: View, drawing: Drawing, powers: Sequence[str]) -> Iterator[Spot]:
    """Yield where the ordered units of powers stand, and where they are to go."""
    for told in view.orders:
        unit, to = getattr(told.order, "unit", None), getattr(told.order, "to", None)
        if told.power in powers:
            yield from (drawing.spot(place) for place in (unit and unit.location, to) if place)


def _stretch(values: Sequence[float], low: float, high: float) -> tuple[float, float]:
    """Return the part of a stretch in which values lie, with a margin, and not too short."""
    within = [value for value in values if low <= value <= high] or [low, high]
    first, last = max(min(within) - _MARGIN, low), min(max(within) + _MARGIN, high)
    lacking = max((high - low) * _LEAST - (last - first), 0.0) / 2
    first = min(max(first - lacking, low), high - (last - first) - 2 * lacking)
    return first, max(last, first + (high - low) * _LEAST)


SIDES: Final = ("north", "south", "east", "west")


def outside(view: View, theater: Theater) -> dict[str, list[Unit]]:
    """Return the units of a theater's powers that stand outside of it, by the side on which they
    are farthest from it."""
    drawing = drawing_of(view.variant)
    left, top, right, bottom = theater.box
    found: dict[str, list[Unit]] = {}
    for power in theater.powers:
        for unit in view.board.units.get(power, ()):
            x, y = drawing.spot(unit.location)
            away = dict(zip(SIDES, (top - y, y - bottom, x - right, left - x), strict=True))
            side = max(away, key=away.__getitem__)
            if away[side] > 0:
                found.setdefault(side, []).append(unit)
    return found


def part_wide(drawing: Drawing, zoom: float) -> float:
    """Return how much of a board a phone can show across, when names are `zoom` times as large."""
    return min(PHONE * LABEL * drawing.scale * zoom / SMALLEST, drawing.size[0])


def _own(view: View, drawing: Drawing, powers: Sequence[str]) -> Iterator[Spot]:
    """Yield where a player has units, and centers; where they have units, centers far away may be
    cut."""
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
    """Yield what lies beside: where their units can go, their centers, and units that can come
    there."""
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
    """Return the most spots that one window has."""

    def held(corner: Spot) -> list[Spot]:
        room = wide - 2 * _MARGIN
        return [
            (x, y) for x, y in spots if 0 <= x - corner[0] <= room and 0 <= y - corner[1] <= room
        ]

    corners = [(x, y) for x, _ in spots for _, y in spots]
    return max((held(corner) for corner in corners), key=len)


def _start(own: Sequence[Spot], near: Sequence[Spot], axis: int, size: float, most: float) -> float:
    """Return where a window begins: all own units in it, and of the rest as much on either side."""
    low, high = min(s[axis] for s in near), max(s[axis] for s in near)
    wanted = (low + high - size) / 2
    first = max(s[axis] for s in own) + _MARGIN - size
    last = min(s[axis] for s in own) - _MARGIN
    return min(max(wanted, first, 0.0), max(min(last, most - size), 0.0))
