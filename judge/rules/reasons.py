"""What became of each order of a movement phase, read off the resolver's decisions.

Nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from judge.rules import outcome as outcomes
from judge.rules.equations import SUCCEEDS
from judge.rules.modules.bombs import Mission, Strikes
from judge.rules.movement import Resolver
from judge.rules.orders import Move, Order, Relay, Support
from judge.rules.planner import BOMB, CONVOY, HOLD, SUPPORT, Plan
from judge.rules.submission import BY_SEA, LAND, OrderFate, Submission

_MOVED: Final = outcomes.Moved()
_HELD: Final = outcomes.Held()
_RIVAL: Final = outcomes.Meeting.RIVAL
_HEAD_ON: Final = outcomes.Meeting.HEAD_ON
_STUCK: Final = outcomes.Meeting.STUCK
_STANDING: Final = outcomes.Meeting.STANDING


@lru_cache(maxsize=1 << 15)
def _made(kind: type[outcomes.Outcome], *parts: object) -> outcomes.Outcome:
    """Return an outcome. The same things happen again and again, and to make a value anew costs
    more than to find it."""
    return kind(*parts)


@lru_cache(maxsize=8192)
def _befallen(
    made: outcomes.Outcome, fall: outcomes.Dislodgement | None, lost_with: str | None
) -> outcomes.Outcome:
    """Return an outcome with what befell its unit besides."""
    return replace(made, dislodged=fall, destroyed=lost_with)


class Reasons:
    """The outcomes of one movement phase; units and orders are those of its submission."""

    __slots__ = ("_pieces", "_told", "resolver", "strikes", "sub")

    def __init__(self, sub: Submission, resolver: Resolver, strikes: Strikes | None = None) -> None:
        self.sub = sub
        self.resolver = resolver
        self.strikes = strikes
        self._told: list[outcomes.Outcome] | None = None
        self._pieces: list[outcomes.Piece] = []

    def outcome(self, number: int) -> outcomes.Outcome:
        """Return what became of an entry of the submission, or of the unit -1 - `number`."""
        told = self._told
        if told is None:
            # Anyone who asks for one asks for all of them.
            told = self._told = self._tell()
        return told[number]

    def _tell(self) -> list[outcomes.Outcome]:
        """Return what became of all entries; behind them of the units, the last one first."""
        sub = self.sub
        fates, whom = sub.fates, sub.whom
        units = self._units([whom[number] for number in fates])
        if not fates and whom is sub.everyone:
            return units
        # With one more, for entries that no unit follows count from the end.
        told = list(map([*units, _HELD].__getitem__, whom))
        for number, fate in fates.items():
            made = self._fated(fate, sub.meant(number), number)
            u = whom[number]
            # Where another order was followed, what befell the unit is told there.
            told[number] = made if u < 0 else self._with_fall(u, made)
        return told + units[::-1]

    def _units(self, fated: Collection[int]) -> list[outcomes.Outcome]:
        """Return what became of each unit that is not among the `fated`, whose orders have told it
        already."""
        sub, resolver, strikes = self.sub, self.resolver, self.strikes
        at, arriving, aim, sails, state = sub.at, sub.arriving, sub.aim, sub.sails, resolver.state
        told: outcomes.Outcome
        found = []
        each = zip(sub.dest, map(arriving.__getitem__, sub.where), sub.plans, strict=True)
        for u, (goal, came, plan) in enumerate(each):
            if goal >= 0:
                if state[u] == SUCCEEDS:
                    alone = at[goal] < 0 and not sails[u] and len(arriving[goal] or ()) == 1
                    told = _MOVED if alone else self._moved(u)
                    came = None
                else:
                    told = self._stayed(u)
            elif aim[u] >= 0:
                told = self._support(u)
            elif u in fated or (came is None and (plan is None or plan.kind == HOLD)):
                told = _HELD
            else:
                told = self._stood(u, plan, came)
            if strikes is not None:
                told = self._with_fall(u, told)
            elif came is not None:
                for attacker in came:
                    if state[attacker] == SUCCEEDS:
                        told = _befallen(told, self.fall(u), None)
            found.append(told)
        return found

    def _stood(self, u: int, plan: Plan | None, came: Sequence[int] | None) -> outcomes.Outcome:
        """Return what became of a unit that neither goes nor supports."""
        strikes = self.strikes
        if plan is not None and plan.kind == CONVOY:
            return self._convoy(u, plan)
        if plan is not None and plan.kind == BOMB and strikes is not None:
            return self._bomb(u, plan, strikes.of.get(u))
        if came is None or self.resolver.dislodged(u) >= 0:
            return _HELD
        return _made(outcomes.Held, self.pieces(filter(self.resolver.gets_there, came)))

    def _with_fall(self, u: int, told: outcomes.Outcome) -> outcomes.Outcome:
        """Return what was told of unit u with what befell it besides."""
        dislodged, strikes = self.fall(u), self.strikes
        if strikes is not None and (place := strikes.lost.get(u)) is not None:
            return _befallen(told, dislodged, self.sub.name(place))
        return told if dislodged is None else _befallen(told, dislodged, None)

    def piece(self, u: int) -> outcomes.Piece:
        """Return unit u as outcomes name it."""
        return (self._pieces or self._name())[u]

    def _name(self) -> list[outcomes.Piece]:
        """Name all units, as the constructor would, which is a call into Python for each."""
        sub, make = self.sub, tuple.__new__
        each = zip(sub.owner, sub.units, sub.dest, strict=True)
        self._pieces = [make(outcomes.Piece, (power, unit, to >= 0)) for power, unit, to in each]
        return self._pieces

    def pieces(self, units: Iterable[int]) -> tuple[outcomes.Piece, ...]:
        """Return several units as outcomes name them."""
        return tuple(map((self._pieces or self._name()).__getitem__, units))

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
        """Return whether the paradox rule keeps the convoying fleet u from carrying."""
        return any(u in fleets for fleets in self.resolver.paradoxes)

    # -- kinds of orders ----------------------------------------------------------------------

    def _fated(self, fate: OrderFate, u: int, number: int) -> outcomes.Outcome:
        """Return what became of an order that came to nothing before anything was resolved."""
        if fate.why is None:
            return self._unmatched(u)
        if isinstance(fate.why, outcomes.Superseded):
            return fate.why
        return outcomes.Void(fate.why, self._reach(u, self.sub.orders[number]) if u >= 0 else ())

    def _moved(self, u: int) -> outcomes.Outcome:
        resolver, sub = self.resolver, self.sub
        facing = sub.at[sub.dest[u]]
        rivals = sub.arriving[sub.dest[u]] or ()
        by_sea = resolver.by_sea(u)
        if facing >= 0 and resolver.dislodged(facing) == u:
            attack, defense = resolver.attack(u), resolver.defense(facing, u)
            return _made(outcomes.DroveOut, self.piece(facing), attack, defense, by_sea)
        beaten = [
            v for v in rivals if v != u and resolver.gets_there(v) and resolver.prevents(v) >= 0
        ]
        if beaten:
            most = max(map(resolver.prevents, beaten))
            return _made(outcomes.GotAhead, self.pieces(beaten), resolver.attack(u), most, by_sea)
        circle = next((circle for circle in resolver.circles if u in circle), ())
        if len(circle) == 2:
            return _made(outcomes.ChangedPlaces, self.piece(facing), by_sea)
        return _made(outcomes.Moved, by_sea, bool(circle))

    def _stayed(self, u: int) -> outcomes.Outcome:
        """Return why a move failed."""
        sub, resolver = self.sub, self.resolver
        facing = sub.at[sub.dest[u]]
        stuck = facing >= 0 and sub.dest[facing] >= 0
        attack, uncounted = 0 if u in resolver.weak else 1, None
        if sub.helpers[u] is not None or sub.sails[u]:
            reason = self.why_not_moved(u)
            if reason is outcomes.Reason.NO_CONVOY:
                return _made(outcomes.NoConvoy, self.pieces(sub.fleets.get(u, ())))
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
                return _made(outcomes.OwnUnit, self.piece(facing), stuck)
            attack = resolver.attack(u)
            uncounted = sub.owner[facing] if resolver.against_own(u) else None
        blocker, defense = resolver.blocker(u)
        meeting = _STANDING
        if blocker != facing:
            meeting = _RIVAL
        elif stuck:
            meeting = _HEAD_ON if resolver.head_on(u) else _STUCK
        return _made(outcomes.Bounced, self.piece(blocker), meeting, attack, defense, uncounted)

    def _support(self, u: int) -> outcomes.Outcome:
        resolver, sub = self.resolver, self.sub
        plan, arriving = sub.plans[u], sub.arriving[sub.where[u]] or ()
        assert plan is not None
        if resolver.state[u] != SUCCEEDS:
            return _made(outcomes.Cut, self.pieces(resolver.cutters(u)))
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
            return _made(outcomes.Supported, self.piece(target), own)
        never_landed = [a for a in arriving if not resolver.gets_there(a)]
        spared = self.pieces(resolver.spared(u))
        return _made(outcomes.Supported, self.piece(target), own, spared, self.pieces(never_landed))

    def _convoy(self, u: int, plan: Plan) -> outcomes.Outcome:
        sub, resolver = self.sub, self.resolver
        army = sub.at[plan.at]
        piece = self.piece(army)
        if resolver.dislodged(u) >= 0 or self.silenced(u):
            return _made(outcomes.ConvoyFailed, piece)
        if sub.sails[army] == LAND:
            return _made(outcomes.StoodReady, piece, outcomes.Idle.BY_LAND)
        if not resolver.by_sea(army) or resolver.state[army] != SUCCEEDS:
            return _made(outcomes.StoodReady, piece, outcomes.Idle.NOT_ARRIVED)
        if not resolver.on_route(u, army):
            return _made(outcomes.StoodReady, piece, outcomes.Idle.OTHER_ROUTE)
        return _made(outcomes.Convoyed, piece)

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
