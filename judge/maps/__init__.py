"""Pictures of games: `draw(view)` makes SVG, `png(svg)` bytes for mail, `describe(view)` words.

Pure but for the shelf that PNGs are kept on: the same view gives the same picture on any machine.
"""

from __future__ import annotations

from judge.maps.film import gif, moving
from judge.maps.raster import Folder, Memory, Shelf, png
from judge.maps.svg import animate, draw
from judge.maps.view import Told, View, position_view, results_view
from judge.maps.words import describe, heading

__all__ = [
    "Folder",
    "Memory",
    "Shelf",
    "Told",
    "View",
    "animate",
    "describe",
    "draw",
    "gif",
    "heading",
    "moving",
    "png",
    "position_view",
    "results_view",
]
