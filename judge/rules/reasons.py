"""What became of each order of a movement phase, read off the resolver's decisions.

Nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from judge.rules.equations import SUCCEEDS
from judge.rules.modules.bombs import Mission, Strikes
from judge.rules.movement import Resolver
from judge.rules.orders import Move, Order, Relay, Support
from judge.rules.outcome import (
    Bombed,
    BombNotCarried,
    BombStopped,
    Bounced,
    ChangedPlaces,
    ConvoyBroken,
    Convoyed,
    ConvoyFailed,
    Cut,
    Dislodgement,
    DroveOut,
    GotAhead,
    Held,
    Idle,
    Leg,
    LostFleet,
    Meeting,
    Moved,
    NoBomb,
    NoConvoy,
    Outcome,
    OwnUnit,
    Piece,
    Reason,
    StoodReady,
    Superseded,
    Supported,
    Unmatched,
    Void,
)
from judge.rules.planner import BOMB, CONVOY, SUPPORT
from judge.rules.submission import BY_SEA, LAND, Submission

_MOVED: Final = Moved()
_HELD: Final = Held()


class Reasons:
    """The outcomes of one movement phase; units and orders are those of its submission."""

    __slots__ = ("_pieces", "resolver", "strikes", "sub")

    def __init__(self, sub: Submission, resolver: Resolver, strikes: Strikes | None = None) -> None:
        self.sub = sub
        self.resolver = resolver
        self.strikes = strikes
        self._pieces: dict[int, Piece] = {}

    def outcome(self, number: int) -> Outcome:
        """Return what became of an entry of the submission, or of the unit -1 - `number`."""
        sub = self.sub
        fate = sub.fates.get(number) if sub.fates else None
        if number < 0:
            u = -1 - number
        else:
            u = sub.meant(number) if fate is not None else sub.whom[number]
        followed = number < 0 or sub.whom[number] >= 0
        dislodged = self.fall(u) if followed else None
        destroyed = None
        if self.strikes is not None and followed and u in self.strikes.lost:
            destroyed = sub.name(self.strikes.lost[u])
        if fate is None:
            return self._followed(u, dislodged, destroyed)
        if fate.why is None:
            return self._unmatched(u, dislodged, destroyed)
        if isinstance(fate.why, Superseded):
            return Superseded(fate.why.why, fate.why.by, dislodged=dislodged, destroyed=destroyed)
        reach = self._reach(u, sub.orders[number]) if u >= 0 else ()
        return Void(fate.why, reach, dislodged=dislodged, destroyed=destroyed)

    def piece(self, u: int) -> Piece:
        """Return unit u as outcomes name it."""
        known = self._pieces.get(u)
        if known is None:
            sub = self.sub
            known = self._pieces[u] = Piece(sub.owner[u], sub.units[u], sub.dest[u] >= 0)
        return known

    def pieces(self, units: Iterable[int]) -> tuple[Piece, ...]:
        """Return several units as outcomes name them."""
        return tuple(map(self.piece, units))

    def fall(self, u: int) -> Dislodgement | None:
        """Return how unit u was dislodged; None when it was not."""
        attacker = self.resolver.dislodged(u)
        if attacker < 0:
            return None
        attack, defense = self.resolver.attack(attacker), self.resolver.defense(u, attacker)
        return Dislodgement(self.piece(attacker), attack, defense)

    def why_not_moved(self, u: int) -> Reason:
        """Return the reason of a move that failed."""
        sub, resolver = self.sub, self.resolver
        if sub.sails[u] == BY_SEA and not resolver.gets_there(u):
            if self.resolver.had_route(u):
                return Reason.CONVOY_DISRUPTED
            return Reason.NO_CONVOY
        facing = sub.at[sub.dest[u]]
        if facing < 0 or sub.owner[facing] != sub.owner[u] or sub.helpers[u] is None:
            return Reason.BOUNCED
        if sub.dest[facing] >= 0 and resolver.state[facing] == SUCCEEDS:
            return Reason.BOUNCED
        return Reason.OWN_UNIT if resolver.would_win(u) else Reason.BOUNCED

    def silenced(self, u: int) -> bool:
        """Whether the paradox rule keeps the convoying fleet u from carrying."""
        return any(u in fleets for fleets in self.resolver.paradoxes)

    # -- kinds of orders ----------------------------------------------------------------------

    def _followed(self, u: int, dislodged: Dislodgement | None, destroyed: str | None) -> Outcome:
        """Return what became of the order that u followed, or of u without one."""
        sub = self.sub
        if sub.dest[u] >= 0:
            if self.resolver.state[u] == SUCCEEDS:
                return self._moved(u, destroyed)
            return self._stayed(u, dislodged, destroyed)
        if sub.aim[u] >= 0:
            return self._support(u, dislodged, destroyed)
        plan = sub.plans[u]
        if plan is not None and plan.kind == CONVOY:
            return self._convoy(u, dislodged, destroyed)
        if plan is not None and plan.kind == BOMB and self.strikes is not None:
            return self._bomb(u, self.strikes.of.get(u), dislodged, destroyed)
        if not (dislodged or destroyed or self._arriving(u)):
            return _HELD
        against = () if dislodged else filter(self.resolver.gets_there, self._arriving(u))
        return Held(self.pieces(against), dislodged=dislodged, destroyed=destroyed)

    def _arriving(self, u: int) -> Sequence[int]:
        return self.sub.arriving[self.sub.where[u]] or ()

    def _moved(self, u: int, destroyed: str | None) -> Outcome:
        resolver, sub = self.resolver, self.sub
        facing = sub.at[sub.dest[u]]
        rivals = sub.arriving[sub.dest[u]] or ()
        if facing < 0 and not sub.sails[u] and len(rivals) == 1:
            return Moved(destroyed=destroyed) if destroyed else _MOVED
        by_sea = resolver.by_sea(u)
        if facing >= 0 and resolver.dislodged(facing) == u:
            attack, defense = resolver.attack(u), resolver.defense(facing, u)
            return DroveOut(self.piece(facing), attack, defense, by_sea, destroyed=destroyed)
        beaten = [v for v in rivals if v != u and resolver.gets_there(v) and resolver.prevents(v)]
        if beaten:
            attack, most = resolver.attack(u), max(map(resolver.prevents, beaten))
            return GotAhead(self.pieces(beaten), attack, most, by_sea, destroyed=destroyed)
        circle = next((circle for circle in resolver.circles if u in circle), ())
        if len(circle) == 2:
            return ChangedPlaces(self.piece(facing), by_sea, destroyed=destroyed)
        return Moved(by_sea, bool(circle), destroyed=destroyed)

    def _stayed(self, u: int, dislodged: Dislodgement | None, destroyed: str | None) -> Outcome:
        """Return why a move failed."""
        sub, resolver = self.sub, self.resolver
        plain = sub.helpers[u] is None and not sub.sails[u]
        reason = Reason.BOUNCED if plain else self.why_not_moved(u)
        if reason is Reason.NO_CONVOY:
            fleets = self.pieces(sub.fleets.get(u, ()))
            return NoConvoy(fleets, dislodged=dislodged, destroyed=destroyed)
        if reason is Reason.CONVOY_DISRUPTED:
            fallen = [(f, self.fall(f)) for f in sub.fleets.get(u, ())]
            lost = [LostFleet(self.piece(f), fall) for f, fall in fallen if fall is not None]
            silent = self.pieces(filter(self.silenced, sub.fleets.get(u, ())))
            return ConvoyBroken(tuple(lost), silent, dislodged=dislodged, destroyed=destroyed)
        facing = sub.at[sub.dest[u]]
        stuck = facing >= 0 and sub.dest[facing] >= 0
        if reason is Reason.OWN_UNIT:
            return OwnUnit(self.piece(facing), stuck, dislodged=dislodged, destroyed=destroyed)
        blocker, defense = resolver.blocker(u)
        meeting = Meeting.STUCK if stuck else Meeting.STANDING
        if blocker != facing:
            meeting = Meeting.RIVAL
        elif resolver.head_on(u):
            meeting = Meeting.HEAD_ON
        idle = bool(resolver.against_own(u))
        return Bounced(
            self.piece(blocker),
            meeting,
            resolver.attack(u),
            defense,
            sub.owner[facing] if idle else None,
            dislodged=dislodged,
            destroyed=destroyed,
        )

    def _support(self, u: int, dislodged: Dislodgement | None, destroyed: str | None) -> Outcome:
        resolver, sub = self.resolver, self.sub
        plan = sub.plans[u]
        assert plan is not None
        if resolver.state[u] != SUCCEEDS:
            by = self.pieces(resolver.cutters(u))
            return Cut(by, dislodged=dislodged, destroyed=destroyed)
        target = sub.at[plan.at]
        own = None
        if plan.kind != SUPPORT and u in resolver.against_own(target):
            own = self.piece(sub.at[plan.aim])
        return Supported(
            self.piece(target),
            own,
            self.pieces(resolver.spared(u)),
            self.pieces(a for a in self._arriving(u) if not resolver.gets_there(a)),
            dislodged=dislodged,
            destroyed=destroyed,
        )

    def _convoy(self, u: int, dislodged: Dislodgement | None, destroyed: str | None) -> Outcome:
        sub, resolver = self.sub, self.resolver
        plan = sub.plans[u]
        assert plan is not None
        army = sub.at[plan.at]
        piece = self.piece(army)
        if dislodged or self.silenced(u):
            return ConvoyFailed(piece, dislodged=dislodged, destroyed=destroyed)
        if sub.sails[army] == LAND:
            return StoodReady(piece, Idle.BY_LAND, destroyed=destroyed)
        if not resolver.by_sea(army) or resolver.state[army] != SUCCEEDS:
            return StoodReady(piece, Idle.NOT_ARRIVED, destroyed=destroyed)
        if not resolver.on_route(u, army):
            return StoodReady(piece, Idle.OTHER_ROUTE, destroyed=destroyed)
        return Convoyed(piece, destroyed=destroyed)

    def _unmatched(self, u: int, dislodged: Dislodgement | None, destroyed: str | None) -> Outcome:
        """Return what was ordered instead of what a support or a convoy is for."""
        sub = self.sub
        plan = sub.plans[u]
        assert plan is not None
        target = sub.at[plan.at]
        other = sub.plans[target]
        return Unmatched(
            self.piece(target),
            None if other is None else other.order,
            plan.kind == SUPPORT and target in sub.immovable,
            dislodged=dislodged,
            destroyed=destroyed,
        )

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

    def _bomb(
        self,
        u: int,
        mission: Mission | None,
        dislodged: Dislodgement | None,
        destroyed: str | None,
    ) -> Outcome:
        sub = self.sub
        plan = sub.plans[u]
        assert plan is not None
        if mission is None:
            assert isinstance(plan.order, Relay)
            origin = plan.order.origins[-1].partition("/")[0]
            return NoBomb(origin, sub.name(plan.aim), dislodged=dislodged, destroyed=destroyed)
        if mission.idle:
            carrier = mission.idle[0]
            other = sub.plans[carrier]
            order = None if other is None else other.order
            piece = self.piece(carrier)
            return BombNotCarried(piece, order, dislodged=dislodged, destroyed=destroyed)
        if mission.attacks:
            attacked = {carrier for carrier, _ in mission.attacks}
            hit = u if u in attacked else mission.attacks[0][0]
            by = self.pieces(attacker for carrier, attacker in mission.attacks if carrier == hit)
            where = None if hit == u else self.piece(hit)
            return BombStopped(by, where, dislodged=dislodged, destroyed=destroyed)
        leg = Leg.LAUNCHED
        to: str | None = None
        if u == mission.carriers[-1] != mission.carriers[0]:
            leg = Leg.DROPPED
        elif u != mission.carriers[0]:
            leg, to = Leg.PASSED_ON, sub.name(mission.route[mission.carriers.index(u) + 1])
        target = sub.name(mission.target)
        return Bombed(target, leg, to, dislodged=dislodged, destroyed=destroyed)
