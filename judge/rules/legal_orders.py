"""Every order a power could give: the source of order sheets, suggestions and counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from judge.rules.adjustments import conversions, due, raisable, sites
from judge.rules.board_index import BoardIndex, closed_provinces
from judge.rules.hooks import rule_hooks
from judge.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Launch,
    Move,
    Order,
    Relay,
    Retreat,
    Support,
    Waive,
)
from judge.rules.phase import Kind
from judge.rules.planner import planner
from judge.rules.position import Position, Unit
from judge.rules.retreats import open_retreats
from judge.rules.rulebook import Rulebook
from judge.rules.submission import unit_index
from judge.rules.variant import Variant, in_position


def legal_orders(
    variant: Variant, position: Position, power: str, rulebook: Rulebook | None = None
) -> dict[Unit, list[Order]]:
    """Return all legal orders of each unit that `power` has to order now, always in the same order.

    Legal is what could be right knowing the position but no other order (DATC 4.E.1). Orders are
    in canonical form, each once, with the nationality of foreign units under 4.C.5 a; `rulebook` is
    the variant's own unless given.

    Movement, for every unit:

    - hold;
    - a move to each location one step away (fleets: each coast by itself), and for an army on a
      coast to each coast that a chain of fleets now at sea, of any powers, could carry it to. Where
      it could walk there as well, the journey by sea is a second order, "via convoy" (not under
      4.A.3 a or b, which know no such words); under 4.A.6 c each journey names a shortest way;
    - a support in place of every other unit that stands one step away, coasts disregarded;
    - a support of every move of another unit into a province one step away, coasts disregarded: one
      for each coast a fleet could choose there, one only for an army that could walk or sail. A
      move that only the supporter itself could convoy counts not (DATC 6.D.31);
    - for a fleet at sea a convoy of every army, of any power, from coast to coast, if there is a
      chain of fleets now at sea that could do it and could not without this one (DATC 6.G.19);
    - where an arsenal stands: for it a bomb on each space in its range, and on each in the range of
      one unit that carries it there; for every unit that can carry bombs its link between two that
      could hand it on, or to what it bombs. Longer chains are legal, but are too many to list.

    Retreats, for every dislodged unit: each open retreat, and to disband. Adjustments, with builds
    due: for every unit that could be raised in a home center its build, and to waive (not under
    4.D.7 b); the keys are the units that do not exist yet, and there are none when no center is
    free. With removals due: for every unit to be disbanded. Units that can be converted have the
    builds that do it, whatever is due. Powers with nothing to decide get {}.
    """
    rulebook = rulebook or Rulebook.edition(variant.rulebook)
    variant = in_position(variant, position)
    stands = rule_hooks(variant).only_holds
    if stands is not None and stands(variant, power):
        return {}
    if position.phase.kind is Kind.MOVEMENT:
        return _LegalMovement(variant, position, rulebook).orders(power)
    if position.phase.kind is Kind.RETREATS:
        return _retreats(variant, position, power)
    return _adjustments(variant, position, power, rulebook)


class _LegalMovement:
    """The orders of one movement phase."""

    def __init__(self, variant: Variant, position: Position, rulebook: Rulebook) -> None:
        self.planner = planner(variant.board, rulebook, closed_provinces(variant, position))
        self.index: BoardIndex = self.planner.index
        self.position = position
        self.says_via = rulebook.land_or_sea not in "ab"
        self.names_route = rulebook.named_route == "c"
        self.names_nation = rulebook.nation_missing == "a"
        place = self.index.place
        self.convoy_routes = unit_index(self.index, position).convoy_routes
        self.coasts = [
            at
            for at, coastal in enumerate(self.index.coastal)
            if coastal and at not in self.planner.closed
        ]
        self.units = [
            (place[unit.location], unit, power)
            for power, units in position.units.items()
            for unit in units
        ]
        self.supported = [
            (at, unit, power, self._steps(unit))
            for at, unit, power in self.units
            if self.planner.kind(unit).supported
        ]
        self.sailing = {unit for at, unit, _ in self.units if self._sails(at, unit)}
        self._landings: dict[int, frozenset[int]] = {}

    def orders(self, power: str) -> dict[Unit, list[Order]]:
        return {
            unit: [
                Hold(unit),
                *self._moves(unit),
                *self._supports(unit, power),
                *self._convoys(unit, power),
                *self._bombs(unit),
            ]
            for unit in self.position.units.get(power, ())
        }

    def _steps(self, unit: Unit) -> Mapping[int, tuple[str, ...]]:
        return self.planner.steps(unit)

    def _sails(self, start: int, unit: Unit) -> bool:
        """Return whether fleets could carry a unit anywhere."""
        carried = self.planner.kind(unit).carried and start not in self.planner.closed
        return carried and self.convoy_routes.reached(start) != 0

    def _by_sea(self, army: Unit, without: int = -1) -> frozenset[int]:
        """Return where fleets could carry an army, `without` the one in that place."""
        if army not in self.sailing:
            return frozenset()
        start, near = self.index.place[army.location], self.index.near
        fleets = self.convoy_routes.reached(start, without)
        landings = self._landings.get(fleets)
        if landings is None:
            landings = frozenset(end for end in self.coasts if near[end] & fleets)
            self._landings[fleets] = landings
        return landings - {start}

    def _moves(self, unit: Unit) -> Iterator[Order]:
        steps, landings = self._steps(unit), self._by_sea(unit)
        for locations in steps.values():
            for location in locations:
                yield Move(unit, location)
        for end in sorted(landings):
            name = self.index.ids[end]
            if self.names_route:
                fleets = self.convoy_routes.fleets
                route = self.index.shortest(self.index.place[unit.location], end, fleets)
                yield Move(unit, name, True, tuple(self.index.ids[water] for water in route))
            elif end not in steps:
                yield Move(unit, name)
            elif self.says_via:
                yield Move(unit, name, via=True)

    def _nation(self, owner: str, power: str) -> str | None:
        """Return nationality that has to stand before a unit of `owner` in an order by `power`."""
        return owner if self.names_nation and owner != power else None

    def _supports(self, unit: Unit, power: str) -> Iterator[Order]:
        here = self.index.place[unit.location]
        near = self.index.reach(unit, self.planner.kind(unit).support)
        for at, other, owner, steps in self.supported:
            if at == here:
                continue
            nation = self._nation(owner, power)
            if at in near:
                yield Support(unit, other, None, nation)
            for end in near:
                if end in steps:
                    for location in steps[end]:
                        yield Support(unit, other, location, nation)
            if other in self.sailing and (sailed := self._by_sea(other, without=here)):
                for end in near:
                    if end in sailed and end not in steps:
                        yield Support(unit, other, self.index.ids[end], nation)

    def _convoys(self, unit: Unit, power: str) -> Iterator[Order]:
        here = self.index.place[unit.location]
        if not self.convoy_routes.fleets >> here & 1:
            return
        for at, army, owner in self.units:
            nation = self._nation(owner, power)
            for end in sorted(self._by_sea(army)):
                if self.convoy_routes.needed(here, at, end):
                    yield Convoy(unit, army, self.index.ids[end], nation)

    def _bombs(self, unit: Unit) -> Iterator[Order]:
        kinds, ids = self.planner, self.index.ids
        mine = kinds.kind(unit)
        if not mine.bombs or not any(kinds.kind(other).launches for _, other, _ in self.units):
            return
        here = self.index.place[unit.location]
        carriers = {
            at: self._throws(other)
            for at, other, _ in self.units
            if at != here and kinds.kind(other).bombs
        }
        near = self._throws(unit)
        if mine.launches:
            for end in near:
                yield Launch(unit, ids[end])
            for via in near:
                for end in carriers.get(via, ()):
                    if end != via:
                        yield Launch(unit, ids[end], (ids[via],))
        for origin, reach in carriers.items():
            if here not in reach:
                continue
            for end in near:
                if end in carriers and end != origin:
                    yield Relay(unit, (ids[origin],), (ids[end],))
                yield Relay(unit, (ids[origin],), (), ids[end])

    def _throws(self, unit: Unit) -> Sequence[int]:
        """Return where a unit can take a bomb."""
        reach = self.index.reach(unit, self.planner.kind(unit).bombs)
        closed = self.planner.closed
        return [end for end in reach if end not in closed or not closed[end].destroyed]


def _retreats(variant: Variant, position: Position, power: str) -> dict[Unit, list[Order]]:
    return {
        dislodged.unit: [
            *(Retreat(dislodged.unit, to) for to in open_retreats(variant, position, dislodged)),
            Disband(dislodged.unit),
        ]
        for dislodged in position.dislodged.get(power, ())
    }


def _adjustments(
    variant: Variant, position: Position, power: str, rulebook: Rulebook
) -> dict[Unit, list[Order]]:
    owed = due(variant, position, power)
    orders: dict[Unit, list[Order]] = {}
    if owed < 0:
        orders = {unit: [Disband(unit)] for unit in position.units.get(power, ())}
    elif owed > 0:
        waive: list[Order] = [] if rulebook.waiving == "b" else [Waive()]
        for province in sites(variant, position, power):
            for unit in raisable(variant, position, power, province):
                orders[unit] = [Build(unit), *waive]
    for unit, others in conversions(variant, position, power).items():
        orders.setdefault(unit, []).extend(map(Build, others))
    return orders
