"""Makes a variant from its file, or finds everything wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from judge.rules.modules.registry import MODULES
from judge.rules.rulebook import editions
from judge.rules.variant import Variant
from judge.variants.files import RuleModule, find, folders, names, own_modules, source
from judge.variants.keys import NEEDED, POWER, TOP, calendar, entries
from judge.variants.lineups import lineups
from judge.variants.powers import centers, check_centers, check_powers, check_start, letters, units
from judge.variants.provinces import (
    canals,
    gates,
    impassable,
    one_way,
    seasonal,
    unclear,
    whole_board,
)


class VariantError(ValueError):
    """A variant that cannot be used; `problems` lists everything that is wrong, a sentence each."""

    def __init__(self, name: str, problems: Iterable[str]) -> None:
        self.name = name
        self.problems = list(problems)
        super().__init__("\n".join([f"the variant {name} cannot be used:", *self.problems]))


@lru_cache(maxsize=64)
def load(name: str) -> Variant:
    """The variant called `name`, read once however often it is asked for.

    Raises VariantError when there is none of that name or its file is wrong.
    """
    path = find(name, folders())
    if path is None:
        raise VariantError(name, [f"there is no such variant; there are {', '.join(names())}"])
    return read(path)


def read(path: Path) -> Variant:
    """The variant in the file `path`. Raises VariantError, or OSError when there is no file."""
    problems: list[str] = []
    variant = _variant(problems, path)
    if variant is None or problems:
        raise VariantError(path.stem, problems)
    return variant


def check(path: Path) -> list[str]:
    """Everything wrong with the variant file `path`, a sentence each; empty when it is fine."""
    problems: list[str] = []
    _variant(problems, path)
    return problems


def _variant(problems: list[str], path: Path) -> Variant | None:
    """The variant, or None when too much is wrong to build one.

    Everything wrong is added to `problems`, here and in the modules that read the parts, instead
    of stopping at the first.
    """
    said = source(problems, path, ())
    if problems:
        return None
    data = entries(problems, "the file", said, TOP)
    problems += [f"{key!r} is missing" for key in NEEDED if key not in said]
    powers = {
        name: entries(problems, f"power {name}", table, POWER)
        for name, table in data.get("powers", {}).items()
    }
    board = whole_board(problems, data, powers)
    check_powers(problems, powers)
    brought = own_modules(problems, data)
    standing = tuple(name for name, table in powers.items() if table.get("standing"))
    check_rules(problems, data, {**MODULES, **brought}, standing)
    shut = tuple(impassable(problems, data.get("impassable", ()), board))
    several = dict(unclear(problems, data.get("unclear", {}), board))
    joining = dict(canals(problems, data.get("canals", {}), board))
    kept = tuple(gates(problems, data.get("gates", ()), board))
    closing = dict(seasonal(problems, data.get("seasonal", {}), board))
    initials = letters(problems, powers)
    start = {name: tuple(units(problems, name, each, board)) for name, each in powers.items()}
    owned = {name: centers(problems, name, each, board) for name, each in powers.items()}
    check_start(problems, start)
    check_centers(problems, board, owned, start, powers, data)
    year, start_phase = calendar(problems, data)
    fewer = lineups(problems, data, board, powers, year)
    if year is None or start_phase is None or problems:
        return None
    return Variant(
        name=path.stem,
        title=data["title"],
        board=board,
        powers=tuple(powers),
        letters=initials,
        adjectives={name: table.get("adjective", name) for name, table in powers.items()},
        calendar=year,
        start_phase=start_phase,
        start=start,
        centers=owned,
        victory=data["victory"],
        shared_victory=data.get("shared_victory", False),
        lead=data.get("lead", 0),
        draw=data.get("draw"),
        notes=tuple(map(str, data.get("notes", ()))),
        rulebook=data.get("rulebook", "2023"),
        modules=tuple(data.get("modules", ())),
        own_modules=brought,
        description=data.get("description", ""),
        aliases={name: tuple(table.get("aliases", ())) for name, table in powers.items()},
        unclear=several,
        impassable=shut,
        one_way=tuple(one_way([], data.get("one_way", ()), board)),
        gates=kept,
        seasonal=closing,
        canals=joining,
        lineups=fewer,
        standing=standing,
    )


def check_rules(
    problems: list[str],
    data: Mapping[str, Any],
    modules: Mapping[str, RuleModule],
    standing: Sequence[str],
) -> None:
    """The rulebook must be there, and a rule module for bombs where units launch them, and for
    powers that stand."""
    rulebook = data.get("rulebook", "2023")
    if rulebook not in editions():
        problems.append(f"rulebook: there is no {rulebook!r}; there are {', '.join(editions())}")
    if data.get("draw") not in (None, "centers", "units", "either"):
        problems.append("draw: it is 'centers', 'units', or 'either'")
    launching = [
        letter
        for letter, kind in data.get("units", {}).items()
        if isinstance(kind, dict) and kind.get("launches")
    ]
    named = (modules.get(name) for name in data.get("modules", ()))
    filled = {hook for module in named if isinstance(module, Mapping) for hook in module}
    if launching and "bombs" not in filled:
        problems.append(f"unit {launching[0]}: it launches bombs, without a rule module")
    if standing and "only_holds" not in filled:
        problems.append(f"power {standing[0]}: it stands, without a rule module")
