"""The board as numbers: what the resolver needs to know of it, worked out once and kept with it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from judge.rules.board import Board
from judge.rules.position import Unit

ARMY = "A"
FLEETS = ("F", "N")


class Geometry:
    """Provinces numbered in the board's order, steps and waters as tuples of those numbers.

    `place` numbers every location (`stp/nc` and `stp` are the same place). `waters[p]` are the sea
    provinces that touch `p`. A fleet convoys only on the high sea, and an army embarks and lands
    only on coasts, so `sea` and `coastal` are all there is to know about convoys.
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
        self.coastal = [kind == "coast" for kind in terrain]
        touching: list[set[int]] = [set() for _ in self.ids]
        for here, there in board.fleet.items():
            for location in there:
                if self.sea[self.place[location]]:
                    touching[self.place[here]].add(self.place[location])
        self.waters = tuple(tuple(sorted(around)) for around in touching)
        self._units: dict[Unit, Unit] = {}
        self._steps: dict[Unit, dict[int, tuple[str, ...]]] = {}
        self._exits: dict[Unit, tuple[tuple[int, str], ...]] = {}

    def steps(self, unit: Unit) -> dict[int, tuple[str, ...]]:
        """The places one step away from `unit`, each with the locations it can stand at there."""
        known = self._steps.get(unit)
        if known is None:
            known = {}
            kind = "F" if unit.kind in FLEETS else unit.kind
            for location in sorted(self.board.steps(kind, unit.location)):
                place = self.place[location]
                known[place] = (*known.get(place, ()), location)
            self._steps[unit] = known
        return known

    def same(self, unit: Unit) -> Unit:
        """The one value that stands for all that are equal to `unit`: equal is then identical,
        nearly always, and positions share the memory of their units."""
        return self._units.setdefault(unit, unit)

    def exits(self, unit: Unit) -> tuple[tuple[int, str], ...]:
        """The locations one step away from `unit` with their places, in alphabetical order."""
        known = self._exits.get(unit)
        if known is None:
            steps = self.steps(unit).items()
            pairs = [(place, location) for place, there in steps for location in there]
            known = self._exits[unit] = tuple(sorted(pairs, key=lambda pair: pair[1]))
        return known

    def connected(self, start: int, end: int, fleets: Collection[int]) -> bool:
        """Whether fleets in the waters `fleets` can carry an army from coast to coast.

        A search over waters, not over routes: its cost grows with the fleets, never with the number
        of ways to combine them.
        """
        goal = self.waters[end]
        reached = {water for water in self.waters[start] if water in fleets}
        ahead = list(reached)
        while ahead:
            water = ahead.pop()
            if water in goal:
                return True
            for beyond in self.waters[water]:
                if beyond in fleets and beyond not in reached:
                    reached.add(beyond)
                    ahead.append(beyond)
        return False

    def shortest(self, start: int, end: int, fleets: Collection[int]) -> tuple[int, ...]:
        """The waters of a shortest way for an army from coast to coast; () when there is none."""
        ways: list[tuple[int, ...]] = [(water,) for water in self.waters[start] if water in fleets]
        seen = {way[-1] for way in ways}
        for way in ways:
            if way[-1] in self.waters[end]:
                return way
            for beyond in self.waters[way[-1]]:
                if beyond in fleets and beyond not in seen:
                    seen.add(beyond)
                    ways.append((*way, beyond))
        return ()

    def leads(self, start: int, end: int, route: Sequence[int]) -> bool:
        """Whether an army can go from coast to coast over these waters, one after the other."""
        return (
            route[0] in self.waters[start]
            and route[-1] in self.waters[end]
            and all(after in self.waters[water] for water, after in pairwise(route))
        )

    def needed(self, water: int, start: int, end: int, fleets: Collection[int]) -> bool:
        """Whether some route through `fleets` needs the fleet in `water` (DATC 6.F.12, 6.G.19).

        Needed means: there is a route that is none any more without it. Such a route never touches
        itself, its start or its end a second time, so both halves grow outward from `water` and
        give up as soon as what is left cannot be joined.
        """
        if water not in fleets:
            return False
        starts, ends = set(self.waters[start]), set(self.waters[end])
        if water in ends:
            starts, ends = ends, starts
        free = frozenset(fleets) - {water}
        if water in starts:
            return water in ends or self._meets(water, ends, free - starts)
        return any(
            self._meets(water, ends, rest)
            for rest in self._halves(water, starts, free - ends, free)
        )

    def _halves(
        self, tip: int, near: set[int], inner: frozenset[int], free: frozenset[int]
    ) -> Iterable[frozenset[int]]:
        """For each way back from `tip` to `near`: the waters still free for the way onward."""
        around = self.waters[tip]
        left = inner.difference(around)
        for beyond in around:
            if beyond not in inner:
                continue
            closed = (beyond, *self.waters[beyond])
            if beyond in near:
                yield free.difference(closed, near)
            elif self._meets(beyond, near, left):
                for rest in self._halves(beyond, near, left, free):
                    yield rest.difference(closed)

    def _meets(self, water: int, goal: set[int], free: Collection[int]) -> bool:
        """Whether `goal` can be reached from `water` through `free` waters."""
        seen = {water}
        ahead = [water]
        while ahead:
            for beyond in self.waters[ahead.pop()]:
                if beyond in free and beyond not in seen:
                    if beyond in goal:
                        return True
                    seen.add(beyond)
                    ahead.append(beyond)
        return False


def geometry(board: Board) -> Geometry:
    """The geometry of `board`, made when it is first asked for."""
    known = board.cache.get("geometry")
    if known is None:
        known = board.cache["geometry"] = Geometry(board)
    assert isinstance(known, Geometry)
    return known
