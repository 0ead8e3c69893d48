"""Makes a variant from its file, or finds everything wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from judge.rules.modules.registry import MODULES
from judge.rules.rulebook import editions
from judge.rules.variant import Variant
from judge.variants import provinces
from judge.variants.files import RuleModule, find, folders, names, own_modules, source
from judge.variants.keys import NEEDED, POWER, TOP, VariantDraft
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
    """Return the variant called `name`, read once however often it is asked for.

    Raises VariantError when there is none of that name or its file is wrong.
    """
    path = find(name, folders())
    if path is None:
        raise VariantError(name, [f"there is no such variant; there are {', '.join(names())}"])
    return read(path)


def read(path: Path) -> Variant:
    """Return variant in the file `path`. Raises VariantError, or OSError when there is no file."""
    draft = VariantDraft([])
    if (variant := _variant(draft, path)) is None:
        raise VariantError(path.stem, draft.problems)
    return variant


def check(path: Path) -> list[str]:
    """Return everything wrong with the variant file `path`, a sentence each; empty when it is
    fine."""
    draft = VariantDraft([])
    _variant(draft, path)
    return draft.problems


def _variant(draft: VariantDraft, path: Path) -> Variant | None:
    """Return the variant, or None when anything is wrong with its file.

    Everything wrong is added to the draft, here and in the modules that read the parts, instead of
    stopping at the first.
    """
    said = source(draft.problems, path, ())
    if draft.problems:
        return None
    data = draft.data = draft.entries("the file", said, TOP)
    draft.wrong(*(f"{key!r} is missing" for key in NEEDED if key not in said))
    powers = draft.powers = {
        name: draft.entries(f"power {name}", table, POWER)
        for name, table in data.get("powers", {}).items()
    }
    provinces.read_board(draft)
    check_powers(draft)
    brought = own_modules(draft.problems, data)
    standing = tuple(name for name, table in powers.items() if table.get("standing"))
    _check_rules(draft, {**MODULES, **brought}, standing)
    facts: dict[str, Any] = {
        "impassable": tuple(provinces.impassable(draft)),
        "unclear": dict(provinces.unclear(draft)),
        "canals": dict(provinces.canals(draft)),
        "gates": tuple(provinces.gates(draft)),
        "seasonal": dict(provinces.seasonal(draft)),
        "letters": letters(draft),
    }
    start = {name: tuple(units(draft, name, powers[name].get("units", ""))) for name in powers}
    owned = {name: centers(draft, name) for name in powers}
    check_start(draft, start)
    check_centers(draft, owned, start)
    start_phase = draft.read_calendar()
    facts["lineups"] = lineups(draft)
    if draft.calendar is None or start_phase is None or draft.problems:
        return None
    facts |= {key: data[key] for key in _AS_SAID if key in data}
    facts |= {key: tuple(data[key]) for key in ("notes", "modules") if key in data}
    return Variant(
        name=path.stem,
        board=draft.board,
        powers=tuple(powers),
        adjectives={name: table.get("adjective", name) for name, table in powers.items()},
        aliases={name: tuple(table.get("aliases", ())) for name, table in powers.items()},
        calendar=draft.calendar,
        start_phase=start_phase,
        start=start,
        centers=owned,
        own_modules=brought,
        one_way=tuple(provinces.one_way(draft)),
        standing=standing,
        **facts,
    )


_AS_SAID: Final = {"title", "victory", "shared_victory", "lead", "draw", "rulebook", "description"}
"""What a variant has as its file says it."""


def _check_rules(
    draft: VariantDraft, modules: Mapping[str, RuleModule], standing: Sequence[str]
) -> None:
    """Check that its rulebook is there, a rule module for bombs where units launch them, and for
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
