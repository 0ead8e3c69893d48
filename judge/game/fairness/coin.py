"""The coin that decides whom a neutral power joins: sealed at the start, shown when it falls.

It has a seed of its own, because everyone knows that of the assignment from the start on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from judge.game.fairness.assignment import SeededRandom, seal
from judge.rules.lineup import JOINED, Joins, lineup_of
from judge.storage import CoinSeed, Condition, SeatOptions, SeatState

if TYPE_CHECKING:
    from judge.game.state import State


@dataclass(frozen=True)
class Toss:
    """How the coin fell: `power` joins the player of `side`, one of `sides`."""

    power: str
    seed: str
    sides: tuple[tuple[str, ...], ...]
    side: tuple[str, ...]

    @property
    def seal(self) -> str:
        """Return the seal that earlier messages must have shown."""
        return seal(self.seed)


def fall(seed: str, sides: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the side that a coin with this seed chooses."""
    return sides[SeededRandom(seed).below(len(sides))]


def commit(state: State, seed: Callable[[], str]) -> None:
    """Commit to a seed for the toss to come, if there is to be one; a seed that everybody has seen,
    as after a rollback, is replaced."""
    if _joins(state) is None or joined(state):
        return
    kept = state.game.options.coin
    if kept is None or kept.shown:
        state.game.options = replace(state.game.options, coin=CoinSeed(seed()))


def sealed(state: State) -> str | None:
    """Return the seal of the toss to come, if there is one."""
    kept = state.game.options.coin
    return None if kept is None or kept.shown else seal(kept.seed)


def joined(state: State) -> bool:
    """Return whether the coin has fallen in the open position."""
    return state.position is not None and JOINED in state.position.extra


def toss(state: State, now: datetime) -> Toss | None:
    """Toss the coin if the phase that has just opened begins with that."""
    joins, kept = _joins(state), state.game.options.coin
    lineup = lineup_of(state.variant)
    if joins is None or lineup is None or kept is None or joined(state):
        return None
    position, key = state.opened, state.variant.calendar.key
    if key(position.phase) < key(joins.drawn):
        return None
    side = fall(kept.seed, lineup.groups)
    state.game.options = replace(state.game.options, coin=replace(kept, shown=True))
    state.open(replace(position, extra={**position.extra, JOINED: {joins.power: side[0]}}))
    fallen = Toss(joins.power, kept.seed, lineup.groups, side)
    state.log(now, "coin", {"seed": fallen.seed, "power": joins.power, "side": list(side)})
    return fallen


def settle(state: State, now: datetime) -> None:
    """Give the power that joined a player to that player from its first phase on, and to nobody
    before: a rollback may lead back there."""
    joins = _joins(state)
    seat = None if joins is None else state.holder(joins.power)
    if joins is None or seat is None:
        return
    key = state.variant.calendar.key
    is_in = joined(state) and key(state.opened.phase) >= key(joins.since)
    if is_in and seat.person_id is None:
        whom = state.opened.extra[JOINED][joins.power]  # type: ignore[index]
        ally = state.holder(whom)
        if ally is not None:
            seat.person_id, seat.state, seat.joined_at = ally.person_id, ally.state, now
            seat.password, seat.options = ally.password, ally.options
            state.seat(seat)
    elif not is_in and seat.person_id is not None:
        seat.person_id, seat.state, seat.password = None, SeatState.ABANDONED, None
        seat.wait, seat.draw = False, None
        seat.options = SeatOptions(condition=Condition.DUMMY, since=now)
        state.seat(seat)


def _joins(state: State) -> Joins | None:
    lineup = lineup_of(state.variant)
    return None if lineup is None else lineup.joins


_FALLEN = re.compile(
    r"^[>\s]*Coin: *(?P<seed>\S+)\s*^[>\s]*Seal: *(?P<seal>[0-9a-f]{64})\s*"
    r"(?P<sides>(?:^[>\s]*\d+\. +\S.*\s*)+)^[>\s]*Side: *(?P<side>\d+)",
    re.IGNORECASE | re.MULTILINE,
)
_SIDE = re.compile(r"^[>\s]*\d+\. +(\S.*?)\s*$", re.MULTILINE)


def read(text: str) -> tuple[Toss, str] | None:
    """Read the toss in a results message, and the seal printed beside it, if there is one."""
    found = _FALLEN.search(text)
    if found is None:
        return None
    sides = tuple(tuple(re.split(r"\s*,\s*", each)) for each in _SIDE.findall(found["sides"]))
    number = int(found["side"])
    side = sides[number - 1] if 0 < number <= len(sides) else ()
    return Toss("", found["seed"], sides, side), found["seal"].lower()
