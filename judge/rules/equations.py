"""The decisions of a movement phase and the equations that make them (DATC chapter 5).

See `judge.rules.movement` for the idea.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from judge.rules.convoy_routes import ConvoyRoutes
from judge.rules.planner import AID
from judge.rules.submission import BY_SEA, IF_OPEN, LAND, Submission

FAILS: Final = 0
SUCCEEDS: Final = 1
OPEN: Final = 2
"""Asked for, but it depends on decisions that are open too."""
UNASKED: Final = 3

DEEPEST: Final = 40
"""How many decisions are asked for within each other before the work list takes over."""


class Decisions:
    """The decisions of one submission; `state[d]` is what decision d came to.

    Decision u is the MOVE or SUPPORT of unit u (whichever it was ordered), decision `count + u` the
    CARRY of the convoying fleet u.
    """

    __slots__ = (
        "aim",
        "arrived",
        "arriving",
        "at",
        "carried",
        "circles",
        "count",
        "depth",
        "dest",
        "driven_out",
        "entered",
        "helpers",
        "needs",
        "open",
        "owner",
        "paradoxes",
        "rules",
        "sails",
        "state",
        "sub",
        "waiting",
        "wanted",
        "wants",
        "weak",
        "weighed",
        "where",
    )

    def __init__(self, sub: Submission) -> None:
        self.sub = sub
        self.rules = sub.planner.rulebook
        self.count = len(sub.units)
        self.at = sub.at
        self.where = sub.where
        self.owner = sub.owner
        self.dest = sub.dest
        self.aim = sub.aim
        self.sails = sub.sails
        self.arriving = sub.arriving
        self.helpers = sub.helpers
        pairs, crossing = sub.planner.index.weak, list[int]()
        if pairs:
            crossing = [u for u in sub.moving if (self.where[u], self.dest[u]) in pairs]
        self.weak = crossing
        """The units that cross a weak border, or do so when their convoy fails."""
        self.state: list[int] = [UNASKED] * (2 * self.count)
        self.depth = 0
        self.open: list[int] = []
        self.needs: list[int] = []
        self.waiting: dict[int, list[int]] = {}
        self.wants: dict[int, list[int]] = {}
        self.weighed: list[int] = []
        self.arrived: list[int] = []
        self.driven_out: list[int] = []
        self.entered = [-1] * len(self.at)
        self.wanted: dict[tuple[int, int], list[int]] = {}
        self.carried: dict[int, ConvoyRoutes] = {}
        self.paradoxes: list[tuple[int, ...]] = []
        self.circles: list[tuple[int, ...]] = []

    # -- asking -------------------------------------------------------------------------------

    def _ask(self, d: int) -> int:
        """Return the value of decision d, computed when it is asked for the first time."""
        state = self.state
        value = state[d]
        if value == UNASKED:
            state[d] = value = OPEN
            if (depth := self.depth) < DEEPEST:
                self.depth = depth + 1
                if d >= self.count:
                    value = self._stands(d - self.count)
                else:
                    value = self._arrives(d) if self.dest[d] >= 0 else self._given(d)
                state[d], self.depth = value, depth
            # else it is left to the work list, so that no chain of moves is too long.
            if value == OPEN:
                self.open.append(d)
        if value == OPEN:
            self.needs.append(d)
        return value

    def _work_out(self, d: int) -> int:
        if d >= self.count:
            return self._stands(d - self.count)
        return self._arrives(d) if self.dest[d] >= 0 else self._given(d)

    # -- the equations ------------------------------------------------------------------------

    def _strength(self, u: int, foe: str | None) -> tuple[int, int]:
        """Lowest and highest strength of u with its supports, without those of power `foe`.

        A power's supports never help against its own unit (rule 12, DATC 5.B.8). Who crosses a weak
        border has none of its own.
        """
        low, high = (1, 1) if self.helpers[u] is None else self._supported(u, foe)
        if self.weak and u in self.weak:
            sails = self.sails[u]
            path = FAILS if sails == LAND else self._path(u)
            if sails == BY_SEA or path == SUCCEEDS:
                return low, high
            return low - 1, high - (path == FAILS)
        return low, high

    def _supported(self, u: int, foe: str | None) -> tuple[int, int]:
        """Return strength of u where it stands: one, and its supports without those of `foe`."""
        helpers = self.helpers[u]
        if helpers is None:
            return 1, 1
        low = high = 1
        state, owner = self.state, self.owner
        for s in helpers:
            if owner[s] != foe:
                given = state[s]
                if given >= OPEN:
                    given = self._ask(s)
                if given == SUCCEEDS:
                    low += 1
                    high += 1
                elif given == OPEN:
                    high += 1
        return low, high

    def _arrives(self, u: int) -> int:
        """MOVE (DATC 5.B.1): ATTACK STRENGTH against what stands there and who else wants in."""
        sails = self.sails[u]
        path = SUCCEEDS
        if sails:
            path = self._path(u)
            if path == FAILS and sails == BY_SEA:
                return FAILS
        dest = self.dest
        facing = self.at[dest[u]]
        if facing < 0:
            result = self._outcome(u, facing, SUCCEEDS, False)
        elif (onward := dest[facing]) < 0:
            result = self._outcome(u, facing, FAILS, False)
        elif onward != self.where[u] or (head_on := self._head_on(u, facing)) == FAILS:
            result = self._outcome(u, facing, self._ask(facing), False)
        else:
            result = self._outcome(u, facing, FAILS, True)
            # Where it is open whether the units meet, both are tried.
            if head_on == OPEN and result != self._outcome(u, facing, self._ask(facing), False):
                result = OPEN
        if sails and path == OPEN and sails == BY_SEA and result == SUCCEEDS:
            return OPEN
        return result

    def _head_on(self, u: int, other: int) -> int:
        """Return whether two units bound for each other's province meet, neither being at sea."""
        met = SUCCEEDS
        for unit in (u, other):
            sails = self.sails[unit]
            if sails == BY_SEA:
                return FAILS
            if sails == IF_OPEN:
                path = self._path(unit)
                if path == SUCCEEDS:
                    return FAILS
                if path == OPEN:
                    met = OPEN
        return met

    def _outcome(self, u: int, facing: int, leaves: int, head_on: bool) -> int:
        """MOVE of a unit that gets to its destination, where `facing` stands and perhaps leaves."""
        if leaves == OPEN:
            gone = self._outcome(u, facing, SUCCEEDS, head_on)
            stayed = self._outcome(u, facing, FAILS, head_on)
            return gone if gone == stayed else OPEN
        rivals = self.arriving[self.dest[u]]
        assert rivals is not None
        # Nobody in the way is less than a unit that crosses a weak border without support.
        against_low = against_high = -1
        if leaves == SUCCEEDS:
            if len(rivals) == 1:
                return SUCCEEDS
            low, high = self._strength(u, None)
        else:
            owner = self.owner
            if owner[facing] == owner[u]:
                return FAILS
            low, high = self._strength(u, owner[facing])
            if head_on or self.dest[facing] < 0:
                # DEFEND STRENGTH (5.B.6) or HOLD STRENGTH (5.B.5) with its supports.
                against_low, against_high = self._supported(facing, None)
            else:
                # A unit that wanted to leave holds with 1; nobody can support it.
                against_low = against_high = 1
        if high <= against_low:
            return FAILS
        if len(rivals) == 1:
            return SUCCEEDS if low > against_high else OPEN
        for rival in rivals:
            if rival != u:
                rival_low, rival_high = self._prevents(rival, facing, leaves)
                if rival_low > against_low:
                    if high <= rival_low:
                        return FAILS
                    against_low = rival_low
                if rival_high > against_high:
                    against_high = rival_high
        return SUCCEEDS if low > against_high else OPEN

    def _prevents(self, rival: int, facing: int, leaves: int) -> tuple[int, int]:
        """PREVENT STRENGTH (DATC 5.B.7) of a unit bound for the province where `facing` stands; -1
        where it has no effect at all."""
        low, high = self._strength(rival, None)
        if self.sails[rival] == BY_SEA:
            path = self._path(rival)
            if path == FAILS:
                return -1, -1
            if path == OPEN:
                low = -1
        if leaves == SUCCEEDS and facing >= 0 and self.dest[facing] == self.where[rival]:
            beaten = self._beaten(rival, facing)
            if beaten == SUCCEEDS:
                return -1, -1
            if beaten == OPEN:
                low = -1
        return low, high

    def _beaten(self, rival: int, facing: int) -> int:
        """Return whether a rival is dislodged from where it wants to go, and so has no effect
        there.

        `facing` arrives at the rival's province; that dislodges the rival when the two met head to
        head, and under 4.A.7 a also when they passed each other by sea and the rival stays.
        """
        head_on = self._head_on(rival, facing)
        if head_on == SUCCEEDS or self.rules.dislodged_effect == "b":
            return head_on
        arrived = self._ask(rival)
        if arrived == OPEN:
            return OPEN
        return head_on if arrived == SUCCEEDS else SUCCEEDS

    def _given(self, s: int) -> int:
        """SUPPORT (DATC 5.B.4): not attacked from elsewhere, not dislodged from where it aims."""
        value = SUCCEEDS
        owner = self.owner
        for a in self.arriving[self.where[s]] or ():
            if owner[a] != owner[s]:
                cut = self._cuts(s, a)
                if cut == SUCCEEDS:
                    return FAILS
                if cut == OPEN:
                    value = OPEN
        return value

    def _cuts(self, s: int, a: int) -> int:
        """Return whether the attack of a on the supporter s undoes the support."""
        sails = self.sails[a]
        if sails == LAND:
            return self._cuts_by_land(s, a)
        path = self._path(a)
        if path == FAILS and sails == BY_SEA:
            return FAILS
        landing = FAILS if path == FAILS else self._cuts_by_sea(s, a)
        if path == SUCCEEDS:
            return landing
        walking = FAILS
        if sails == IF_OPEN:
            walking = self._cuts_by_land(s, a)
        return walking if path == FAILS or walking == landing else OPEN

    def _cuts_by_land(self, s: int, a: int) -> int:
        """Return the same for a unit that walks; across a weak border it needs support to have an
        effect, and a support order that fits will do, cut or not."""
        if self.helpers[a] is None and a in self.weak:
            return FAILS
        return SUCCEEDS if self.where[a] != self.aim[s] else self._ask(a)

    def _cuts_by_sea(self, s: int, army: int) -> int:
        """Return the same for an army that comes by sea and gets there."""
        paradox = self.rules.paradox
        if paradox in "ab" and self._sheltered(s, army, paradox):
            return FAILS
        if paradox == "c":
            # Cut only if the army does not need the fleet that the support is aimed against.
            plan = self.sub.plans[s]
            inside = self.at[self.aim[s]]
            if plan is not None and plan.kind == AID and inside in self.sub.fleets[army]:
                return self._path(army, inside)
        if self.where[army] != self.aim[s] or self.rules.cut_by_sea == "b":
            return SUCCEEDS
        return self._ask(army)

    def _sheltered(self, s: int, army: int, paradox: str) -> bool:
        """Return whether the rules of 1971 or 1982 keep a landing army from undoing this support at
        all.

        4.A.2 a: a fleet's support of an attack on a fleet that convoys this army.
        4.A.2 b: a fleet's support into a water that holds any convoying fleet.
        """
        if not self.sub.planner.kind(self.sub.units[s]).afloat:
            return False
        inside = self.at[self.aim[s]]
        if paradox == "b":
            return inside in self.sub.convoying
        plan = self.sub.plans[s]
        return plan is not None and plan.kind == AID and inside in self.sub.fleets[army]

    def _stands(self, fleet: int) -> int:
        """CARRY: no unit enters the water of the convoying fleet (DATC 5.B.2)."""
        value = SUCCEEDS
        for a in self.arriving[self.where[fleet]] or ():
            enters = self._ask(a)
            if enters == SUCCEEDS:
                return FAILS
            if enters == OPEN:
                value = OPEN
        return value

    def _path(self, army: int, without: int = -1) -> int:
        """PATH of an army at sea (DATC 5.B.3): a chain of carrying fleets (`without` one)."""
        fleets = self.sub.fleets.get(army)
        if not fleets:
            return FAILS
        route = self.sub.routes.get(army)
        if route:
            return self._path_named(fleets, route, without)
        if self.rules.routes_lost == "a":
            return self._path_1971(army, fleets, without)
        where, count = self.where, self.count
        sure = hoped = 0
        for f in fleets:
            if f != without:
                carries = self._ask(count + f)
                if carries == SUCCEEDS:
                    sure |= 1 << where[f]
                elif carries == OPEN:
                    hoped |= 1 << where[f]
        if self._linked(army, sure):
            return SUCCEEDS
        return OPEN if hoped and self._linked(army, sure | hoped) else FAILS

    def _path_named(self, fleets: list[int], route: tuple[int, ...], without: int) -> int:
        """4.A.6 b and c: all waters named have to be open, and no others count."""
        value = SUCCEEDS
        for water in route:
            f = self.at[water]
            carries = FAILS if f not in fleets or f == without else self._ask(self.count + f)
            if carries == FAILS:
                return FAILS
            if carries == OPEN:
                value = OPEN
        return value

    def _path_1971(self, army: int, fleets: list[int], without: int) -> int:
        """4.A.1 a: every fleet on a route ordered has to stand."""
        known = self.wanted.get((army, without))
        if known is None:
            waters = self._waters(f for f in fleets if f != without)
            needed = ConvoyRoutes(self.sub.planner.index, waters).needed
            ends = self.where[army], self.dest[army]
            known = [f for f in fleets if f != without and needed(self.where[f], *ends)]
            self.wanted[army, without] = known
        value = SUCCEEDS if known else FAILS
        for f in known:
            carries = self._ask(self.count + f)
            if carries == FAILS:
                return FAILS
            if carries == OPEN:
                value = OPEN
        return value

    def _waters(self, fleets: Iterable[int]) -> int:
        """Return the waters where these fleets stand."""
        waters = 0
        for f in fleets:
            waters |= 1 << self.where[f]
        return waters

    def _linked(self, army: int, waters: int) -> bool:
        return self.sub.planner.index.connected(self.where[army], self.dest[army], waters)
