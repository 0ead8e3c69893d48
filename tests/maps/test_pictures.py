"""What pictures show: compared by their structure, not byte by byte."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from dataclasses import replace
from io import BytesIO
from itertools import combinations, product
from math import dist
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops, ImageStat

from judge import variants
from judge.bots import orders_of
from judge.i18n import LANGUAGES, speaking
from judge.interchange import read_question
from judge.maps import (
    CODED,
    SILENT,
    View,
    close_up,
    describe,
    draw,
    draw_opened,
    hard_edges,
    layout,
    outside,
    overview,
    pen,
    plain_png,
    png,
    position_view,
    raster,
    results_view,
    symbols,
    theater_of,
    theater_png,
)
from judge.maps.atlas import drawing_of
from judge.maps.drawing import WIDTH
from judge.maps.encoding import saved, shades
from judge.maps.hard_edges import plate_of
from judge.maps.layout import labels
from judge.maps.legend import HEADER
from judge.maps.notes import noted, picture_of
from judge.maps.raster import rasterize
from judge.maps.schematic import schematic
from judge.maps.shelf import FOLDER
from judge.maps.strokes import HEAD, SHAFT, length
from judge.maps.svg import painter_of
from judge.maps.symbols import (
    BORDER,
    COAST,
    FOG,
    FONT_FILES,
    INK,
    PAPER,
    SEA,
    SEA_NAME,
    SHORE,
    SHORELESS,
    UNIT,
    VOID,
    band,
    contrast,
    mixed,
    power_colors,
    readable,
    tint,
)
from judge.maps.view import ShownOrder, decided
from judge.rules.engine import adjudicate
from judge.rules.phase import Phase
from judge.rules.position import Unit
from judge.sentences.terms import placed
from tests.maps.shapes import overlap

HERE = Path(__file__).resolve().parent
SVG = "{http://www.w3.org/2000/svg}"
SCHEMATIC = ["pure"]
CASES = sorted((HERE / "cases").glob("*.json"))


def view_of(path: Path) -> View:
    asked = read_question(json.loads(path.read_text()))
    if not any(asked.orders.values()):
        return position_view(asked.variant, asked.position, game="paris")
    outcome = adjudicate(asked.variant, asked.position, asked.orders, asked.rulebook)
    return results_view(asked.variant, asked.position, outcome, game="paris")


def outline(svg: str) -> str:
    """A picture as lines that people can read: units with their places, orders with what they are
    drawn of, and all words."""
    lines = []
    for element in ElementTree.fromstring(svg).iter():
        kind, unit = element.get("class", ""), element.get("data-unit")
        if unit:
            x, y = map(float, re.findall(r"-?[\d.]+", element.get("transform", ""))[:2])
            lines.append(f"{kind}: {unit} near {round(x, -1):.0f} {round(y, -1):.0f}")
        elif element.get("data-order"):
            parts = [child.tag.removeprefix(SVG) for child in element.iter()][1:]
            power, order = element.get("data-power"), element.get("data-order")
            lines.append(f"{kind}: {power} {order}, {len(parts)} strokes")
        elif element.tag == f"{SVG}text" and not element.get("paint-order"):
            if len(element.text or "") < 4:
                continue
            lines.append(f"words: {element.text}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_golden_pictures(path: Path) -> None:
    """JUDGE_PICTURES=rewrite writes them anew: read the difference."""
    view = view_of(path)
    found = outline(draw(view)) + "\n" + describe(view) + "\n"
    golden = path.with_suffix(".txt")
    if os.environ.get("JUDGE_PICTURES") == "rewrite":
        golden.write_text(found)
    assert found == golden.read_text()


def test_orders_are_told_apart_without_color() -> None:
    """With every color the same, no two kinds of orders or outcomes are drawn alike."""
    svg = draw(view_of(HERE / "cases" / "orders.json"))
    drawn: dict[str, set[str]] = {}
    for element in ElementTree.fromstring(svg).iter():
        order = element.get("data-order")
        if order:
            letter = next((word for word in ("H", "S", "C", "-") if f" {word}" in order), "?")
            kind = f"{letter} {element.get('class')}"
            style = [
                (child.tag, child.get("stroke-width"), child.get("stroke-dasharray"))
                for child in element.iter()
            ][1:]
            drawn.setdefault(kind, set()).add(repr(sorted(style, key=repr)))
    kinds = sorted(drawn)
    assert len(kinds) >= 6
    for one in kinds:
        for two in kinds:
            assert one == two or not drawn[one] & drawn[two], (one, two)


@pytest.mark.parametrize("name", variants.names())
def test_every_variant_can_be_drawn(name: str) -> None:
    variant = variants.load(name)
    svg = draw(position_view(variant, variant.opening))
    root = ElementTree.fromstring(svg)
    units = [each.get("data-unit") for each in root.iter() if each.get("data-unit")]
    assert sorted(map(str, units)) == sorted(
        str(unit) for held in variant.start.values() for unit in held
    )
    words = " ".join(str(each.text) for each in root.iter(f"{SVG}text")).replace("- ", "-")
    for key, province in variant.board.provinces.items():
        assert placed(province.name) in words or key.upper() in words, key


@pytest.mark.parametrize("name", SCHEMATIC)
def test_boxes_of_a_schematic_do_not_overlap(name: str) -> None:
    drawing = drawing_of(variants.load(name))
    assert drawing.schematic
    boxes = []
    for area in drawing.areas.values():
        start = re.match(r"M([\d.]+) ([\d.]+)h([\d.]+)", area.path)
        assert start is not None
        boxes.append((area.label, float(start[3])))
    for k, ((x, y), wide) in enumerate(boxes):
        for (x2, y2), _ in boxes[k + 1 :]:
            assert abs(x - x2) > wide * 0.6 or abs(y - y2) > 60 * 0.6
    assert len(drawing.lines) == len(
        {frozenset(line.between) for line in drawing.lines if line.kind in ("link", "route")}
    )


def test_where_all_border_on_all_they_stand_in_a_circle_with_their_names() -> None:
    variant = variants.load("pure")
    drawing = drawing_of(variant)
    middle = drawing.size[0] / 2, drawing.size[1] / 2
    boxes = [area.box for area in drawing.areas.values()]
    away = [dist(middle, ((x + x2) / 2, (y + y2) / 2)) for x, y, x2, y2 in boxes]
    assert max(away) - min(away) < 1
    assert {name.lines for name in labels(drawing, variant.board, "en", 1.0)} == {
        (province.name,) for province in variant.board.provinces.values()
    }


def test_what_is_out_of_sight_is_not_in_the_picture() -> None:
    variant = variants.load("standard")
    position = variant.opening
    unseen = frozenset(variant.board.provinces) - {"par", "bre", "mar"}
    from judge.game.visibility.fog import part_of

    seen = part_of(position, frozenset({"par", "bre", "mar"}), ["France"])
    svg = draw(position_view(variant, seen, unseen=unseen))
    units = set(re.findall(r'data-unit="([^"]+)"', svg))
    assert units == {"A par", "F bre", "A mar"}
    assert "out of sight" in svg
    # Of a center out of sight nobody is told that it has no owner.
    assert svg.count(">?<") == 31
    assert "Russia" not in svg


def test_centers_are_those_of_the_variant() -> None:
    variant = variants.load("standard")
    provinces = dict(variant.board.provinces)
    provinces["par"] = replace(provinces["par"], supply_center=False)
    provinces["gas"] = replace(provinces["gas"], supply_center=True)
    other = replace(variant, board=replace(variant.board, provinces=provinces))
    view = position_view(other, replace(variant.opening, units={}, centers={"France": ("gas",)}))
    assert not drawing_of(other).schematic
    root = ElementTree.fromstring(draw(view))
    x, y = drawing_of(other).areas["gas"].beaten
    discs = {
        tuple(map(float, re.findall(r"-?[\d.]+", each.get("transform", ""))))
        for each in root.iter(f"{SVG}g")
        if each.get("transform") and each.find(f"{SVG}circle") is not None
    }
    assert min(dist(each, (x, y)) for each in discs) < 0.1
    paris = drawing_of(other).areas["par"].center
    assert paris is not None
    assert min(dist(each, paris) for each in discs) > 1


def test_a_schematic_comes_out_the_same_every_time() -> None:
    variant = variants.load("hundred")
    assert vars(schematic(variant)) == vars(schematic(variant))


def test_a_board_of_more_areas_than_a_plan_has_looks_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    variant = variants.load("standard")
    view = replace(position_view(variant, variant.opening), unseen=frozenset({"mos", "nth"}))
    part = overview(view)
    assert part is not None
    one = png(view, 600), plain_png(view, part)
    monkeypatch.setattr(raster, "PLAN", 39)
    monkeypatch.setattr(hard_edges, "_MOST", 50)
    raster.forget()
    several = png(view, 600), plain_png(view, part)
    raster.forget()
    assert several == one


def test_what_all_pictures_of_a_board_share_is_drawn_once_for_all_processes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    variant = variants.load("standard")
    view = position_view(variant, variant.opening)
    drawn, folder = png(view, 500), tmp_path / "shelf"
    folder.mkdir()
    monkeypatch.setenv(FOLDER, str(folder))
    for _ in range(2):
        raster.forget()
        labels.cache_clear()
        assert png(view, 500) == drawn
        assert list(folder.iterdir())
        # As another process, which finds it.
        monkeypatch.setattr(raster, "_drawn_once", None)
        monkeypatch.setattr(layout, "_placed", None)
    monkeypatch.undo()
    monkeypatch.setenv(FOLDER, str(tmp_path / "nowhere"))
    raster.forget()
    assert png(view, 500) == drawn


def test_words_come_in_the_reader_s_language() -> None:
    view = view_of(HERE / "cases" / "orders.json")
    with speaking("de"):
        assert "Zentren von" in describe(view)
        assert "Unterstützung" in draw(view)


def test_the_alternative_text_is_in_the_picture() -> None:
    view = view_of(HERE / "cases" / "retreats.json")
    root = ElementTree.fromstring(draw(view))
    assert root.findtext(f"{SVG}desc") == describe(view)
    assert root.get("role") == "img"


def test_a_picture_for_mail_is_small_and_the_same_as_the_svg() -> None:
    view = view_of(HERE / "cases" / "retreats.json")
    data = png(view)
    assert len(data) < 70_000
    with Image.open(BytesIO(data)) as image:
        small = image.convert("RGB").crop((0, 0, image.width, 600)).resize((150, 120))
        whole = rasterize(draw(view), image.width).convert("RGB")
    apart = ImageChops.difference(small, whole.crop((0, 0, image.width, 600)).resize((150, 120)))
    assert sum(apart.tobytes()) / len(apart.tobytes()) < 4


def test_what_lies_over_a_province_is_in_a_picture_for_mail() -> None:
    """Closed this season, destroyed, out of sight: hatched as in the SVG."""
    standard, world = variants.load("standard"), variants.load("global")
    dim = replace(
        position_view(standard, standard.opening), gone=["spa"], unseen=frozenset({"mos"})
    )
    for view, spots in (
        (position_view(world, world.opening), {(10, 10): True, (210, 850): False}),
        (dim, {(110, 900): True, (1080, 350): True, (370, 50): False}),
    ):
        with Image.open(BytesIO(png(view, 1200))) as image:
            mailed = image.convert("L")
        whole = rasterize(draw(view), 1200).convert("L")
        for (x, y), hatched in spots.items():
            box = x, y + HEADER, x + 60, y + HEADER + 40
            ours, theirs = (ImageStat.Stat(each.crop(box)) for each in (mailed, whole))
            assert abs(ours.mean[0] - theirs.mean[0]) < 8
            assert (ours.stddev[0] > 2) == (theirs.stddev[0] > 2) == hatched


def test_orders_look_in_a_picture_for_mail_as_in_the_svg() -> None:
    """They are drawn by another program: each line, arrow and ring is where it is in the SVG."""
    view = view_of(HERE / "cases" / "orders.json")
    painter = painter_of(view)
    pieces, plate = list(painter.below()), plate_of(tuple(painter.colors.values()))
    assert sum(pen.knows(piece.svg) for piece in pieces) == len(pieces) > 10
    for piece in pieces:
        left, top, right, bottom = (round(each) for each in piece.box)
        wide, high = right - left, bottom - top
        theirs = rasterize(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {wide} {high}"'
            f' width="{wide}" height="{high}">{piece.svg}</svg>',
            wide,
        )
        for ground, hard in product(("#000000", "#ffffff"), (None, plate)):
            bare = Image.new("RGB", theirs.size, ground)
            one, two = bare.copy(), bare.copy()
            if hard:
                one = hard.colored(Image.new("L", bare.size, hard.number(ground)))
            for (x, y), source, mask in pen.sketch(
                piece.svg, (left, top, right, bottom), 1.0, hard
            ):
                one.paste(source, (x - left, y - top), mask)
            two.paste(theirs, mask=theirs)
            apart = ImageChops.difference(one.convert("RGB"), two).convert("L")
            shape = ImageChops.difference(two, bare).convert("L")
            most = 0.55 if hard else 0.25
            assert sum(apart.tobytes()) <= most * sum(shape.tobytes()), (hard, piece.svg)


@pytest.mark.parametrize(
    "drawn",
    [
        *(symbols.unit(kind, 1.0, "#1c379b", "E") for kind in ("A", "F", "AF", "N", "R")),
        symbols.unit("A", 0.8, "#f0d014", "&", beaten=True),
        symbols.placed(symbols.center(1.0, None, ""), (7, -3), zoom=1.7),
        symbols.center(1.0, "#9b3217", "A"),
        symbols.badge((2, 2), "+"),
    ],
)
def test_signs_look_in_a_picture_for_mail_as_in_the_svg(drawn: str) -> None:
    assert pen.knows(drawn)
    ours = pen.sprite(drawn, (-50, -40, 50, 40), 2.0)
    theirs = rasterize(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-25 -20 50 40" width="100" height="80"'
        f" {symbols.font_attributes()}>{drawn}</svg>",
        100,
    )
    for ground in ("#000000", "#ffffff"):
        bare = Image.new("RGBA", theirs.size, ground)
        one, two = Image.alpha_composite(bare, ours), Image.alpha_composite(bare, theirs)
        apart = ImageChops.difference(one, two).convert("L")
        assert sum(apart.tobytes()) <= 0.05 * sum(theirs.getchannel("A").tobytes())


def test_what_the_pen_does_not_know_is_left_to_others() -> None:
    assert not pen.knows('<text x="1" y="1">A</text>')
    assert not pen.knows('<circle cx="1" cy="1" r="4" fill="#fff" fill-opacity=".75"/>')
    assert not pen.knows('<g transform="rotate(9)"></g>')
    assert not pen.knows("")


def test_letters_are_set_in_the_shipped_font() -> None:
    """Without a font nothing would be written: the picture with words differs from that without."""
    svg = draw(view_of(HERE / "cases" / "retreats.json"))
    silent = re.sub(r"<text.*?</text>", "", svg)
    assert rasterize(svg, 300).tobytes() != rasterize(silent, 300).tobytes()


def played(units: dict[str, list[str]], orders: dict[str, list[str]]) -> View:
    """A phase of the standard board with what came of it."""
    asked = read_question(
        {"variant": "standard", "phase": "S1903M", "units": units, "centers": {}, "orders": orders}
    )
    outcome = adjudicate(asked.variant, asked.position, asked.orders, asked.rulebook)
    return results_view(asked.variant, asked.position, outcome)


def way_of(view: View, order: str) -> list[tuple[float, float]]:
    painter = painter_of(view)
    return painter.route(next(told for told in view.orders if str(told.order) == order))


def test_units_stand_where_the_phase_left_them() -> None:
    view = played({"France": ["A par", "A mar"]}, {"France": ["A par - bur", "A mar - pie"]})
    assert set(re.findall(r'data-unit="([^"]+)"', draw(view))) == {"A bur", "A pie"}
    assert set(re.findall(r'data-unit="([^"]+)"', draw_opened(view))) == {"A par", "A mar"}
    # They came from where a ring is.
    start = painter_of(view).spot("par")
    rings = [
        (float(x), float(y))
        for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="4"', draw(view))
    ]
    assert min(dist(start, ring) for ring in rings) < 1


CONVOYS: dict[str, tuple[dict[str, list[str]], list[str]]] = {
    "used": ({"England": ["A lon - bel", "F eng C A lon - bel"]}, ["eng"]),
    "over two": ({"England": ["A lon - tun", "F eng C A lon - tun", "F mid C A lon - tun",
                              "F wes C A lon - tun"]}, ["eng", "mid", "wes"]),
    "one of two": ({"England": ["A lon - bel", "F eng C A lon - bel", "F nth C A lon - bel"]},
                   ["eng"]),
    "foreign, elsewhere": ({"England": ["A lon - yor"], "France": ["F nth C A lon - bel"]}, []),
    "void": ({"England": ["A lon - bel", "F eng C A lon - bel"], "France": ["F bla C A lon - bel"]},
             ["eng"]),
    "unneeded": ({"England": ["A lon - wal"], "France": ["F eng C A lon - wal"]}, []),
    "failed": ({"England": ["A lon - bel", "F eng C A lon - bel"],
                "France": ["F mid - eng", "F bre S F mid - eng"]}, []),
    "bounced": ({"England": ["A lon - bel", "F eng C A lon - bel"], "France": ["A bel H"]},
                ["eng"]),
}  # fmt: skip


@pytest.mark.parametrize("name", CONVOYS)
def test_an_arrow_goes_over_the_fleets_that_carry_and_no_others(name: str) -> None:
    orders, fleets = CONVOYS[name]
    units = {power: [order[:5] for order in own] for power, own in orders.items()}
    view = played(units, orders)
    painter = painter_of(view)
    (first, *_) = orders["England"]
    way = way_of(view, first)
    over = {each for each in ("eng", "nth", "mid", "wes", "bla") if painter.spot(each) in way[1:-1]}
    if name == "one of two":
        assert len(over) == 1
    else:
        assert over == set(fleets)
        assert way[1:-1] == [painter.spot(each) for each in fleets]


def test_a_shaft_is_never_too_short_to_be_seen() -> None:
    """Of every move between neighbors of the standard board."""
    variant = variants.load("standard")
    board = variant.board
    for kind, steps in (("A", board.army), ("F", board.fleet)):
        for here, places in steps.items():
            for there in places:
                goal = there.partition("/")[0] if kind == "A" else there
                view = played(
                    {"France": [f"{kind} {here}"]}, {"France": [f"{kind} {here} - {goal}"]}
                )
                (told,) = view.orders
                painter = painter_of(view)
                points = painter.arrow(painter.route(told), painter.gap(here), painter.gap(there))
                assert length(points) - HEAD >= SHAFT - 0.5, (here, there)


def test_what_failed_has_the_color_of_its_power() -> None:
    view = played({"France": ["A par"], "Germany": ["A mun"]},
                  {"France": ["A par - bur"], "Germany": ["A mun - bur"]})  # fmt: skip
    inks = painter_of(view).inks
    for element in ElementTree.fromstring(draw(view)).iter():
        if element.get("data-order"):
            assert element.get("class") == "order fails"
            colors = {child.get("stroke") for child in element.iter()} - {None, "#ffffff"}
            assert colors == {inks[element.get("data-power", "")]}


def test_retreats_and_winters_show_what_is_to_be_decided() -> None:
    assert ">can retreat<" in draw(view_of(HERE / "cases" / "orders.json"))
    variant = variants.load("standard")
    units = {
        "France": tuple(unit for unit in variant.start["France"] if unit.province != "par"),
        "Italy": variant.start["Italy"],
    }
    centers = {"France": ("par", "mar", "bre", "por"), "Italy": ("rom", "ven")}
    opening = replace(variant.opening, phase=Phase.read("F1901A"), units=units, centers=centers)
    view = position_view(variant, opening)
    assert view.owed == {"France": 1, "Italy": -1}
    assert view.sites == {"France": ("par",)}
    assert {"can be built", "can be removed"} <= set(re.findall(r">([^<]+)</text>", draw(view)))


@pytest.mark.parametrize("name", ["standard", "era_of_empire", "global"])
def test_no_name_lies_under_a_unit_or_next_to_another(name: str) -> None:
    variant = variants.load(name)
    drawing = drawing_of(variant)
    # With its edge, and a pixel of a small picture on either side.
    w, h = UNIT[0] * drawing.scale + 7, UNIT[1] * drawing.scale
    found = labels(drawing, variant.board, "en", 1.0)
    signs = [
        (x - w / 2, y - h / 2, x + w / 2, y + h / 2)
        for area in drawing.areas.values()
        for x, y in (area.unit, *area.coasts.values())
    ]
    bad = [label.key for label in found for sign in signs if overlap(label.box, sign)]
    boxes = {label: label.box for label in found}
    for one, two in combinations(found, 2):
        left, top, right, bottom = boxes[one]
        if overlap((left - 4, top, right + 4, bottom), boxes[two]):
            bad.append(one.key)
    assert len(bad) <= (0 if name == "standard" else len(found) * 0.1), bad
    assert sum(len(label.lines[0]) > 4 for label in found) > len(drawing.areas) * 0.6


def test_all_of_the_standard_board_has_room_for_full_signs_and_names() -> None:
    variant = variants.load("standard")
    drawing = drawing_of(variant)
    assert drawing.scale == 1.0
    assert min(area.scale for area in drawing.areas.values()) >= 1.0
    words = {" ".join(label.lines) for label in labels(drawing, variant.board, "en", 1.0)}
    assert {province.name for province in variant.board.provinces.values()} <= words


@pytest.mark.parametrize("name", variants.names())
def test_few_names_of_a_board_are_codes(name: str) -> None:
    """Under five percent, in each language where the board is crowded."""
    variant = variants.load(name)
    drawing = drawing_of(variant)
    for spoken in LANGUAGES if len(drawing.areas) > 120 else ("en",):
        with speaking(spoken):
            found = labels(drawing, variant.board, spoken, 1.0, whole=True)
            coded = [each.key for each in found if each.lines == (each.key.upper(),)]
        assert len(coded) < 0.05 * len(drawing.areas), (spoken, coded)


def test_a_picture_of_a_large_board_can_be_brought_down_to_few_bytes() -> None:
    variant = variants.load("world_ix")
    opened = variant.opening
    orders = [
        ShownOrder(power, order, done=False)
        for power in opened.units
        for order in orders_of(variant, opened, power, "easy")
    ]
    view = replace(position_view(variant, opened), orders=orders)
    shown = {"variant": "world_ix", "settings": {}, "language": "en", "theater": ["Kenya"]}
    assert len(picture_of(json.dumps(noted(view) | shown).encode(), 20_000)) <= 20_000


def test_names_of_seas_have_a_hand_of_their_own_and_coasts_have_theirs() -> None:
    svg = draw(position_view(variants.load("standard"), variants.load("standard").opening))
    hand = r'font-style="italic" font-family="[^"]*Serif[^"]*" letter-spacing="[^"]+"[^>]*>'
    assert re.search(hand + "Black Sea<", svg)
    assert not re.search("font-(style|family)[^>]*>Paris<", svg)
    assert "Serif" in FONT_FILES[raster._ITALIC].name
    assert {"nc", "sc", "ec"} <= set(re.findall(r">(..)</text>", svg))


def test_lines_and_names_can_be_seen() -> None:
    """WCAG 2.2: 3 to 1 for borders, 4.5 to 1 for coasts and words on every ground."""
    assert contrast(SHORELESS, SEA) >= 3
    assert contrast(BORDER, PAPER) >= 3
    assert min(contrast(COAST, SEA), contrast(COAST, PAPER)) >= 4.5
    for shaded in (SEA, *(mixed(SHORE, SEA, share) for share in shades())):
        assert contrast(SEA_NAME, shaded) >= 4.5
    for name in ("standard", "era_of_empire", "global"):
        variant = variants.load(name)
        for color in power_colors(variant.powers, drawing_of(variant).colors).values():
            assert contrast(INK, tint(color)) >= 4.5
            assert contrast(readable(color), "#ffffff") >= 3


def test_a_theater_has_all_own_units_and_names_that_a_phone_can_show() -> None:
    variant = variants.load("standard")
    views = [view_of(HERE / "cases" / f"{name}.json") for name in ("orders", "retreats")]
    for view in (*views, position_view(variant, variant.opening)):
        drawing = drawing_of(view.variant)
        for power in view.board.units:
            part = theater_of(view, [power])
            assert part is not None
            left, top, right, bottom = part.box
            for unit in view.board.units[power]:
                x, y = drawing.spot(unit.location)
                assert left < x < right
                assert top < y < bottom
            css = 330 / (right - left)
            found = labels(drawing, view.variant.board, "en", part.zoom)
            assert min(label.size for label in found) * css >= 9
            with Image.open(BytesIO(theater_png(view, part))) as image:
                assert image.width == 2 * 330
                assert image.height <= image.width + 2
            assert len(theater_png(view, part)) < 70_000
    assert theater_of(position_view(variant, variant.opening), ["Nobody"]) is None


# What people see whose eyes lack one kind of cones, as matrices on linear light
# (Machado, Oliveira and Fernandes 2009, severity 1.0).
EYES = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


def seen_as(color: str, eyes: tuple[tuple[float, ...], ...]) -> tuple[float, float, float]:
    """A color as such eyes see it, in CIELAB."""
    parts = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    light = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
    red, green, blue = (
        min(max(sum(a * b for a, b in zip(row, light, strict=True)), 0.0), 1.0) for row in eyes
    )

    def root(t: float) -> float:
        return float(t ** (1 / 3)) if t > 0.008856 else 7.787 * t + 16 / 116

    x = root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505)
    y = root(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    z = root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def nearest(colors: Iterable[str], eyes: str) -> float:
    """How far the two colors lie apart that such eyes tell apart worst."""
    seen = [seen_as(color, EYES[eyes]) for color in colors]
    return min(dist(one, two) for one, two in combinations(seen, 2))


@pytest.mark.parametrize("eyes", EYES)
def test_powers_of_every_board_are_told_apart(eyes: str) -> None:
    """In the color of their units; in the tint of their provinces, where there are few enough, with
    sea, closed land and what nobody owns."""
    for name in variants.names():
        variant = variants.load(name)
        colors = power_colors(variant.powers, drawing_of(variant).colors).values()
        assert nearest(colors, eyes) >= 10, name
        if len(colors) <= 10:
            assert nearest((*map(tint, colors), SEA, VOID, PAPER), eyes) >= 8, name


def test_no_power_s_land_melts_into_the_sea() -> None:
    for name in variants.names():
        variant = variants.load(name)
        for color in power_colors(variant.powers, drawing_of(variant).colors).values():
            assert nearest((tint(color), SEA), "all cones") >= 15, name


def test_coasts_are_shaded_and_lands_have_a_band_of_their_owner_s_color() -> None:
    variant = variants.load("standard")
    view = position_view(variant, variant.opening)
    svg = draw(view)
    colors = power_colors(variant.powers, drawing_of(variant).colors)
    shade, *_ = re.findall(r'<use href="#line-coast"[^>]*stroke="([^"]+)"', svg)
    assert shade == SHORE
    for power, color in colors.items():
        line = re.search(rf'stroke="{band(color)}"[^>]*clip-path="url\(#([^)]+)\)"', svg)
        assert line is not None
        _, _, clip = svg.partition(f'<clipPath id="{line[1]}">')
        areas = re.findall(r'"#area-(\w+)"', clip[: clip.index("</clipPath>")])
        assert set(areas) == set(view.centers[power])
    with Image.open(BytesIO(png(view, 1200))) as image:
        found = {color for _, color in image.convert("RGB").getcolors(10**6) or []}
    for color in (mixed(SHORE, SEA, shades()[-1]), *map(band, colors.values())):
        assert tuple(bytes.fromhex(color[1:])) in found


def test_a_unit_at_home_and_its_center_are_one_sign() -> None:
    variant = variants.load("standard")
    opened = draw(position_view(variant, variant.opening))
    # Each power's centers have units; the twelve that nobody owns have discs.
    assert opened.count("on its own center") == 1
    assert len(discs_of(opened)) == 12
    left = draw(played({"France": ["A par"]}, {"France": ["A par - bur"]}))
    assert "on its own center" not in left


def discs_of(svg: str) -> list[str]:
    """The signs of centers that stand for themselves."""
    board = svg[: svg.index('class="board"')]
    return re.findall(r'<g transform="[^"]+"><circle cx="0" cy="0" r="[78][^"]*"', board)


def test_nothing_is_to_be_decided_on_the_board_of_a_game_that_is_over() -> None:
    asked = read_question(json.loads((HERE / "cases" / "builds.json").read_text()))
    opened = position_view(asked.variant, asked.position)
    assert any(opened.owed.values())
    told = draw(opened)
    over = draw(decided(opened))
    for words in ("can be built", "can be removed"):
        assert words not in over
    assert "can be" in told


def test_every_power_has_a_color_of_its_own() -> None:
    for name in ("standard", "chaos"):
        variant = variants.load(name)
        colors = power_colors(variant.powers, drawing_of(variant).colors)
        assert len(set(colors.values())) == len(variant.powers)


def test_own_units_outside_of_a_theater_are_told_by_their_side() -> None:
    variant = variants.load("standard")
    opening = position_view(variant, variant.opening)
    part = theater_of(opening, ["Russia"])
    assert part is not None
    assert outside(opening, part) == {}
    units = {"Russia": [*variant.opening.units["Russia"], Unit("F", "por"), Unit("A", "syr")]}
    found = outside(replace(opening, units=units), part)
    told = {side: list(map(str, units)) for side, units in found.items()}
    assert told == {"west": ["F por"], "south": ["A syr"]}


def test_a_close_up_has_all_orders_in_it_and_fills_a_phone() -> None:
    view = view_of(HERE / "cases" / "orders.json")
    drawing = drawing_of(view.variant)
    for power in view.units:
        part, whole = close_up(view, [power]), theater_of(view, [power])
        assert part is not None
        assert whole is not None
        left, top, right, bottom = part.box
        assert (part.width, part.zoom) == (whole.width, whole.zoom)
        assert bottom - top <= whole.box[3] - whole.box[1]
        for told in view.orders:
            x, y = drawing.spot(told.order.unit.location)  # type: ignore[union-attr]
            if told.power == power and whole.box[0] < x < whole.box[2] and whole.box[1] < y:
                assert left <= x <= right
                assert top <= y <= bottom


def test_a_board_drawn_plainly_has_all_that_is_told_in_half_of_the_bytes() -> None:
    """Whose land is whose, names that can be read, and what cannot be seen; each in one color."""
    variant = variants.load("standard")
    view = position_view(variant, variant.opening, unseen=frozenset({"bar"}))
    part, drawing = overview(view), drawing_of(variant)
    assert part is not None
    plain = plain_png(view, part)
    assert len(plain) < 0.55 * len(theater_png(view, part))
    with Image.open(BytesIO(plain)) as image:
        shown = image.convert("RGB")
    colors = {f"#{bytes(each).hex()}" for _, each in shown.getcolors() or ()}  # type: ignore[arg-type]
    powers = power_colors(variant.powers, drawing.colors).values()
    assert {INK, PAPER, SEA, COAST, SEA_NAME, FOG, *powers, *map(tint, powers)} <= colors
    assert len(colors) <= 40
    scale = image.width / WIDTH
    without, coded = plain_png(view, part, names=SILENT), plain_png(view, part, names=CODED)
    assert len(without) < 0.9 * len(coded) < 0.9 * 0.95 * len(plain)
    with Image.open(BytesIO(without)) as image:
        silent = image.convert("RGB")
    named = [each for each in labels(drawing, variant.board, "en", part.zoom) if not each.sea]
    for label in named:
        left, top, right, bottom = (round(each * scale) for each in label.box)
        box = left, top, right, bottom
        apart = ImageChops.difference(silent.crop(box), shown.crop(box))
        assert apart.getbbox() is not None, label


def test_a_picture_with_few_bytes_keeps_the_colors_of_all_powers() -> None:
    """What covers most of it are blends at the edges of lines and letters."""
    powers = [f"#{17 * k:02x}40c0" for k in range(1, 15)]
    blends = [mixed(power, "#ffffff", 0.5) for power in powers] + [*map(band, powers)]
    blends += [mixed(tint(power), line, 0.5) for power in powers for line in (INK, BORDER)]
    image = Image.new("RGB", (5 * len(blends), 300))
    for k, color in enumerate(blends):
        image.paste(color, (5 * k, 0, 5 * k + 5, 300))
    for k, color in enumerate(powers):
        image.paste(color, (20 * k, 100, 20 * k + 12, 112))
    with Image.open(BytesIO(saved(image, powers, most=1))) as small:
        found = small.convert("RGB")
    shown = [found.crop((x, 106, x + 1, 107)).tobytes().hex() for x in range(6, 286, 20)]
    assert shown == [power[1:] for power in powers]
