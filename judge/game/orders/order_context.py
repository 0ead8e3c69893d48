"""What the lines of a mail are about while they are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from judge.game.state import State
from judge.game.visibility.fog import is_blind, part_of, seen
from judge.rules import engine
from judge.rules.engine import Checked
from judge.rules.orders import Convoy, Hold, Launch, Move, Order, Proxy, Relay, Support
from judge.rules.phase import Kind, Phase
from judge.rules.position import Position, Unit
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant

_OF_UNITS = (Hold, Move, Support, Convoy, Launch, Relay)


@dataclass(frozen=True)
class OrderContext:
    """A board, and for whom orders are taken.

    Without a `position` orders are read, but nothing says whether they can be carried out.
    `powers` are those whose orders the writer may give; None where he may give all. `conditions`:
    whether orders may depend on what stands where. `later` is the phase that lines are for, if not
    the one that is open, whose position is `seen` then: it tells whose a unit is, not what it can.
    `proxies`: whether units may be left to other powers; `lent` are those left to `powers`, by
    province, with their owners. `unseen` are provinces of which the position says nothing, because
    the writer must not know what is there.
    """

    variant: Variant
    position: Position | None = None
    rulebook: Rulebook | None = None
    powers: tuple[str, ...] | None = None
    conditions: bool = True
    proxies: bool = True
    lent: Mapping[str, str] = field(default_factory=dict)
    seen: Position | None = None
    later: Phase | None = None
    unseen: frozenset[str] = frozenset()

    @property
    def phase(self) -> Phase | None:
        """The phase that is open, as far as one is known."""
        return self.position.phase if self.position else None

    @property
    def kind(self) -> Kind:
        """What kind of orders is wanted."""
        return self.position.phase.kind if self.position else Kind.MOVEMENT

    @cached_property
    def mine(self) -> tuple[str, ...]:
        """The powers whose orders count."""
        return tuple(self.variant.powers) if self.powers is None else self.powers

    def check(self, power: str, order: Order) -> Checked:
        """Whether `power` can give this order now; only where there is a position.

        What it says of a place out of sight is believed: that there is a unit, and which.
        """
        assert self.position is not None
        checked = engine.check(self.variant, self.position, power, order, self.rulebook)
        if checked.problem is None or not self.unseen or self.kind is not Kind.MOVEMENT:
            return checked
        for position in self._imagined:
            possible = engine.check(self.variant, position, power, order, self.rulebook)
            if possible.problem is None:
                return replace(possible, order=self._as_written(order, possible.order))
        where = order.unit.province if isinstance(order, _OF_UNITS) else None
        if where in self.unseen:
            # Whether anybody else is there must not be told.
            name = self.variant.board.name(where)
            return replace(checked, problem=f"no unit of yours stands in {name}", suggestion=None)
        return checked

    @cached_property
    def _imagined(self) -> tuple[Position, ...]:
        """The position with a unit in every place out of sight: of each kind where it can stand,
        of the first that can elsewhere."""
        assert self.position is not None
        others = [power for power in self.variant.powers if power not in self.mine]
        owner = (others or list(self.variant.powers))[0]

        board = self.variant.board

        def imagine(wanted: str) -> Position:
            assert self.position is not None
            units = []
            for place in (board.provinces[each] for each in sorted(self.unseen)):
                possible = (
                    Unit(kind, location)
                    for kind in (wanted, *board.kinds)
                    for location in (place.locations[0] if board.kind(kind).afloat else place.id,)
                    if board.stands(kind, location)
                )
                units.append(next(possible))
            known = self.position.units
            return replace(self.position, units={**known, owner: (*known.get(owner, ()), *units)})

        return tuple(map(imagine, board.kinds))

    def _as_written(self, order: Order, fitted: Order) -> Order:
        """The order as it was fitted to an imagined position, the imagined unit as it was named."""
        if isinstance(order, Support) and isinstance(fitted, Support):
            if order.target.province in self.unseen:
                return replace(fitted, target=order.target, owner=order.owner)
        elif (
            isinstance(order, Convoy)
            and isinstance(fitted, Convoy)
            and order.army.province in self.unseen
        ):
            return replace(fitted, army=order.army, owner=order.owner)
        return fitted

    def owner(self, province: str | None) -> str | None:
        """Whose unit is in a province, a dislodged one first; in adjustments also whose home."""
        position = self.position or self.seen
        if position is None or province is None:
            return None
        for power, gone in position.dislodged.items():
            if any(each.unit.province == province for each in gone):
                return power
        for power, units in position.units.items():
            if any(unit.province == province for unit in units):
                return power
        if position.phase.kind is Kind.ADJUSTMENTS:
            for power, centers in position.centers.items():
                if province in centers:
                    return power
        return None


def lent_units(orders: Mapping[str, Sequence[Order]]) -> Iterator[tuple[str, Proxy]]:
    """All units that are left to others, with their owners."""
    for owner, given in orders.items():
        for order in given:
            if isinstance(order, Proxy):
                yield owner, order


def lent_to(state: State, powers: Sequence[str]) -> dict[str, str]:
    """The provinces whose units are left to one of `powers` now, with the units' owners."""
    if state.opened.phase.kind is not Kind.MOVEMENT:
        return {}
    return {
        proxy.unit.province: owner
        for owner, proxy in lent_units(state.orders)
        if proxy.power in powers and owner not in powers
    }


def desk_for(state: State, powers: tuple[str, ...], conditions: bool = True) -> OrderContext:
    """Where orders of these powers are taken: with what they see, where the game is blind.

    Their orders are accepted whether or not what they name out of sight is there.
    """
    lent = lent_to(state, powers)
    position = state.opened
    unseen: frozenset[str] = frozenset()
    if is_blind(state):
        known = seen(state.variant, position, powers) | frozenset(lent)
        position = part_of(position, known)
        unseen = frozenset(state.variant.board.provinces) - known
    return OrderContext(
        state.variant,
        position,
        state.rulebook,
        powers,
        conditions=conditions,
        proxies=state.settings.proxy,
        lent=lent,
        unseen=unseen,
    )
