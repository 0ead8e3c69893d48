"""Draws a view: the board, what stands on it, the orders, and around them what it all means.

The board is what the phase left, where the view tells, with the orders that led to it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from html import escape
from typing import Final, NamedTuple

from judge.i18n import language
from judge.maps import strokes, symbols
from judge.maps.arrows import DrawnPiece, OrderPainter, around
from judge.maps.atlas import drawing_of
from judge.maps.drawing import WIDTH, Drawing, rounded
from judge.maps.layout import LINE, NameLabel, labels, within
from judge.maps.legend import HEADER, footer, header
from judge.maps.theater import Theater
from judge.maps.view import Sign, View, describe, heading, signs
from judge.rules.orders import Disband, Retreat
from judge.sentences.terms import placed


def draw(view: View) -> str:
    """Draw a view as SVG, `WIDTH` pixels wide, in the language that is spoken."""
    return _drawn(view, painter_of(view))


def draw_opened(view: View) -> str:
    """Draw the board of a view as its phase opened, without orders."""
    return draw(replace(view, orders=(), beaten=(), then=None))


def draw_left(view: View) -> str:
    """Draw the board of a view as its phase left it, without orders."""
    return draw(view.board)


def order_marks(view: View) -> str:
    """Return what a picture shows of the orders alone, a group for each, to lie over its board."""
    painter = painter_of(view)
    return "".join(piece.svg for piece in (*painter.below(), *painter.above()))


def _drawn(view: View, painter: OrderPainter) -> str:
    drawing = drawing_of(view.variant)
    shown = painter.shown
    height = drawing.size[1]
    below = "".join(piece.svg for piece in under(painter))
    board = "".join(
        (
            *_ground(drawing),
            *_areas(shown, drawing, water=True),
            *shore(drawing),
            *_empty(drawing, "land"),
            *_areas(shown, drawing, water=False),
            *_bands(shown, drawing),
            lines(drawing),
            *(piece.svg for piece in centers(shown, painter)),
            below,
            *(_name(*each) for each in names(shown, drawing)),
            *(sign(key, painter).svg for key in signs(shown)),
            *(piece.svg for piece in (*painter.above(), *badges(painter))),
        )
    )
    foot, bottom = footer(view, painter.colors, painter.used, HEADER + height)
    total = -(-round(bottom) // 12) * 12
    # Behind the address of a picture, it shows the board alone (SVG 2, 16.3).
    views = f'<view id="board" viewBox="0 {HEADER} {WIDTH} {height}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {total}"'
        f' width="{WIDTH}" height="{total}" role="img" aria-labelledby="map-title map-text"'
        f" {symbols.font_attributes()}>"
        f'<title id="map-title">{escape(heading(view))}</title>'
        f'<desc id="map-text">{escape(describe(view))}</desc>'
        f"{views}{patterns()}{_edges(drawing)}"
        # What stands around the board is drawn later, over what reaches out of it: that is much
        # faster than clipping.
        f'<g transform="translate(0 {HEADER})">{board}</g>'
        f'<path d="M0 0H{WIDTH}V{HEADER}H0zM0 {HEADER + height}H{WIDTH}V{total}H0z"'
        f' fill="{symbols.EDGE}"/>'
        f"{''.join(words.svg for words in header(view))}"
        f'<rect class="board" x="1" y="{HEADER}" width="{WIDTH - 2}" height="{height}"'
        f' fill="none" stroke="{symbols.INK}" stroke-width="2"/>'
        f"{''.join(sign + words.svg for sign, words in foot)}</svg>"
    )


def painter_of(view: View, shown: View | None = None, zoom: float = 1.0) -> OrderPainter:
    """Return what draws the orders of a view on its board, or on the one that is `shown`; signs are
    `zoom` times as large as usual."""
    drawing = drawing_of(view.variant)
    colors = symbols.power_colors(view.variant.powers, drawing.colors)
    return OrderPainter(view, drawing, colors, shown or view.board, zoom)


class Hatching(NamedTuple):
    """Lines over an area, for what must not depend on color: one each `every` pixels, half of its
    `width` to be seen, turned by an angle, and how dense. `ground` is a color below them, and how
    dense that is."""

    color: str
    width: float
    every: int
    turn: int
    share: float = 1.0
    ground: tuple[str, float] | None = None

    @property
    def solid(self) -> str:
        """Its color where it covers its ground."""
        return symbols.mixed(self.color, self.ground[0], self.share) if self.ground else self.color


HATCHINGS: Final = {
    "void": Hatching(symbols.HATCH, 2.4, 14, 45),
    "closed": Hatching("#ffffff", 7, 16, -45, 0.75),
    "gone": Hatching("#000000", 6, 14, 45, 1.0, ("#5d5a57", 1.0)),
    "fog": Hatching("#6f7478", 3, 12, 0, 0.5, (symbols.FOG, 0.8)),
}


def patterns() -> str:
    """Return the hatchings, for what is drawn with them."""
    found = (
        f'<pattern id="{name}" width="{each.every}" height="{each.every}"'
        f' patternUnits="userSpaceOnUse" patternTransform="rotate({each.turn})">'
        f'<path d="M0 0V{each.every}" stroke="{each.color}" stroke-width="{each.width}"/></pattern>'
        for name, each in HATCHINGS.items()
    )
    return f"<defs>{''.join(found)}</defs>"


def _ground(drawing: Drawing) -> Iterator[str]:
    width, height = drawing.size
    yield f'<rect width="{width}" height="{height}" fill="{ground_of(drawing)}"/>'
    yield from _empty(drawing, "water")
    if drawing.schematic:
        for kind, color, dash in (("route", symbols.COAST, "2 5"), ("link", symbols.BORDER, "")):
            data = _line_data(drawing, kind)
            if data:
                yield strokes.stroke(data, 2.4, color, dash)


def _empty(drawing: Drawing, ground: str) -> Iterator[str]:
    """Land or water that nobody can enter."""
    fill = symbols.VOID if ground == "land" else symbols.VOID_WATER
    for void in drawing.voids:
        if void.ground == ground:
            yield f'<path d="{void.path}" fill="{fill}"/>'


def ground_of(drawing: Drawing) -> str:
    """Return the color of what lies between areas."""
    return symbols.PAPER if drawing.schematic else symbols.SEA


def fills(view: View) -> Iterator[tuple[str, str]]:
    """Yield areas with their colors: of who owns the center, or else of who stands there."""
    provinces = view.variant.board.provinces
    drawing = drawing_of(view.variant)
    colors = symbols.power_colors(view.variant.powers, drawing.colors)
    owner = view.owners
    visitor = {unit.province: power for power, held in view.units.items() for unit in held}
    for key in drawing.areas:
        if provinces[key].terrain == "sea":
            yield key, symbols.SEA
        elif key in owner:
            yield key, symbols.tint(colors[owner[key]])
        elif key in visitor and not provinces[key].supply_center:
            yield key, symbols.mixed(colors[visitor[key]], symbols.PAPER, symbols.VISITED)
        else:
            yield key, symbols.PAPER


def bands(view: View) -> dict[str, str]:
    """Return the provinces of powers, with the color along their borders."""
    drawing = drawing_of(view.variant)
    colors = symbols.power_colors(view.variant.powers, drawing.colors)
    return {
        key: symbols.band(colors[power])
        for key, power in view.owners.items()
        if not drawing.areas[key].water and key not in view.gone and key not in view.unseen
    }


def _bands(view: View, drawing: Drawing) -> Iterator[str]:
    """Draw the bands: the borders of the board, as wide lines that are seen in these areas only."""
    found: dict[str, list[str]] = {}
    for key, color in bands(view).items() if not drawing.schematic else ():
        found.setdefault(color, []).append(key)
    for number, (color, keys) in enumerate(found.items()):
        uses = "".join(f'<use href="#area-{key}"/>' for key in keys)
        yield (
            f'<clipPath id="own-{number}">{uses}</clipPath><use href="#edges" fill="none"'
            f' stroke="{color}" stroke-width="{BAND}" clip-path="url(#own-{number})"'
            ' stroke-linejoin="round" pointer-events="none"/>'
        )


def _areas(view: View, drawing: Drawing, *, water: bool) -> Iterator[str]:
    provinces = view.variant.board.provinces
    over: dict[str, str] = {}
    for key, name in hatched(view):
        over[key] = over.get(key, "") + _hatch(drawing.areas[key].path, name)
    for key, fill in fills(view):
        area = drawing.areas[key]
        if area.water != water:
            continue
        name = escape(placed(provinces[key].name))
        edge = ""
        if drawing.schematic:
            inland = provinces[key].terrain == "land"
            color, wide = (symbols.BORDER, 1.6) if inland else (symbols.COAST, 3.0)
            edge = f' stroke="{color}" stroke-width="{wide}"'
        yield (
            f'<path id="area-{key}" d="{area.path}" fill="{fill}"{edge}>'
            f"<title>{name}</title></path>"
        )
        yield over.get(key, "")


def hatched(view: View) -> Iterator[tuple[str, str]]:
    """Yield provinces and what of `HATCHINGS` lies over them: destroyed, closed for the season, not
    to be seen."""
    seasonal = view.variant.seasonal
    for key in drawing_of(view.variant).areas:
        if key in view.gone:
            yield key, "gone"
        elif key in seasonal and view.phase.season not in seasonal[key]:
            yield key, "closed"
        if key in view.unseen:
            yield key, "fog"


def _hatch(path: str, name: str) -> str:
    """Draw what lies over a province."""
    each = HATCHINGS[name]
    fills = [each.ground] if each.ground else []
    return "".join(
        f'<path d="{path}" fill="{fill}"'
        + ("/>" if share == 1 else f' fill-opacity="{str(share)[1:]}"/>')
        for fill, share in (*fills, (f"url(#{name})", each.share))
    )


STROKES: Final = {
    "water": (symbols.SHORELESS, 1.5, ""),
    "border": (symbols.BORDER, 1.5, ""),
    "river": (symbols.RIVER, 3.2, ""),
    "void": (symbols.VOID, 0.8, ""),
    "coast": (symbols.COAST, 1.9, ""),
    "strait": (symbols.INK, 2.6, "0.1 5"),
}
"""The colors, widths and dashes of lines, in the order in which they are drawn."""

BAND: Final = 11
"""How wide lines are that make the bands; half of it is seen."""

SHORES: Final = (30, 14)
"""How wide lines are that shade the sea along coasts, one upon the other; half of it is seen."""

SHADE: Final = 0.22
"""How dense each of them is."""

EDGES: Final = ("border", "river", "void", "coast")
"""The lines that land can have around it."""


def _edges(drawing: Drawing) -> str:
    """Return the lines around lands, to be drawn several times."""
    found = "".join(
        f'<path id="line-{kind}" d="{data}"/>'
        for kind in EDGES
        if (data := _line_data(drawing, kind))
    )
    return f'<defs><g id="edges">{found}</g></defs>'


def _line_data(drawing: Drawing, kind: str) -> str:
    return "".join(line.path for line in drawing.lines if line.kind == kind)


def shore(drawing: Drawing) -> Iterator[str]:
    """Yield the shading of the sea along coasts, which lands drawn later cover on their side."""
    for width in SHORES if any(line.kind == "coast" for line in drawing.lines) else ():
        yield (
            f'<use href="#line-coast" fill="none" stroke="{symbols.SHORE}" stroke-width="{width}"'
            f' stroke-opacity="{SHADE}" stroke-linejoin="round" pointer-events="none"/>'
        )


def lines(drawing: Drawing) -> str:
    """Return what is the same in every picture of a board, over its colors: borders, the hatching
    of ground nobody can enter, and marks where units step across a point."""
    found = [
        f'<path d="{void.path}" fill="url(#void)"/>'
        for void in drawing.voids
        if void.ground == "land"
    ]
    for kind, (color, width, dash) in STROKES.items():
        data = _line_data(drawing, kind)
        if data and kind in EDGES:
            found.append(
                f'<use href="#line-{kind}" fill="none" stroke="{color}" stroke-width="{width}"'
                ' stroke-linecap="round" stroke-linejoin="round"/>'
            )
        elif data:
            found.append(strokes.stroke(data, width, color, dash))
    return "".join((*found, *(piece.svg for piece in _joints(drawing))))


def crossings(drawing: Drawing) -> Iterator[DrawnPiece]:
    """Yield where units step across water, and what `_joints` has."""
    for line in drawing.lines:
        if line.kind == "strait":
            color, width, dash = STROKES[line.kind]
            drawn = strokes.stroke(strokes.path_data(line.points), width, color, dash)
            yield DrawnPiece(drawn, around(line.points, width))
    yield from _joints(drawing)


def _joints(drawing: Drawing) -> Iterator[DrawnPiece]:
    """Yield where units step across a point, and where the picture goes on at its other edge."""
    for at in drawing.joints:
        yield DrawnPiece(symbols.joint(at), around([at], 11))
    for y in drawing.seam:
        for x, side in ((0, -1), (drawing.size[0], 1)):
            points = [(x - side * 9, y - 7.0), (x - side * 3, y), (x - side * 9, y + 7.0)]
            arrow = strokes.outlined(strokes.path_data(points), 2.4, 5, color=symbols.COAST)
            yield DrawnPiece(arrow, around(points, 3))


def names(
    view: View, drawing: Drawing, part: Theater | None = None
) -> Iterator[tuple[NameLabel, str, str]]:
    """Yield the names of areas and coasts, with their color and that of their edge: all of them, or
    those in a part of the board."""
    board = view.variant.board
    for label in (
        within(drawing, board, language(), part.zoom, part.box)
        if part
        else labels(drawing, board, language(), 1.0, whole=True)
    ):
        fill, halo = (symbols.SEA_NAME, symbols.SEA) if label.sea else (symbols.NAME, symbols.PAPER)
        if label.lines[0] in drawing.areas[label.key].coasts:
            fill, halo = symbols.NAME, symbols.PAPER
        if label.key in view.gone:
            fill, halo = "#ffffff", symbols.INK
        elif label.key in view.unseen:
            fill, halo = "#123a50" if label.sea else symbols.INK, symbols.FOG
        yield label, fill, halo


def _name(label: NameLabel, fill: str, halo: str) -> str:
    step = label.size * LINE
    top = label.at[1] - step * (len(label.lines) - 1) / 2
    return "".join(
        symbols.text(
            (label.at[0], top + step * k), line, label.size,
            fill=fill, italic=label.sea, halo=halo,
        )
        for k, line in enumerate(label.lines)
    )  # fmt: skip


def centers(view: View, painter: OrderPainter) -> Iterator[DrawnPiece]:
    """Yield the supply centers; one where a unit of its owner stands is told by that unit's."""
    owner = view.owners
    for key, area in painter.drawing.areas.items():
        # Which provinces have centers is the variant's business, not the drawing's.
        if (
            not view.variant.board.provinces[key].supply_center
            or key in view.gone
            or key in painter.at_home
        ):
            continue
        at = area.center or area.beaten
        box, size = around([at], 12 * painter.scale), painter.drawing.scale
        if key in view.unseen:
            sign = symbols.center(size, symbols.FOG, "?")
            yield DrawnPiece(sign, box, at, zoom=painter.zoom)
            continue
        power = owner.get(key)
        painter.used.add("center")
        color = painter.colors[power] if power else None
        letter = painter.letters.get(power or "", "")
        yield DrawnPiece(symbols.center(size, color, letter), box, at, zoom=painter.zoom)


