"""What a variant file says, on top of what the file says whose board it builds on."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from judge.variants.catalog import find, folders
from judge.variants.keys import OWN


def source(problems: list[str], path: Path, trail: tuple[Path, ...]) -> dict[str, Any]:
    """What a file says, on top of what the file says whose board it builds on."""
    where = "the file" if not trail else f"board {path.stem!r}: the file"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        problems.append(f"{where} is not TOML: {error}")
        return {}
    board = data.get("board")
    if not isinstance(board, str):
        return data
    trail = (*trail, path)
    below = find(board, (path.parent, *folders()))
    if below is None:
        problems.append(f"board: there is no variant {board!r} to build on")
        return {}
    if below in trail:
        problems.append(f"board: {board} builds on itself")
        return {}
    if "provinces" in data:
        problems.append(f"provinces: they are those of the board {board}")
    return _built(data, source(problems, below, trail))


def _built(data: Mapping[str, Any], below: Mapping[str, Any]) -> dict[str, Any]:
    """A file on top of the one whose board it builds on.

    It takes over whatever it does not say itself but the title and the description. Powers are
    those it lists, each on top of the power of that name below, if it lists any; the country of a
    power that does not play is nobody's home. Games for fewer players are taken over where the
    powers are the same.
    """
    merged = {key: value for key, value in below.items() if key not in OWN} | dict(data)
    listed, known = data.get("powers"), below.get("powers")
    provinces = below.get("provinces")
    if isinstance(listed, dict) and isinstance(known, dict):
        merged["powers"] = {
            name: known[name] | table
            if isinstance(table, dict) and isinstance(known.get(name), dict)
            else table
            for name, table in listed.items()
        }
        if set(listed) != set(known) and "lineups" not in data:
            merged.pop("lineups", None)
    powers = list(merged["powers"]) if isinstance(merged.get("powers"), dict) else []
    if isinstance(provinces, dict):
        merged["provinces"] = {
            key: {name: entry for name, entry in table.items() if name != "home" or entry in powers}
            if isinstance(table, dict)
            else table
            for key, table in provinces.items()
        }
    return merged
