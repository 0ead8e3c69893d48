"""What is left of a board on which provinces were destroyed: its centers, and who can get them.

Global Diplomacy, II, V and XII+. A center that has no way left to any other one, over land or
water, disappears in the season after the one that cut it off; its province stays.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final

from judge.rules.board import Board, borders, distances
from judge.rules.board_index import DESTROYED
from judge.rules.phase import Phase
from judge.rules.position import Position
from judge.rules.variant import Variant

CUT_OFF: Final = "cut_off"
"""Where a position remembers the centers that have no way to others, each with its season."""

VANISHED: Final = "vanished"
"""Where a position remembers the centers that disappeared though their provinces stand."""


def _listed(extra: Mapping[str, object], key: str) -> Sequence[str]:
    found = extra.get(key, ())
    assert isinstance(found, Sequence)
    return found


def no_centers(extra: Mapping[str, object]) -> frozenset[str]:
    """Return the provinces that are centers no more, as a position's `extra` has it."""
    return frozenset((*_listed(extra, DESTROYED), *_listed(extra, VANISHED)))


def vanished(position: Position) -> Sequence[str]:
    """Return the centers that disappeared though their provinces stand, in alphabetical order."""
    return _listed(position.extra, VANISHED)


def cut_off(position: Position) -> Mapping[str, str]:
    """Return the centers that have no way to others, each with the season since when ("S2102")."""
    return _since(position.extra)


def centers_left(variant: Variant, position: Position) -> tuple[str, ...]:
    """Return the supply centers that are still on the board, in its order."""
    lost = no_centers(position.extra)
    return tuple(center for center in variant.board.centers if center not in lost)


def without(
    centers: Mapping[str, tuple[str, ...]], lost: Collection[str]
) -> dict[str, tuple[str, ...]]:
    """Return centers by power, those that are `lost` left out."""
    return {power: tuple(c for c in held if c not in lost) for power, held in centers.items()}


def ruin(
    variant: Variant, phase: Phase, extra: Mapping[str, object], places: Collection[str]
) -> dict[str, object]:
    """Return what the position remembers when `places` are destroyed in `phase`."""
    known = dict(extra)
    known[DESTROYED] = sorted({*_listed(extra, DESTROYED), *places})
    since = dict(_since(extra))
    lost = no_centers(known)
    for part in parts(variant.board, _listed(known, DESTROYED)):
        centers = [p for p in part if variant.board.provinces[p].supply_center and p not in lost]
        if len(centers) == 1:
            since.setdefault(centers[0], _season(phase))
    since = {center: season for center, season in since.items() if center not in lost}
    known.pop(CUT_OFF, None)
    return known | {CUT_OFF: since} if since else known


def fade(
    phase: Phase, following: Phase, extra: Mapping[str, object]
) -> tuple[dict[str, object], tuple[str, ...]]:
    """Return what the position remembers when the movement of a season is over, and the centers
    that disappear with it, before any are counted: those that were cut off in an earlier season."""
    since = _since(extra)
    fading = tuple(sorted(c for c, season in since.items() if season != _season(phase)))
    known = dict(extra)
    if fading:
        known[VANISHED] = sorted({*_listed(extra, VANISHED), *fading})
        left = {center: season for center, season in since.items() if center not in fading}
        known.pop(CUT_OFF)
        if left:
            known[CUT_OFF] = left
    return known, fading


def fade_late(
    phase: Phase, following: Phase, extra: Mapping[str, object]
) -> tuple[dict[str, object], tuple[str, ...]]:
    """Return the other reading of "at the end of the season": after its builds, too."""
    return fade(phase, following, extra) if following[:2] != phase[:2] else (dict(extra), ())


def _since(extra: Mapping[str, object]) -> Mapping[str, str]:
    since = extra.get(CUT_OFF, {})
    assert isinstance(since, Mapping)
    return since


def _season(phase: Phase) -> str:
    return f"{phase.season.value}{phase.year}"


def parts(board: Board, destroyed: Collection[str]) -> Iterator[frozenset[str]]:
    """Yield what the board falls into without the `destroyed` provinces: all provinces between
    which a way leads over land or water, no matter who could take it."""
    left = [province for province in board.provinces if province not in destroyed]
    while left:
        part = frozenset(distances(borders(board), left[:1], destroyed))
        left = [province for province in left if province not in part]
        yield part


def within_reach(
    variant: Variant,
    position: Position,
    power: str,
    raises: Callable[[Variant, Position, str, str], bool],
) -> frozenset[str]:
    """Return the centers that a power could own one day: those it has, and all in parts of the
    board in which it has a unit, or a center where it could raise one.

    None too few: it is not asked whether the way could be forced.
    """
    centers = set(centers_left(variant, position))
    owned = centers.intersection(position.centers.get(power, ()))
    raising = {center for center in owned if raises(variant, position, power, center)}
    standing = [
        *(unit.province for unit in position.units.get(power, ())),
        *(gone.unit.province for gone in position.dislodged.get(power, ())),
    ]
    found = set(owned)
    for part in parts(variant.board, _listed(position.extra, DESTROYED)):
        if part.intersection(standing) or part & raising:
            found |= part & centers
    return frozenset(found)
