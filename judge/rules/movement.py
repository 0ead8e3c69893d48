"""The resolver of movement: decisions that wait for each other, and a way out of each circle.

The idea (DATC chapter 5)
-------------------------
Everything that can be in doubt is one of three decisions, each of which fails or succeeds:

- MOVE of a moving unit: does it arrive?
- SUPPORT of a supporting unit: is the support given, that is, not cut?
- CARRY of a convoying fleet: does it stay where it is? (the DATC's DISLODGE decision, turned round;
  an army's PATH decision follows from those of its fleets)

A decision is worked out from others by the DATC's strengths: ATTACK, HOLD, PREVENT and DEFEND
STRENGTH. While some of those others are open a strength is known only as a lowest and a highest
value, and often that is enough. So:

1. Each decision is asked for once and asks those it needs. Nearly always that answers everything.
2. What went round in a circle and is still open waits in a work list; a decision is looked at again
   when one it waited for is made (`_settle`).
3. When nothing moves any more, the open decisions that wait for each other and for nothing else are
   a core (a strongly connected component with no way out). Without a CARRY in it a core is a
   circular movement, and all its moves succeed. With one, every way to answer it consistently is
   looked for (`_answers`): a single answer is the answer, none or several make a paradox, and the
   paradox rule of the rulebook speaks (DATC 4.A.2, Szykman's: the fleets of the core do not carry).
   Then go on with 2.

The equations are all in `_arrives`, `_given`, `_stands`, `_path`, `_strength`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
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


class Resolver:
    """Resolves one submission; `state[d]` is what decision d came to.

    Decision u is the MOVE or SUPPORT of unit u (whichever it was ordered), decision `count + u` the
    CARRY of the convoying fleet u. `weighed` are the moves that were not decided at a glance, among
    them all that fail although they were supported or went by sea. `paradoxes` are the fleets that
    the paradox rule silenced, a tuple for each paradox; `circles` the units of each circular
    movement that was stuck.
    """

    __slots__ = (
        "aim",
        "arriving",
        "at",
        "carried",
        "circles",
        "count",
        "depth",
        "dest",
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
        self.state: list[int] = [UNASKED] * (2 * self.count)
        self.depth = 0
        self.open: list[int] = []
        self.needs: list[int] = []
        self.waiting: dict[int, list[int]] = {}
        self.wants: dict[int, list[int]] = {}
        self.weighed: list[int] = []
        self.wanted: dict[tuple[int, int], list[int]] = {}
        self.carried: dict[int, ConvoyRoutes] = {}
        self.paradoxes: list[tuple[int, ...]] = []
        self.circles: list[tuple[int, ...]] = []

    def resolve(self) -> None:
        """Make every decision there is to make."""
        state, arriving = self.state, self.arriving
        for s in self.sub.supporting:
            # A supporter nobody comes to is not cut.
            if arriving[self.where[s]] is None:
                state[s] = SUCCEEDS
        behind = self._at_a_glance()
        for s in self.sub.supporting:
            if state[s] == UNASKED:
                self._ask(s)
        for u in self.weighed:
            if state[u] == UNASKED:
                self._ask(u)
        for u in behind:
            # A lone walker gets where another unit stands exactly when that one leaves.
            if state[u] == UNASKED:
                leaves = self._ask(self.at[self.dest[u]])
                if leaves < OPEN:
                    state[u] = leaves
                else:
                    self._ask(u)
        for f in self.sub.convoying:
            if state[self.count + f] == UNASKED:
                self._ask(self.count + f)
        if self.open:
            self._settle(self.open)
            while self.open:
                self._settle(self._untangle())

    def _at_a_glance(self) -> list[int]:
        """Decide the moves that need no asking. Returns the lone walkers that follow a unit which
        is moving too; the rest is to be weighed.

        A lone walker gets into a place that nobody holds or wants, and never beats a unit that
        stays, one that comes the other way, or another one that walks to the same place.
        """
        state, dest, where, at = self.state, self.dest, self.where, self.at
        sails, helpers, arriving, weighed = self.sails, self.helpers, self.arriving, self.weighed
        behind: list[int] = []
        crowded = set(self.sub.crowded)
        for u in self.sub.moving:
            aim = dest[u]
            facing = at[aim]
            if helpers[u] is not None or sails[u]:
                if facing < 0 and aim not in crowded and not sails[u]:
                    state[u] = SUCCEEDS
                else:
                    weighed.append(u)
            elif facing >= 0 and (
                dest[facing] < 0 or (dest[facing] == where[u] and not sails[facing])
            ):
                state[u] = FAILS
            elif aim not in crowded:
                if facing < 0:
                    state[u] = SUCCEEDS
                elif dest[facing] == where[u]:
                    weighed.append(u)
                else:
                    behind.append(u)
            else:
                for rival in arriving[aim] or ():
                    if (
                        rival != u
                        and not sails[rival]
                        and (facing < 0 or dest[facing] != where[rival])
                    ):
                        state[u] = FAILS
                        break
                else:
                    weighed.append(u)
        return behind

    def dislodged(self, u: int) -> int:
        """The unit that dislodges u, or -1. To be asked when everything is decided."""
        if self.state[u] == SUCCEEDS and self.dest[u] >= 0:
            return -1
        for attacker in self.arriving[self.where[u]] or ():
            if self.state[attacker] == SUCCEEDS:
                return attacker
        return -1

    def by_sea(self, u: int) -> bool:
        """Whether the move of u goes by sea. To be asked when everything is decided."""
        sails = self.sails[u]
        return sails == BY_SEA or (sails == IF_OPEN and self._path(u) == SUCCEEDS)

    def gets_there(self, u: int) -> bool:
        """Whether a way is open for the move of u, by land or sea. For when all is decided."""
        return self.sails[u] != BY_SEA or self._path(u) == SUCCEEDS

    def had_route(self, u: int) -> bool:
        """Whether the fleets ordered to carry u make up a route, before any is dislodged."""
        waters = self._waters(self.sub.fleets.get(u, ()))
        route = self.sub.routes.get(u)
        if route:
            return all(waters >> water & 1 for water in route)
        return self._linked(u, waters)

    def on_route(self, fleet: int, army: int) -> bool:
        """Whether a fleet is part of a route that carries an army. For when all is decided."""
        route = self.sub.routes.get(army)
        if route:
            return self.where[fleet] in route
        convoy_routes = self.carried.get(army)
        if convoy_routes is None:
            state, count = self.state, self.count
            carrying = [f for f in self.sub.fleets.get(army, ()) if state[count + f] == SUCCEEDS]
            convoy_routes = ConvoyRoutes(self.sub.planner.index, self._waters(carrying))
            self.carried[army] = convoy_routes
        return convoy_routes.needed(self.where[fleet], self.where[army], self.dest[army])

    def prevents(self, u: int) -> int:
        """The PREVENT STRENGTH of a moving unit. For when all is decided."""
        facing = self.at[self.dest[u]]
        leaves = FAILS if facing >= 0 and self.state[facing] != SUCCEEDS else SUCCEEDS
        return self._prevents(u, facing, leaves)[0]

    def would_win(self, u: int) -> bool:
        """Whether a move against a unit of its own power would have been strong enough."""
        return self._strength(u, None)[0] > self.blocker(u)[1]

    def strength(self, u: int, foe: str | None) -> int:
        """One and the supports given to u, without those of power `foe`. When all is decided."""
        return self._strength(u, foe)[0]

    def attack(self, u: int) -> int:
        """The ATTACK STRENGTH of a move that gets there. For when all is decided."""
        facing = self.at[self.dest[u]]
        if facing < 0 or (self.dest[facing] >= 0 and self.state[facing] == SUCCEEDS):
            return self._strength(u, None)[0]
        return self._strength(u, self.owner[facing])[0]

    def head_on(self, u: int) -> bool:
        """Whether a move meets the unit at its destination head to head. When all is decided."""
        facing = self.at[self.dest[u]]
        return (
            facing >= 0
            and self.dest[facing] == self.where[u]
            and self._head_on(u, facing) == SUCCEEDS
        )

    def defense(self, u: int, attacker: int) -> int:
        """HOLD or DEFEND STRENGTH of u against the move of `attacker`. When all is decided."""
        if self.dest[u] < 0 or self.head_on(attacker):
            return self._strength(u, None)[0]
        return 0 if self.state[u] == SUCCEEDS else 1

    def blocker(self, u: int) -> tuple[int, int]:
        """The strongest unit in the way of a move (-1: nobody) and its strength there."""
        best, most = -1, 0
        facing = self.at[self.dest[u]]
        if facing >= 0:
            best, most = facing, self.defense(facing, u)
        for rival in self.arriving[self.dest[u]] or ():
            if rival != u and (strength := self.prevents(rival)) > most:
                best, most = rival, strength
        return best, most

    def against_own(self, u: int) -> list[int]:
        """The supports of a move that do not count, being against a unit of their own power."""
        facing = self.at[self.dest[u]]
        if facing < 0 or (self.dest[facing] >= 0 and self.state[facing] == SUCCEEDS):
            return []
        return [
            s
            for s in self.helpers[u] or ()
            if self.owner[s] == self.owner[facing] and self.state[s] == SUCCEEDS
        ]

    def cutters(self, s: int) -> list[int]:
        """The units whose attack undoes the support of s. For when all is decided."""
        return [
            a
            for a in self.arriving[self.where[s]] or ()
            if self.owner[a] != self.owner[s] and self._cuts(s, a) == SUCCEEDS
        ]

    def spared(self, s: int) -> list[int]:
        """Armies that landed at a supporter's without cutting it, thanks to the paradox rule."""
        return [
            a
            for a in self.arriving[self.where[s]] or ()
            if self.owner[a] != self.owner[s]
            and self.where[a] != self.aim[s]
            and self.by_sea(a)
            and self.gets_there(a)
            and self._cuts(s, a) == FAILS
        ]

    # -- asking -------------------------------------------------------------------------------

    def _ask(self, d: int) -> int:
        """The value of decision d, worked out when it is asked for the first time."""
        state = self.state
        value = state[d]
        if value < OPEN:
            return value
        if value == OPEN:
            self.needs.append(d)
            return OPEN
        state[d] = value = OPEN
        if self.depth < DEEPEST:
            self.depth += 1
            if d >= self.count:
                value = self._stands(d - self.count)
            else:
                value = self._arrives(d) if self.dest[d] >= 0 else self._given(d)
            self.depth -= 1
        # else it is left to the work list, so that no chain of moves is too long.
        state[d] = value
        if value == OPEN:
            self.open.append(d)
            self.needs.append(d)
        return value

    def _work_out(self, d: int) -> int:
        if d >= self.count:
            return self._stands(d - self.count)
        return self._arrives(d) if self.dest[d] >= 0 else self._given(d)

    # -- the equations ------------------------------------------------------------------------

    def _strength(self, u: int, foe: str | None) -> tuple[int, int]:
        """Lowest and highest strength of u with its supports, without those of power `foe`.

        A power's supports never help against its own unit (rule 12, DATC 5.B.8).
        """
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
        facing = self.at[self.dest[u]]
        if facing < 0 or self.dest[facing] != self.where[u]:
            head_on = FAILS
        else:
            head_on = self._head_on(u, facing)
        # Where it is open whether the units meet, or whether the other one leaves, both are tried.
        if head_on == OPEN:
            met = self._outcome(u, facing, FAILS, True)
            passed = self._outcome(u, facing, self._ask(facing), False)
            result = met if met == passed else OPEN
        elif head_on == SUCCEEDS:
            result = self._outcome(u, facing, FAILS, True)
        elif facing < 0:
            result = self._outcome(u, facing, SUCCEEDS, False)
        elif self.dest[facing] < 0:
            result = self._outcome(u, facing, FAILS, False)
        else:
            leaves = self.state[facing]
            if leaves >= OPEN:
                leaves = self._ask(facing)
            result = self._outcome(u, facing, leaves, False)
        if path == OPEN and sails == BY_SEA and result == SUCCEEDS:
            return OPEN
        return result

    def _head_on(self, u: int, other: int) -> int:
        """Whether two units bound for each other's province meet, neither being at sea."""
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
        against_low = against_high = 0
        if leaves == SUCCEEDS:
            low, high = self._strength(u, None)
        else:
            owner = self.owner
            if owner[facing] == owner[u]:
                return FAILS
            low, high = self._strength(u, owner[facing])
            if head_on or self.dest[facing] < 0:
                # DEFEND STRENGTH (5.B.6) or HOLD STRENGTH (5.B.5) with its supports.
                against_low, against_high = self._strength(facing, None)
            else:
                # A unit that wanted to leave holds with 1; nobody can support it.
                against_low = against_high = 1
        if high <= against_low:
            return FAILS
        rivals = self.arriving[self.dest[u]]
        assert rivals is not None
        if len(rivals) > 1:
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
        """PREVENT STRENGTH (DATC 5.B.7) of a unit bound for the province where `facing` stands."""
        low, high = self._strength(rival, None)
        if self.sails[rival] == BY_SEA:
            path = self._path(rival)
            if path == FAILS:
                return 0, 0
            if path == OPEN:
                low = 0
        if leaves == SUCCEEDS and facing >= 0 and self.dest[facing] == self.where[rival]:
            beaten = self._beaten(rival, facing)
            if beaten == SUCCEEDS:
                return 0, 0
            if beaten == OPEN:
                low = 0
        return low, high

    def _beaten(self, rival: int, facing: int) -> int:
        """Whether a rival is dislodged from where it wants to go, and so has no effect there.

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
        """Whether the attack of a on the supporter s undoes the support."""
        sails = self.sails[a]
        if sails == LAND:
            return SUCCEEDS if self.where[a] != self.aim[s] else self._ask(a)
        path = self._path(a)
        if path == FAILS and sails == BY_SEA:
            return FAILS
        landing = FAILS if path == FAILS else self._cuts_by_sea(s, a)
        if path == SUCCEEDS:
            return landing
        walking = FAILS
        if sails == IF_OPEN:
            walking = SUCCEEDS if self.where[a] != self.aim[s] else self._ask(a)
        return walking if path == FAILS or walking == landing else OPEN

    def _cuts_by_sea(self, s: int, army: int) -> int:
        """The same for an army that comes by sea and gets there."""
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
        """Whether the rules of 1971 or 1982 keep a landing army from undoing this support at all.

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
        """The waters where these fleets stand."""
        waters = 0
        for f in fleets:
            waters |= 1 << self.where[f]
        return waters

    def _linked(self, army: int, waters: int) -> bool:
        return self.sub.planner.index.connected(self.where[army], self.dest[army], waters)

    # -- when decisions wait for each other -----------------------------------------------------

    def _settle(self, candidates: Collection[int]) -> None:
        """Look at open decisions again until none of them can be made."""
        state, waiting = self.state, self.waiting
        ahead = list(candidates)
        while ahead:
            d = ahead.pop()
            if state[d] != OPEN:
                continue
            self.needs = []
            known = len(self.open)
            value = self._work_out(d)
            ahead.extend(self.open[known:])
            if value != OPEN:
                state[d] = value
                ahead.extend(waiting.pop(d, ()))
            else:
                self.wants[d] = self.needs
                for need in self.needs:
                    waiters = waiting.setdefault(need, [])
                    if d not in waiters:
                        waiters.append(d)
        self.open = [d for d in self.open if state[d] == OPEN]

    def _untangle(self) -> list[int]:
        """Answer one core: a circular movement, a knot with one answer, or a paradox.

        Returns the decisions that waited for what was decided.
        """
        core = self._core()
        state, count = self.state, self.count
        fleets = [d for d in core if d >= count]
        if not fleets:
            self.circles.append(tuple(sorted(core)))
            for d in core:
                state[d] = SUCCEEDS
        else:
            answers = self._answers(core, fleets)
            if len(answers) == 1:
                for d, value in zip(core, answers[0], strict=True):
                    state[d] = value
            else:
                self.paradoxes.append(tuple(sorted(d - count for d in fleets)))
                if self.rules.paradox == "d":
                    # All moves of the paradox fail.
                    for d in core:
                        if d < count and self.dest[d] >= 0:
                            state[d] = FAILS
                else:
                    # Szykman's rule (4.A.2 f), also where 1971, 1982 and 2023 give no answer.
                    for d in fleets:
                        state[d] = FAILS
        return [w for d in core if state[d] != OPEN for w in self.waiting.pop(d, ())]

    def _core(self) -> list[int]:
        """Open decisions that wait for each other and for no others (Tarjan's algorithm)."""
        wanted = {
            d: [need for need in self.wants[d] if self.state[need] == OPEN] for d in self.open
        }
        start = self.open[0]
        number = {start: 0}
        lowest = {start: 0}
        stack = [start]
        path = [(start, iter(wanted[start]))]
        while True:
            d, rest = path[-1]
            need = next(rest, None)
            if need is None:
                if lowest[d] == number[d]:
                    # The first component to be complete has no way out.
                    return sorted(stack[stack.index(d) :])
                path.pop()
                above = path[-1][0]
                lowest[above] = min(lowest[above], lowest[d])
            elif need not in number:
                number[need] = lowest[need] = len(number)
                stack.append(need)
                path.append((need, iter(wanted[need])))
            else:
                lowest[d] = min(lowest[d], number[need])

    def _answers(self, core: list[int], fleets: list[int]) -> list[list[int]]:
        """The consistent ways to answer a core, two of them at most.

        Only the fleets are guessed; each guess is followed to its consequences before the next one
        is made, and given up as soon as it contradicts itself.
        """
        state = self.state
        found: list[list[int]] = []
        members = set(core)

        def consequences(changed: Collection[int]) -> None:
            ahead = [w for d in changed for w in self.waiting.get(d, ()) if w in members]
            while ahead:
                d = ahead.pop()
                if state[d] == OPEN:
                    value = self._work_out(d)
                    if value != OPEN:
                        state[d] = value
                        ahead.extend(w for w in self.waiting.get(d, ()) if w in members)

        def guess(assumed: tuple[int, ...]) -> None:
            for d in assumed:
                value = self._work_out(d)
                if value != OPEN and value != state[d]:
                    return
            unsure = next((d for d in fleets if state[d] == OPEN), None)
            if unsure is None:
                turning = [d for d in core if state[d] == OPEN]
                if turning:
                    # What is left is circular movement.
                    for d in turning:
                        state[d] = SUCCEEDS
                    if any(self._work_out(d) != state[d] for d in core):
                        return
                found.append([state[d] for d in core])
                return
            before = [(d, state[d]) for d in core]
            for value in (FAILS, SUCCEEDS):
                state[unsure] = value
                consequences((unsure,))
                guess((*assumed, unsure))
                for d, old in before:
                    state[d] = old
                if len(found) > 1:
                    return

        guess(())
        return found
