"""Rule modules from outside: in a file beside the variant's, or installed as an entry point."""

from __future__ import annotations

import runpy
from collections.abc import Callable, Mapping
from dataclasses import fields
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final, TypeAlias

from judge.rules.hooks import RuleHooks
from judge.rules.modules.registry import MODULES

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
