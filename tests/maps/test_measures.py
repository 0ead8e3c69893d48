"""What every picture keeps, measured in its SVG: boards and orders by chance.

A few phases of some boards here; `JUDGE_PROVE=full pytest tests/maps/test_measures.py` takes 200 of
each.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import pairwise
from math import dist
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from judge import variants
from judge.maps import View, draw, results_view, theater_of
from judge.maps.atlas import drawing_of
from judge.maps.layout import within
from judge.maps.symbols import LABEL, contrast
from judge.maps.theater import PHONE
from judge.rules import engine
from judge.rules.rulebook import Rulebook
from tests.boards.tables import GROUND, chosen
from tests.maps.test_pictures import SCHEMATIC, SVG
from tests.sampled import FULL

PHASES = 200 if FULL else 3
BOARDS = [name for name in (variants.names() if FULL else GROUND) if name not in SCHEMATIC]

SMALLEST, SHAFT = 9.0, 24.0
"""Pixels on a phone that the smallest name has; pixels of 1200 that are seen of an arrow."""


def phases(board: str, seed: int) -> Iterator[View]:
    """Phases of games by chance, each with what came of its orders; a new game after each end."""
    variant, chance = variants.load(board), random.Random(f"{board} {seed}")
    position, rulebook = variant.opening, Rulebook.edition(variant.rulebook)
    for _ in range(PHASES):
        powers = dict.fromkeys((*position.units, *position.centers, *position.dislodged))
        orders = {power: chosen(variant, position, power, chance) for power in powers}
        done = engine.adjudicate(variant, position, orders, rulebook)
        yield results_view(variant, position, done)
        over = done.winners or done.ending or not any(done.position.units.values())
        position = variant.opening if over else done.position


class Line(NamedTuple):
    """A line of a picture: its points, how it is drawn."""

    points: list[tuple[float, float]]
    color: str

    @property
    def length(self) -> float:
        return sum(dist(a, b) for a, b in pairwise(self.points))


def lines_of(group: ElementTree.Element) -> list[Line]:
    found = []
    for each in group.iter(f"{SVG}path"):
        numbers = [float(number) for number in re.findall(r"-?\d+\.?\d*", each.get("d", ""))]
        points = list(zip(numbers[::2], numbers[1::2], strict=False))
        found.append(Line(points, each.get("stroke", "")))
    return found


def wrong(view: View) -> Iterator[str]:
    """What a picture does not keep."""
    root = ElementTree.fromstring(draw(view))
    scales = set()
    for group in root.iter(f"{SVG}g"):
        if group.get("data-unit") and group.get("class") == "unit":
            outline = group.find(f"{SVG}path[2]")
            assert outline is not None
            scales.add(outline.get("stroke-width"))
        order = group.get("data-order", "")
        if re.search(r" - | R ", order) and " S " not in order and " C " not in order:
            # The white ground of a line, the line, its head, a cross.
            _, shaft, *_ = lines_of(group)
            if shaft.length < SHAFT - 0.5:
                yield f"the shaft of {order} has {shaft.length:.0f} pixels"
            if contrast(shaft.color, "#ffffff") < 3:
                yield f"{order} is too pale"
    if len(scales) > 1:
        yield f"units of {len(scales)} sizes"
    grounds = {
        fill for path in root.iter(f"{SVG}path") if path.find(f"{SVG}title") is not None
        if (fill := path.get("fill"))
    }  # fmt: skip
    names = [each for each in root.iter(f"{SVG}text") if each.get("paint-order")]
    for each in names:
        italic = each.get("font-style") == "italic"
        usual = LABEL * drawing_of(view.variant).scale
        if float(each.get("font-size", "0")) < usual * 0.8 - 0.1:
            yield f"{each.text} is much smaller than the other names"
        for ground in grounds if not italic else ():
            if contrast(each.get("fill", ""), ground) < 4.5:
                yield f"{each.text} on {ground}"


def too_small(view: View) -> Iterator[str]:
    """The names that a phone shows too small, in the theater of each power."""
    drawing = drawing_of(view.variant)
    for power in view.board.units:
        if part := theater_of(view, [power]):
            css = PHONE / (part.box[2] - part.box[0])
            for label in within(drawing, view.variant.board, "en", part.zoom, part.box):
                if label.size * css < SMALLEST:
                    yield f"{label.lines[0]} for {power}: {label.size * css:.1f}"


@pytest.mark.parametrize("board", BOARDS)
def test_pictures_keep_their_measures(board: str) -> None:
    found: list[str] = []
    for view in phases(board, 1):
        found += [f"{view.phase}: {each}" for each in (*wrong(view), *too_small(view))]
    assert found == []
