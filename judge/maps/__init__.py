"""Pictures of games: `draw(view)` makes SVG, `png(svg)` bytes for mail, `describe(view)` words.

Pure but for a cache: the same view gives the same picture on any machine.
"""

from __future__ import annotations

from judge.maps.description import describe, heading
from judge.maps.gif import animated_gif, gif_or_png
from judge.maps.raster import PictureCache, png
from judge.maps.svg import animate, draw
from judge.maps.view import ShownOrder, View, position_view, results_view

__all__ = [
    "PictureCache",
    "ShownOrder",
    "View",
    "animate",
    "animated_gif",
    "describe",
    "draw",
    "gif_or_png",
    "heading",
    "png",
    "position_view",
    "results_view",
]
