"""Which drawing a board has: read from `variants/maps/`, or laid out where there is none.

A drawing fits a board when both have the same borders; what the variant is called does not matter,
so that all variants on one board share one drawing.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from judge.maps.drawing import Drawing, drawing_from
from judge.maps.schematic import schematic
from judge.rules.board import Board, Derived
from judge.rules.variant import Variant
from judge.variants import folders


def borders_digest(board: Board) -> str:
    """Return a digest of who borders on whom, the same for all variants on one board."""
    pairs = [
        f"{kind} {here} {there}"
        for kind, steps in (("A", board.army), ("F", board.fleet))
        for here, places in steps.items()
        for there in places
    ]
    return hashlib.sha256("\n".join(sorted([*board.provinces, *pairs])).encode()).hexdigest()[:16]


@Derived
def drawing_of(variant: Variant) -> Drawing:
    """Return the drawing of a variant's board; a schematic where there is none."""
    path = file_of(variant)
    return schematic(variant) if path is None else _read(path)


def file_of(variant: Variant) -> Path | None:
    """Return the file with the drawing of a variant's board; None where there is none."""
    return _index().get(borders_digest(variant.board))


def files() -> Iterator[Path]:
    """Yield the files of all drawings there are."""
    for folder in folders():
        yield from sorted((folder / "maps").glob("*.json"))


_BORDERS: Final = re.compile(r'"borders":\s*"(\w+)"')
"""The digest, near the head of a file: the rest is read when a board is drawn."""


@cache
def _index() -> dict[str, Path]:
    found: dict[str, Path] = {}
    for path in files():
        with path.open(encoding="utf-8") as lines:
            head = "".join(itertools.islice(lines, 3))
        if borders := _BORDERS.search(head):
            found.setdefault(borders[1], path)
    return found


@cache
def _read(path: Path) -> Drawing:
    text = path.read_bytes()
    return replace(drawing_from(json.loads(text)), source=hashlib.sha256(text).hexdigest())
