"""The board of a game, and its positions as the database keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from judge import variants
from judge.game.state.settings import Builds, Settings
from judge.rules.hooks import with_modules
from judge.rules.lineup import with_lineup
from judge.rules.phase import Calendar, Kind, Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.variant import Variant

BUILDS = {
    Builds.HOME: "home_centers",
    Builds.ONE: "one_home",
    Builds.ANY: "conscription",
}
"""The rule module for each way of choosing where units are built."""


def played(name: str, settings: Settings) -> Variant:
    """Return the variant called `name` as a game with these settings plays it.

    Raises VariantError when there is no such variant.
    """
    return _played(name, settings.lineup, settings.centers, modules(settings), settings.blank_board)


def modules(settings: Settings) -> tuple[str, ...]:
    """Return the rule modules that settings add to those of the variant."""
    added = (
        settings.builds and BUILDS[settings.builds],
        "no_retreats" if settings.auto_disband else None,
        "conversion" if settings.transform else None,
    )
    return tuple(filter(None, added))


@lru_cache(maxsize=256)
def _played(
    name: str, lineup: str | None, centers: int | None, added: tuple[str, ...], blank: bool
) -> Variant:
    variant = with_modules(with_lineup(variants.load(name), lineup), added)
    if centers is None and not blank:
        return variant
    opening = before(variant.calendar, variant.start_phase) if blank else None
    return replace(
        variant,
        victory=centers or variant.victory,
        start=variant.start if opening is None else dict.fromkeys(variant.start, ()),
        start_phase=opening or variant.start_phase,
    )


def before(calendar: Calendar, phase: Phase) -> Phase | None:
    """Return the last adjustment phase up to `phase`, itself included, if the calendar has any."""
    steps = calendar.year
    place = steps.index((phase.season, phase.kind))
    year = phase.year
    for _ in steps:
        season, kind = steps[place]
        if kind is Kind.ADJUSTMENTS:
            return Phase(season, year, kind)
        if place == 0:
            year -= calendar.years
        place = (place or len(steps)) - 1
    return None


def position_to_json(position: Position) -> dict[str, object]:
    """Return JSON values that `position_from_json` turns into an equal position."""
    return {
        "phase": str(position.phase),
        "units": {power: [str(unit) for unit in units] for power, units in position.units.items()},
        "centers": {power: list(centers) for power, centers in position.centers.items()},
        "dislodged": {
            power: [
                {
                    "unit": str(each.unit),
                    "attacker": each.attacker,
                    "retreats": list(each.retreats),
                }
                for each in dislodged
            ]
            for power, dislodged in position.dislodged.items()
        },
        "contested": list(position.contested),
        "extra": dict(position.extra),
    }


def position_from_json(values: Mapping[str, Any]) -> Position:
    """Read the position that `position_to_json` wrote."""
    return Position(
        phase=Phase.read(values["phase"]),
        units={power: tuple(map(read_unit, units)) for power, units in values["units"].items()},
        centers={power: tuple(centers) for power, centers in values["centers"].items()},
        dislodged={
            power: tuple(
                Dislodged(read_unit(each["unit"]), each["attacker"], tuple(each["retreats"]))
                for each in dislodged
            )
            for power, dislodged in values["dislodged"].items()
        },
        contested=tuple(values["contested"]),
        extra=values["extra"],
    )


def read_unit(text: str) -> Unit:
    """Read the unit that `str(unit)` wrote, such as `F stp/nc`."""
    kind, _, location = text.rpartition(" ")
    return Unit(kind, location)
