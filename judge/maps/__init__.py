"""Pictures of games: `draw(view)` makes SVG, `png(view)` bytes for mail, `describe(view)` words.

Pure but for a cache: the same view gives the same picture on any machine.
"""

from __future__ import annotations

from judge.maps.gif import animated_gif
from judge.maps.raster import png, theater_png, thumbnail
from judge.maps.svg import animate, draw, order_marks
from judge.maps.symbols import badge_colors
from judge.maps.theater import Theater, theater_of
from judge.maps.view import ShownOrder, View, describe, heading, position_view, results_view
