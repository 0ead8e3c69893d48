"""Why an order ended as it did, read off the resolver's decisions."""

from __future__ import annotations

from judge.rules.movement import SUCCEEDS, Resolver
from judge.rules.outcome import Reason
from judge.rules.submission import BY_SEA, Submission


class Story:
    """Tells what became of the orders of one movement phase, from the decisions that were made."""

    __slots__ = ("resolver", "sub")

    def __init__(self, sub: Submission, resolver: Resolver) -> None:
        self.sub = sub
        self.resolver = resolver

    def why_not_moved(self, u: int) -> Reason:
        """The reason of a move that failed."""
        sub, resolver = self.sub, self.resolver
        if sub.sails[u] == BY_SEA and not resolver.gets_there(u):
            return Reason.CONVOY_DISRUPTED if resolver.had_route(u) else Reason.NO_CONVOY
        facing = sub.at[sub.dest[u]]
        if (
            facing >= 0
            and sub.owner[facing] == sub.owner[u]
            and not (sub.dest[facing] >= 0 and resolver.state[facing] == SUCCEEDS)
            and resolver.would_win(u)
        ):
            return Reason.OWN_UNIT
        return Reason.BOUNCED

    def silenced(self, u: int) -> bool:
        """Whether the paradox rule keeps the convoying fleet u from carrying."""
        return any(u in fleets for fleets in self.resolver.paradoxes)

    def tell(self, number: int) -> str:
        return ""
