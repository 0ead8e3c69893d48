"""Pictures as notes: what each shows, in JSON values, and how it is drawn.

A note needs nothing but itself and the variants, and neither does this module: what draws in a
process of its own has little else in memory.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from judge import maps
from judge.i18n import DEFAULT_LANGUAGE, speaking
from judge.language.read import Reader, read_order
from judge.maps.atlas import drawing_of
from judge.maps.layout import labels
from judge.maps.theater import STEP
from judge.maps.view import ShownOrder, View, position_view
from judge.rules.phase import Phase
from judge.rules.position import Dislodged, read_unit
from judge.rules.variant import Variant, of_phase
from judge.variants import load, tailored

Drawing = TypeVar("Drawing", str, bytes)


def noted(view: View) -> dict[str, Any]:
    """Return what a view shows as JSON values."""
    found = {
        "game": view.game,
        "phase": str(view.phase),
        "units": {power: [str(unit) for unit in units] for power, units in view.units.items()},
        "centers": {power: list(centers) for power, centers in view.centers.items()},
        "dislodged": {
            power: [[str(each.unit), list(each.retreats)] for each in gone]
            for power, gone in view.dislodged.items()
        },
        "orders": [[each.power, str(each.order), each.done, each.reason] for each in view.orders],
        "unseen": sorted(view.unseen),
        "gone": list(view.gone),
        "contested": list(view.contested),
        "beaten": list(view.beaten),
        "owed": dict(view.owed),
        "sites": {power: list(places) for power, places in view.sites.items()},
    }
    return found if view.then is None else found | {"then": noted(view.then)}


def view_of(shown: Mapping[str, Any]) -> View:
    """Read the view that `snapshot` wrote."""
    return _view(shown, tailored(shown["variant"], **shown["settings"]))


def _view_again(shown: Mapping[str, Any]) -> View:
    """Return the view of a picture: for readers who see the same it is the same one."""
    seen = {key: each for key, each in shown.items() if key not in ("of", "theater", "cut")}
    if not _LAST or _LAST[0][0] != seen:
        _LAST[:] = [(seen, view_of(shown))]
    return _LAST[0][1]


_LAST: list[tuple[Mapping[str, Any], View]] = []
"""What was seen last."""


def _view(shown: Mapping[str, Any], played: Variant) -> View:
    phase = Phase.read(shown["phase"])
    variant = of_phase(played, phase)
    return View(
        variant=variant,
        phase=phase,
        units={power: [read_unit(unit) for unit in held] for power, held in shown["units"].items()},
        centers=shown["centers"],
        dislodged={
            power: [Dislodged(read_unit(unit), None, tuple(open_to)) for unit, open_to in gone]
            for power, gone in shown["dislodged"].items()
        },
        orders=[
            ShownOrder(power, read_order(order, variant, phase, power), done, reason)
            for power, order, done, reason in shown["orders"]
        ],
        unseen=frozenset(shown["unseen"]),
        gone=shown["gone"],
        game=shown["game"],
        contested=shown["contested"],
        beaten=shown["beaten"],
        owed=shown.get("owed", {}),
        sites=shown.get("sites", {}),
        then=_view(shown["then"], played) if "then" in shown else None,
    )


def alike(note: bytes) -> bytes:
    """Return what is alike in the notes of all who see the same board; its form says nothing."""
    return note.partition(b'"theater"')[0]


def drawn(shown: Mapping[str, Any], draw: Callable[[View], Drawing]) -> Drawing:
    """Return what `draw`, such as `maps.thumbnail`, makes of the picture in its language."""
    with speaking(shown["language"]):
        return draw(view_of(shown))


def part_of(view: View, shown: Mapping[str, Any]) -> maps.Theater | None:
    """Return the part of a board that a picture shows: where the `orders` of the powers in it are,
    as much of that as has `few` bytes, or their `units`, or all."""
    if "theater" not in shown:
        return None
    powers = shown["theater"]
    part = _PARTS.get(shown.get("of", "units"))
    return (part and powers and part(view, powers)) or maps.overview(view)


_PARTS: Final = {"orders": maps.close_up, "few": maps.glimpse, "units": maps.theater_of}


def _noted_part(shown: Mapping[str, Any]) -> maps.Theater | None:
    """Return the part of a board that was found when the note was written; None in older ones."""
    if "cut" not in shown:
        return None
    box, zoom, powers, width = shown["cut"]
    return maps.Theater(tuple(box), zoom, tuple(powers), width)


def load_drawing(board: str = "standard") -> None:
    """Load all that draws, and draw what most pictures of answers have of the board on which nearly
    all games are played: its processes share that, and the first picture of one is as fast as the
    next."""
    variant = load(board)
    Reader.of(variant)
    view = position_view(variant, variant.opening)
    labels(drawing_of(variant), variant.board, DEFAULT_LANGUAGE, zoom=1.0)
    for power in variant.powers:
        if part := maps.theater_of(view, [power]):
            maps.plain_png(view, part)


_LARGEST = 78_000
"""Bytes of a picture in a letter."""

_NEAR: Final = 1.15
"""How many times as large as it may be a picture is at most that may do with fewer colors; a larger
one is drawn plainly."""

_STEPS: Final = range(17)
"""How many times a picture may get a little narrower."""


def picture_of(data: bytes, most: int = _LARGEST) -> bytes:
    """Draw what `packed` wrote as PNG: where it would have more than `most` bytes, in fewer colors,
    then plainly, and then smaller. Raises ValueError where it cannot be drawn."""
    try:
        shown = json.loads(data)
        with speaking(shown["language"]):
            view = _view_again(shown)
            part = _noted_part(shown) or part_of(view, shown)
            if part is None:
                return _within(lambda share: maps.png(view, round(maps.WIDE * share), most), most)
            near = most * _NEAR
            # To draw in vain costs as much as to draw.
            if maps.expected_bytes(view, part) <= near:
                picture = maps.theater_png(view, part, most, near)
                if len(picture) <= most:
                    return picture
            return _plain(view, part, most)
    except (KeyError, TypeError, LookupError) as error:
        raise ValueError(f"no picture can be made of it: {error!r}") from error


def _plain(view: View, part: maps.Theater, most: int) -> bytes:
    """Return a part drawn plainly: with names, or codes, if they can be read where it has room."""

    def draw(share: float, names: str) -> bytes:
        return maps.plain_png(view, maps.narrower(part, share), most, names)

    readable = [step for step in _STEPS if _share(step) >= maps.legible_at(view, part)]
    for names in (maps.NAMED, maps.CODED) if readable else ():
        picture = _within(partial(draw, names=names), most, readable)
        if len(picture) <= most:
            return picture
    return _within(partial(draw, names=maps.SILENT), most)


def _within(draw: Callable[[float], bytes], most: int, steps: Sequence[int] = _STEPS) -> bytes:
    """Return what `draw` makes at the largest share of the width with which it has no more than
    `most` bytes, or at the smallest."""
    widest = draw(_share(steps[0]))
    if len(widest) <= most:
        return widest
    picture = draw(_share(steps[-1]))
    large, small = 0, len(steps) - 1
    while small - large > 1 and len(picture) <= most:
        middle = (large + small) // 2
        tried = draw(_share(steps[middle]))
        if len(tried) <= most:
            picture, small = tried, middle
        else:
            large = middle
    return picture


def _share(step: int) -> float:
    return float(STEP ** (step / 4))
