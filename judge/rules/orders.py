"""What a power can ask of its units: one frozen value per kind of order.

`str(order)` is the canonical form (`A par - bur`), which the parser reads back to an equal value.
An order says what was written, not what is there: a unit's `kind` is "" where the letter was left
out, its coast may be missing or wrong. `judge.rules.submission` matches orders with the position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from judge.rules.phase import Kind
from judge.rules.position import Unit
from judge.rules.problems import Problem


@dataclass(frozen=True, slots=True)
class Hold:
    """Stay where it is."""

    unit: Unit

    def __str__(self) -> str:
        return f"{self.unit} H"


@dataclass(frozen=True, slots=True)
class Move:
    """Go to `to`, by land or by sea.

    `via` is the player's wish to sail: True for "via convoy" or a named path, None if the order
    does not say (what that means depends on the rulebook, DATC 4.A.3).
    `path` are the named waters, in order, if any (DATC 4.A.6).
    """

    unit: Unit
    to: str
    via: bool | None = None
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.path:
            return " - ".join((str(self.unit), *self.path, self.to))
        return f"{self.unit} - {self.to}" + (" via convoy" if self.via else "")


@dataclass(frozen=True, slots=True)
class Support:
    """Support `target` where it stands (`to` is None) or in its move to `to`.

    `owner` is the power that was written before the target, remembered only where the rulebook
    asks for it (DATC 4.C.5, 4.C.6).
    """

    unit: Unit
    target: Unit
    to: str | None = None
    owner: str | None = None

    def __str__(self) -> str:
        nation = f"{self.owner} " if self.owner else ""
        aim = f"{self.unit} S {nation}{self.target}"
        return aim if self.to is None else f"{aim} - {self.to}"


@dataclass(frozen=True, slots=True)
class Convoy:
    """Carry `army` to `to`. `owner` is the power written before the army, as in `Support`."""

    unit: Unit
    army: Unit
    to: str
    owner: str | None = None

    def __str__(self) -> str:
        nation = f"{self.owner} " if self.owner else ""
        return f"{self.unit} C {nation}{self.army} - {self.to}"


@dataclass(frozen=True, slots=True)
class Launch:
    """Bomb `to`: at once, or by way of the units in the provinces `via`, each of which carries the
    bomb on to the next one (Global Diplomacy, XII+)."""

    unit: Unit
    to: str
    via: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.via:
            return f"{self.unit} bomb {self.to}"
        return f"{self.unit} bomb {' '.join(f'via {place}' for place in self.via)} to {self.to}"


@dataclass(frozen=True, slots=True)
class Relay:
    """Carry a bomb that comes from `origins` on, by way of `via`, to drop it on `to` in the end.

    An order can name the whole route or only its unit's part of it. The last of `origins` is
    whence the unit has the bomb, those before it where it was earlier. The first of `via` is whom
    it passes the bomb on to, the others come later. With `via`, `to` is what is bombed, or None
    when that is not said; without, it is where the unit itself takes the bomb: what is bombed, or
    the next unit.
    """

    unit: Unit
    origins: tuple[str, ...]
    via: tuple[str, ...] = ()
    to: str | None = None

    def __str__(self) -> str:
        way = [
            *(f"from {place}" for place in self.origins),
            *(f"via {place}" for place in self.via),
        ]
        if self.to is not None:
            way.append(f"to {self.to}")
        return f"{self.unit} bomb {' '.join(way)}"


@dataclass(frozen=True, slots=True)
class Retreat:
    """Retreat a dislodged unit to `to`."""

    unit: Unit
    to: str

    def __str__(self) -> str:
        return f"{self.unit} R {self.to}"


@dataclass(frozen=True, slots=True)
class Disband:
    """Take the unit off the board: a dislodged one that will not retreat, or a removal due."""

    unit: Unit

    def __str__(self) -> str:
        return f"D {self.unit}"


@dataclass(frozen=True, slots=True)
class Build:
    """Raise a new unit."""

    unit: Unit

    def __str__(self) -> str:
        return f"B {self.unit}"


@dataclass(frozen=True, slots=True)
class Waive:
    """Leave `count` builds unused; None means all that are not used otherwise."""

    count: int | None = None

    def __str__(self) -> str:
        return "WAIVE" if self.count is None else f"WAIVE {self.count}"


@dataclass(frozen=True, slots=True)
class Proxy:
    """Leave the unit's order to `power`, for this phase. No order by itself: one who plays a phase
    puts the order that was given in its place."""

    unit: Unit
    power: str

    def __str__(self) -> str:
        return f"{self.unit} P {self.power}"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that is no order; `problem` says why. It is answered as void.

    `unit` is the unit it was meant for, as far as that could be read.
    """

    text: str
    problem: Problem
    unit: Unit | None = None

    def __str__(self) -> str:
        return self.text


MovementOrder: TypeAlias = Hold | Move | Support | Convoy | Launch | Relay | Proxy
RetreatOrder: TypeAlias = Retreat | Disband
AdjustmentOrder: TypeAlias = Build | Disband | Waive
Order: TypeAlias = MovementOrder | RetreatOrder | AdjustmentOrder | Unreadable


def order_text(order: Order, kind: Kind) -> str:
    """Return an order in canonical form as it stands in a phase of `kind`.

    Disbanding is written like the order it is instead of: `A bur D` for a retreat, `D A bur` where
    units are built and removed.
    """
    if kind is Kind.RETREATS and isinstance(order, Disband):
        return f"{order.unit} D"
    return str(order)


def place(order: Order) -> str | None:
    """Return the province of the unit an order is for; None for a waive, or without a unit."""
    unit: Unit | None = getattr(order, "unit", None)
    return unit.province if unit else None


def lent_units(orders: Mapping[str, Sequence[Order]]) -> list[tuple[str, Proxy]]:
    """Return all units that are left to others, with their owners."""
    return [
        (owner, order)
        for owner, given in orders.items()
        for order in given
        if isinstance(order, Proxy)
    ]


def carried_out(orders: Mapping[str, Sequence[Order]]) -> dict[str, list[Order]]:
    """Return orders as the phase is played: each unit that was left to another power has the order
    that power gave it, or none. Orders for a unit that is not left to a power any more are void."""
    played = {power: list(given) for power, given in orders.items()}
    for owner, proxy in lent_units(orders):
        there = proxy.unit.province
        played[owner] = [order for order in played[owner] if place(order) != there]
        for order in orders.get(proxy.power, ()):
            if place(order) == there:
                played[owner].append(order)
                played[proxy.power] = [o for o in played[proxy.power] if o is not order]
    return played
