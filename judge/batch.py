"""Movement phases by the million: positions and orders as arrays in, outcomes and positions out.

    board = Batch("standard")
    units = board.units(position) * 1000
    orders = board.orders(position, given) * 1000
    found = board.adjudicate(units, orders)

Arrays are anything with a buffer of 32-bit numbers (`array.array("i")`, a NumPy array of int32): as
many rows as there are phases, one after the other, each with `width` columns, one for each unit.
What the numbers mean is told by `judge.rules.kernel`; docs/kernel.md has an example. Where the
extension was not built the same comes from the engine, slowly.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from judge import variants
from judge.rules.board_index import closed_provinces
from judge.rules.engine import adjudicate, is_plain
from judge.rules.kernel import (
    BY_SEA,
    NOT_DISLODGED,
    NOTHING,
    REASONS,
    Movements,
    adjudicate_rows,
    numbers,
)
from judge.rules.orders import Order
from judge.rules.phase import Kind, Phase
from judge.rules.planner import planner
from judge.rules.position import Position, Unit
from judge.rules.result import Adjudication
from judge.rules.rulebook import Rulebook
from judge.rules.submission import unit_index
from judge.rules.variant import Variant, of_phase

__all__ = ["BY_SEA", "NOTHING", "NOT_DISLODGED", "REASONS", "Batch", "Movements"]

_OWNER: Final = 14
"""The bits of a unit's number below its owner's."""
_CODES: Final = {reason: number for number, reason in enumerate(REASONS)}


class Batch:
    """Adjudicates movement phases of one board in arrays.

    `variant` is a name or a variant, `rulebook` its own unless one is given. Rows have `width`
    columns: as many as the board has supply centers unless told otherwise. `phase` matters where
    provinces are closed by season, or a power is neutral at first. `locations` and `kinds` are what
    numbers stand for in units and orders, `powers` whose they are.

    Raises VariantError for a name that no variant has, and ValueError for a variant with borders
    that only the owner of a province crosses, since rows do not say who owns what.
    """

    def __init__(
        self,
        variant: str | Variant,
        rulebook: Rulebook | None = None,
        width: int | None = None,
        phase: Phase | None = None,
    ) -> None:
        known = variants.load(variant) if isinstance(variant, str) else variant
        if known.gates:
            raise ValueError(f"{known.name}: who crosses a border depends on centers")
        year = known.start_phase.year
        movement = next(season for season, kind in known.calendar.year if kind is Kind.MOVEMENT)
        self.phase = phase or Phase(movement, year, Kind.MOVEMENT)
        self.variant = of_phase(known, self.phase)
        self.rulebook = rulebook or Rulebook.edition(known.rulebook)
        self.width = width or len(known.board.centers)
        self.numbers = numbers(known.board)
        self.locations, self.kinds = self.numbers.locations, self.numbers.kinds
        self.powers = known.powers
        self._number = {power: number for number, power in enumerate(self.powers)}
        closed = closed_provinces(self.variant, Position(self.phase, {}))
        self._plans = planner(self.variant.board, self.rulebook, closed)
        self.quick = not closed and is_plain(self.variant) and self.numbers.follows(self.rulebook)
        """Whether the extension adjudicates; else every row is left to the engine."""

    # -- values into numbers ------------------------------------------------------------------

    def units(self, position: Position) -> array[int]:
        """Return the units of a position as one row, in its order.

        Raises KeyError for a unit or a power that the board does not have, and ValueError for more
        units than columns.
        """
        return self._row(
            [
                self.numbers.whats[unit] | self._number[power] << _OWNER
                for power, standing in position.units.items()
                for unit in standing
            ]
        )

    def orders(self, position: Position, orders: Mapping[str, Sequence[Order]]) -> array[int]:
        """Return the orders for a position as one row, each in the column of its unit.

        Raises ValueError for one that has no number: it names a unit otherwise than it stands, or
        its way, or is the second one for a unit.
        """
        index = unit_index(self.numbers.index, position)
        row = [NOTHING] * len(index.units)
        for power, given in orders.items():
            for order, plan in zip(given, self._plans.plans(given), strict=True):
                u = index.at[plan.place]
                number = self.numbers.written(plan)
                mine = u >= 0 and index.owner[u] == power and index.units[u] == plan.unit
                if number < 0 or not mine or row[u] != NOTHING:
                    raise ValueError(f"{power}: {order} has no number here")
                row[u] = number
        return self._row(row)

    def _row(self, row: Sequence[int]) -> array[int]:
        if len(row) > self.width:
            raise ValueError(f"{len(row)} units do not fit into {self.width} columns")
        return array("i", [*row, *[NOTHING] * (self.width - len(row))])

    # -- numbers into values ------------------------------------------------------------------

    def unit(self, number: int) -> tuple[str, Unit]:
        """Return the power and the unit of a number."""
        return self.powers[number >> _OWNER], self.numbers.unit(number)

    def order(self, unit: int, number: int) -> Order:
        """Return the order of a number, given to the unit of another."""
        return self.numbers.order(self.numbers.unit(unit), number)

    # -- the phases ---------------------------------------------------------------------------

    def adjudicate(self, units: object, orders: object) -> Movements:
        """Adjudicate a movement phase for each row.

        Columns without a unit are NOTHING, wherever they are; units without an order hold. Raises
        ValueError for arrays that are not whole rows, or not of 32-bit numbers, and for rows that
        cannot be a position. Threads may call it side by side.
        """
        standing, given = _numbers(units), _numbers(orders)
        rows, rest = divmod(len(standing), self.width)
        if rest or len(given) != len(standing):
            raise ValueError(f"{len(standing)} units, {len(given)} orders: rows of {self.width}?")
        found = adjudicate_rows(self.numbers, self.width, rows, standing, given, self.quick)
        if not any(found.odd):
            return found
        return self._with_odd(found, standing, given)

    def _with_odd(self, found: Movements, units: Sequence[int], orders: Sequence[int]) -> Movements:
        """Fill in the rows that are left to the engine."""
        for row, odd in enumerate(found.odd):
            if odd:
                columns = range(row * self.width, (row + 1) * self.width)
                self._fill(
                    found, row, [at for at in columns if units[at] != NOTHING], units, orders
                )
        return found

    def _fill(
        self,
        found: Movements,
        row: int,
        columns: Iterable[int],
        units: Sequence[int],
        orders: Sequence[int],
    ) -> None:
        standing: dict[str, dict[Unit, int]] = {}
        given: dict[str, list[Order]] = {}
        for at in columns:
            power, unit = self._standing(row, units[at])
            if any(unit.province == each.province for own in standing.values() for each in own):
                raise ValueError(f"row {row}: two units stand in {unit.province}")
            standing.setdefault(power, {})[unit] = at
            if orders[at] != NOTHING:
                given.setdefault(power, []).append(self.numbers.order(unit, orders[at]))
        position = Position(self.phase, {power: tuple(own) for power, own in standing.items()})
        came = adjudicate(self.variant, position, given, self.rulebook)
        for power, own in standing.items():
            for result in came.results[power]:
                assert result.unit is not None
                found.outcomes[own[result.unit]] = _CODES[result.reason]
            self._write_down(found, row, power, own, came)
        for province in came.contested:
            found.standoffs.extend((row, self.numbers.location[province]))

    def _standing(self, row: int, number: int) -> tuple[str, Unit]:
        try:
            return self.unit(number)
        except LookupError:
            raise ValueError(f"row {row}: {number} is no unit") from None

    def _write_down(
        self, found: Movements, row: int, power: str, own: Mapping[Unit, int], came: Adjudication
    ) -> None:
        """Write down where the units of a power are, which are in these columns."""
        location = self.numbers.location
        gone = {each.unit: each for each in came.dislodged.get(power, ())}
        left = [at for unit, at in own.items() if unit not in gone]
        for at, unit in zip(left, came.position.units[power], strict=True):
            found.after[at] = self.numbers.whats[unit] | self._number[power] << _OWNER
        for unit, each in gone.items():
            origin = BY_SEA if each.attacker is None else location[each.attacker]
            found.attackers[own[unit]] = origin
            for way in each.retreats:
                found.retreats.extend((row, own[unit] - row * self.width, location[way]))


def _numbers(values: object) -> memoryview:
    """Return a buffer as 32-bit numbers. Raises ValueError when it has others."""
    view = memoryview(values)  # type: ignore[arg-type]
    if view.itemsize != 4 or view.format.lstrip("@=<") not in ("i", "l") or not view.c_contiguous:
        raise ValueError("numbers must have 32 bits each, one row after the other")
    return view if view.format == "i" and view.ndim == 1 else view.cast("B").cast("i")
