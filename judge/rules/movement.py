"""The resolver of movement: decisions that wait for each other, and a way out of each circle.

The idea (DATC chapter 5)
-------------------------
Everything that can be in doubt is one of three decisions, each of which fails or succeeds:

- MOVE of a moving unit: does it arrive?
- SUPPORT of a supporting unit: is the support given, that is, not cut?
- CARRY of a convoying fleet: does it stay where it is? (the DATC's DISLODGE decision, turned round;
  an army's PATH decision follows from those of its fleets)

A decision is computed from others by the DATC's strengths: ATTACK, HOLD, PREVENT and DEFEND
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

The equations are all in `judge.rules.equations`.
"""

from __future__ import annotations

from collections.abc import Collection

from judge.rules.convoy_routes import ConvoyRoutes
from judge.rules.equations import FAILS, OPEN, SUCCEEDS, UNASKED, Decisions
from judge.rules.submission import BY_SEA, IF_OPEN


class Resolver(Decisions):
    """Resolves one submission; `state[d]` is what decision d came to.

    Decision u is the MOVE or SUPPORT of unit u (whichever it was ordered), decision `count + u` the
    CARRY of the convoying fleet u. `arrived` are the units whose moves succeed, `entered[place]` is
    the one that arrives there or -1, `driven_out` are the units that are dislodged.
    `weighed` are the moves that were not decided at a glance, among them all that fail although
    they were supported or went by sea. `paradoxes` are the fleets that the paradox rule silenced, a
    tuple for each paradox; `circles` the units of each circular movement that was stuck.
    """

    __slots__ = ()

    def resolve(self) -> None:
        """Make every decision there is to make."""
        state, supporting = self.state, self.sub.supporting
        self._cut_at_a_glance()
        behind = self._at_a_glance()
        for s in supporting:
            if state[s] == UNASKED:
                self._ask(s)
        for u in self.weighed:
            if state[u] == UNASKED:
                state[u] = OPEN
                state[u] = value = self._arrives(u)
                if value == OPEN:
                    self.open.append(u)
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
        for u in (*self.weighed, *behind):
            if state[u] == SUCCEEDS:
                self.arrived.append(u)
                self.entered[self.dest[u]] = u
                facing = self.at[self.dest[u]]
                if facing >= 0 and (self.dest[facing] < 0 or state[facing] != SUCCEEDS):
                    self.driven_out.append(facing)

    def _cut_at_a_glance(self) -> None:
        """Decide on the supporters of which it is plain whether they are cut."""
        state, arriving = self.state, self.arriving
        owner, where, aim, sails = self.owner, self.where, self.aim, self.sails
        for s in self.sub.supporting:
            # A supporter nobody comes to is not cut, but one that a unit walks to is, unless that
            # comes from where the support goes.
            came = arriving[where[s]]
            if came is None:
                state[s] = SUCCEEDS
            elif not self.weak:
                for a in came:
                    if owner[a] != owner[s] and where[a] != aim[s] and not sails[a]:
                        state[s] = FAILS

    def _at_a_glance(self) -> list[int]:
        """Decide the moves that need no asking. Returns the lone walkers that follow a unit which
        is moving too; the rest is to be weighed.

        A lone walker gets into a place that nobody holds or wants, and never beats a unit that
        stays, one that comes the other way, or another one that walks to the same place.
        """
        state, dest, where, at = self.state, self.dest, self.where, self.at
        sails, helpers, arriving, weighed = self.sails, self.helpers, self.arriving, self.weighed
        arrived, entered = self.arrived, self.entered
        behind: list[int] = []
        crowded = set(self.sub.crowded)
        for u in self.sub.moving:
            aim = dest[u]
            facing = at[aim]
            if facing < 0 and aim not in crowded and not sails[u]:
                state[u] = SUCCEEDS
                entered[aim] = u
                arrived.append(u)
            elif helpers[u] is not None or sails[u]:
                weighed.append(u)
            elif facing >= 0 and (
                (onward := dest[facing]) < 0 or (onward == where[u] and not sails[facing])
            ):
                state[u] = FAILS
            elif aim not in crowded:
                if onward == where[u]:
                    weighed.append(u)
                else:
                    behind.append(u)
            else:
                for rival in arriving[aim] or ():
                    if (
                        rival != u
                        and not sails[rival]
                        and rival not in self.weak
                        and (facing < 0 or onward != where[rival])
                    ):
                        state[u] = FAILS
                        break
                else:
                    weighed.append(u)
        return behind

    def dislodged(self, u: int) -> int:
        """Return the unit that dislodges u, or -1. To be asked when everything is decided."""
        if self.state[u] == SUCCEEDS and self.dest[u] >= 0:
            return -1
        return self.entered[self.where[u]]

    def by_sea(self, u: int) -> bool:
        """Return whether the move of u goes by sea. To be asked when everything is decided."""
        sails = self.sails[u]
        return sails == BY_SEA or (sails == IF_OPEN and self._path(u) == SUCCEEDS)

    def gets_there(self, u: int) -> bool:
        """Return whether a way is open for the move of u, by land or sea. For when all is
        decided."""
        return self.sails[u] != BY_SEA or self._path(u) == SUCCEEDS

    def had_route(self, u: int) -> bool:
        """Return whether the fleets ordered to carry u make up a route, before any is dislodged."""
        waters = self._waters(self.sub.fleets.get(u, ()))
        route = self.sub.routes.get(u)
        if route:
            return all(waters >> water & 1 for water in route)
        return self._linked(u, waters)

    def on_route(self, fleet: int, army: int) -> bool:
        """Return whether a fleet is part of a route that carries an army. For when all is
        decided."""
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
        """Return the PREVENT STRENGTH of a moving unit. For when all is decided."""
        facing = self.at[self.dest[u]]
        met = facing >= 0 and self.dest[facing] == self.where[u]
        if not met and self.helpers[u] is None and not self.sails[u]:
            return 0 if u in self.weak else 1
        leaves = FAILS if facing >= 0 and self.state[facing] != SUCCEEDS else SUCCEEDS
        return self._prevents(u, facing, leaves)[0]

    def would_win(self, u: int) -> bool:
        """Return whether a move against a unit of its own power would have been strong enough."""
        return self._strength(u, None)[0] > self.blocker(u)[1]

    def strength(self, u: int, foe: str | None) -> int:
        """Return one and the supports given to u, without those of power `foe`. When all is
        decided."""
        return self._strength(u, foe)[0]

    def attack(self, u: int) -> int:
        """Return the ATTACK STRENGTH of a move that gets there. For when all is decided."""
        facing = self.at[self.dest[u]]
        if facing < 0 or (self.dest[facing] >= 0 and self.state[facing] == SUCCEEDS):
            return self._strength(u, None)[0]
        return self._strength(u, self.owner[facing])[0]

    def head_on(self, u: int) -> bool:
        """Return whether a move meets the unit at its destination head to head. When all is
        decided."""
        facing = self.at[self.dest[u]]
        return (
            facing >= 0
            and self.dest[facing] == self.where[u]
            and self._head_on(u, facing) == SUCCEEDS
        )

    def defense(self, u: int, attacker: int) -> int:
        """HOLD or DEFEND STRENGTH of u against the move of `attacker`. When all is decided."""
        if self.dest[u] < 0 or self.head_on(attacker):
            return self._supported(u, None)[0]
        return -1 if self.state[u] == SUCCEEDS else 1

    def blocker(self, u: int) -> tuple[int, int]:
        """Return the strongest unit in the way of a move (-1: nobody) and its strength there."""
        best, most = -1, -1
        aim = self.dest[u]
        facing, rivals = self.at[aim], self.arriving[aim] or ()
        if facing >= 0:
            best = facing
            stays = self.dest[facing] < 0
            most = self._supported(facing, None)[0] if stays else self.defense(facing, u)
        if len(rivals) > 1:
            for rival in rivals:
                if rival != u and (strength := self.prevents(rival)) > most:
                    best, most = rival, strength
        return best, most

    def against_own(self, u: int) -> list[int]:
        """Return supports of a move that do not count, being against a unit of their own power."""
        facing = self.at[self.dest[u]]
        if facing < 0 or (self.dest[facing] >= 0 and self.state[facing] == SUCCEEDS):
            return []
        return [
            s
            for s in self.helpers[u] or ()
            if self.owner[s] == self.owner[facing] and self.state[s] == SUCCEEDS
        ]

    def cutters(self, s: int) -> list[int]:
        """Return the units whose attack undoes the support of s. For when all is decided."""
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
        """Return the consistent ways to answer a core, two of them at most.

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
