"""Pictures of games: `draw(view)` makes SVG, `png(view)` bytes for mail, `describe(view)` words.

Pure but for a cache: the same view gives the same picture on any machine.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from judge.maps.symbols import badge_colors
from judge.maps.view import ShownOrder, View, describe, heading, position_view, results_view

if TYPE_CHECKING:
    from judge.maps.raster import CODED, NAMED, SILENT, WIDE, plain_png, png, theater_png, thumbnail
    from judge.maps.svg import draw, draw_left, draw_opened, order_marks
    from judge.maps.theater import (
        Theater,
        close_up,
        expected_bytes,
        glimpse,
        legible_at,
        narrower,
        outside,
        overview,
        theater_of,
    )

_IN = dict.fromkeys(
    ("CODED", "NAMED", "SILENT", "WIDE", "plain_png", "png", "theater_png", "thumbnail"), "raster"
)
_IN |= dict.fromkeys(("draw", "draw_left", "draw_opened", "order_marks"), "svg")
_IN |= dict.fromkeys(("Theater", "close_up", "expected_bytes", "glimpse"), "theater")
_IN |= dict.fromkeys(("legible_at", "narrower", "outside", "overview", "theater_of"), "theater")


def __getattr__(name: str) -> Any:
    """Return what draws, loaded by anyone who draws: the judge does so in a process of its own."""
    if name in _IN:
        return getattr(import_module(f"judge.maps.{_IN[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
