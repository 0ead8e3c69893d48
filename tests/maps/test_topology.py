"""Every drawn board against its variant's borders: no exception, and no list of any."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import pytest

from judge import variants
from judge.maps.atlas import borders_digest, drawing_of
from judge.rules.board import province_of
from judge.rules.variant import Variant
from tests.maps.shapes import Shapes, apart, overlap

BOARDS = sorted((variants.directory() / "maps").glob("*.json"))
VISIBLE = 8.0
"""Pixels that every border has at least, in a picture 1,200 wide."""

every_board = pytest.mark.parametrize("board", [path.stem for path in BOARDS])


@cache
def shapes_of(board: str) -> Shapes:
    return Shapes(variants.directory() / "maps" / f"{board}.json")


def steps(variant: Variant) -> set[frozenset[str]]:
    """Every two provinces between which an army or a fleet can step."""
    return {
        frozenset((province_of(here), province_of(there)))
        for lists in (variant.board.army, variant.board.fleet)
        for here, places in lists.items()
        for there in places
    }


def crossings(shapes: Shapes) -> set[frozenset[str]]:
    """Pairs that touch by a mark only: across a strait, or through a point where four meet."""
    found = {frozenset(each["between"]) for each in shapes.data["straits"]}
    for each in (*shapes.data["canals"], *shapes.data["corners"]):
        found |= {frozenset(pair) for pair in each["across"]}
    return found


def test_the_boards_of_the_issue_are_drawn() -> None:
    assert {"standard", "era_of_empire", "global"} <= {path.stem for path in BOARDS}


@every_board
def test_every_variant_on_the_board_is_drawn_with_it(board: str) -> None:
    shapes = shapes_of(board)
    assert borders_digest(variants.load(board).board) == shapes.data["borders"]
    assert not drawing_of(variants.load(board)).schematic


@every_board
def test_areas_touch_if_and_only_if_there_is_a_border(board: str) -> None:
    shapes, variant = shapes_of(board), variants.load(board)
    wanted = steps(variant) - crossings(shapes)
    drawn = {pair for pair in shapes.borders if len(pair) == 2 and not _void(pair)}
    assert {tuple(sorted(pair)) for pair in drawn - wanted} == set()
    assert {tuple(sorted(pair)) for pair in wanted - drawn} == set()
    short = {tuple(sorted(p)): shapes.length(p) for p in wanted if shapes.length(p) < VISIBLE}
    assert short == {}


def _void(pair: frozenset[str]) -> bool:
    return any(name.startswith("_") for name in pair)


@every_board
def test_lines_have_an_area_on_either_side_and_only_the_frame_has_one(board: str) -> None:
    shapes = shapes_of(board)
    width, height = shapes.data["size"]
    for line, near in zip(shapes.lines, shapes.sides, strict=True):
        if len(near) != 2:
            assert len(near) == 1
            assert {x for x, _ in line} in ({0}, {width}) or {y for _, y in line} in ({0}, {height})


def shores(shapes: Shapes, name: str) -> Iterator[tuple[set[str], set[str], list[int]]]:
    """Each run of coast: the waters along it, the land where it ends on either side, its lines.

    An area's ring is its neighbors in turn; where two lines have the same one they are one.
    """
    seas = {key for key, entry in shapes.areas.items() if entry.get("water")}
    for ring in shapes.areas[name]["rings"]:
        around = []
        for line in (max(number, ~number) for number in ring):
            near = [each for each in shapes.sides[line] if each != name]
            around.append((near[0] if near else "#", line))
        start = next((k for k, (each, _) in enumerate(around) if each not in seas), None)
        if start is None:
            yield {each for each, _ in around}, set(), [line for _, line in around]
            continue
        turned = around[start:] + around[:start] + [around[start]]
        run: set[str] = set()
        lines: list[int] = []
        before = turned[0][0]
        for each, line in turned:
            if each in seas:
                run.add(each)
                lines.append(line)
                continue
            if run:
                yield run, {before, each}, lines
            run, lines, before = set(), [], each


@every_board
def test_every_coast_faces_its_own_waters(board: str) -> None:
    """Where a province has several coasts, each is one run of shore with the waters and with the
    coasts beside it that fleets reach from it, and no run belongs to none."""
    shapes, variant = shapes_of(board), variants.load(board)
    provinces, fleet = variant.board.provinces, variant.board.fleet
    for name, province in provinces.items():
        if not province.coasts:
            continue
        faced: dict[str, set[str]] = {coast: set() for coast in province.coasts}
        for waters, ends, _ in shores(shapes, name):
            coasts = _coasts(variant, name, waters, ends)
            assert len(coasts) == 1, (name, waters, ends)
            faced[coasts[0]] |= waters
        for coast, waters in faced.items():
            reached = {province_of(place) for place in fleet[f"{name}/{coast}"]}
            assert waters == {each for each in reached if provinces[each].terrain == "sea"}


def _coasts(variant: Variant, name: str, waters: set[str], ends: set[str]) -> list[str]:
    """The coasts of a province that a run of shore can be."""
    near = waters | {end for end in ends if end[0] not in "_#" and _by_sea(variant, name, end)}
    return [
        coast
        for coast in variant.board.provinces[name].coasts
        if near <= {province_of(place) for place in variant.board.fleet[f"{name}/{coast}"]}
    ]


def _by_sea(variant: Variant, one: str, two: str) -> bool:
    """Whether a fleet can go from one province to another in a step."""
    fleet = variant.board.fleet
    here = variant.board.provinces[one].locations
    return any(province_of(place) == two for spot in here for place in fleet.get(spot, ()))


def rivers(shapes: Shapes) -> list[tuple[set[tuple[float, float]], set[str]]]:
    """For each river the ends of its lines, and the provinces on its banks."""
    found: list[tuple[set[tuple[float, float]], set[str]]] = []
    for pair in shapes.data.get("rivers", ()):
        numbers = shapes.borders[frozenset(pair)]
        ends = {end for n in numbers for end in (shapes.lines[n][0], shapes.lines[n][-1])}
        banks = set(pair)
        for each in [each for each in found if each[0] & ends]:
            found.remove(each)
            ends, banks = ends | each[0], banks | each[1]
        found.append((ends, banks))
    return found


@every_board
def test_a_river_lies_between_provinces_that_fleets_step_between(board: str) -> None:
    shapes, variant = shapes_of(board), variants.load(board)
    for pair in shapes.data.get("rivers", ()):
        assert frozenset(pair) in shapes.borders
        assert _by_sea(variant, *pair)


@every_board
def test_fleets_go_along_the_coast_where_a_border_reaches_the_water(board: str) -> None:
    shapes, variant = shapes_of(board), variants.load(board)
    provinces = variant.board.provinces
    crossed = crossings(shapes)
    corners = set()
    for line, near in zip(shapes.lines, shapes.sides, strict=True):
        if any(shapes.areas.get(each, {}).get("water") for each in near):
            corners |= {line[0], line[-1]}
    for pair, numbers in shapes.borders.items():
        if len(pair) < 2 or _void(pair) or pair in crossed:
            continue
        one, two = sorted(pair)
        if "sea" in (provinces[one].terrain, provinces[two].terrain):
            continue
        ends = {
            end for number in numbers for end in (shapes.lines[number][0], shapes.lines[number][-1])
        }
        along = [points for points, banks in rivers(shapes) if pair <= banks]
        assert bool(ends & corners.union(*along)) == _by_sea(variant, one, two), (one, two)


@every_board
def test_what_is_placed_lies_in_its_area_and_overlaps_nothing(board: str) -> None:
    shapes, variant = shapes_of(board), variants.load(board)
    for name in shapes.areas:
        province = variant.board.provinces[name]
        boxes = shapes.boxes(name)
        assert {"unit", "beaten", "label"} <= boxes.keys()
        assert ("center" in boxes) == province.supply_center
        assert set(province.coasts) <= boxes.keys()
        for what, box in boxes.items():
            assert shapes.inside(name, box), (name, what)
        # One unit stands in a province at a time: on a coast, or where armies stand.
        units = {"unit", *province.coasts}
        for one, box in boxes.items():
            for two, other in boxes.items():
                if one < two and not {one, two} <= units:
                    assert not overlap(box, other), (name, one, two)


@every_board
def test_each_coast_has_its_own_place_for_fleets_near_its_waters(board: str) -> None:
    shapes, variant = shapes_of(board), variants.load(board)
    for name, province in variant.board.provinces.items():
        if not province.coasts:
            continue
        shore: dict[str, list[int]] = {coast: [] for coast in province.coasts}
        for waters, ends, numbers in shores(shapes, name):
            for coast in _coasts(variant, name, waters, ends):
                shore[coast] += numbers
        for coast, numbers in shore.items():
            # A river or an inlet without a water of its own lies where it meets its neighbors.
            for step in () if numbers else variant.board.fleet[f"{name}/{coast}"]:
                numbers += shapes.borders.get(frozenset((name, province_of(step))), ())
        for coast, at in shapes.areas[name]["coasts"].items():
            gaps = {
                each: min(apart(at, step) for n in numbers for step in pairwise(shapes.lines[n]))
                for each, numbers in shore.items()
            }
            assert min(gaps, key=gaps.__getitem__) == coast, (name, gaps)


@every_board
def test_nobody_can_enter_what_looks_impassable(board: str) -> None:
    """Ground that is no province is none in the drawing either, and is drawn in its own way."""
    shapes, variant = shapes_of(board), variants.load(board)
    assert set(shapes.areas) == set(variant.board.provinces)
    drawing = drawing_of(variant)
    assert len(drawing.voids) == len(shapes.data["voids"])
    assert all(entry["ground"] in ("land", "water") for entry in shapes.data["voids"].values())


@every_board
def test_what_wraps_around_has_the_same_areas_at_both_edges(board: str) -> None:
    shapes = shapes_of(board)
    if shapes.data["wrap"]:
        assert shapes.seam() == []


@every_board
def test_a_strait_is_a_line_from_land_to_land(board: str) -> None:
    shapes = shapes_of(board)
    for strait in shapes.data["straits"]:
        one, two = strait["between"]
        start, end = strait["line"][:2], strait["line"][-2:]
        assert frozenset((one, two)) not in shapes.borders
        for name, (x, y) in ((one, start), (two, end)):
            assert shapes.inside(name, (x - 0.5, y - 0.5, x + 0.5, y + 0.5)), (one, two)


@every_board
def test_where_four_areas_meet_in_a_point_it_says_who_can_step_across(board: str) -> None:
    shapes, variant = shapes_of(board), variants.load(board)
    joints: dict[tuple[float, float], set[str]] = {}
    for line, near in zip(shapes.lines, shapes.sides, strict=True):
        for end in (line[0], line[-1]):
            joints.setdefault(end, set()).update(near)
    marked = {tuple(each["at"]): each for each in (*shapes.data["canals"], *shapes.data["corners"])}
    assert {at for at, near in joints.items() if len(near) > 3} == set(marked)
    for at, each in marked.items():
        four = each["around"]
        assert set(four) == joints[at]
        across = {frozenset(four[0::2]), frozenset(four[1::2])}
        assert {frozenset(pair) for pair in each["across"]} == across & steps(variant)
        assert not across & set(shapes.borders)
    assert {frozenset(each["around"]) for each in shapes.data["canals"]} == {
        frozenset(four) for four in variant.canals.values()
    }


@every_board
def test_a_border_that_fills_a_strait_is_marked(board: str) -> None:
    shapes, variant = shapes_of(board), variants.load(board)
    for pair in map(frozenset, shapes.data["narrows"]):
        assert pair in shapes.borders
        assert pair in steps(variant)


@every_board
def test_between_provinces_that_touch_without_a_border_lies_impassable_ground(board: str) -> None:
    shapes, variant = shapes_of(board), variants.load(board)
    for one, two in variant.impassable:
        assert frozenset((one, two)) not in shapes.borders
        near = [
            {each for pair in shapes.borders if name in pair for each in pair if each[0] == "_"}
            for name in (one, two)
        ]
        assert near[0] & near[1], (one, two)
