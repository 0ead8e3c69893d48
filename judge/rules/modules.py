"""The seams at which a variant's rule modules change the rules, and the modules by name.

The core asks a seam, never which variant it plays. A variant names its modules; each fills the
seams it cares about, later ones over earlier ones, the rest keep the standard rule. No module
exists yet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from judge.rules.position import Position
from judge.rules.variant import Variant


def raises_at_home(variant: Variant, position: Position, power: str, province: str) -> bool:
    """The standard rule: units are raised in the centers of the home country."""
    place = variant.board.provinces[province]
    return place.supply_center and place.home == power


@dataclass(frozen=True)
class Seams:
    """One function for each question that rule modules may answer otherwise."""

    raises: Callable[[Variant, Position, str, str], bool] = raises_at_home
    """Whether a power can raise units in a province that it owns and that is empty."""


MODULES: Final[Mapping[str, Mapping[str, Callable[..., object]]]] = {}
"""Rule modules by name: the seams each fills."""


def seams(variant: Variant) -> Seams:
    """The seams of a variant as its modules fill them, kept with it.

    Raises KeyError when the variant names a module that does not exist.
    """
    known = variant.cache.get("seams")
    if known is None:
        known = Seams()
        for name in variant.modules:
            known = replace(known, **MODULES[name])  # type: ignore[arg-type]
        variant.cache["seams"] = known
    assert isinstance(known, Seams)
    return known
