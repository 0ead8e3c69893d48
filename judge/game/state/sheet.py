"""The order sheet: what a power must decide in a phase, and what it has decided.

Orders are sealed: their writer is shown the seal at once, and all others, with the orders, after
the phase. A seal is a keyed digest, so that players can show it to others before the phase runs: it
says nothing about the orders, and they cannot claim other orders later.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from judge.rules.engine import Owed
from judge.rules.orders import Build, Disband, Order, Waive, lent_units, place
from judge.rules.phase import Kind
from judge.rules.variant import Variant
from judge.sentences import Conversion, Wording


class SheetRow(Struct, frozen=True):
    """One decision. `unit` and `name` are short and long ("A par", "Army Paris"), None for a waive.

    `order` is canonical, `words` long, both None where nothing has been ordered. `counts` is
    False for a build or removal beyond what is due.
    """

    unit: str | None
    name: Wording | None
    order: str | None = None
    words: Wording | None = None
    counts: bool = True


class Sheet(Struct, frozen=True):
    """The decisions of one power in one phase; `missing` counts those not made."""

    power: str
    kind: Kind
    rows: tuple[SheetRow, ...]
    missing: int
    builds: int = 0
    removals: int = 0
    conversions: int = 0
    """How many units can be converted, which is optional."""

    @property
    def complete(self) -> bool:
        """Whether the judge waits for nothing else."""
        return not self.missing

    @property
    def owes(self) -> bool:
        """Whether there was anything to decide."""
        return bool(self.rows or self.builds or self.removals or self.conversions)

    @property
    def optional(self) -> bool:
        """Whether nothing must be decided, but units can be converted."""
        return bool(self.conversions) and not (self.builds or self.removals)


def worded(variant: Variant, order: Order, owed: Owed | None) -> Wording:
    """Return an order in words, for a power that has `owed` to decide."""
    old = owed and owed.converted(order)
    if isinstance(order, Build) and old:
        return Wording(Conversion(old, order.unit), variant)
    return Wording(order, variant)


def fill(
    variant: Variant, kind: Kind, power: str, owed: Owed | None, orders: Sequence[Order]
) -> Sheet:
    """Return the sheet of `power`; `owed` is None if it has nothing to decide."""
    if owed is None:
        return Sheet(power, kind, (), 0)
    if kind is Kind.ADJUSTMENTS:
        return _adjustments(variant, power, owed, orders)
    given = {place(order): order for order in orders}
    rows = []
    for unit in sorted(owed.units, key=lambda unit: unit.province in given):
        order = given.get(unit.province)
        rows.append(
            SheetRow(
                str(unit),
                Wording(unit, variant),
                None if order is None else str(order),
                None if order is None else Wording(order, variant),
            )
        )
    return Sheet(power, kind, tuple(rows), missing(kind, owed, orders))


def missing(kind: Kind, owed: Owed, orders: Sequence[Order]) -> int:
    """Return how many of the decisions `owed` are not made."""
    if kind is not Kind.ADJUSTMENTS:
        given = {place(order) for order in orders}
        return len([unit for unit in owed.units if unit.province not in given])
    waives = [order for order in orders if isinstance(order, Waive)]
    left = max(0, (owed.builds or owed.removals) - len(owed.adjusting(orders)))
    if any(waive.count is None for waive in waives):
        return 0
    return max(0, left - sum(waive.count or 0 for waive in waives))


def incomplete(
    kind: Kind, owed: Mapping[str, Owed], orders: Mapping[str, Sequence[Order]]
) -> list[str]:
    """Return the powers that have not made all decisions of those `owed`."""
    return [power for power, each in owed.items() if missing(kind, each, orders.get(power, ()))]


def _adjustments(variant: Variant, power: str, owed: Owed, orders: Sequence[Order]) -> Sheet:
    due = owed.builds or owed.removals
    used = 0
    rows = []
    # A waive takes what is left over, so it is counted after the builds.
    for order in sorted(orders, key=lambda order: isinstance(order, Waive)):
        words = worded(variant, order, owed)
        if isinstance(order, Waive):
            left = max(0, due - used)
            used += left if order.count is None else min(left, order.count)
            # Anyone who waives the rest is not told off where none is left.
            counts = order.count is None or min(left, order.count) > 0
            rows.append(SheetRow(None, None, str(order), words, counts))
            continue
        assert isinstance(order, Build | Disband)
        old = owed.converted(order)
        used += old is None
        name, counts = Wording(order.unit, variant), old is not None or used <= due
        rows.append(SheetRow(str(order.unit), name, str(order), words, counts))
    left = missing(Kind.ADJUSTMENTS, owed, orders)
    conversions = len(owed.conversions)
    return Sheet(
        power, Kind.ADJUSTMENTS, tuple(rows), left, owed.builds, owed.removals, conversions
    )


def lent_to(powers: Collection[str], orders: Mapping[str, Sequence[Order]]) -> dict[str, str]:
    """Return provinces of the units that others have left to these powers, with their owners."""
    return {
        proxy.unit.province: owner
        for owner, proxy in lent_units(orders)
        if proxy.power in powers and owner not in powers
    }


def places_of(powers: Collection[str], orders: Mapping[str, Sequence[Order]]) -> frozenset[str]:
    """Return the provinces whose units these powers have ordered."""
    found = [place(order) for power in powers for order in orders.get(power, ())]
    return frozenset(filter(None, found))


_DIGITS = 32
"""128 bits: to find two sets of orders with one seal takes about 2 ** 64 trials."""


class Seal(Struct, frozen=True):
    """The seal of one power's orders in one phase.

    `lines` are the orders as messages print them, in alphabetical order; `key` makes them
    unguessable, and is shown with them.
    """

    game: str
    phase: str
    power: str
    key: str
    lines: tuple[str, ...]

    @property
    def digest(self) -> str:
        """The first 32 digits of the SHA-256 of key, game, phase, power, and orders, one per
        line."""
        text = "\n".join((self.key, self.game, self.phase, self.power, *self.lines))
        return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def seal(
    secret: bytes, game: str, phase: str, opened_at: datetime, power: str, orders: Iterable[str]
) -> Seal:
    """Return the seal of these orders.

    `secret` is the judge's. `opened_at` is when the phase opened, so that a phase played again
    after a rollback has other keys.
    """
    about = "|".join(("seal", game, phase, opened_at.isoformat(), power))
    key = hmac.new(secret, about.encode(), hashlib.sha256).hexdigest()[:_DIGITS]
    return Seal(game, phase, power, key, tuple(sorted(orders)))
