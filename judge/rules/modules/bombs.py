"""Bombs: who carries which, what stops them, and what they destroy (Global Diplomacy, XII+).

An arsenal's order names the way of its bomb from unit to unit. It comes to something when each unit
on the way was ordered to carry that very bomb, and none of them, the arsenal included, is attacked:
an attack counts whether it succeeds or not, also one from the province that is to be bombed. Bombs
change nothing about the movement they are launched in; they fall when it is over and before
retreats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from judge.rules.equations import SUCCEEDS
from judge.rules.movement import Resolver
from judge.rules.orders import Launch, Relay
from judge.rules.outcome import Reason
from judge.rules.planner import BOMB
from judge.rules.submission import Submission


@dataclass(slots=True, eq=False)
class Mission:
    """One bomb that was launched.

    `route` are the places from the arsenal's to the bombed one; `carriers` the units at all but the
    last, the arsenal first. `idle` are those of them that were not ordered to carry this bomb,
    `attacks` pairs of a unit that was attacked and its attacker.
    """

    route: tuple[int, ...]
    carriers: tuple[int, ...]
    idle: tuple[int, ...] = ()
    attacks: tuple[tuple[int, int], ...] = ()

    @property
    def target(self) -> int:
        """The place that is bombed."""
        return self.route[-1]

    @property
    def reason(self) -> Reason | None:
        """Why the bomb did not fall; None when it did."""
        if self.idle:
            return Reason.UNMATCHED
        return Reason.CUT if self.attacks else None


@dataclass(slots=True)
class Strikes:
    """What bombs came to in a movement phase.

    `missions` are all bombs launched; `of[u]` is the mission that unit u launched or carries.
    `places` are destroyed. `lost[u]` is the place with which unit u is destroyed, for those that
    stand there after the movement and for those dislodged from it.
    """

    missions: list[Mission] = field(default_factory=list)
    of: dict[int, Mission] = field(default_factory=dict)
    places: set[int] = field(default_factory=set)
    lost: dict[int, int] = field(default_factory=dict)


def strikes(sub: Submission, resolver: Resolver, *, own_attacks: bool = False) -> Strikes:
    """Return the bombs of a resolved movement phase.

    Like a support a mission is not stopped by a unit of the attacked unit's own power; with
    `own_attacks` it is, the other reading of "any attack".
    """
    found = Strikes()
    for u in sub.bombing:
        plan = sub.plans[u]
        if plan is None or plan.kind != BOMB or not isinstance(plan.order, Launch):
            continue
        mission = _mission(sub, u, plan.order)
        found.missions.append(mission)
        for carrier in mission.carriers:
            if carrier not in mission.idle:
                found.of[carrier] = mission
        mission.attacks = tuple(_attacks(sub, resolver, mission.carriers, own_attacks))
        if mission.reason is None:
            found.places.add(mission.target)
    if found.places:
        for u, here in enumerate(sub.where):
            moved = sub.dest[u] >= 0 and resolver.state[u] == SUCCEEDS
            there = sub.dest[u] if moved else here
            if there in found.places:
                found.lost[u] = there
    return found


def _mission(sub: Submission, arsenal: int, order: Launch) -> Mission:
    place = sub.planner.index.place
    via = [place[text.partition("/")[0]] for text in order.via]
    route = (sub.where[arsenal], *via, place[order.to.partition("/")[0]])
    carriers = tuple(sub.at[here] for here in route[:-1])
    idle = [
        u
        for number, u in enumerate(carriers)
        if number and not _carries(sub, u, route[:number], route[number + 1 :])
    ]
    return Mission(route, carriers, tuple(idle))


def _carries(sub: Submission, u: int, before: Sequence[int], after: Sequence[int]) -> bool:
    """Return whether unit u was ordered to carry the bomb that comes by `before` and goes by
    `after`."""
    plan = sub.plans[u]
    if plan is None or plan.kind != BOMB or not isinstance(plan.order, Relay):
        return False
    place = sub.planner.index.place
    origins = [place[text.partition("/")[0]] for text in plan.order.origins]
    onward = [place[text.partition("/")[0]] for text in plan.order.via]
    if plan.order.to is not None:
        goal = place[plan.order.to.partition("/")[0]]
        if onward and goal != after[-1]:
            return False
        onward.append(goal)
    return (
        origins[-1] == before[-1]
        and onward[0] == after[0]
        and _within(origins, before)
        and _within(onward, after)
    )


def _within(some: Sequence[int], way: Sequence[int]) -> bool:
    """Return whether places lie on a way in this order, others between them or not."""
    rest = iter(way)
    return all(place in rest for place in some)


def _attacks(
    sub: Submission, resolver: Resolver, carriers: Sequence[int], own_attacks: bool
) -> Iterator[tuple[int, int]]:
    for u in carriers:
        for attacker in sub.arriving[sub.where[u]] or ():
            foreign = sub.owner[attacker] != sub.owner[u]
            if (foreign or own_attacks) and resolver.gets_there(attacker):
                yield u, attacker
