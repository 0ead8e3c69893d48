"""Positions and orders as numbers, and the extension that adjudicates them where it was built.

- A unit is `location | kind << 10 | power << 14`: numbers in `Numbers.locations` and
  `Numbers.kinds`, and whose number the caller chooses.
- An order is `what | other << 3 | to << 17`: one of HOLD to CONVOY, the unit supported or convoyed
  (location and kind), and a location.

The engine (`judge.rules.engine`) is what both mean: `kernel.c` follows its equations, and leaves
to it whatever is odd.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, repeat
from typing import Final, NamedTuple

from judge.rules.board import Board, Derived
from judge.rules.board_index import board_index
from judge.rules.orders import Convoy, Hold, Move, Order, Support
from judge.rules.outcome import Reason
from judge.rules.planner import UNNUMBERED, VOID, Plan, Planner
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.result import Result, Results, Source
from judge.rules.rulebook import Rulebook
from judge.rules.submission import UnitIndex, by_power, unit_index

try:
    from judge.rules import _kernel
except ImportError:
    _kernel = None  # type: ignore[assignment]

BUILT = _kernel is not None
"""Whether the extension is there; a test may deny it."""

NOTHING: Final = -1
"""No unit in this column, or no order for it."""
HOLDS: Final = 0
MOVES: Final = 1
SAILS: Final = 2
"""A move that asks for a convoy."""
SUPPORTS: Final = 3
AIDS: Final = 4
"""Support of a move."""
CONVOYS: Final = 5
IMPOSSIBLE: Final = 7

_ODD: Final = -3
"""The number of a plan of which the extension knows nothing."""

REASONS: Final = (None, *Reason)
"""Why an order failed, by the number of its outcome."""

NOT_DISLODGED: Final = -2
BY_SEA: Final = -1
"""Instead of the place that a unit's attacker came from."""

_SETTLED: Final = (
    *("4.A.1", "4.A.3", "4.A.4", "4.A.5", "4.A.6", "4.A.7", "4.B.1", "4.B.2", "4.B.3", "4.B.4"),
    *("4.B.6", "4.C.5", "4.C.6", "4.D.9", "4.E.1", "4.E.3"),
)
"""The issues on which the extension has the answer of 2023 built in."""

_EMPTY: Final = 0x3FFF
"""What is no unit, whosever it is."""


class Tables(NamedTuple):
    """A board as `kernel.c` reads it; `Board` there says what each is."""

    places: int
    locations: int
    kinds: int
    place: bytes
    coastal: bytes
    water: bytes
    near: bytes
    traits: bytes
    step: bytes
    reach: bytes
    first: bytes
    exits: bytes