def under(painter: OrderPainter) -> Iterator[DrawnPiece]:
    """Yield what lies under the units: who is thrown out, what is to be decided, and orders."""
    yield from _marks(painter)
    yield from _possible(painter)
    yield from painter.below()


def lights(painter: OrderPainter, mine: Collection[str]) -> Iterator[DrawnPiece]:
    """Yield rings of light around the units of `mine`, which lie over all that is `under`."""
    for power in mine:
        for unit in painter.shown.units.get(power, ()):
            at, r = painter.spot(unit.location), symbols.UNIT[0] * painter.scale * 0.66
            disc = f'<circle r="{r:.1f}" fill="#fff" fill-opacity=".75"/>'
            yield DrawnPiece(disc, around([at], r), at)


def _marks(painter: OrderPainter) -> Iterator[DrawnPiece]:
    """Yield who is thrown out, and where a standoff has left a province empty."""
    view, shown, areas = painter.view, painter.shown, painter.drawing.areas
    for power, held in view.units.items():
        for unit in held:
            if unit.province not in view.beaten:
                continue
            painter.used.add("beaten")
            if shown is view:
                yield _burst(painter.at(unit), painter.size[0] * 0.86, 12)
                continue
            at, (w, h) = areas[unit.province].beaten, painter.size
            lost = [each.unit for each in shown.dislodged.get(power, ())]
            yield _burst(at, w * 0.72, 12)
            if unit not in lost:
                ghost = symbols.placed(
                    painter.sign(power, unit, beaten=True), at, zoom=painter.zoom
                )
                mark = strokes.crossed_out(at, w * symbols.BEATEN, h * symbols.BEATEN)
                yield DrawnPiece(ghost + mark, around([at], w * 0.72 + 4))
    for province in shown.contested:
        painter.used.add("contested")
        yield _burst(areas[province].unit, 12, 8)


