"""Makes a variant from its file, or finds everything wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from judge.rules.modules.registry import MODULES
from judge.rules.rulebook import editions
from judge.rules.variant import Variant
from judge.variants import provinces
from judge.variants.files import RuleModule, find, folders, names, own_modules, source
from judge.variants.keys import NEEDED, POWER, TOP, Draft
from judge.variants.lineups import lineups
from judge.variants.powers import centers, check_centers, check_powers, check_start, letters, units


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
    draft = Draft(problems)
    said = source(problems, path, ())
    if problems:
        return None
    data = draft.data = draft.entries("the file", said, TOP)
    draft.wrong(*(f"{key!r} is missing" for key in NEEDED if key not in said))
    powers = draft.powers = {
        name: draft.entries(f"power {name}", table, POWER)
        for name, table in data.get("powers", {}).items()
    }
    provinces.read_board(draft)
    check_powers(draft)
    brought = own_modules(problems, data)
    standing = tuple(name for name, table in powers.items() if table.get("standing"))
    _check_rules(draft, {**MODULES, **brought}, standing)
    shut = tuple(provinces.impassable(draft))
    several = dict(provinces.unclear(draft))
    joining = dict(provinces.canals(draft))
    kept = tuple(provinces.gates(draft))
    closing = dict(provinces.seasonal(draft))
    initials = letters(draft)
    start = {name: tuple(units(draft, name, powers[name].get("units", ""))) for name in powers}
    owned = {name: centers(draft, name) for name in powers}
    check_start(draft, start)
    check_centers(draft, owned, start)
    start_phase = draft.read_calendar()
    fewer = lineups(draft)
    if draft.calendar is None or start_phase is None or problems:
        return None
    return Variant(
        name=path.stem,
        title=data["title"],
        board=draft.board,
        powers=tuple(powers),
        letters=initials,
        adjectives={name: table.get("adjective", name) for name, table in powers.items()},
        calendar=draft.calendar,
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
        one_way=tuple(provinces.one_way(draft)),
        gates=kept,
        seasonal=closing,
        canals=joining,
        lineups=fewer,
        standing=standing,
    )


def _check_rules(draft: Draft, modules: Mapping[str, RuleModule], standing: Sequence[str]) -> None:
    """The rulebook must be there, and a rule module for bombs where units launch them, and for
    powers that stand."""
    data = draft.data
    rulebook = data.get("rulebook", "2023")
    if rulebook not in editions():
        draft.wrong(f"rulebook: there is no {rulebook!r}; there are {', '.join(editions())}")
    if data.get("draw") not in (None, "centers", "units", "either"):
        draft.wrong("draw: it is 'centers', 'units', or 'either'")
    launching = [
        letter
        for letter, kind in data.get("units", {}).items()
        if isinstance(kind, dict) and kind.get("launches")
    ]
    named = (modules.get(name) for name in data.get("modules", ()))
    filled = {hook for module in named if isinstance(module, Mapping) for hook in module}
    if launching and "bombs" not in filled:
        draft.wrong(f"unit {launching[0]}: it launches bombs, without a rule module")
    if standing and "only_holds" not in filled:
        draft.wrong(f"power {standing[0]}: it stands, without a rule module")