class Numbers:
    """The numbers of a board: `locations` (provinces first, then coasts) and `kinds` of units."""

    def __init__(self, board: Board) -> None:
        self.index = index = board_index(board)
        coasts = [location for location in index.place if location not in set(index.ids)]
        self.locations = (*index.ids, *coasts)
        self.kinds = tuple(board.kinds)
        self.location = {name: number for number, name in enumerate(self.locations)}
        self.whats = {
            Unit(kind, name): number | which << 10
            for which, kind in enumerate(self.kinds)
            for number, name in enumerate(self.locations)
        }
        """Units by their numbers, whose they are left out."""
        self.units = {what: index.same(unit) for unit, what in self.whats.items()}
        self._known: dict[Rulebook, bool] = {}
        self._tables: Tables | None = None

    def follows(self, rulebook: Rulebook) -> bool:
        """Return whether the extension is there, knows the board, and decides as a rulebook
        says."""
        if not BUILT:
            return False
        known = self._known.get(rulebook)
        if known is None:
            usual, chosen = Rulebook.edition("2023").options, rulebook.options
            known = self._known[rulebook] = (
                all(chosen[issue] == usual[issue] for issue in _SETTLED)
                and chosen["4.A.2"] in "df"
                and (self.index.size <= 256 and len(self.locations) < 1023)
                and (len(self.kinds) < 16 and sum(self.index.waters) <= 64)
            )
        return known

    @property
    def tables(self) -> Tables:
        """The board for the extension."""
        if self._tables is None:
            self._tables = self._tabled()
        return self._tables

    def _tabled(self) -> Tables:
        index, places = self.index, self.index.place
        kinds = index.board.kinds.values()
        ports = [place for place, water in enumerate(index.waters) if water]
        number = {place: which for which, place in enumerate(ports)}
        near = [
            sum(1 << which for p, which in number.items() if mask >> p & 1) for mask in index.near
        ]
        step, reach, first, exits = bytearray(), bytearray(), [0], list[int]()
        for kind in kinds:
            for name in self.locations:
                unit = Unit(kind.letter, name)
                row = bytearray(len(self.locations))
                for place, location in index.exits(unit):
                    exits.append(self.location[location])
                    row[exits[-1]] = 2 if (places[name], place) in index.weak else 1
                first.append(len(exits))
                step += row
                row = bytearray(index.size)
                for place in index.reach(unit, kind.support):
                    row[place] = 1
                reach += row
        traits = [
            kind.afloat | kind.carried << 1 | kind.carries << 2 | kind.supported << 3
            | kind.retreats << 4
            for kind in kinds
        ]  # fmt: skip
        return Tables(
            index.size,
            len(self.locations),
            len(self.kinds),
            array("h", [places[name] for name in self.locations]).tobytes(),
            bytes(index.coastal),
            array("b", [number.get(place, -1) for place in range(index.size)]).tobytes(),
            array("Q", near).tobytes(),
            bytes(traits),
            bytes(step),
            bytes(reach),
            array("i", first).tobytes(),
            array("h", exits).tobytes(),
        )

    def unit(self, number: int) -> Unit:
        """Return the unit of a number."""
        return self.units[number & _EMPTY]

    def order(self, unit: Unit, number: int) -> Order:
        """Return order of a number, given to `unit`; an impossible one moves to where it stands."""
        kind, to = number & 7, number >> 17 & 1023
        other = self.units.get(number >> 3 & _EMPTY)
        if number < 0 or kind == HOLDS:
            return Hold(unit)
        if kind >= IMPOSSIBLE - 1 or to >= len(self.locations) or other is None:
            return Move(unit, unit.province)
        if kind in (MOVES, SAILS):
            return Move(unit, self.locations[to], via=kind == SAILS or None)
        if kind == CONVOYS:
            return Convoy(unit, other, self.locations[to])
        return Support(unit, other, self.locations[to] if kind == AIDS else None)

    def written(self, plan: Plan) -> int:
        """Return the number of the order of a plan; below nought for one that has none."""
        if plan.kind == VOID:
            return IMPOSSIBLE
        order = plan.order
        match order:
            case Hold():
                return HOLDS
            case Move():
                if order.path or plan.arrival is None:
                    return _ODD
                return (SAILS if plan.sails else MOVES) | self.location[plan.arrival.location] << 17
            case Support() | Convoy():
                other = self.whats.get(plan.other) if plan.other is not None else None
                if plan.problem is not None or other is None:
                    return _ODD
                if isinstance(order, Convoy):
                    return CONVOYS | other << 3 | plan.aim << 17
                if order.to is None:
                    return SUPPORTS | other << 3
                goal = plan.aim if plan.arrival is None else self.location[plan.arrival.location]
                return AIDS | other << 3 | goal << 17
        return _ODD


@Derived
def numbers(board: Board) -> Numbers:
    """Return the numbers of a board."""
    return Numbers(board)


@dataclass(slots=True)
class Movements:
    """What movement phases came to, in arrays: rows of as many columns as the units had.

    `outcomes` are numbers of REASONS, -1 where there is no unit. `after` are the units as they
    stand then, -1 for those that are dislodged. `attackers` are the places that the attackers of
    dislodged units came from, BY_SEA, or NOT_DISLODGED. `odd` is 1 for each row that was left to
    the engine. `standoffs` are pairs of a row and the place that was left empty, `retreats` triples
    of a row, a column and a location where the dislodged unit may go; those of odd rows are last.
    """

    outcomes: array[int]
    after: array[int]
    attackers: array[int]
    odd: array[int]
    standoffs: array[int]
    retreats: array[int]


def adjudicate_rows(
    found: Numbers, width: int, rows: int, units: object, orders: object, quick: bool = True
) -> Movements:
    """Adjudicate `rows` phases with `width` columns; the rest of an odd row is not filled in, and
    without `quick` all are odd.

    `units` and `orders` are buffers of 32-bit numbers, as many as there are columns in all rows.
    """
    size = rows * width
    outcomes, odd = array("b", bytes(size)), array("b", bytes(rows))
    after, attackers = array("i", bytes(4 * size)), array("i", bytes(4 * size))
    if quick:
        given = found.tables, width, units, orders
        lists = _kernel.movements(*given, outcomes, after, attackers, odd)
        standoffs, retreats = (array("i", text) for text in lists)
        return Movements(outcomes, after, attackers, odd, standoffs, retreats)
    outcomes, odd = array("b", [-1]) * size, array("b", [1]) * rows
    after, attackers = array("i", [-1]) * size, array("i", [NOT_DISLODGED]) * size
    return Movements(outcomes, after, attackers, odd, array("i"), array("i"))


# -- one phase, in values -------------------------------------------------------------------------


