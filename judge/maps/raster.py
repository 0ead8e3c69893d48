"""SVG as PNG, for mail. The fonts are shipped, so that it looks the same on any machine."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from judge.maps.sizes import FONT, FONT_FILES, WIDTH
from judge.maps.svg import layers

if TYPE_CHECKING:
    from PIL import Image


class Shelf(Protocol):
    """Where pictures are kept by what they are made from."""

    def get(self, key: str) -> bytes | None:
        """The picture of that key, None where there is none."""
        ...

    def put(self, key: str, data: bytes) -> None:
        """Keep a picture; what is not kept is made again."""
        ...


class Memory:
    """A shelf in this process, for so many bytes; what was not wanted for longest goes first."""

    def __init__(self, most: int = 32_000_000) -> None:
        self.most = most
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def get(self, key: str) -> bytes | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: str, data: bytes) -> None:
        with self._lock:
            self._size += len(data) - len(self._kept.pop(key, b""))
            self._kept[key] = data
            while self._size > self.most:
                self._size -= len(self._kept.popitem(last=False)[1])


class Folder:
    """A shelf on disk: a file for each picture, none ever seen half written."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def get(self, key: str) -> bytes | None:
        try:
            return (self.path / key).read_bytes()
        except FileNotFoundError:
            return None

    def put(self, key: str, data: bytes) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self.path)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).replace(self.path / key)


MEMORY = Memory()


def png(svg: str, width: int = WIDTH, shelf: Shelf = MEMORY) -> bytes:
    """The picture of an SVG as PNG, `width` pixels wide.

    Kept on `shelf` by its content, so that one phase costs one rendering however many readers it
    has. Raises ValueError for what is no SVG.
    """
    return kept(shelf, f"{width} {svg}".encode(), ".png", lambda: render(svg, width))


def kept(shelf: Shelf, content: bytes, ending: str, make: Callable[[], bytes]) -> bytes:
    """What stands on a shelf for a content, made if it is not there; `ending` as of a file."""
    key = hashlib.sha256(f"{_maker()} ".encode() + content).hexdigest() + ending
    found = shelf.get(key)
    if found is None:
        found = make()
        shelf.put(key, found)
    return found


def render(svg: str, width: int = WIDTH) -> bytes:
    """The same without a shelf.

    The colors are brought down to 256, which nobody sees and which makes a third of the bytes.
    """
    from PIL import Image

    file = BytesIO()
    picture(svg, width).quantize(256, Image.Quantize.FASTOCTREE).save(file, "PNG")
    return file.getvalue()


def picture(svg: str, width: int = WIDTH) -> Image.Image:
    """The picture in all its colors. Raises ValueError for what is no SVG.

    The ground of a board takes half of the time, and is kept for the next picture of it.
    """
    from PIL import Image

    parts = layers(svg)
    if parts is None:
        return pixels(svg, width).convert("RGB")
    over = pixels(parts[1], width)
    whole = Image.new("RGB", over.size)
    whole.paste(_ground(parts[0], width))
    whole.paste(over, mask=over)
    return whole


@lru_cache(maxsize=8)
def _ground(svg: str, width: int) -> Image.Image:
    return pixels(svg, width).convert("RGB")


def forget() -> None:
    """Let go of all grounds."""
    _ground.cache_clear()


def pixels(svg: str, width: int) -> Image.Image:
    """A picture whose ground may be seen through, in all its colors and not kept."""
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


def _maker() -> str:
    """What else the bytes depend on: pictures of an older library are not taken for its own."""
    from importlib.metadata import version

    return f"{version('resvg-py')} {version('pillow')}"
