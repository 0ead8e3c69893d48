"""Where variant files and the rule modules they bring are found, and what they say on top of those
whose boards they build on."""

from __future__ import annotations

import itertools
import os
import runpy
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, TypeAlias

from judge.data import data_path
from judge.rules.board import name_key
from judge.rules.hooks import RuleHooks
from judge.rules.modules.registry import MODULES
from judge.variants.keys import OWN


def directory() -> Path:
    """Return the folder with the variants that are shipped, in a checkout as well as installed."""
    return data_path("variants")


_CONFIGURED: list[Path] = []
"""The folders that a configuration names."""


def configure(places: Iterable[Path]) -> None:
    """Take variants from these folders, too."""
    _CONFIGURED[:] = places


def folders() -> list[Path]:
    """Return all folders with variants, those first that go before others: the folders a keeper
    names in the environment variable JUDGE_VARIANTS, separated as in PATH, or in the configuration,
    then the one that is shipped."""
    own = os.environ.get("JUDGE_VARIANTS", "").split(os.pathsep)
    return [*map(Path, filter(None, own)), *_CONFIGURED, directory()]


def names() -> list[str]:
    """Return the names of all variants there are, in alphabetical order."""
    return sorted({path.stem for folder in folders() for path in within(folder)})


def within(folder: Path) -> list[Path]:
    """Return variant files in a folder: beside each other, or each in a folder of its own name."""
    own = [path for path in folder.glob("*/*.toml") if path.stem == path.parent.name]
    return sorted([*folder.glob("*.toml"), *own])


def find(name: str, where: Iterable[Path]) -> Path | None:
    """Return the file of a variant; None for what is no name. The name may come from outside, and
    must not lead out of the folders."""
    if name_key(name.replace("_", "")) != name.replace("_", ""):
        return None
    files = (
        folder / place for folder in where for place in (f"{name}.toml", f"{name}/{name}.toml")
    )
    return next((path for path in files if path.is_file()), None)


def head(name: str) -> str:
    """Return what the file of a variant says above its first line: authors, sources and doubts."""
    path = find(name, folders())
    lines = [] if path is None else path.read_text(encoding="utf-8").splitlines()
    said = itertools.takewhile(lambda line: line.startswith("#"), lines)
    return "\n".join(filter(None, (line[1:].strip() for line in said)))


def source(problems: list[str], path: Path, trail: tuple[Path, ...]) -> dict[str, Any]:
    """Return what a file says, on top of what the file says whose board it builds on."""
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
    below = find(board, (path.parent, path.parent.parent, *folders()))
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
    """Return a file on top of the one whose board it builds on.

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


RuleModule: TypeAlias = Mapping[str, Callable[..., object]]

GROUP: Final = "judge.rule_modules"
"""The entry points by which an installed package offers rule modules, each under its own name."""

_HOOKS: Final = tuple(each.name for each in fields(RuleHooks))


def own_modules(problems: list[str], data: Mapping[str, Any]) -> dict[str, RuleModule]:
    """Return the rule modules from outside that a variant names, by name.

    Whatever is wrong with them is added to `problems`. The code of a variant's `rule_file` runs
    here: who may put files into a folder of variants may do whatever the judge may.
    """
    found = _of_file(problems, data.get("rule_file"))
    listed = [name for name in data.get("modules", ()) if name not in MODULES]
    for name in listed:
        if name not in found and (installed := _installed(problems, name)) is not None:
            found[name] = installed
    known = (*MODULES, *found)
    problems += [
        f"modules: there is no rule module {name!r}; there are {', '.join(known)}"
        for name in listed
        if name not in found
    ]
    for name, module in found.items():
        problems += _wrong(name, module)
    return found


def _of_file(problems: list[str], path: str | None) -> dict[str, Any]:
    if path is None:
        return {}
    name = Path(path).name
    try:
        rules = runpy.run_path(path).get("RULES")
    except Exception as error:  # whatever a stranger's code does wrong
        problems.append(f"rule_file: {name} does not run: {error!r}")
        return {}
    if not isinstance(rules, dict):
        problems.append(f"rule_file: {name} has no dictionary RULES of rule modules by name")
        return {}
    return rules


def _installed(problems: list[str], name: str) -> Any:
    # Few boards have such a module, and to adjudicate takes 30 ms less without it, a tenth.
    from importlib.metadata import entry_points

    for entry in entry_points(group=GROUP, name=name):
        try:
            return entry.load()
        except Exception as error:  # whatever a stranger's package does wrong
            problems.append(f"modules: {name}: {entry.value} cannot be loaded: {error!r}")
    return None


def _wrong(name: str, module: Any) -> list[str]:
    """Return what is wrong with one module, a sentence each."""
    if name in MODULES:
        return [f"rule module {name}: the judge has one of that name already"]
    if not isinstance(module, Mapping):
        return [f"rule module {name}: it must map names of hooks to functions"]
    unknown = [hook for hook in module if hook not in _HOOKS]
    if unknown:
        known = ", ".join(_HOOKS)
        return [f"rule module {name}: there is no hook {unknown[0]!r}; there are {known}"]
    return [
        f"rule module {name}: {hook} is not a function"
        for hook, function in module.items()
        if not callable(function)
    ]
