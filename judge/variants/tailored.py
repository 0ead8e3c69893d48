"""A variant as a game plays it: what the game's settings change of its file."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from judge.rules.hooks import with_modules
from judge.rules.phase import Calendar, Kind, Phase
from judge.rules.variant import Variant, with_lineup
from judge.variants.reader import load

_BUILDS = {"home": "home_centers", "one": "one_home", "any": "conscription"}
"""The rule module for each way of choosing where units are built."""


@lru_cache(maxsize=256)
def tailored(
    name: str,
    *,
    lineup: str | None = None,
    centers: int | None = None,
    builds: str | None = None,
    auto_disband: bool = False,
    transform: bool = False,
    blank_board: bool = False,
) -> Variant:
    """Return the variant called `name` as a game plays it whose settings of these names have these
    values. Raises VariantError when there is no such variant."""
    added = added_modules(builds, auto_disband=auto_disband, transform=transform)
    variant = with_modules(with_lineup(load(name), lineup), added)
    if centers is None and not blank_board:
        return variant
    opening = before(variant.calendar, variant.start_phase) if blank_board else None
    return replace(
        variant,
        victory=centers or variant.victory,
        start=variant.start if opening is None else dict.fromkeys(variant.start, ()),
        start_phase=opening or variant.start_phase,
    )


def added_modules(builds: str | None, *, auto_disband: bool, transform: bool) -> tuple[str, ...]:
    """Return the rule modules that settings of these values add to those of the variant."""
    added = (
        builds and _BUILDS[builds],
        "no_retreats" if auto_disband else None,
        "conversion" if transform else None,
    )
    return tuple(filter(None, added))


def before(calendar: Calendar, phase: Phase) -> Phase | None:
    """Return the last adjustment phase up to `phase`, itself included, if the calendar has any."""
    seasons = [season for season, kind in calendar.year if kind is Kind.ADJUSTMENTS]
    years = (phase.year - calendar.years, phase.year)
    found = [Phase(season, year, Kind.ADJUSTMENTS) for year in years for season in seasons]
    past = [each for each in found if calendar.key(each) <= calendar.key(phase)]
    return max(past, key=calendar.key, default=None)