def _burst(at: tuple[float, float], size: float, teeth: int) -> DrawnPiece:
    return DrawnPiece(strokes.burst(at, size, "#ffffff", teeth), around([at], size + 4))


def _possible(painter: OrderPainter) -> Iterator[DrawnPiece]:
    """Yield what is to be decided: where dislodged units can go as long as nothing is ordered for
    them, where units can be built, and which can be removed."""
    shown, drawing = painter.shown, painter.drawing
    ordered = {
        told.order.unit.province
        for told in painter.view.orders
        if isinstance(told.order, Retreat | Disband)
    }
    for power, held in shown.dislodged.items():
        for each in held:
            if each.unit.province in ordered and shown is painter.view:
                continue
            start = drawing.areas[each.unit.province].beaten
            for place in each.retreats:
                painter.used.add("possible")
                points = strokes.shorten(strokes.curve([start, drawing.spot(place)], 0.06), 14, 5)
                arrow = strokes.broken_arrow(points, strokes.CHOICE, painter.inks[power], 2, 8)
                yield DrawnPiece(arrow, around(points, 14))
    if any(told.done is None for told in painter.view.orders):
        return
    w, h = painter.size
    for power, places in shown.sites.items():
        for place in places:
            painter.used.add("site")
            at, box = drawing.areas[place].unit, rounded((0, 0), w, h, h * 0.24)
            sign = strokes.outlined(box, 2.2, 4.5, "4 3", color=painter.inks[power])
            plus = symbols.text((0, 0), "+", h * 0.9, bold=True, fill=painter.inks[power])
            yield DrawnPiece(sign + plus, around([at], w), at)


