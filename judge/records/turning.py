"""Where a game turned, by what its positions promised each power (`judge.records.outlook`).

Of a movement phase that changed much it is asked which orders made the change, by letting each unit
hold instead; which single order would have been worth most to each power, all others as they were;
and what each standoff kept from happening.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from judge.bots import steps
from judge.records.outlook import promised
from judge.rules.board import borders, province_of
from judge.rules.engine import adjudicate
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Convoy, Hold, Move, Order, Support, place
from judge.rules.phase import Phase
from judge.rules.position import Position, Unit
from judge.rules.result import Adjudication
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant, in_position, of_phase

TURNS: Final = 5
"""Turning points that are told, at most."""

WORTH: Final = 0.01
"""What another order must bring to be told: what can be seen in percent."""

MADE: Final = 2
STANDOFFS: Final = 2
"""Orders that made a turning point, and standoffs in it, that are told at most."""

Shares = Mapping[str, float]
Orders = Mapping[str, Sequence[Order]]


@dataclass(frozen=True)
class Played:
    """A movement phase: how it opened, and the orders by power as they were carried out."""

    position: Position
    orders: Orders


@dataclass(frozen=True)
class ShareChange:
    """What something did to what a power is likely to get."""

    power: str
    old: float
    new: float

    @property
    def gain(self) -> float:
        """By how much it rose."""
        return self.new - self.old


@dataclass(frozen=True)
class OtherOrder:
    """An order that a unit had, another one, and what that would have changed."""

    power: str
    given: Order
    instead: Order
    change: ShareChange


@dataclass(frozen=True)
class TurningPoint:
    """A turning point. `changes` are those of all powers, largest first, up to the next movements;
    `made` orders without which they are largest, `better` the best order that each power did not
    give, `standoffs` the provinces that one kept empty, each with the order without which that
    changes most; empty where it was not `tried`."""

    phase: Phase
    changes: tuple[ShareChange, ...]
    tried: bool = True
    made: tuple[OtherOrder, ...] = ()
    better: tuple[OtherOrder, ...] = ()
    standoffs: tuple[tuple[str, OtherOrder], ...] = ()


def turning_points(
    variant: Variant,
    rulebook: Rulebook,
    played: Sequence[Played],
    end: Position,
    winners: Sequence[str] = (),
    most: int = 1 << 62,
) -> list[TurningPoint]:
    """Return the turning points of a game in the order of time.

    `played` are its movement phases, `end` the position when it was over, `winners` who won it
    then by the rules. `most` is how many steps may be made (`judge.bots.steps` tells how many one
    order takes that is tried out): the largest changes are looked into first, and those for which
    too few are left are told without orders.
    """
    before = _before(variant, played)
    positions = [*(each.position for each in played), end]
    promises = [
        promised(of_phase(variant, each.phase), each, had, rulebook)
        for each, had in zip(positions, before, strict=True)
    ]
    if winners:
        promises[-1] = {power: 1 / len(winners) for power in winners}
    found = []
    for number, (old, new) in enumerate(pairwise(promises)):
        each = [ShareChange(power, old[power], new.get(power, 0.0)) for power in old]
        each.sort(key=lambda change: -abs(change.gain))
        found.append((abs(each[0].gain), number, tuple(each)))
    turns = []
    for gain, number, changes in sorted(found, key=lambda each: (-each[0], each[1]))[:TURNS]:
        if gain >= least(variant):
            trial = _TriedOrders(variant, rulebook, played[number], before[number])
            turn = TurningPoint(played[number].position.phase, changes, tried=trial.cost <= most)
            if turn.tried:
                most -= trial.cost
                turn = trial.looked_into(turn)
            turns.append((number, turn))
    return [turn for _, turn in sorted(turns, key=lambda each: each[0])]


def least(variant: Variant) -> float:
    """Return what a share must change by to be told: 0.02 where seven play, less among many."""
    return max(WORTH, 0.14 / len(variant.powers))


def _before(variant: Variant, played: Sequence[Played]) -> list[dict[str, int]]:
    """Return how many centers each power had before they were last counted: at each movement phase
    and at the end."""
    before = {power: len(held) for power, held in variant.centers.items()}
    found = [before]
    for position in (each.position for each in played):
        if position.phase.season in variant.calendar.ownership:
            before = {power: len(held) for power, held in position.centers.items()}
        found.append(before)
    return found


@dataclass
class _TriedOrders:
    """Tries out other orders in a movement phase."""

    variant: Variant
    rulebook: Rulebook
    played: Played
    before: Mapping[str, int]
    given: dict[Unit, tuple[str, Order]] = field(init=False)
    choices: dict[Unit, list[Order]] = field(init=False)
    cost: int = field(init=False)
    known: dict[Hashable, Shares] = field(default_factory=dict)

    def __post_init__(self) -> None:
        position = self.played.position
        self.variant = in_position(of_phase(self.variant, position.phase), position)
        self.given = {
            unit: (power, Hold(unit)) for power, units in position.units.items() for unit in units
        }
        at = {(power, unit.province): unit for unit, (power, _) in self.given.items()}
        for power, orders in self.played.orders.items():
            for order in orders:
                unit = at.get((power, place(order) or ""))
                if unit is not None:
                    self.given[unit] = power, order
        self.choices = {
            unit: [order for order in orders if self._matters(order)]
            for power in position.units
            for unit, orders in legal_orders(
                self.variant, position, power, rulebook=self.rulebook
            ).items()
        }
        self.cost = sum(map(len, self.choices.values())) * steps(self.variant, position)

    def _matters(self, order: Order) -> bool:
        """Return whether an order can do more than a hold, as the others have ordered."""
        if isinstance(order, Support):
            _, theirs = self.given.get(order.target, ("", None))
            goes = province_of(theirs.to) if isinstance(theirs, Move) else None
            return goes == (None if order.to is None else province_of(order.to))
        if isinstance(order, Convoy):
            _, theirs = self.given.get(order.army, ("", None))
            return isinstance(theirs, Move) and province_of(theirs.to) == province_of(order.to)
        return True

    def looked_into(self, turn: TurningPoint) -> TurningPoint:
        """Return a turning point with the orders that made it and would have made another."""
        outcome = adjudicate(self.variant, self.played.position, self.played.orders, self.rulebook)
        base = self._promised(outcome)
        held = {
            unit: self._with(unit, Hold(unit), base)
            for unit, (_, order) in self.given.items()
            if not isinstance(order, Hold)
        }
        return replace(
            turn,
            made=tuple(self._made(turn.changes, base, held)),
            better=tuple(self._better(base, held)),
            standoffs=tuple(self._standoffs(outcome, base, held)),
        )

    def _promised(self, outcome: Adjudication) -> Shares:
        at = outcome.position
        # Most orders that fail, or help nobody, leave the same position.
        moved = *at.units.items(), *at.dislodged.items(), *at.centers.items(), str(at.extra)
        if moved not in self.known:
            self.known[moved] = promised(self.variant, at, self.before, self.rulebook)
        return self.known[moved]

    def _with(self, unit: Unit, order: Order, base: Shares) -> Shares:
        """Return what powers would be likely to get, had a unit had another order."""
        power, old = self.given[unit]
        kept = [each for each in self.played.orders.get(power, ()) if each is not old]
        orders = {**self.played.orders, power: [*kept, order]}
        position = self.played.position
        found = self._promised(adjudicate(self.variant, position, orders, self.rulebook))
        return {power: found.get(power, 0.0) for power in {**base, **found}}

    def _other(self, unit: Unit, order: Order, power: str, base: Shares, new: Shares) -> OtherOrder:
        owner, given = self.given[unit]
        return OtherOrder(
            owner, given, order, ShareChange(power, base.get(power, 0.0), new.get(power, 0.0))
        )

    def _made(
        self, changes: Sequence[ShareChange], base: Shares, held: Mapping[Unit, Shares]
    ) -> Iterator[OtherOrder]:
        """Yield the orders to which the power that changed most owes most of it."""
        main = changes[0]
        sign = 1 if main.gain > 0 else -1
        found = [self._other(unit, Hold(unit), main.power, base, new) for unit, new in held.items()]
        found = [each for each in found if -sign * each.change.gain >= WORTH]
        yield from sorted(found, key=lambda each: sign * each.change.gain)[:MADE]

    def _better(self, base: Shares, held: Mapping[Unit, Shares]) -> Iterator[OtherOrder]:
        """Yield the order that would have brought each power most, largest gain first."""
        best: dict[str, OtherOrder] = {}
        for unit, orders in self.choices.items():
            power, given = self.given[unit]
            for order in orders:
                if order == given:
                    continue
                known = held.get(unit) if isinstance(order, Hold) else None
                new = self._with(unit, order, base) if known is None else known
                other = self._other(unit, order, power, base, new)
                if power not in best or other.change.gain > best[power].change.gain:
                    best[power] = other
        found = [each for each in best.values() if each.change.gain >= WORTH]
        yield from sorted(found, key=lambda each: -each.change.gain)

    def _standoffs(
        self, outcome: Adjudication, base: Shares, held: Mapping[Unit, Shares]
    ) -> Iterator[tuple[str, OtherOrder]]:
        """Yield the standoffs on centers and next to them without which most would have changed."""
        board = self.variant.board
        found: dict[str, OtherOrder] = {}
        for where in outcome.contested:
            near = {where, *borders(board)[where]}
            if not any(board.provinces[each].supply_center for each in near):
                continue
            for unit, new in held.items():
                order = self.given[unit][1]
                if not isinstance(order, Move) or province_of(order.to) != where:
                    continue
                power = max(new, key=lambda each: abs(new[each] - base.get(each, 0.0)))
                other = self._other(unit, Hold(unit), power, base, new)
                if where not in found or abs(other.change.gain) > abs(found[where].change.gain):
                    found[where] = other
        decided = [each for each in found.items() if abs(each[1].change.gain) >= WORTH]
        decided.sort(key=lambda each: -abs(each[1].change.gain))
        yield from decided[:STANDOFFS]
