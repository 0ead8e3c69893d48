"""Provinces that no unit enters or leaves for now: out of season, neutral, or destroyed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from judge.rules.position import Position
from judge.rules.problems import Code, Illegal, Problem
from judge.rules.variant import Variant


class ClosedProvince(NamedTuple):
    """A province that is closed to movement and retreats, both ways; `why` says so.

    Closed for a season it may still be supported and bombed; `destroyed` is for good.
    """

    province: str
    why: Problem
    destroyed: bool = False


ClosedProvinces: TypeAlias = tuple[ClosedProvince, ...]

DESTROYED: Final = "destroyed"
"""Where a position remembers the provinces that are destroyed, in alphabetical order."""


def destroyed(position: Position) -> Sequence[str]:
    """The provinces that are destroyed for the rest of the game, in alphabetical order."""
    listed = position.extra.get(DESTROYED, ())
    assert isinstance(listed, Sequence)
    return listed


def closed_provinces(variant: Variant, position: Position) -> ClosedProvinces:
    """The provinces closed in a position, in alphabetical order."""
    if not (DESTROYED in position.extra or variant.seasonal or variant.closed):
        return ()
    gone = destroyed(position)
    season = position.phase.season
    found = {
        province: ClosedProvince(
            province, Illegal(code=Code.OUT_OF_SEASON, place=province, season=season)
        )
        for province, seasons in variant.seasonal.items()
        if season not in seasons
    }
    found |= {
        province: ClosedProvince(province, Illegal(code=Code.NEUTRAL, place=province))
        for province in variant.closed
    }
    found |= {
        province: ClosedProvince(province, Illegal(code=Code.DESTROYED, place=province), True)
        for province in gone
    }
    return tuple(found[province] for province in sorted(found))
