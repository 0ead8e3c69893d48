"""What is on file for one power, for anyone who orders its units."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from judge.game.state import State
from judge.game.state.sheet import Sheet
from judge.game.visibility.fog import position_for
from judge.rules.engine import Owed
from judge.rules.orders import Order, lent_units, place
from judge.rules.phase import Phase
from judge.rules.position import Position, Unit
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant


class PowerView:
    """A power in the open phase, with its orders. `Eyes.power_view` makes it, for who may order."""

    def __init__(self, state: State, power: str) -> None:
        self.state, self.power = state, power

    @property
    def variant(self) -> Variant:
        """The board and the rules of the game."""
        return self.state.variant

    @property
    def rulebook(self) -> Rulebook:
        """How the game's orders are adjudicated."""
        return self.state.rulebook

    @cached_property
    def position(self) -> Position:
        """The open position, as far as the power sees it."""
        return position_for(self.state, (self.power,))

    @property
    def owed(self) -> Owed | None:
        """What the power has to decide; None if it has nothing to."""
        return self.state.owed.get(self.power)

    @property
    def due(self) -> Owed:
        """What the power has to decide, which can be nothing."""
        return self.owed or Owed()

    @property
    def orders(self) -> Sequence[Order]:
        """Its orders on file for the open phase."""
        return self.state.orders.get(self.power, ())

    @property
    def sheet(self) -> Sheet:
        """What it must decide, and what it has decided."""
        return self.state.sheets.of(self.power)

    @property
    def seal(self) -> str | None:
        """The seal of its orders; None where it has none."""
        return self.state.sheets.seal(self.power).digest if self.orders else None

    def ahead(self) -> dict[Phase, list[str]]:
        """Return its orders on file for later phases, as they are kept, the next one first."""
        return self.state.sheets.ahead(self.power)

    def lent(self) -> list[tuple[str, Unit, Order | None]]:
        """Return the units of others that it may order: whose, which, and its own order for it."""
        return [
            (owner, proxy.unit, self._given(proxy.unit))
            for owner, proxy in lent_units(self.state.orders)
            if proxy.power == self.power and owner != self.power
        ]

    def _given(self, unit: Unit) -> Order | None:
        """Return its last order for a unit."""
        found = [order for order in self.orders if place(order) == unit.province]
        return found[-1] if found else None
