"""What pictures show: compared by their structure, not byte by byte."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from io import BytesIO
from itertools import combinations
from math import dist
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops

from judge import variants
from judge.i18n import speaking
from judge.interchange import read_question
from judge.maps import PictureCache, View, describe, draw, png, position_view, results_view
from judge.maps.drawing import drawing_of
from judge.maps.raster import rasterize, render
from judge.maps.schematic import schematic
from judge.maps.svg import split_ground
from judge.maps.symbols import PAPER, TINT, mixed, power_colors
from judge.rules.engine import adjudicate

HERE = Path(__file__).resolve().parent
SVG = "{http://www.w3.org/2000/svg}"
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
        elif element.tag == f"{SVG}text" and len(element.text or "") > 3:
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
    labels = {each.text for each in root.iter(f"{SVG}text")}
    assert {key.upper() for key in variant.board.provinces} <= labels


@pytest.mark.parametrize("name", ["hundred", "modern", "pure"])
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


def test_what_is_out_of_sight_is_not_in_the_picture() -> None:
    variant = variants.load("standard")
    position = variant.opening
    unseen = frozenset(variant.board.provinces) - {"par", "bre", "mar"}
    from judge.game.visibility.fog import part_of

    seen = part_of(position, frozenset({"par", "bre", "mar"}))
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
        (float(each.get("cx", "0")), float(each.get("cy", "0")))
        for each in root.iter(f"{SVG}circle")
    }
    assert min(dist(each, (x, y)) for each in discs) < 0.1
    paris = drawing_of(other).areas["par"].center
    assert paris is not None
    assert min(dist(each, paris) for each in discs) > 1


def test_a_schematic_comes_out_the_same_every_time() -> None:
    variant = variants.load("hundred")
    assert schematic(variant) == schematic(variant)


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


def test_a_picture_for_mail_is_small_and_wide_enough() -> None:
    data = render(draw(view_of(HERE / "cases" / "orders.json")))
    with Image.open(BytesIO(data)) as image:
        assert image.width == 1200
    assert len(data) < 250_000


@pytest.mark.parametrize("width", [1200, 800])
def test_a_ground_that_is_kept_makes_the_same_picture(width: int) -> None:
    svg = draw(view_of(HERE / "cases" / "retreats.json"))
    whole = re.sub('<g class="ground">', "<g>", svg)
    assert split_ground(svg) is not None
    assert split_ground(whole) is None
    apart = ImageChops.difference(rasterize(svg, width), rasterize(whole, width))
    assert max(apart.tobytes()) <= 6


def test_letters_are_set_in_the_shipped_font() -> None:
    """Without a font nothing would be written: the picture with words differs from that without."""
    svg = draw(view_of(HERE / "cases" / "retreats.json"))
    silent = re.sub(r"<text.*?</text>", "", svg)
    assert render(svg, 300) != render(silent, 300)


def test_one_picture_is_rendered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def square(color: str) -> str:
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'
            f'<path d="M0 0h9v9H0z" fill="{color}"/></svg>'
        )

    cache = PictureCache()
    first = png(square("red"), 9, cache)
    assert png(square("blue"), 9, cache) != first
    monkeypatch.setattr("judge.maps.raster.render", lambda svg, width: b"made again")
    assert png(square("red"), 9, cache) == first
    assert png(square("red"), 8, cache) == b"made again"


def test_a_full_cache_drops_what_was_not_wanted_for_longest() -> None:
    cache = PictureCache(most=10)
    for name in (b"a", b"b", b"a", b"c"):
        cache.get(name, lambda: b"12345")
    found = {name: cache.get(name, lambda: b"gone") for name in (b"a", b"c", b"b")}
    assert found == {b"a": b"12345", b"c": b"12345", b"b": b"gone"}


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


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("name", ["standard", "era_of_empire", "global"])
def test_the_color_blind_tell_powers_apart(name: str, eyes: str) -> None:
    """In the color of their units clearly, in the tint of their provinces well enough."""
    variant = variants.load(name)
    colors = power_colors(variant.powers, drawing_of(variant).colors)
    for part, least in ((1.0, 20), (TINT, 12)):
        seen = {
            power: seen_as(mixed(color, PAPER, part), EYES[eyes]) for power, color in colors.items()
        }
        seen["nobody"] = seen_as(PAPER, EYES[eyes])
        for one, two in combinations(seen, 2):
            assert dist(seen[one], seen[two]) >= least, (one, two, part)


def test_every_power_has_a_color_of_its_own() -> None:
    for name in ("standard", "chaos"):
        variant = variants.load(name)
        colors = power_colors(variant.powers, drawing_of(variant).colors)
        assert len(set(colors.values())) == len(variant.powers)