class Quick:
    """A movement phase that the extension has adjudicated.

    `given` are the numbers of the orders of each power, `whom[i]` the unit that order i is for.
    """

    def __init__(
        self,
        index: UnitIndex,
        orders: list[Order],
        giver: list[str],
        given: Mapping[str, slice],
        whom: Sequence[int],
        moved: Movements,
    ) -> None:
        self.index, self.orders, self.giver, self.given = index, orders, giver, given
        self.whom, self.moved = whom, moved

    def led_to(
        self, found: Numbers
    ) -> tuple[dict[str, tuple[Unit, ...]], dict[str, tuple[Dislodged, ...]], tuple[str, ...]]:
        """Return units of each power, those that are dislodged, and the provinces of standoffs."""
        index, moved, named = self.index, self.moved, found.units
        ids, spans = found.index.ids, index.spans
        names = tuple(sorted([ids[place] for place in moved.standoffs[1::2]]))
        if moved.attackers.count(NOT_DISLODGED) == len(moved.attackers):
            left = tuple([named[number & _EMPTY] for number in moved.after])
            return {power: left[own] for power, own in spans.items()}, {}, names
        units: dict[str, tuple[Unit, ...]] = {}
        dislodged: dict[str, tuple[Dislodged, ...]] = {}
        ways: dict[int, list[str]] = {}
        for u, location in zip(moved.retreats[1::3], moved.retreats[2::3], strict=True):
            ways.setdefault(u, []).append(found.locations[location])
        for power, own in spans.items():
            units[power] = tuple([named[n & _EMPTY] for n in moved.after[own] if n >= 0])
        for u, origin in enumerate(moved.attackers):
            if origin != NOT_DISLODGED:
                start = ids[origin] if origin >= 0 else None
                gone = Dislodged(index.units[u], start, tuple(ways.get(u, ())))
                power = index.owner[u]
                dislodged[power] = (*dislodged.get(power, ()), gone)
        return units, dislodged, names

    def results(self, source: Source) -> Results:
        """Return a result for each order and each unit without one, whose outcomes `source`
        tells."""
        index, whom, orders = self.index, self.whom, self.orders
        failed = [REASONS[number] for number in self.moved.outcomes]
        units: Sequence[Unit] = index.units
        why = failed
        if whom is not index.everyone:
            units, why = [units[u] for u in whom], [failed[u] for u in whom]
        every = list(
            map(Result, zip(self.giver, units, orders, why, repeat(source), count(), strict=False))
        )
        given = self.given
        if given is not index.spans:
            given = {**dict.fromkeys(index.spans, slice(0)), **given}
        results = {power: every[numbers] for power, numbers in given.items()}
        if len(whom) < len(index.units):
            for u in sorted(set(index.everyone).difference(whom)):
                power, unit = index.owner[u], index.units[u]
                entry = (power, unit, Hold(unit), failed[u], source, -1 - u)
                results[power].append(Result(entry))
        return results


def movement(
    planner: Planner, position: Position, orders: Mapping[str, Sequence[Order]]
) -> Quick | None:
    """Adjudicate a movement phase by the extension; None where the engine itself has to."""
    found = numbers(planner.board)
    if planner.closed or not found.follows(planner.rulebook):
        return None
    index = unit_index(planner.index, position)
    every = list(chain.from_iterable(orders.values()))
    plans = planner.plans(every)
    written = [plan.number for plan in plans]
    if UNNUMBERED in written:
        for plan in plans:
            if plan.number == UNNUMBERED:
                plan.number = found.written(plan)
        written = [plan.number for plan in plans]
    sizes = list(map(len, orders.values()))
    if sizes == index.sizes and list(orders) == list(index.spans):
        giver, given = index.owner, index.spans
    else:
        giver, given = by_power(orders, sizes)
    whom: Sequence[int] = index.everyone
    if _ODD in written:
        return None
    if giver is not index.owner or [plan.unit for plan in plans] != index.units:
        followed = [NOTHING] * len(index.units)
        whom = _followed(index, giver, plans, followed)
        if len(whom) < len(plans):
            return None
        written = followed
    units = _standing(found, index)
    if not units:
        return None
    moved = adjudicate_rows(found, len(units), 1, units, array("i", written))
    return None if moved.odd[0] else Quick(index, every, giver, given, whom, moved)


def _followed(
    index: UnitIndex, giver: Sequence[str], plans: Sequence[Plan], followed: list[int]
) -> list[int]:
    """Return the units whose orders these are, which are written down as `followed`; as many as
    there are before one that is not for a unit as it stands, or for one that has an order."""
    at, units, owner = index.at, index.units, index.owner
    whom: list[int] = []
    for power, plan in zip(giver, plans, strict=True):
        u = at[plan.place]
        if u < 0 or plan.unit is not units[u] or owner[u] != power or followed[u] != NOTHING:
            break
        followed[u] = plan.number
        whom.append(u)
    return whom


def _standing(found: Numbers, index: UnitIndex) -> array[int] | None:
    """Return units of a position by numbers, their owners in its order; None if one has none."""
    owners = chain.from_iterable(
        map(repeat, range(0, len(index.sizes) << 14, 1 << 14), index.sizes)
    )
    try:
        whats = list(map(found.whats.__getitem__, index.units))
    except KeyError:
        return None
    return array("i", [what + owner for what, owner in zip(whats, owners, strict=True)])
