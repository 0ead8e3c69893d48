"""For whom orders are read, and on what board."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import cached_property

from msgspec import Struct, field

from judge.game.state import State
from judge.game.state.boards import standing
from judge.game.state.sheet import lent_to, places_of
from judge.game.visibility.fog import part_of, seen
from judge.rules import engine
from judge.rules.board import province_of
from judge.rules.engine import Checked, Owed
from judge.rules.orders import Convoy, Hold, Launch, Move, Order, Relay, Support, place
from judge.rules.phase import Kind, Phase
from judge.rules.position import Position
from judge.rules.problems import Code, Illegal
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant

_OF_UNITS = (Hold, Move, Support, Convoy, Launch, Relay)


class OrderContext(Struct, frozen=True, dict=True):
    """A board, and for whom orders are taken.

    Without a `position` orders are read, but nothing says whether they can be carried out.
    `powers` are those whose orders the writer may give; None for all powers. `conditions`:
    whether orders may depend on what stands where. `later` is the phase that lines are for, if not
    the one that is open, whose position is `seen` then: it tells whose a unit is, not what it can.
    `proxies`: whether units may be left to other powers; `lent` are those left to `powers`, by
    province, with their owners. `unseen` are provinces of which the position says nothing, because
    the writer must not know what is there. `ordered` are those whose units have an order already,
    where the rest are said to hold: in a mail or, where that has none, on file; `filed` are the
    orders on file, by province. `owing`
    is what `owed` says, where that is known. `commands` are what commands are called. `games` are
    the names of the writer's games, `game` is the one that is played on the board; `heard` calls
    those who play it by their powers.
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
    ordered: frozenset[str] = frozenset()
    filed: Mapping[str, Order] = field(default_factory=dict)
    owing: Mapping[str, Owed] | None = None
    commands: frozenset[str] = frozenset()
    games: tuple[str, ...] = ()
    game: str = ""
    heard: Callable[[str], str] = str

    @property
    def phase(self) -> Phase | None:
        """The phase that is open, as far as one is known."""
        return self.position.phase if self.position else None

    @property
    def kind(self) -> Kind:
        """What kind of orders is wanted."""
        return self.position.phase.kind if self.position else Kind.MOVEMENT

    @property
    def wanted(self) -> Kind:
        """What kind of orders lines are read as: those of the phase that they are for."""
        return self.kind if self.later is None else self.later.kind

    @property
    def owed(self) -> Mapping[str, Owed]:
        """What each power has to decide; only where there is a position."""
        return self._owed if self.owing is None else self.owing

    @cached_property
    def _owed(self) -> Mapping[str, Owed]:
        assert self.position is not None
        return engine.owed(self.variant, self.position)

    @property
    def mine(self) -> tuple[str, ...]:
        """The powers whose orders count."""
        return tuple(self.variant.powers) if self.powers is None else self.powers

    def check(self, power: str, order: Order) -> Checked:
        """Return whether `power` can give this order now; only where there is a position.

        What it says of a place out of sight is believed: that there is a unit, and which.
        """
        assert self.position is not None
        checked = engine.check(self.variant, self.position, power, order, self.rulebook)
        if checked.problem is None or not self.unseen or self.kind is not Kind.MOVEMENT:
            return checked
        for position in self._imagined:
            possible = engine.check(self.variant, position, power, order, self.rulebook)
            if possible.problem is None:
                return dataclasses.replace(possible, order=self._as_written(order, possible.order))
        where = order.unit.province if isinstance(order, _OF_UNITS) else None
        if where in self.unseen:
            # Whether anybody else is there must not be told.
            problem = Illegal(code=Code.NOT_STANDING, place=where)
            return dataclasses.replace(checked, problem=problem, suggestion=None)
        return checked

    def can(self, order: Order) -> bool:
        """Return whether the first of the writer's powers can give this order now."""
        return self.check(self.mine[0], order).problem is None

    def is_far(self, order: Move) -> bool:
        """Return whether a unit cannot get where it is to go in one step."""
        return province_of(order.to) not in self.variant.board.provinces_near([order.unit])

    @cached_property
    def _imagined(self) -> tuple[Position, ...]:
        """The position with a unit in every place out of sight, of each kind where it can stand."""
        assert self.position is not None
        others = [power for power in self.variant.powers if power not in self.mine]
        owner = (others or list(self.variant.powers))[0]
        board, known, found = self.variant.board, self.position.units, []
        for wanted in board.kinds.values():
            kinds = (wanted, *board.kinds.values())
            units = [
                next(unit for kind in kinds if (unit := standing(board, kind, each)))
                for each in sorted(self.unseen)
            ]
            there = {**known, owner: (*known.get(owner, ()), *units)}
            found.append(dataclasses.replace(self.position, units=there))
        return tuple(found)

    def _as_written(self, order: Order, fitted: Order) -> Order:
        """Return an order fitted to an imagined position, the imagined unit as it was named."""
        if isinstance(order, Support) and isinstance(fitted, Support):
            if order.target.province in self.unseen:
                return dataclasses.replace(fitted, target=order.target, owner=order.owner)
        elif (
            isinstance(order, Convoy)
            and isinstance(fitted, Convoy)
            and order.army.province in self.unseen
        ):
            return dataclasses.replace(fitted, army=order.army, owner=order.owner)
        return fitted

    def owner(self, province: str | None) -> str | None:
        """Return whose unit is in a province, a dislodged one first; in adjustments also whose
        home."""
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


def order_context(state: State, powers: tuple[str, ...]) -> OrderContext:
    """Return where orders of these powers are taken: with what they see, where the game is blind.

    Their orders are accepted whether or not what they name out of sight is there. They may depend
    on what stands where, except in blind games: a player would learn it from the reply.
    """
    position, variant, rulebook = state.opened, state.variant, state.rulebook
    blind, orders, owed = state.terms.blind, state.orders, state.owed
    lent, ordered = lent_to(powers, orders), places_of(powers, orders)
    unseen: frozenset[str] = frozenset()
    if blind:
        known = seen(variant, position, powers) | frozenset(lent)
        position = part_of(position, known, powers)
        unseen = frozenset(variant.board.provinces) - known
    return OrderContext(
        variant,
        position,
        rulebook,
        powers,
        conditions=not state.settings.blind,
        proxies=state.settings.proxy,
        lent=lent,
        unseen=unseen,
        ordered=ordered,
        filed={place(each) or "": each for power in powers for each in orders.get(power, ())},
        owing=None if blind else owed,
    )
