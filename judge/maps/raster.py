"""SVG as PNG, for mail. The fonts are shipped, so that it looks the same on any machine."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING

from judge.maps.svg import split_ground
from judge.maps.symbols import FONT, FONT_FILES, WIDTH

if TYPE_CHECKING:
    from PIL import Image


class PictureCache:
    """Pictures by the digest of what they are made from; the one used longest ago goes first."""

    def __init__(self, most: int = 32_000_000) -> None:
        """`most` is how many bytes of pictures are kept."""
        self.most = most
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def get(self, content: bytes, make: Callable[[], bytes]) -> bytes:
        """Return the picture of `content`, made if it is not kept."""
        key = hashlib.sha256(content).hexdigest()
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = make()
        with self._lock:
            self._size += len(made) - len(self._kept.pop(key, b""))
            self._kept[key] = made
            while self._size > self.most:
                self._size -= len(self._kept.popitem(last=False)[1])
        return made


CACHE = PictureCache()


def png(svg: str, width: int = WIDTH, cache: PictureCache = CACHE) -> bytes:
    """Return an SVG as PNG, `width` pixels wide.

    Kept by its content, so that one phase costs one rendering however many readers it has. Raises
    ValueError for what is no SVG.
    """
    return cache.get(f"{width} {svg}".encode(), lambda: render(svg, width))


def render(svg: str, width: int = WIDTH) -> bytes:
    """Return the same without a cache.

    The colors are brought down to 256, which nobody sees and which makes a third of the bytes.
    """
    from PIL import Image

    file = BytesIO()
    rasterize(svg, width).quantize(256, Image.Quantize.FASTOCTREE).save(file, "PNG")
    return file.getvalue()


def rasterize(svg: str, width: int = WIDTH) -> Image.Image:
    """Return the picture in all its colors. Raises ValueError for what is no SVG.

    The ground of a board takes half of the time, and is kept for the next picture of it.
    """
    from PIL import Image

    parts = split_ground(svg)
    if parts is None:
        return rasterize_transparent(svg, width).convert("RGB")
    over = rasterize_transparent(parts[1], width)
    whole = Image.new("RGB", over.size)
    whole.paste(_ground(parts[0], width))
    whole.paste(over, mask=over)
    return whole


@lru_cache(maxsize=8)
def _ground(svg: str, width: int) -> Image.Image:
    return rasterize_transparent(svg, width).convert("RGB")


def forget_grounds() -> None:
    """Drop the kept grounds."""
    _ground.cache_clear()


def rasterize_transparent(svg: str, width: int) -> Image.Image:
    """Return a picture through whose ground others may be seen; it is not kept."""
    import resvg_py
    from PIL import Image

    data: bytes = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=[str(path) for path in FONT_FILES],
        font_family=FONT,
        sans_serif_family=FONT,
    )
    with Image.open(BytesIO(data)) as image:
        return image.convert("RGBA")
