"""What became of each order of a movement phase, read off the resolver's decisions.

Nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Final

from judge.rules import outcome as outcomes
from judge.rules.equations import SUCCEEDS
from judge.rules.modules.bombs import Mission, Strikes
from judge.rules.movement import Resolver
from judge.rules.orders import Move, Order, Relay, Support
from judge.rules.planner import BOMB, CONVOY, SUPPORT, Plan
from judge.rules.submission import BY_SEA, LAND, Fate, Submission

_MOVED: Final = outcomes.Moved()
_HELD: Final = outcomes.Held()

# The same things happen again and again, and making a value anew costs more than finding it.
_bounced: Final = lru_cache(maxsize=8192)(outcomes.Bounced)
_supported: Final = lru_cache(maxsize=8192)(outcomes.Supported)
_held: Final = lru_cache(maxsize=8192)(outcomes.Held)


class Reasons:
    """The outcomes of one movement phase; units and orders are those of its submission."""

    __slots__ = ("_pieces", "resolver", "strikes", "sub")

    def __init__(self, sub: Submission, resolver: Resolver, strikes: Strikes | None = None) -> None:
        self.sub = sub
        self.resolver = resolver
        self.strikes = strikes
        self._pieces: dict[int, outcomes.Piece] = {}

    def outcome(self, number: int) -> outcomes.Outcome:
        """Return what became of an entry of the submission, or of the unit -1 - `number`."""
        sub, strikes = self.sub, self.strikes
        fate = sub.fates.get(number) if sub.fates else None
        if number < 0:
            u = -1 - number
        elif fate is None:
            u = sub.whom[number]
        else:
            u = sub.meant(number)
            if sub.whom[number] < 0:
                # Another order was followed, and what befell the unit is told there.
                return self._fated(fate, u, number)
        made = self._followed(u) if fate is None else self._fated(fate, u, number)
        if sub.arriving[sub.where[u]] is None and strikes is None:
            # Nobody came that could have dislodged it.
            return made
        dislodged = self.fall(u)
        destroyed = None if strikes is None else strikes.lost.get(u)
        if dislodged is None and destroyed is None:
            return made
        lost_with = None if destroyed is None else sub.name(destroyed)
        return replace(made, dislodged=dislodged, destroyed=lost_with)

    def piece(self, u: int) -> outcomes.Piece:
        """Return unit u as outcomes name it."""
        known = self._pieces.get(u)
        if known is None:
            sub = self.sub
            known = self._pieces[u] = outcomes.Piece(sub.owner[u], sub.units[u], sub.dest[u] >= 0)
        return known

    def pieces(self, units: Iterable[int]) -> tuple[outcomes.Piece, ...]:
        """Return several units as outcomes name them."""
        return tuple(map(self.piece, units))

    def fall(self, u: int) -> outcomes.Dislodgement | None:
        """Return how unit u was dislodged; None when it was not."""
        attacker = self.resolver.dislodged(u)
        if attacker < 0:
            return None
        attack, defense = self.resolver.attack(attacker), self.resolver.defense(u, attacker)
        return outcomes.Dislodgement(self.piece(attacker), attack, defense)

    def why_not_moved(self, u: int) -> outcomes.Reason:
        """Return the reason of a move that failed."""
        sub, resolver = self.sub, self.resolver
        if sub.sails[u] == BY_SEA and not resolver.gets_there(u):
            if self.resolver.had_route(u):
                return outcomes.Reason.CONVOY_DISRUPTED
            return outcomes.Reason.NO_CONVOY
        facing = sub.at[sub.dest[u]]
        if facing < 0 or sub.owner[facing] != sub.owner[u] or sub.helpers[u] is None:
            return outcomes.Reason.BOUNCED
        if sub.dest[facing] >= 0 and resolver.state[facing] == SUCCEEDS:
            return outcomes.Reason.BOUNCED
        return outcomes.Reason.OWN_UNIT if resolver.would_win(u) else outcomes.Reason.BOUNCED

    def silenced(self, u: int) -> bool:
        """Whether the paradox rule keeps the convoying fleet u from carrying."""
        return any(u in fleets for fleets in self.resolver.paradoxes)

    # -- kinds of orders ----------------------------------------------------------------------

    def _fated(self, fate: Fate, u: int, number: int) -> outcomes.Outcome:
        """Return what became of an order that came to nothing before anything was resolved."""
        if fate.why is None:
            return self._unmatched(u)
        if isinstance(fate.why, outcomes.Superseded):
            return fate.why
        return outcomes.Void(fate.why, self._reach(u, self.sub.orders[number]) if u >= 0 else ())

    def _followed(self, u: int) -> outcomes.Outcome:
        """Return what became of the order that u followed, or of u without one."""
        sub = self.sub
        if sub.dest[u] >= 0:
            return self._moved(u) if self.resolver.state[u] == SUCCEEDS else self._stayed(u)
        if sub.aim[u] >= 0:
            return self._support(u)
        plan = sub.plans[u]
        if plan is not None and plan.kind == CONVOY:
            return self._convoy(u, plan)
        if plan is not None and plan.kind == BOMB and self.strikes is not None:
            return self._bomb(u, plan, self.strikes.of.get(u))
        arriving = sub.arriving[sub.where[u]]
        if arriving is None or self.resolver.dislodged(u) >= 0:
            return _HELD
        return _held(self.pieces(filter(self.resolver.gets_there, arriving)))

    def _moved(self, u: int) -> outcomes.Outcome:
        resolver, sub = self.resolver, self.sub
        facing = sub.at[sub.dest[u]]
        rivals = sub.arriving[sub.dest[u]] or ()
        if facing < 0 and not sub.sails[u] and len(rivals) == 1:
            return _MOVED
        by_sea = resolver.by_sea(u)
        if facing >= 0 and resolver.dislodged(facing) == u:
            attack, defense = resolver.attack(u), resolver.defense(facing, u)
            return outcomes.DroveOut(self.piece(facing), attack, defense, by_sea)
        beaten = [
            v for v in rivals if v != u and resolver.gets_there(v) and resolver.prevents(v) >= 0
        ]
        if beaten:
            most = max(map(resolver.prevents, beaten))
            return outcomes.GotAhead(self.pieces(beaten), resolver.attack(u), most, by_sea)
        circle = next((circle for circle in resolver.circles if u in circle), ())
        if len(circle) == 2:
            return outcomes.ChangedPlaces(self.piece(facing), by_sea)
        return outcomes.Moved(by_sea, bool(circle))

    def _stayed(self, u: int) -> outcomes.Outcome:
        """Return why a move failed."""
        sub, resolver = self.sub, self.resolver
        facing = sub.at[sub.dest[u]]
        stuck = facing >= 0 and sub.dest[facing] >= 0
        attack, uncounted = int(u not in resolver.weak), None
        if sub.helpers[u] is not None or sub.sails[u]:
            reason = self.why_not_moved(u)
            if reason is outcomes.Reason.NO_CONVOY:
                return outcomes.NoConvoy(self.pieces(sub.fleets.get(u, ())))
            if reason is outcomes.Reason.CONVOY_DISRUPTED:
                fallen = [(f, self.fall(f)) for f in sub.fleets.get(u, ())]
                lost = [
                    outcomes.LostFleet(self.piece(f), fall)
                    for f, fall in fallen
                    if fall is not None
                ]
                silent = self.pieces(filter(self.silenced, sub.fleets.get(u, ())))
                return outcomes.ConvoyBroken(tuple(lost), silent)
            if reason is outcomes.Reason.OWN_UNIT:
                return outcomes.OwnUnit(self.piece(facing), stuck)
            attack = resolver.attack(u)
            uncounted = sub.owner[facing] if resolver.against_own(u) else None
        blocker, defense = resolver.blocker(u)
        meeting = outcomes.Meeting.STUCK if stuck else outcomes.Meeting.STANDING
        if blocker != facing:
            meeting = outcomes.Meeting.RIVAL
        elif stuck and resolver.head_on(u):
            meeting = outcomes.Meeting.HEAD_ON
        return _bounced(self.piece(blocker), meeting, attack, defense, uncounted)

    def _support(self, u: int) -> outcomes.Outcome:
        resolver, sub = self.resolver, self.sub
        plan, arriving = sub.plans[u], sub.arriving[sub.where[u]] or ()
        assert plan is not None
        if resolver.state[u] != SUCCEEDS:
            return outcomes.Cut(self.pieces(resolver.cutters(u)))
        target = sub.at[plan.at]
        facing, own = sub.at[plan.aim], None
        if (
            plan.kind != SUPPORT
            and facing >= 0
            and sub.owner[facing] == sub.owner[u]
            and u in resolver.against_own(target)
        ):
            own = self.piece(facing)
        if not arriving:
            return _supported(self.piece(target), own)
        never_landed = [a for a in arriving if not resolver.gets_there(a)]
        spared = self.pieces(resolver.spared(u))
        return _supported(self.piece(target), own, spared, self.pieces(never_landed))

    def _convoy(self, u: int, plan: Plan) -> outcomes.Outcome:
        sub, resolver = self.sub, self.resolver
        army = sub.at[plan.at]
        piece = self.piece(army)
        if resolver.dislodged(u) >= 0 or self.silenced(u):
            return outcomes.ConvoyFailed(piece)
        if sub.sails[army] == LAND:
            return outcomes.StoodReady(piece, outcomes.Idle.BY_LAND)
        if not resolver.by_sea(army) or resolver.state[army] != SUCCEEDS:
            return outcomes.StoodReady(piece, outcomes.Idle.NOT_ARRIVED)
        if not resolver.on_route(u, army):
            return outcomes.StoodReady(piece, outcomes.Idle.OTHER_ROUTE)
        return outcomes.Convoyed(piece)

    def _unmatched(self, u: int) -> outcomes.Outcome:
        """Return what was ordered instead of what a support or a convoy is for."""
        sub = self.sub
        plan = sub.plans[u]
        assert plan is not None
        target = sub.at[plan.at]
        other = sub.plans[target]
        ordered = None if other is None else other.order
        immovable = plan.kind == SUPPORT and target in sub.immovable
        return outcomes.Unmatched(self.piece(target), ordered, immovable)

    def _reach(self, u: int, order: Order) -> tuple[str, ...]:
        """Return what an order could have named, for one that named a place out of reach."""
        board_index = self.sub.planner.index
        steps = board_index.steps(self.sub.units[u])
        if not isinstance(order, Move | Support):
            return ()
        aim = order.to if isinstance(order, Move) else order.to or order.target.location
        if board_index.place.get(aim.partition("/")[0]) in steps:
            # The place is in reach, so something else was wrong with the order.
            return ()
        return tuple(sorted(map(self.sub.name, steps)))

    # -- bombs --------------------------------------------------------------------------------

    def _bomb(self, u: int, plan: Plan, mission: Mission | None) -> outcomes.Outcome:
        sub = self.sub
        if mission is None:
            assert isinstance(plan.order, Relay)
            origin = plan.order.origins[-1].partition("/")[0]
            return outcomes.NoBomb(origin, sub.name(plan.aim))
        if mission.idle:
            carrier = mission.idle[0]
            other = sub.plans[carrier]
            return outcomes.BombNotCarried(
                self.piece(carrier), None if other is None else other.order
            )
        if mission.attacks:
            attacked = {carrier for carrier, _ in mission.attacks}
            hit = u if u in attacked else mission.attacks[0][0]
            by = self.pieces(attacker for carrier, attacker in mission.attacks if carrier == hit)
            return outcomes.BombStopped(by, None if hit == u else self.piece(hit))
        leg = outcomes.Leg.LAUNCHED
        to: str | None = None
        if u == mission.carriers[-1] != mission.carriers[0]:
            leg = outcomes.Leg.DROPPED
        elif u != mission.carriers[0]:
            leg, to = outcomes.Leg.PASSED_ON, sub.name(mission.route[mission.carriers.index(u) + 1])
        return outcomes.Bombed(sub.name(mission.target), leg, to)
