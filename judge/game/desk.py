"""What the lines of a mail are about while they are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from judge.rules import engine
from judge.rules.engine import Checked
from judge.rules.orders import Order
from judge.rules.phase import Kind, Phase
from judge.rules.position import Position
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant


@dataclass(frozen=True)
class Desk:
    """A board, and for whom orders are taken.

    Without a `position` orders are read, but nothing says whether they can be carried out.
    `powers` are those whose orders the writer may give; None where he may give all. `conditions`:
    whether orders may depend on what stands where. `later` is the phase that lines are for, if not
    the one that is open, whose position is `seen` then: it tells whose a unit is, not what it can.
    `proxies`: whether units may be left to other powers; `lent` are those left to `powers`, by
    province, with their owners.
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
        """Whether `power` can give this order now; only where there is a position."""
        assert self.position is not None
        return engine.check(self.variant, self.position, power, order, self.rulebook)

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