def badges(painter: OrderPainter) -> Iterator[DrawnPiece]:
    """Yield signs on the units of powers that must remove some."""
    if any(told.done is None for told in painter.view.orders):
        return
    for power, count in painter.shown.owed.items():
        for unit in painter.shown.units.get(power, ()) if count < 0 else ():
            painter.used.add("surplus")
            x, y = painter.spot(unit.location)
            at = x + painter.size[0] / 2, y - painter.size[1] / 2
            yield DrawnPiece(symbols.badge((0, 0), "−"), around([at], 12), at)


def sign(key: Sign, painter: OrderPainter) -> DrawnPiece:
    """Return the sign of a unit; one that is dislodged stands smaller, beside the one that came."""
    power, unit, beaten = key
    painter.used.add("dislodged" if beaten else f"unit {unit.kind}")
    drawing = painter.drawing
    area = drawing.areas[unit.province]
    at = area.beaten if beaten else drawing.spot(unit.location)
    drawn = painter.sign(power, unit, beaten)
    if drawing.schematic and "/" in unit.location and not beaten:
        coast = unit.location.partition("/")[2]
        scale = drawing.scale
        drawn = symbols.text((0, symbols.UNIT[1] * 0.75 * scale), coast, 12 * scale) + drawn
    name = f' class="unit{" beaten" if beaten else ""}" data-unit="{escape(str(unit))}"'
    return DrawnPiece(drawn, around([at], painter.size[0]), at, name, painter.zoom)
