"""Positions as JSON values and back: how the database keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.rules.phase import Phase
from judge.rules.position import Dislodged, Position, Unit


def position_to_json(position: Position) -> dict[str, Any]:
    """JSON values that `position_from_json` turns into an equal position."""
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
    """The position that `position_to_json` wrote."""
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
    """The unit that `str(unit)` wrote, such as `F stp/nc`."""
    kind, _, location = text.rpartition(" ")
    return Unit(kind, location)
