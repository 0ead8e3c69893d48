"""Pictures as PNG, for mail. The fonts are shipped, so that it looks the same on any machine.

What is the same in all pictures of a board is drawn once and kept: which pixel is whose, and the
lines. A picture gives the areas their colors and lays signs, arrows and names upon them, each drawn
alone and kept as well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, reduce
from io import BytesIO
from math import ceil, dist, floor, inf
from typing import Final, NamedTuple

import resvg_py
from PIL import Image, ImageChops, ImageDraw, ImageFont
from PIL.PngImagePlugin import PngImageFile
from zlib_ng import zlib_ng

from judge.maps import hard_edges, pen, svg, symbols
from judge.maps.arrows import DrawnPiece
from judge.maps.atlas import drawing_of
from judge.maps.drawing import WIDTH, Drawing, Spot
from judge.maps.encoding import plainly_saved, saved, shades
from judge.maps.hard_edges import Plate, plate_of
from judge.maps.hatches import hatching
from judge.maps.laid import Laid, laid_on
from judge.maps.layout import LINE, overlap, shapes
from judge.maps.legend import HEADER, Words, footer, header
from judge.maps.pen import Stamp
from judge.maps.shelf import shelved
from judge.maps.symbols import (
    EDGE,
    FONT,
    FONT_FILES,
    INK,
    PAPER,
    SEA,
    SHORE,
    SPACED,
    VOID,
    VOID_WATER,
    mixed,
)
from judge.maps.theater import Theater
from judge.maps.view import View

WIDE: Final = 660
"""Pixels across a whole board."""

SMALL: Final = 240
"""Pixels across a board in a list of games."""

SMALL_BYTES: Final = 15_000

NONE: Final = 255
"""What a plan has where none of its areas is."""

_SLOTS: Final = len(svg.SHORES) + 1
"""The numbers that an area has in a plan: where nothing lies beside, where borders or shores do."""

PLAN: Final = NONE // _SLOTS * _SLOTS
"""How many numbers a plan has at most."""

Pixels = tuple[int, int, int, int]
"""A box of pixels: left, top, right, bottom."""

NAMED, CODED, SILENT = "named", "coded", ""
"""What a place is called in a picture: by its name, as orders call it, or not at all."""

READABLE: Final = 0.3
"""The scale below which nobody could read the names."""


def png(view: View, width: int = WIDE, most: float = inf) -> bytes:
    """Return the whole board of a view as PNG, with what stands around it; in fewer colors where
    it would have more than `most` bytes."""
    drawing, scale = drawing_of(view.variant), width / WIDTH
    laid = laid_on(view, 1.0)
    painter, board = laid.painter, _board(laid, scale)
    foot, bottom = footer(view, painter.colors, set(), HEADER + drawing.size[1])
    signs = "".join(sign for sign, _ in foot)
    words = *header(view), *(words for _, words in foot)
    return saved(_framed(board, signs, words, bottom, scale), painter.colors.values(), most)


def thumbnail(view: View) -> bytes:
    """Return the board of a view as a small PNG without names."""
    drawing = drawing_of(view.variant)
    zoom = min(drawing.size[0] / WIDTH * 1.7 / drawing.scale, 2.0)
    laid = laid_on(view, zoom)
    return saved(_board(laid, SMALL / drawing.size[0]), laid.painter.colors.values(), SMALL_BYTES)


def _framed(
    board: Image.Image, below: str, written: Iterable[Words], bottom: float, scale: float
) -> Image.Image:
    """Return the board with signs below it, and with what is written around it."""
    top = round(HEADER * scale)
    whole = Image.new("RGB", (board.width, ceil(bottom * scale)), EDGE)
    _lay(
        whole, DrawnPiece(below, (0.0, (top + board.height) / scale, WIDTH, bottom)), scale, (0, 0)
    )
    for each in written:
        size = round(each.size * scale, 1)
        sprite, _ = _lettered((each.words,), _BOLD if each.bold else _PLAIN, size, INK, EDGE)
        x, y = (round(at * scale) for at in each.at)
        left = x + _BESIDE - sprite.width if each.end else x - _BESIDE
        whole.paste(sprite, (left, y - sprite.height // 2), sprite)
    whole.paste(board, (0, top))
    return whole


def theater_png(view: View, theater: Theater, most: float = inf, near: float = inf) -> bytes:
    """Return a part of the board, made for a phone: larger signs and names, and nothing around; in
    fewer colors where it would have more than `most` bytes, but not more than `near`."""
    # All parts of one size share what is kept for their scale.
    scale = round(theater.width / (theater.box[2] - theater.box[0]), 6)
    laid = laid_on(view, theater.zoom)
    return saved(_board(laid, scale, theater), laid.painter.colors.values(), most, near)


def plain_png(view: View, theater: Theater, most: float = inf, names: str = NAMED) -> bytes:
    """Return a part of the board in half of the bytes: its edges are hard, and the sea has no
    shades and land no bands; packed with care where it would have a few more than `most`. Places
    have their `names`, their codes, or nothing."""
    scale = round(theater.width / (theater.box[2] - theater.box[0]), 6)
    laid = laid_on(view, theater.zoom)
    plate = plate_of(tuple(laid.painter.colors.values()))
    return plainly_saved(_board(laid, scale, theater, plate, names), most)


def _board(
    laid: Laid,
    scale: float,
    theater: Theater | None = None,
    plate: Plate | None = None,
    names: str = NAMED,
) -> Image.Image:
    """Return the board, or as much of it as a theater has; with hard edges, in the colors of a
    plate."""
    painter = laid.painter
    drawing, shown = painter.drawing, painter.shown
    width, height = drawing.size
    box = theater.box if theater else (0.0, 0.0, width, height)
    left, top = round(box[0] * scale), round(box[1] * scale)
    frame = (
        left,
        top,
        left + round((box[2] - box[0]) * scale),
        top + round((box[3] - box[1]) * scale),
    )
    fills, hatched = _fills(shown), _hatched(shown, drawing)
    if plate:
        image = hard_edges.ground(plate, drawing, scale, frame, fills, hatched)
    else:
        palettes = _palettes(fills, svg.bands(shown), drawing)
        image = _ground(_kept(drawing, scale), scale, frame, palettes, hatched)

    def lay(pieces: Iterable[DrawnPiece]) -> None:
        for piece in pieces:
            if overlap(piece.box, box):
                _lay(image, piece, scale, (left, top), plate)

    lay(laid.below)
    lay(svg.lights(painter, theater.powers if theater else ()))
    for label, fill, halo in (
        svg.names(shown, drawing, theater) if names and scale > READABLE else ()
    ):
        lines = (label.key.upper(),) if names == CODED and not label.coast else label.lines
        face = _ITALIC if label.sea else _PLAIN
        sprite, where = _lettered(lines, face, round(label.size * scale, 1), fill, halo, plate)
        x, y = label.at[0] * scale - left, label.at[1] * scale - top
        place = round(x - sprite.width / 2), round(y - sprite.height / 2)
        image.paste(sprite, place, where)
    lay(laid.above)
    return image


_PLAIN, _BOLD, _ITALIC = range(3)
"""The faces of the font, as `FONT_FILES` has them."""

_BESIDE = 3
"""Pixels around a name, for its edge."""


def forget() -> None:
    """Let go all that is kept for further pictures."""
    for kept in (_kept, _packed, _font, _lettered, _sign, _order, hard_edges.plans):
        kept.cache_clear()


@lru_cache(maxsize=500)
def _lettered(
    lines: tuple[str, ...],
    face: int,
    size: float,
    fill: str,
    halo: str,
    plate: Plate | None = None,
) -> tuple[Image.Image, Image.Image]:
    """Return a name, its size in pixels, with an edge of the color `halo`, and where it is; one
    with hard edges has none on ground of one color."""
    font = _font(face, size)
    between = size * SPACED if face == _ITALIC else 0.0
    width = max(font.getlength(line) + between * len(line) for line in lines)
    step, edge = size * LINE, max(round(size / 12), 1)
    if plate and halo in (PAPER, SEA):
        edge = 0
    room = ceil(width) + 2 * _BESIDE, ceil(step * len(lines)) + 2 * _BESIDE
    sprite = Image.new("RGBA", room, halo + "00")
    draw = ImageDraw.Draw(sprite)
    if plate:
        draw.fontmode = "1"
    for k, line in enumerate(lines):
        x, y = sprite.width / 2, _BESIDE + step * (k + 0.52)
        if not between:
            draw.text((x, y), line, fill, font, "mm", stroke_width=edge, stroke_fill=halo)
            continue
        # One letter after the other, first all of their edges, so that none covers a letter.
        x -= (font.getlength(line) + between * (len(line) - 1)) / 2
        starts = [x + font.getlength(line[:n]) + between * n for n in range(len(line))]
        for color, wide in ((halo, edge), (fill, 0)):
            for start, letter in zip(starts, line, strict=True):
                draw.text((start, y + size * 0.36), letter, color, font, "ls", stroke_width=wide)
    return plate.pressed(sprite) if plate else (sprite, sprite)


@lru_cache(maxsize=16)
def _font(face: int, size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FONT_FILES[face]), size)


def _fills(view: View) -> dict[str, str]:
    """Return the colors of areas, with what lies over all of them."""
    fills = dict(svg.fills(view))
    for key, name in svg.hatched(view):
        if ground := svg.HATCHINGS[name].ground:
            fills[key] = mixed(ground[0], fills[key], ground[1])
    return fills


def _palettes(
    fills: Mapping[str, str], bands: Mapping[str, str], drawing: Drawing
) -> tuple[bytes, ...]:
    """Return colors of each plan, the first being 0: those of areas, and along their borders."""

    def shaded(fill: str) -> list[str]:
        return [fill, *(mixed(SHORE, fill, share) for share in shades())]

    colors: list[str] = []
    for key, fill in fills.items():
        water = drawing.areas[key].water
        colors += shaded(fill) if water else [fill] + [bands.get(key, fill)] * len(svg.SHORES)
    hatches = [k / len(svg.SHORES) for k in range(_SLOTS)]
    colors += [mixed(svg.HATCHINGS["void"].color, VOID, share) for share in hatches]
    colors += shaded(VOID_WATER)
    plans = [colors[start : start + PLAN] for start in range(0, len(colors), PLAN)]
    ground = svg.ground_of(drawing)
    return tuple(
        bytes.fromhex("".join(color[1:] for color in (*plan, *[ground] * (256 - len(plan)))))
        for plan in plans
    )


def _waters(drawing: Drawing) -> list[bool]:
    """Return which areas are water; the last two are all voids on land, and on water."""
    return [*(area.water for area in drawing.areas.values()), False, True]


Hatched = Mapping[str, Sequence[int]]
"""Hatchings, each with the numbers of the areas it lies over."""


def _hatched(view: View, drawing: Drawing) -> Hatched:
    numbers = {key: number for number, key in enumerate(drawing.areas)}
    found: dict[str, list[int]] = {}
    for key, name in svg.hatched(view):
        found.setdefault(name, []).append(numbers[key])
    return found


def _ground(
    kept: SharedGround,
    scale: float,
    frame: Pixels,
    palettes: tuple[bytes, ...],
    hatched: Hatched,
) -> Image.Image:
    """Return the areas in their colors, and the lines, where there is nothing upon them yet: of the
    frame alone."""
    parts = [plan.crop(frame) for plan in kept.plans]
    image = _colored(parts, palettes)
    for name, areas in hatched.items():
        over = _of(parts, areas)
        if (box := over.getbbox()) is None:
            continue
        left, top = frame[0] + box[0], frame[1] + box[1]
        lines = hatching(name, scale, (left, top, frame[0] + box[2], frame[1] + box[3]))
        mask = ImageChops.multiply(lines, over.crop(box))
        _tinted(image, svg.HATCHINGS[name].color, box[:2], mask)
    crossed = kept.lines.crop(frame)
    crossed.putpalette(_crossed(), "RGBA")
    above = crossed.convert("RGBA")
    image.paste(above, mask=above)
    return image


def _tinted(image: Image.Image, color: str, at: tuple[int, int], mask: Image.Image) -> None:
    # To lay a picture of one color on another takes half of the time that the color takes.
    image.paste(Image.new("RGB", mask.size, color), at, mask)


def _colored(parts: Sequence[Image.Image], palettes: Sequence[bytes]) -> Image.Image:
    """Return plans in the colors of their palettes."""
    found = []
    for part, palette in zip(parts, palettes, strict=True):
        colored = part.copy()
        colored.putpalette(palette)
        found.append(colored.convert("RGB"))
    # A number that a plan leaves to others shows through, but for the ground of the first.
    for part, image in zip(parts[1:], found[1:], strict=True):
        found[0].paste(image, mask=part.point([255 * (each != NONE) for each in range(256)]))
    return found[0]


def _of(plans: Sequence[Image.Image], areas: Collection[int]) -> Image.Image:
    """Return where areas are, by their numbers."""
    dense = [255 * (each // _SLOTS in areas) for each in range(len(plans) * PLAN)]
    tables = [dense[k : k + PLAN] + [0] * (256 - PLAN) for k in range(0, len(dense), PLAN)]
    found = map(Image.Image.point, plans, tables)
    return reduce(ImageChops.lighter, found)


class SharedGround(NamedTuple):
    """What all pictures of a board share: which pixel is in which area, by their numbers, how often
    the sea is shaded there, whether a border is near, or how dense the hatching is of what nobody
    can enter; and which lines lie there, as `_crossed` numbers them. A plan has `PLAN` numbers at
    most, so large boards have several."""

    plans: tuple[Image.Image, ...]
    lines: Image.Image


@lru_cache(maxsize=3)
def _kept(drawing: Drawing, scale: float) -> SharedGround:
    """Return what all pictures of a board at a scale share. It is packed, for readers look at
    boards from many distances, and drawn once."""
    width, height = _size(drawing, scale)
    data = zlib_ng.decompress(_packed(drawing, scale))
    each = width * height
    images = [
        Image.frombytes("L", (width, height), data[start : start + each])
        for start in range(0, len(data), each)
    ]
    return SharedGround(tuple(images[:-1]), images[-1])


@lru_cache(maxsize=32)
def _packed(drawing: Drawing, scale: float) -> bytes:
    def packed() -> bytes:
        shared = _drawn_once(drawing, scale)
        images = *shared.plans, shared.lines
        return zlib_ng.compress(b"".join(each.tobytes() for each in images), 1)

    return shelved(drawing.source, (scale,), packed)


def _size(drawing: Drawing, scale: float) -> tuple[int, int]:
    return round(drawing.size[0] * scale), round(drawing.size[1] * scale)


def _drawn_once(drawing: Drawing, scale: float) -> SharedGround:
    size = _size(drawing, scale)
    waters = _waters(drawing)
    plans = [Image.new("L", size, NONE) for _ in range(0, len(waters) * _SLOTS, PLAN)]
    draws = list(map(ImageDraw.Draw, plans))
    numbers = list(range(len(drawing.areas)))
    numbers += [len(numbers) + (void.ground == "water") for void in drawing.voids]
    for number, ring in shapes(drawing):
        points = [(x * scale, y * scale) for x, y in ring]
        plan, place = divmod(numbers[number] * _SLOTS, PLAN)
        for own, draw in enumerate(draws):
            draw.polygon(points, fill=place if own == plan else NONE)
    finer, lines = max(round(2.2 / scale), 2), Image.new("L", size)
    for worth, (kind, width) in _lines().items():
        if any(line.kind == kind for line in drawing.lines):
            dense = _wide(drawing, (kind,), scale, finer, [(width, 255)])
            lines = ImageChops.add(lines, dense.point([worth * half for half in _HALVES]))
    shade = _wide(drawing, ("coast",), scale, 1, [*zip(svg.SHORES, (1, 2), strict=True)])
    edges = _wide(drawing, svg.EDGES, scale, 1, [(svg.BAND, 1)])
    sea = _of(plans, {number for number, water in enumerate(waters) if water})
    edges.paste(shade, mask=sea)
    dense = hatching("void", scale, (0, 0, *size))
    levels = [round(k / 255 * len(svg.SHORES)) for k in range(256)]
    edges.paste(dense.point(levels), mask=_of(plans, {len(waters) - 2}))
    return SharedGround(tuple(ImageChops.add(plan, edges) for plan in plans), lines)


_HALVES: Final = [(k + 64) // 128 for k in range(256)]
"""How many halves of a line lie where it is so dense: half a line is the only edge of which
`_between` has the color."""


def _lines() -> dict[int, tuple[str, float]]:
    """Return kinds and widths of lines, by what half of a line adds to the number of a pixel."""
    drawn = [(kind, width) for kind, (_, width, dash) in svg.STROKES.items() if not dash]
    return {3**k: each for k, each in enumerate(drawn)}


@cache
def _crossed() -> bytes:
    """Return the color of each number that tells which lines lie on a pixel."""
    row = Image.new("RGBA", (3 ** len(_lines()), 1))
    for worth, (kind, _) in _lines().items():
        drawn = Image.new("RGBA", row.size, svg.STROKES[kind][0])
        halves = bytes(number // worth % 3 * 127 for number in range(row.width))
        drawn.putalpha(Image.frombytes("L", row.size, halves))
        row.alpha_composite(drawn)
    return row.tobytes()


def _wide(
    drawing: Drawing,
    kinds: Collection[str],
    scale: float,
    finer: int,
    widths: Sequence[tuple[float, int]],
) -> Image.Image:
    """Lines of some kinds, in one width upon the other with how dense that is; they are drawn
    `finer` times as large and made smaller, for soft edges."""
    large = scale * finer
    size = (round(each * scale) * finer for each in drawing.size)
    mask = Image.new("L", tuple(size))  # type: ignore[arg-type]
    draw = ImageDraw.Draw(mask)
    ways = [line.points for line in drawing.lines if line.kind in kinds]
    for width, dense in widths:
        pixels = max(round(width * large), 1)
        for way in ways:
            thin = [(x * large, y * large) for x, y in _thinned(way, width / 4)]
            draw.line(thin, dense, pixels)
            # Discs make round corners in half of the time that Pillow's own take.
            for x, y in thin[1:-1] if pixels > 2 else ():
                round_ = x - pixels / 2, y - pixels / 2, x + pixels / 2, y + pixels / 2
                draw.ellipse(round_, dense)
    return mask.reduce(finer)


def _thinned(way: Sequence[Spot], step: float) -> Iterator[Spot]:
    """Yield the points of a line that lie so far from the one before, and its last."""
    last = way[0]
    yield last
    for point in way[1:-1]:
        if dist(point, last) >= step:
            yield (last := point)
    yield way[-1]


def _lay(
    image: Image.Image,
    piece: DrawnPiece,
    scale: float,
    corner: tuple[int, int],
    plate: Plate | None = None,
) -> None:
    """Lay a piece on a picture whose upper left corner is `corner`, in pixels of the board."""
    left, top, right, bottom = piece.box
    x, y = piece.at
    low = floor((left - x) * scale), floor((top - y) * scale)
    high = ceil((right - x) * scale), ceil((bottom - y) * scale)
    # Parts of a board in which signs have one size share them, whatever their scales.
    stamp = _order if piece.at == (0.0, 0.0) else _sign
    beside = round(x * scale) - corner[0], round(y * scale) - corner[1]
    for first, source, mask in stamp(
        piece.drawn, (*low, *high), round(scale * piece.zoom, 4), plate
    ):
        at = first[0] + beside[0], first[1] + beside[1]
        if isinstance(source, str):
            _tinted(image, source, at, mask)
        else:
            image.paste(source, at, mask)


def _stamp(drawn: str, box: Pixels, scale: float, plate: Plate | None) -> Stamp:
    """Return what is drawn in a box of pixels, where there is anything."""
    sprite = _drawn(drawn, box, scale)
    left, top, right, bottom = sprite.getbbox() or (0, 0, 1, 1)
    part = sprite.crop((left, top, right, bottom))
    source, mask = plate.pressed(part) if plate else (part, part)
    return [((box[0] + left, box[1] + top), source, mask)]


_sign = lru_cache(maxsize=600)(_stamp)
"""Signs come again in many pictures, orders in those of one phase."""


@lru_cache(maxsize=250)
def _order(drawn: str, box: Pixels, scale: float, plate: Plate | None) -> Stamp:
    # Letters keep soft edges within their sign.
    known = "<text" not in drawn and pen.knows(drawn)
    return (pen.sketch if known else _stamp)(drawn, box, scale, plate)


def _drawn(drawn: str, box: Pixels, scale: float) -> Image.Image:
    """Return what is drawn in a box of pixels, clear elsewhere."""
    if pen.knows(drawn):
        return pen.sprite(drawn, box, scale)
    x, y, w, h = box[0], box[1], box[2] - box[0], box[3] - box[1]
    view = " ".join(f"{each / scale:.4f}" for each in (x, y, w, h))
    defs = svg.patterns() if "url(#" in drawn else ""
    font = symbols.font_attributes() if "<text" in drawn else ""
    return rasterize(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" width="{w}" height="{h}"'
        f" {font}>{defs}{drawn}</svg>",
        w,
    )


def rasterize(drawn: str, width: int) -> Image.Image:
    """Return an SVG as a picture, clear where it draws nothing. Raises ValueError otherwise."""
    data: bytes = resvg_py.svg_to_bytes(
        svg_string=drawn,
        width=width,
        skip_system_fonts=True,
        font_files=[str(path) for path in FONT_FILES] if "<text" in drawn else [],
        font_family=FONT,
        sans_serif_family=FONT,
    )
    with PngImageFile(BytesIO(data)) as image:
        return image.convert("RGBA")
