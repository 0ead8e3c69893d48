"""The board as numbers, computed once and kept with it; and provinces that are closed for now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from judge.rules.board import ANY_WAY, Board, Derived, borders
from judge.rules.position import Position, Unit
from judge.rules.problems import Code, Illegal, Problem
from judge.rules.variant import Variant


class BoardIndex:
    """Provinces numbered in the board's order, steps and waters as tuples of those numbers.

    `place` numbers every location (`stp/nc` and `stp` are the same place). `waters` are where
    fleets convoy: the high sea, and the coasts that say so. An army embarks and lands only on
    coasts, so `waters` and `coastal` are all there is to know about convoys. Sets of waters are
    masks, the bit `1 << place` for each; `near[p]` are the waters that touch `p`.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.ids = tuple(board.provinces)
        self.size = len(self.ids)
        self.spoken = tuple(map(board.spoken, self.ids))
        """The names as they stand within a sentence."""
        self.place: dict[str, int] = {}
        for number, (name, province) in enumerate(board.provinces.items()):
            self.place[name] = number
            for location in province.locations:
                self.place[location] = number
        terrain = [board.provinces[name].terrain for name in self.ids]
        self.sea = [kind == "sea" for kind in terrain]
        self.waters = [board.provinces[name].carries for name in self.ids]
        self.coastal = [kind == "coast" for kind in terrain]
        touching = [0] * self.size
        for here, there in board.fleet.items():
            for location in there:
                if self.waters[self.place[location]]:
                    touching[self.place[here]] |= 1 << self.place[location]
        self.near = tuple(touching)
        self.weak = frozenset((self.place[here], self.place[there]) for here, there in board.weak)
        """The steps that count for the supports of a move only."""
        self.carriers = frozenset(letter for letter, kind in board.kinds.items() if kind.carries)
        self._within: dict[str, dict[int, None]] = {}
        self._rings: dict[int, tuple[int, ...]] = {}
        self._units: dict[Unit, Unit] = {}
        self._numbered: dict[Unit, tuple[Unit, int]] = {}
        self._steps: dict[Unit, dict[int, tuple[str, ...]]] = {}
        self._exits: dict[Unit, tuple[tuple[int, str], ...]] = {}

    def steps(self, unit: Unit) -> dict[int, tuple[str, ...]]:
        """Return the places one step away from `unit`, each with the locations it can stand at
        there."""
        known = self._steps.get(unit)
        if known is None:
            known = {}
            for location in sorted(self.board.steps(unit.kind, unit.location)):
                place = self.place[location]
                known[place] = (*known.get(place, ()), location)
            self._steps[unit] = known
        return known

    def reach(self, unit: Unit, steps: int) -> Collection[int]:
        """Return the places that `unit` reaches for a support or with a bomb.

        In one step: where it can go itself, but not across a weak border. In two: all that are two
        borders away or nearer, no matter who could cross them. Its own place is never among them.
        """
        if steps < ANY_WAY:
            near = self.steps(unit) if steps else {}
            if not self.weak:
                return near
            here = self.place.get(unit.location, -1)
            return {there: near[there] for there in near if (here, there) not in self.weak}
        home = unit.province
        known = self._within.get(home)
        if known is None:
            around = borders(self.board)
            one_away = around.get(home, set())
            both = one_away.union(*(around[each] for each in one_away)) - {home}
            known = self._within[home] = dict.fromkeys(sorted(self.place[each] for each in both))
        return known

    def same(self, unit: Unit) -> Unit:
        """Return the one value that stands for all that are equal to `unit`: equal is then
        identical, nearly always, and positions share the memory of their units."""
        return self._units.setdefault(unit, unit)

    def numbered(self, units: Iterable[Unit]) -> list[tuple[Unit, int]]:
        """`same` for several units, with the place where each of them is.

        Raises KeyError for a location that the board does not have.
        """
        units = tuple(units)
        try:
            return list(map(self._numbered.__getitem__, units))
        except KeyError:
            for unit in units:
                self._numbered[unit] = self.same(unit), self.place[unit.location]
            return self.numbered(units)

    def exits(self, unit: Unit) -> tuple[tuple[int, str], ...]:
        """Return locations one step away from `unit` with their places, in alphabetical order."""
        known = self._exits.get(unit)
        if known is None:
            steps = self.steps(unit).items()
            pairs = [(place, location) for place, there in steps for location in there]
            known = self._exits[unit] = tuple(sorted(pairs, key=lambda pair: pair[1]))
        return known

    def rings(self, place: int) -> tuple[int, ...]:
        """Return all waters from which `place` can be reached over waters, by distance: first those
        that touch it, then those that touch one of these, and so on."""
        known = self._rings.get(place)
        if known is None:
            rings = []
            seen, ring = 0, self.near[place]
            while ring:
                rings.append(ring)
                seen |= ring
                beyond = 0
                for water in places(ring):
                    beyond |= self.near[water]
                ring = beyond & ~seen
            known = self._rings[place] = tuple(rings)
        return known

    def flood(self, waters: int, free: int) -> int:
        """Return the `waters`, and what can be reached from them through `free` waters."""
        near = self.near
        reached = ahead = waters
        while ahead:
            here = ahead & -ahead
            beyond = near[here.bit_length() - 1] & free & ~reached
            reached |= beyond
            ahead ^= here | beyond
        return reached

    def connected(self, start: int, end: int, fleets: int) -> bool:
        """Return whether fleets in the waters `fleets` can carry an army from coast to coast.

        A search over waters, not over routes: its cost grows with the fleets, never with the number
        of ways to combine them.
        """
        starts, ends = self.near[start] & fleets, self.near[end] & fleets
        if starts & ends or not starts or not ends:
            return starts & ends != 0
        return self.flood(starts, fleets) & ends != 0

    def shortest(self, start: int, end: int, fleets: int) -> tuple[int, ...]:
        """Return the waters of a shortest way for an army from coast to coast; () when there is
        none."""
        ways: list[tuple[int, ...]] = [(water,) for water in places(self.near[start] & fleets)]
        seen = self.near[start]
        for way in ways:
            if self.near[end] >> way[-1] & 1:
                return way
            beyond = self.near[way[-1]] & fleets & ~seen
            seen |= beyond
            ways += [(*way, water) for water in places(beyond)]
        return ()

    def leads(self, start: int, end: int, route: Sequence[int]) -> bool:
        """Return whether an army can go from coast to coast over these waters, one after the other.

        A water that is none, -1, is on no way.
        """
        return all(
            after >= 0 and self.near[here] >> after & 1 for here, after in pairwise((start, *route))
        ) and bool(self.near[end] >> route[-1] & 1)


def places(mask: int) -> Iterator[int]:
    """Yield the places of a mask, lowest first."""
    while mask:
        here = mask & -mask
        mask ^= here
        yield here.bit_length() - 1


@Derived
def board_index(board: Board) -> BoardIndex:
    """Return the board_index of `board`."""
    return BoardIndex(board)


# -- provinces that no unit enters or leaves for now: out of season, neutral, or destroyed --------


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
    """Return the provinces that are destroyed for the rest of the game, in alphabetical order."""
    listed = position.extra.get(DESTROYED, ())
    assert isinstance(listed, Sequence)
    return listed


def closed_provinces(variant: Variant, position: Position) -> ClosedProvinces:
    """Return the provinces closed in a position, in alphabetical order."""
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
