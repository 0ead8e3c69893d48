"""Where variant files are found, and what they say on top of those whose boards they build on."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from judge.data import data_directory
from judge.rules.board import name_key
from judge.variants.keys import OWN


def directory() -> Path:
    """The folder with the variants that are shipped, in a checkout as well as installed."""
    return data_directory("variants")


def folders() -> list[Path]:
    """All folders with variants, those first that go before others: the folders a keeper names in
    the environment variable JUDGE_VARIANTS, separated as in PATH, then the one that is shipped."""
    own = os.environ.get("JUDGE_VARIANTS", "").split(os.pathsep)
    return [*map(Path, filter(None, own)), directory()]


def names() -> list[str]:
    """The names of all variants there are, in alphabetical order."""
    return sorted({path.stem for folder in folders() for path in folder.glob("*.toml")})


def find(name: str, where: Iterable[Path]) -> Path | None:
    """The file of a variant; None for what is no name. The name may come from outside, and must
    not lead out of the folders."""
    if name_key(name.replace("_", "")) != name.replace("_", ""):
        return None
    files = (folder / f"{name}.toml" for folder in where)
    return next((path for path in files if path.is_file()), None)


def source(problems: list[str], path: Path, trail: tuple[Path, ...]) -> dict[str, Any]:
    """What a file says, on top of what the file says whose board it builds on."""
    where = "the file" if not trail else f"board {path.stem!r}: the file"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        problems.append(f"{where} is not TOML: {error}")
        return {}
    _find_rule_file(problems, path, data)
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


def _find_rule_file(problems: list[str], path: Path, data: dict[str, Any]) -> None:
    """Put the whole path of the file with rule modules in the place of its name."""
    name = data.get("rule_file")
    if not isinstance(name, str):
        return
    there = path.parent / name
    if Path(name).name != name or not there.is_file():
        problems.append(f"rule_file: there is no file {name!r} beside {path.name}")
    data["rule_file"] = str(there)


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
