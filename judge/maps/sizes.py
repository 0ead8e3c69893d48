"""How large things are in a picture that is 1,200 pixels wide, and the fonts they are set in."""

from __future__ import annotations

from pathlib import Path
from typing import Final

WIDTH: Final = 1200
UNIT: Final = (36.0, 26.0)
"""Width and height of a unit's symbol."""

BEATEN: Final = 0.75
"""How large a dislodged unit is drawn beside the one that took its place."""

CENTER: Final = 17.0
"""Diameter of a supply center's mark."""

LABEL: Final = 17.0
"""Size of the type that provinces are named in."""

FONT: Final = "DejaVu Sans"
FONT_FILES: Final = tuple(
    Path(__file__).resolve().parent / "fonts" / name
    for name in ("DejaVuSansCondensed.ttf", "DejaVuSansCondensed-Bold.ttf")
)
