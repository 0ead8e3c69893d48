"""A view that moves as GIF, for programs that show no moving SVG.

The first frame is the whole still picture, since some programs show no other; the last one is the
same, since it stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Final

from judge.maps import motion
from judge.maps.drawing import drawing_of
from judge.maps.legend import HEADER
from judge.maps.raster import rasterize
from judge.maps.svg import draw, painter_of, render
from judge.maps.symbols import WIDTH, font_attributes
from judge.maps.view import View

if TYPE_CHECKING:
    from PIL import Image

WIDE: Final = 900
"""Pixels across: a third of the bytes and of the time is saved."""
LARGEST: Final = 500_000
"""Bytes; what would be larger does not move."""
FRAMES: Final = 9
_COLORS: Final = 255
"""One less than there are: the last one stands for what does not change."""


class _Stripped(motion.Still):
    """Takes the units out of a picture, and keeps their signs."""

    def __init__(self) -> None:
        self.signs_of: dict[motion.Key, str] = {}

    def unit(self, key: motion.Key, drawn: str) -> str:
        self.signs_of[key] = drawn
        return ""


def animated_gif(view: View) -> bytes | None:
    """Return the picture of a view and what came of it.

    None where `view.then` does not tell, nothing moves, or it would be larger than `LARGEST`.
    """
    if view.then is None or all(told.done is None for told in view.orders):
        return None
    frames = list(_frames(view))
    file = BytesIO()
    first, *others = (frame for frame, _ in frames)
    times = [time for _, time in frames]
    first.save(file, "GIF", save_all=True, append_images=others, duration=times, disposal=1)
    return file.getvalue() if file.tell() <= LARGEST else None


def _frames(view: View) -> Iterator[tuple[Image.Image, int]]:
    """The pictures and how many milliseconds each is shown."""
    from PIL import Image

    assert view.then is not None
    still = rasterize(draw(replace(view, then=None)), WIDE).convert("RGB")
    after = _after(view, view.then, still)
    both = Image.new("RGB", (still.width, still.height * 2))
    both.paste(still)
    both.paste(after, (0, still.height))
    palette = both.quantize(_COLORS, Image.Quantize.FASTOCTREE)

    def few(image: Image.Image) -> Image.Image:
        return image.quantize(palette=palette, dither=Image.Dither.NONE)

    first = few(still)
    parts = motion.START, motion.ARRIVED - motion.START, motion.OVER - motion.ARRIVED
    begin, move, end = (round(motion.SECONDS * 1000 * part) for part in parts)
    middle = [few(frame) for frame in _moving_frames(view)]
    yield first, begin if middle else begin + move
    for frame in middle:
        yield frame, move // FRAMES
    yield few(after), end
    yield first, 100


def _moving_frames(view: View) -> Iterator[Image.Image]:
    """The units on their ways, `FRAMES` pictures of them; none where nobody moves."""
    stage = _Stripped()
    ground = rasterize(render(view, lambda painter: stage, before=True), WIDE).convert("RGB")
    acts, _ = motion.acts(view, painter_of(view, view))
    if not any(act.legs for act in acts.values()):
        return
    height = HEADER + drawing_of(view.variant).size[1]
    for number in range(FRAMES):
        shown = ""
        for key, act in acts.items():
            (x, y), size = act.shift((number + 0.5) / FRAMES)
            shown += f'<g transform="translate({x} {y}) scale({size})">{stage.signs_of[key]}</g>'
        signs = rasterize(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
            f' width="{WIDTH}" height="{height}" {font_attributes()}>'
            f'<g transform="translate(0 {HEADER})">{shown}</g></svg>',
            WIDE,
        )
        frame: Image.Image = ground.copy()
        frame.paste(signs, mask=signs)
        yield frame


def _after(view: View, then: View, still: Image.Image) -> Image.Image:
    """The board as the phase left it, in the frame of the picture."""
    height = drawing_of(view.variant).size[1]
    factor = WIDE / WIDTH
    left = rasterize(draw(replace(then, game=view.game)), WIDE).convert("RGB")
    shown = still.copy()
    top, bottom = round(HEADER * factor), round((HEADER + height) * factor)
    shown.paste(left.crop((0, top, WIDE, bottom)), (0, top))
    return shown
