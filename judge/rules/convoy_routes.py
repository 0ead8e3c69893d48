"""What the fleets of a position join: over which waters armies can go, and which fleets they need.

Sets of waters are masks here: the bit `1 << place` for each water.

A fleet is needed for a journey when some route is none any more without it (DATC 6.F.12, 6.G.19).
Such a route never touches itself, its start or its end a second time; the question is whether one
leads through the water of the fleet. Nearly always two short ways from that water, one to each
coast, make one, and they are found at once. What cannot be answered so is searched.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import chain
from operator import or_

from judge.rules.board_index import BoardIndex, places


@dataclass(slots=True)
class _Journey:
    """What is known of the routes from coast to coast.

    `starts` and `ends` are the fleets at the coasts, `useful` those that may be on a route,
    `needed` those that are, `doubtful` those that were not looked at.
    """

    starts: int
    ends: int
    useful: int
    needed: int
    doubtful: int
    surveyed: bool = False


class ConvoyRoutes:
    """The ways over the waters `fleets`.

    What is found out is kept, so that it is cheap to ask for many fleets and many journeys.
    """

    __slots__ = ("_all_banks", "_banks", "_journeys", "_parts", "_reached", "fleets", "index")

    def __init__(self, board_index: BoardIndex, fleets: int) -> None:
        self.index = board_index
        self.fleets = fleets
        self._parts: list[int] | None = None
        self._banks: dict[int, dict[int, list[int]]] = {}
        self._all_banks: list[int] | None = None
        self._journeys: dict[tuple[int, int], _Journey] = {}
        self._reached: dict[tuple[int, int], int] = {}

    def joined(self, start: int, end: int, without: int = -1) -> bool:
        """Return whether the fleets, but for the one in the water `without`, can carry an army from
        coast to coast."""
        alone = self._alone(start, end)
        if alone and (without < 0 or alone != 1 << without):
            return True
        return self.reached(start, without) & self.index.near[end] != 0

    def reached(self, start: int, without: int = -1) -> int:
        """Return the fleets, but for the one in the water `without`, over which an army can leave a
        coast."""
        known = self._reached.get((start, without))
        if known is None:
            known, starts = 0, self.index.near[start] & self.fleets
            gone = 1 << without if without >= 0 else 0
            for part in self.parts:
                whole = [part]
                if part & gone:
                    whole = self.banks(part).get(without) or [part & ~gone]
                for bank in whole:
                    if bank & starts:
                        known |= bank
            self._reached[start, without] = known
        return known

    def needed(self, water: int, start: int, end: int) -> bool:
        """Return whether some route from coast to coast needs the fleet in `water`."""
        here = 1 << water
        if here & self._alone(start, end):
            return True
        journey = self._journeys.get((start, end))
        if journey is None:
            journey = self._journeys[start, end] = self._journey(start, end)
        if not here & journey.doubtful:
            return here & journey.needed != 0
        starts, ends = journey.starts, journey.ends
        if here & (starts | ends):
            if here & ends:
                end, starts, ends = start, ends, starts
            route = self._way(water, end, ends, journey.useful & ~here & ~starts)
        else:
            if not journey.surveyed:
                self._look_aside(journey)
                if not here & journey.doubtful:
                    return False
            free = journey.useful & ~here
            route = self._through(water, (start, starts), (end, ends), free)
            if route < 0 and self._search(water, starts, ends, free):
                route = 0
        if route < 0:
            journey.useful &= ~here
            journey.doubtful &= ~here
            return False
        journey.needed |= here | route
        journey.doubtful &= ~journey.needed
        return True

    def _alone(self, start: int, end: int) -> int:
        """Return the fleets that touch both coasts: each of them makes a route by itself."""
        near = self.index.near
        return near[start] & near[end] & self.fleets

    def _journey(self, start: int, end: int) -> _Journey:
        """Return what can be seen at once: a fleet at both coasts is needed, and none is in a part
        that touches one of them only."""
        starts, ends = self.index.near[start], self.index.near[end]
        useful = 0
        for part in self.parts:
            if part & starts and part & ends:
                useful |= part
        needed = useful & starts & ends
        return _Journey(starts & useful, ends & useful, useful, needed, useful & ~needed)

    # -- at once ------------------------------------------------------------------------------

    def _through(self, water: int, one: tuple[int, int], other: tuple[int, int], free: int) -> int:
        """Return a route through `water`, made of a shortest way to one coast and, apart from that,
        one to the other; -1 when that fails from either side."""
        for (start, starts), (end, ends) in ((one, other), (other, one)):
            back = self._way(water, start, starts, free & ~ends)
            if back < 0:
                return -1
            onward = self._way(water, end, ends, free & ~starts & ~self._around(back))
            if onward >= 0:
                return back | onward
        return -1

    def _way(self, water: int, coast: int, goal: int, free: int) -> int:
        """Return a way from `water` over `free` waters to the first one of `goal`, the waters at
        `coast`, that never touches itself; `water` itself is not counted. -1 if there is none.

        Tried first is what would be a shortest way if there were fleets everywhere.
        """
        near, rings = self.index.near, self.index.rings(coast)
        distance, here = 0, 1 << water
        while not rings[distance] & here:
            distance += 1
        way, tip = 0, water
        for ring in rings[distance - 1 :: -1]:
            steps = near[tip] & ring & free
            if not steps:
                return self._shortest(water, goal, free)
            step = steps & -steps
            way |= step
            tip = step.bit_length() - 1
        return way

    def _shortest(self, water: int, goal: int, free: int) -> int:
        """Return a shortest way from `water` to `goal`; -1 if there is none."""
        near = self.index.near
        layers: list[int] = []
        ahead = 1 << water
        while True:
            reached = 0
            while ahead:
                here = ahead & -ahead
                ahead ^= here
                reached |= near[here.bit_length() - 1]
            reached &= free
            if not reached:
                return -1
            if reached & goal:
                break
            layers.append(reached)
            free &= ~reached
            ahead = reached
        reached &= goal
        step = reached & -reached
        way = step
        for layer in reversed(layers):
            steps = near[step.bit_length() - 1] & layer
            step = steps & -steps
            way |= step
        return way

    def _around(self, way: int) -> int:
        """Return the waters of a way and all that touch them."""
        near = self.index.near
        around = way
        for place in places(way):
            around |= near[place]
        return around

    # -- the lie of the waters ------------------------------------------------------------------

    @property
    def parts(self) -> list[int]:
        """The fleets by what hangs together."""
        if self._parts is None:
            self._parts = []
            left = self.fleets
            while left:
                part = self.index.flood(left & -left, left)
                self._parts.append(part)
                left &= ~part
        return self._parts

    def banks(self, part: int) -> dict[int, list[int]]:
        """Return for each water without which a part would fall apart: what it would fall into."""
        known = self._banks.get(part)
        if known is None:
            known = self._banks[part] = self._survey(part)
        return known

    def _survey(self, part: int) -> dict[int, list[int]]:
        """Find the banks within a part (Tarjan's search for cut vertices)."""
        near = self.index.near
        first = (part & -part).bit_length() - 1
        number = {first: 0}
        lowest = {first: 0}
        below = {first: 1 << first}
        cut: dict[int, list[int]] = {}
        path = [(first, places(near[first] & part))]
        while path:
            here, around = path[-1]
            beyond = next(around, None)
            if beyond is None:
                path.pop()
                if path:
                    above = path[-1][0]
                    below[above] |= below[here]
                    lowest[above] = min(lowest[above], lowest[here])
                    if lowest[here] >= number[above]:
                        cut.setdefault(above, []).append(below[here])
            elif beyond in number:
                lowest[here] = min(lowest[here], number[beyond])
            else:
                number[beyond] = lowest[beyond] = len(number)
                below[beyond] = 1 << beyond
                path.append((beyond, places(near[beyond] & part)))
        for place, banks in cut.items():
            rest = part & ~(1 << place)
            for bank in banks:
                rest &= ~bank
            if rest:
                banks.append(rest)
        return {place: banks for place, banks in cut.items() if len(banks) > 1}

    def _look_aside(self, journey: _Journey) -> None:
        """Put aside the banks that touch neither coast: a route that goes there never returns."""
        if self._all_banks is None:
            cuts = chain.from_iterable(self.banks(part).values() for part in self.parts)
            self._all_banks = list(chain.from_iterable(cuts))
        coasts = journey.starts | journey.ends
        aside = [bank for bank in self._all_banks if not bank & coasts]
        journey.useful &= ~reduce(or_, aside, 0)
        journey.doubtful &= journey.useful
        journey.surveyed = True

    # -- at length ------------------------------------------------------------------------------

    def _search(self, water: int, starts: int, ends: int, free: int) -> bool:
        """Return whether a way from `water` to `starts` leaves another one from there to `ends`."""
        near = self.index.near
        inner = free & ~(starts | ends)
        for first in places(starts & free & ~ends):
            for last in places(ends & free & ~(starts | near[first])):
                back = (inner | 1 << first) & ~near[last]
                onward = (inner | 1 << last) & ~near[first]
                if self._parted(water, 1 << first, 1 << last, back, onward):
                    return True
        return False

    def _parted(self, water: int, first: int, last: int, back: int, onward: int) -> bool:
        """Return whether a way from one water over the waters `back` to `first` leaves another one
        over the waters `onward` to `last`.

        Every way is tried, the shortest first, as long as there is hope. Ways that come to the same
        water and leave the same waters to both sides are one.
        """
        near, flood = self.index.near, self.index.flood
        here = 1 << water
        ways = [(water, back, onward)]
        seen = set(ways)
        for tip, back, onward in ways:
            further = back & ~near[tip]
            for beyond in places(near[tip] & back):
                step = 1 << beyond
                left = flood(here, onward & ~(step | near[beyond]))
                if not left & last:
                    continue
                if step == first:
                    return True
                hope = self._shortest(beyond, first, further)
                if hope < 0:
                    continue
                if flood(here, left & ~self._around(hope)) & last:
                    return True
                way = (beyond, flood(step, further), left)
                if way not in seen:
                    seen.add(way)
                    ways.append(way)
        return False
