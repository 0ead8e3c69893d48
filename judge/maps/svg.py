"""Draws a view: the board, what stands on it, the orders, and around them what it all means."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape
from typing import Final

from judge.maps import symbols
from judge.maps.description import describe, heading
from judge.maps.drawing import Drawing, drawing_of
from judge.maps.legend import HEADER, footer, header
from judge.maps.motion import Key, Moving, Still, signs
from judge.maps.orders import (
    CHOICE,
    HALO,
    OrderPainter,
    broken_arrow,
    burst,
    curve,
    path_data,
    shorten,
    stroke,
)
from judge.maps.symbols import (
    BEATEN,
    BORDER,
    COAST,
    FOG,
    INK,
    LABEL,
    PAPER,
    SEA,
    SHORELESS,
    TINT,
    UNIT,
    VOID,
    VOID_WATER,
    WIDTH,
    mixed,
    power_colors,
)
from judge.maps.view import View
from judge.rules.orders import Disband, Retreat
from judge.sentences.terms import placed


def draw(view: View) -> str:
    """Draw a view as SVG, `WIDTH` pixels wide, in the language that is spoken."""
    return render(view, lambda painter: Still())


def animate(view: View) -> str:
    """Draw the same with units that go where their orders led them, once, where `view.then` tells
    what the phase left."""
    return render(view, lambda painter: Still() if view.then is None else Moving(view, painter))


def render(view: View, set_by: Callable[[OrderPainter], Still]) -> str:
    """Draw a view, as the stage sets it that `set_by` makes."""
    drawing = drawing_of(view.variant)
    colors = power_colors(view.variant.powers, drawing.colors)
    painter = OrderPainter(view, drawing, colors)
    stage = set_by(painter)
    height = drawing.size[1]
    marks = (*_marks(view, drawing, painter), *_possible(view, drawing, painter), *painter.below())
    board = "".join(
        (
            '<g class="ground">',
            *_ground(view, drawing),
            *_areas(view, drawing, colors),
            stage.later(lambda view: _areas(view, drawing, colors)),
            *_lines(drawing),
            "</g>",
            *_joints(drawing, painter),
            *_centers(view, drawing, colors, painter),
            stage.later(lambda view: _centers(view, drawing, colors, painter)),
            stage.signs("".join(marks)),
            *_labels(view, drawing),
            *(stage.unit(key, _unit(key, painter)) for key in signs(view)),
            stage.new(lambda key: _unit(key, painter)),
            stage.signs("".join(painter.above())),
        )
    )
    foot, bottom = footer(view, colors, painter.used, HEADER + height)
    total = _whole(bottom)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="still" viewBox="0 0 {WIDTH} {total}"'
        f' width="{WIDTH}" height="{total}" role="img" aria-labelledby="map-title map-text"'
        f" {symbols.font_attributes()}>"
        f'<title id="map-title">{escape(heading(view))}</title>'
        f'<desc id="map-text">{escape(describe(view))}</desc>'
        f"{stage.style}{_patterns()}"
        # What stands around the board is drawn later, over what reaches out of it: that is much
        # faster than clipping.
        f'<g transform="translate(0 {HEADER})">{board}</g>'
        f'<path d="M0 0H{WIDTH}V{HEADER}H0zM0 {HEADER + height}H{WIDTH}V{total}H0z"'
        ' fill="#fbf8f0"/>'
        f"{header(view)}"
        f'<rect class="board" x="1" y="{HEADER}" width="{WIDTH - 2}" height="{height}" fill="none"'
        f' stroke="{INK}" stroke-width="2"/>'
        f"{foot}</svg>"
    )


_GROUND: Final = re.compile(r'<g class="ground">(.*?)</g>', re.DOTALL)
_BOARD: Final = re.compile(r'<rect class="board"[^>]* height="(\d+)"')


def split_ground(svg: str) -> tuple[str, str] | None:
    """Return a picture that `draw` made as two, to be laid upon each other from the upper left
    corner: its ground, which stays the same until centers change hands, and the rest; None for
    another."""
    ground, board = _GROUND.search(svg), _BOARD.search(svg)
    if ground is None or board is None:
        return None
    below = board_sheet(ground[1], int(board[1]))
    return below, svg[: ground.start()] + svg[ground.end() :]


def board_sheet(signs: str, height: int) -> str:
    """Part of a picture as a picture of its own, as high as the board of `height` pixels needs."""
    whole = _whole(HEADER + height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {whole}" width="{WIDTH}"'
        f' height="{whole}" {symbols.font_attributes()}>'
        f'{_patterns()}<g transform="translate(0 {HEADER})">{signs}</g></svg>'
    )


def _whole(height: float) -> int:
    """A height that is one of whole pixels in smaller pictures, too, so that layers fit."""
    return -(-round(height) // 12) * 12


def _patterns() -> str:
    """Hatchings, for what must not depend on color."""

    def lines(name: str, color: str, width: float, every: int, turn: int) -> str:
        return (
            f'<pattern id="{name}" width="{every}" height="{every}"'
            f' patternUnits="userSpaceOnUse" patternTransform="rotate({turn})">'
            f'<path d="M0 0V{every}" stroke="{color}" stroke-width="{width}"/></pattern>'
        )

    return (
        "<defs>"
        + lines("void", "#a49e90", 2.4, 9, 45)
        + lines("closed", "#ffffff", 7, 16, -45)
        + lines("gone", "#000000", 6, 14, 45)
        + lines("fog", "#6f7478", 3, 12, 0)
        + "</defs>"
    )


def _ground(view: View, drawing: Drawing) -> Iterator[str]:
    width, height = drawing.size
    yield f'<rect width="{width}" height="{height}" fill="{PAPER if drawing.schematic else SEA}"/>'
    for void in drawing.voids:
        fill = VOID if void.ground == "land" else VOID_WATER
        yield f'<path d="{void.path}" fill="{fill}"/>'
        if void.ground == "land":
            yield f'<path d="{void.path}" fill="url(#void)"/>'
    if drawing.schematic:
        yield from _links(drawing)


def _areas(view: View, drawing: Drawing, colors: dict[str, str]) -> Iterator[str]:
    provinces = view.variant.board.provinces
    owner = {center: power for power, held in view.centers.items() for center in held}
    for key, area in drawing.areas.items():
        sea = provinces[key].terrain == "sea"
        fill = SEA if sea else PAPER
        if key in owner:
            fill = mixed(colors[owner[key]], PAPER, TINT)
        name = escape(placed(provinces[key].name))
        edge = ""
        if drawing.schematic:
            color, wide = (BORDER, 1.6) if provinces[key].terrain == "land" else (COAST, 3.0)
            edge = f' stroke="{color}" stroke-width="{wide}"'
        shape = f'<path d="{area.path}" fill="{fill}"{edge}><title>{name}</title></path>'
        yield shape + "".join(f'<path d="{area.path}" {hatch}/>' for hatch in _hatches(view, key))


def _links(drawing: Drawing) -> Iterator[str]:
    for kind, color in (("route", COAST), ("link", BORDER)):
        data = "".join(line.path for line in drawing.lines if line.kind == kind)
        if data:
            yield stroke(data, 2.4, color, "" if kind == "link" else "2 5")


def _hatches(view: View, key: str) -> Iterator[str]:
    """What lies over a province: destroyed, closed for the season, not to be seen."""
    open_in = view.variant.seasonal.get(key)
    if key in view.gone:
        yield 'fill="#5d5a57"'
        yield 'fill="url(#gone)"'
    elif open_in is not None and view.phase.season not in open_in:
        yield 'fill="url(#closed)" fill-opacity=".75"'
    if key in view.unseen:
        yield f'fill="{FOG}" fill-opacity=".8"'
        yield 'fill="url(#fog)" fill-opacity=".5"'


def _lines(drawing: Drawing) -> Iterator[str]:
    styles = {
        "water": (SHORELESS, 1.3, ""),
        "border": (BORDER, 1.5, ""),
        "void": (VOID, 0.8, ""),
        "coast": (COAST, 2.1, ""),
        "strait": (INK, 2.6, "0.1 5"),
    }
    for kind, (color, width, dash) in styles.items():
        data = "".join(line.path for line in drawing.lines if line.kind == kind)
        if data:
            yield stroke(data, width, color, dash)


def _joints(drawing: Drawing, painter: OrderPainter) -> Iterator[str]:
    """Where units step across a point, and where the picture goes on at its other edge."""
    for x, y in drawing.joints:
        painter.used.add("joint")
        yield symbols.joint((x, y))
    for y in drawing.seam:
        for x, side in ((0, -1), (drawing.size[0], 1)):
            painter.used.add("seam")
            points = [(x - side * 9, y - 7.0), (x - side * 3, y), (x - side * 9, y + 7.0)]
            yield stroke(path_data(points), 5, HALO) + stroke(path_data(points), 2.4, COAST)


def _labels(view: View, drawing: Drawing) -> Iterator[str]:
    for key, area in drawing.areas.items():
        sea = view.variant.board.provinces[key].terrain == "sea"
        fill = "#3f6f86" if sea else "#3b3528"
        if key in view.gone:
            fill = "#ffffff"
        elif key in view.unseen:
            fill = "#1d4256" if sea else INK
        size = LABEL * area.scale
        halo = ("#5d5a57" if key in view.gone else SEA if sea else PAPER) if view.orders else ""
        yield symbols.text(area.label, key.upper(), size, bold=True, fill=fill, halo=halo)


def _centers(
    view: View, drawing: Drawing, colors: dict[str, str], painter: OrderPainter
) -> Iterator[str]:
    owner = {center: power for power, held in view.centers.items() for center in held}
    for key, area in drawing.areas.items():
        # Which provinces have centers is the variant's business, not the drawing's.
        if not view.variant.board.provinces[key].supply_center or key in view.gone:
            continue
        at = area.center or area.beaten
        if key in view.unseen:
            yield symbols.center(at, area.scale, FOG, "?")
            continue
        power = owner.get(key)
        painter.used.add("center")
        yield symbols.center(
            at,
            area.scale,
            colors[power] if power else None,
            painter.letters.get(power or "", ""),
        )


def _marks(view: View, drawing: Drawing, painter: OrderPainter) -> Iterator[str]:
    """Under the units: who is thrown out, and where a standoff has left a province empty."""
    for province in view.beaten:
        unit = painter.standing.get(province)
        if unit is not None:
            painter.used.add("beaten")
            area = drawing.areas[province]
            yield burst(painter.at(unit), UNIT[0] * 0.86 * area.scale, "#ffffff", 12)
    for province in view.contested:
        painter.used.add("contested")
        yield burst(drawing.areas[province].unit, 12, "#ffffff", 8)


def _possible(view: View, drawing: Drawing, painter: OrderPainter) -> Iterator[str]:
    """Where dislodged units can go, as long as nothing is ordered for them."""
    ordered = {
        told.order.unit.province
        for told in view.orders
        if isinstance(told.order, Retreat | Disband)
    }
    for held in view.dislodged.values():
        for each in held:
            if each.unit.province in ordered:
                continue
            start = drawing.areas[each.unit.province].beaten
            for place in each.retreats:
                painter.used.add("possible")
                points = shorten(curve([start, drawing.spot(place)], 0.06), 12, 6)
                yield broken_arrow(points, CHOICE, 1.8, 5, 8)


def _unit(key: Key, painter: OrderPainter) -> str:
    """The sign of a unit; one that is dislodged stands smaller, beside the one that came."""
    power, unit, beaten = key
    painter.used.add("dislodged" if beaten else f"unit {unit.kind}")
    drawing = painter.drawing
    area = drawing.areas[unit.province]
    shown = ""
    if drawing.schematic and "/" in unit.location and not beaten:
        x, y = area.unit
        coast = unit.location.partition("/")[2]
        shown = symbols.text((x, y + UNIT[1] * 0.75 * area.scale), coast, 12 * area.scale)
    return shown + symbols.unit(
        unit.kind,
        area.beaten if beaten else drawing.spot(unit.location),
        area.scale * (BEATEN if beaten else 1.0),
        painter.colors[power],
        painter.letters.get(power, "?"),
        beaten=beaten,
        name=str(unit),
    )
