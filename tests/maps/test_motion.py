"""Pictures that move: they end where the phase ended, and miss nothing where nothing moves."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from math import dist
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops

from judge.maps import animate, animated_gif, draw, gif
from judge.maps.drawing import drawing_of
from judge.maps.motion import SECONDS, acts, signs
from judge.maps.orders import OrderPainter
from judge.maps.symbols import power_colors
from judge.maps.view import View
from tests.maps.test_pictures import HERE, SVG, view_of


def case(name: str) -> View:
    return view_of(HERE / "cases" / f"{name}.json")


@pytest.mark.parametrize("name", ["orders", "builds", "retreated", "era", "global"])
def test_every_unit_ends_where_the_phase_left_it(name: str) -> None:
    view = case(name)
    drawing = drawing_of(view.variant)
    painter = OrderPainter(view, drawing, power_colors(view.variant.powers, drawing.colors))
    found, new = acts(view, painter)
    assert view.then is not None
    assert set(found) == set(signs(view))
    width = drawing.size[0]
    ends = [(*key[:1], act.spot(1.0)[0]) for key, act in found.items() if not act.gone]
    for power, unit, beaten in signs(view.then):
        if (power, unit, beaten) in new:
            continue
        area = drawing.areas[unit.province]
        place = area.beaten if beaten else drawing.spot(unit.location)
        shifted = [(place[0] + shift, place[1]) for shift in (-width, 0, width)]
        assert any(
            power == each and min(dist(end, one) for one in shifted) < 0.5 for each, end in ends
        ), unit
    assert len(ends) + len(new) == len(list(signs(view.then)))
    for key, act in found.items():
        area = drawing.areas[key[1].province]
        start = area.beaten if key[2] else drawing.spot(key[1].location)
        assert act.spot(0.0) == (start, 1.0)


def test_who_bounces_sets_out_and_comes_back() -> None:
    view = case("orders")
    drawing = drawing_of(view.variant)
    found, _ = acts(view, OrderPainter(view, drawing, power_colors(view.variant.powers, {})))
    paris = next(act for (_, unit, _), act in found.items() if str(unit) == "A par")
    assert dist(paris.spot(0.5)[0], paris.at) > 10
    assert dist(paris.spot(1.0)[0], paris.at) < 0.5


def test_a_moving_svg_is_the_still_one_and_rules_for_who_likes_motion() -> None:
    view = case("orders")
    still, moving = draw(replace(view, then=None)), animate(view)
    root = ElementTree.fromstring(moving)
    style = root.findtext(f"{SVG}style") or ""
    # Who wants no motion sees none, but for the board after the phase, which stands still.
    _, never, _ = style.partition("@media (prefers-reduced-motion:reduce){#after:not(:target)~* *")
    assert never
    assert "infinite" not in style
    assert SECONDS < 5
    # What is to be seen later is hidden until then; all else is drawn as ever.
    hidden = [each for each in root.iter() if each.get("class") == "then"]
    assert all(each.get("opacity") == "0" for each in hidden)
    parents = {child: parent for parent in root.iter() for child in parent}
    for each in hidden:
        parents[each].remove(each)
    words = [each.text for each in root.iter(f"{SVG}text")]
    units = [each.get("data-unit") for each in root.iter() if each.get("data-unit")]
    before = ElementTree.fromstring(still)
    assert words == [each.text for each in before.iter(f"{SVG}text")]
    assert units == [each.get("data-unit") for each in before.iter() if each.get("data-unit")]


def test_a_gif_begins_and_ends_with_the_whole_still_picture() -> None:
    data = animated_gif(case("retreated"))
    assert data is not None
    assert len(data) < gif.LARGEST
    with Image.open(BytesIO(data)) as image:
        assert image.format == "GIF"
        # Played once, in less than five seconds.
        assert "loop" not in image.info
        frames, spent = [], 0
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            frames.append(image.convert("RGB"))
            spent += image.info["duration"]
    assert spent < 5000
    assert len(frames) > 5
    assert ImageChops.difference(frames[0], frames[-1]).getbbox() is None
    assert ImageChops.difference(frames[0], frames[-2]).getbbox() is not None


def test_what_is_too_large_or_does_not_move_stays_a_still_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert animated_gif(case("retreats")) is None
    monkeypatch.setattr(gif, "LARGEST", 1000)
    assert animated_gif(case("builds")) is None
