"""Builds, removals and conversions: who owes what, where units are raised, who goes unasked.

Rulebook 2023, "Gaining and Losing Units Phase" and "Civil Disorder"; DATC 6.I and 6.J.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from judge.rules.board import Province, UnitKind, borders, distances
from judge.rules.board_index import destroyed
from judge.rules.hooks import never_converts, rule_hooks
from judge.rules.orders import Build, Disband, Order, Unreadable, Waive
from judge.rules.outcome import (
    Built,
    Converted,
    Disbanded,
    NotAllowed,
    Precedence,
    Removal,
    Superseded,
    Void,
    Waived,
)
from judge.rules.position import Position, Unit
from judge.rules.problems import Code, Illegal, Problem
from judge.rules.result import Result, ResultDraft
from judge.rules.rulebook import Rulebook
from judge.rules.submission import mismatch
from judge.rules.variant import Variant


def due(variant: Variant, position: Position, power: str) -> int:
    """Return centers less units: builds a power is entitled to, or as a negative number removals
    due."""
    return len(position.centers.get(power, ())) - len(position.units.get(power, ()))


def sites(variant: Variant, position: Position, power: str) -> tuple[str, ...]:
    """Return the provinces where a power can raise a unit now: owned, empty, and a center of its
    home."""
    stands = rule_hooks(variant).only_holds
    if stands is not None and stands(variant, power):
        return ()
    occupied = {unit.province for units in position.units.values() for unit in units}
    owned = position.centers.get(power, ())
    raising = rule_hooks(variant).can_build
    return tuple(
        province
        for province in owned
        if province not in occupied and raising(variant, position, power, province)
    )


def builds(variant: Variant, position: Position, power: str) -> int:
    """Return how many builds a power can really make: entitled to, with a free center for each and
    a kind of unit of which it may have more."""
    due_now = due(variant, position, power)
    if due_now <= 0:
        return 0
    free = sites(variant, position, power)
    allowed = {kind: _allowed(variant, position, power, kind) for kind in _kinds(variant)}
    if any(allowed[kind] is None for kind in allowed if not kind.afloat):
        return min(due_now, len(free))
    inland = sum(variant.board.provinces[place].terrain == "land" for place in free)
    ashore = sum(count or 0 for kind, count in allowed.items() if not kind.afloat)
    afloat = len(free)
    if all(allowed[kind] is not None for kind in allowed if kind.afloat):
        afloat = sum(count or 0 for kind, count in allowed.items() if kind.afloat)
    inside = min(inland, ashore)
    return min(due_now, inside + min(len(free) - inland, ashore - inside + afloat))


def _kinds(variant: Variant) -> Iterable[UnitKind]:
    return variant.board.kinds.values()


def _allowed(variant: Variant, position: Position, power: str, kind: UnitKind) -> int | None:
    return rule_hooks(variant).build_limit(variant, position, power, kind)[0]


def raisable(variant: Variant, position: Position, power: str, province: str) -> Iterator[Unit]:
    """Yield the units that a power could raise in one of its `sites`."""
    place = variant.board.provinces[province]
    for kind in _kinds(variant):
        if kind.afloat and place.terrain == "land":
            continue
        if _allowed(variant, position, power, kind) != 0:
            for location in place.locations if kind.afloat else (province,):
                yield Unit(kind.letter, location)


def conversions(variant: Variant, position: Position, power: str) -> dict[Unit, tuple[Unit, ...]]:
    """Return the units of a power that could be of another kind by a build order for their place,
    each with what it could become."""
    converting, stands = rule_hooks(variant).can_convert, rule_hooks(variant).only_holds
    if converting is never_converts or (stands is not None and stands(variant, power)):
        return {}
    found: dict[Unit, tuple[Unit, ...]] = {}
    for unit in position.units.get(power, ()):
        place = variant.board.provinces[unit.province]
        if place.terrain == "coast" and converting(variant, position, power, unit):
            afloat = variant.board.kind(unit.kind).afloat
            others = (kind for kind in _kinds(variant) if kind.afloat != afloat)
            found[unit] = tuple(
                Unit(kind.letter, location)
                for kind in others
                for location in (place.locations if kind.afloat else (unit.province,))
            )
    return found


def adjust(
    variant: Variant,
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    rulebook: Rulebook,
) -> AdjustmentPhase:
    """Carry out builds, waives, conversions and removals, the automatic ones included."""
    phase = AdjustmentPhase(variant, position, rulebook)
    for power in dict.fromkeys((*position.units, *position.centers, *orders)):
        phase.carry_out(power, orders.get(power, ()))
    return phase


@dataclass(slots=True, eq=False)
class _ConvertedUnit:
    """An order about a unit that could be converted; `new` is None where it stays as it is."""

    draft: ResultDraft
    old: Unit
    new: Unit | None = None


_Wanted = list[tuple[ResultDraft, Unit | None, int]]
"""Orders that use builds: each with its unit, None for those that waive some, and how many."""


@dataclass(slots=True)
class AdjustmentPhase:
    """An adjustment phase as it comes out: the results, the units raised and disbanded, and those
    converted with what they have become."""

    variant: Variant
    position: Position
    rulebook: Rulebook
    results: dict[str, list[Result]] = field(default_factory=dict)
    raised: dict[str, list[Unit]] = field(default_factory=dict)
    disbanded: dict[str, list[Unit]] = field(default_factory=dict)
    converted: dict[str, dict[Unit, Unit]] = field(default_factory=dict)

    def carry_out(self, power: str, orders: Sequence[Order]) -> None:
        """Carry out the orders of a power, and what it owes without any."""
        owed = due(self.variant, self.position, power)
        results = [ResultDraft(power, None, order) for order in orders]
        changes = self._changes(power, results)
        rest = results
        if changes:
            rest = [draft for number, draft in enumerate(results) if number not in changes]
        given = len(rest)
        if owed < 0:
            self._remove(power, -owed, rest)
        else:
            self._build(power, owed, rest)
        if changes:
            results += rest[given:]
            self._convert(power, changes.values())
        if results:
            self.results[power] = [draft.result for draft in results]

    # -- builds -------------------------------------------------------------------------------

    def _limit(self, power: str, unit: Unit) -> tuple[int | None, Problem]:
        """Return how many units of this one's kind a power can build, and what is wrong with
        more."""
        kind = self.variant.board.kind(unit.kind)
        return rule_hooks(self.variant).build_limit(self.variant, self.position, power, kind)

    def _raised(self, power: str, unit: Unit) -> Unit | Problem:
        """Return unit a build order would raise, coast and kind filled in, or why there is none."""
        if unit.province not in self.variant.board.provinces:
            return Illegal(code=Code.NO_PROVINCE, word=unit.location)
        if unit.province not in sites(self.variant, self.position, power):
            return self._no_site(power, unit.province)
        new = _new(self.variant, unit, self.rulebook)
        if isinstance(new, Unit):
            allowed, too_many = self._limit(power, new)
            if allowed == 0:
                return too_many
        return new

    def _no_site(self, power: str, province: str) -> Problem:
        if not self.variant.board.provinces[province].supply_center:
            return Illegal(code=Code.NO_CENTER, place=province)
        centers = self.position.centers
        if province not in centers.get(power, ()):
            owner = next((p for p, owned in centers.items() if province in owned), None)
            if owner is None:
                return Illegal(code=Code.NOT_OWNED, place=province)
            return Illegal(code=Code.FOREIGN_CENTER, place=province, power=owner)
        if any(unit.province == province for own in self.position.units.values() for unit in own):
            return Illegal(code=Code.OCCUPIED, place=province)
        return Illegal(code=Code.NOT_HOME, place=province)

    def _build(self, power: str, owed: int, results: list[ResultDraft]) -> None:
        wanted: _Wanted = []
        rest: list[ResultDraft] = []
        for result in results:
            order = result.order
            if isinstance(order, Waive):
                if self.rulebook.waiving == "b":
                    _refuse(result, Code.NO_WAIVING)
                elif order.count is None:
                    rest.append(result)
                else:
                    wanted.append((result, None, order.count))
            elif isinstance(order, Build):
                new = self._raised(power, order.unit)
                if isinstance(new, Problem):
                    result.outcome = NotAllowed(new)
                else:
                    wanted.append((result, new, 1))
            elif isinstance(order, Disband):
                _refuse(result, Code.NO_REMOVAL_DUE)
            else:
                result.outcome = Void(_no_adjustment(order))
        left = self._use(power, owed, self._one_each(wanted))
        for result in rest:
            if left:
                result.outcome = Waived(left)
                left = 0
            else:
                _refuse(result, Code.NONE_TO_WAIVE)
        if left:
            self._build_unordered(power, left, results)

    def _one_each(self, wanted: _Wanted) -> _Wanted:
        """Of several builds in one place the one that counts (DATC 4.D.5, 6.I.7)."""
        by_place: dict[str, list[ResultDraft]] = {}
        for result, unit, _ in wanted:
            if unit is not None:
                by_place.setdefault(unit.province, []).append(result)
        dropped: list[ResultDraft] = []
        twice = self.rulebook.built_twice
        for results in by_place.values():
            if len(results) > 1:
                same = all(result.order == results[0].order for result in results)
                choice = "b" if same and twice == "a" else twice
                keep = {"a": None, "b": results[0], "c": results[-1]}[choice]
                dropped += [result for result in results if result is not keep]
        for result in dropped:
            result.outcome = Superseded(Precedence.SAME_PLACE)
        return [item for item in wanted if not any(item[0] is result for result in dropped)]

    def _use(self, power: str, owed: int, wanted: _Wanted) -> int:
        """Make the builds that are wanted, as many as are owed; how many are left."""
        ordered = sum(count for _, _, count in wanted)
        if ordered > owed and self.rulebook.too_many_builds == "a":
            for result, _, _ in wanted:
                _refuse(result, Code.TOO_MANY_BUILDS, owed, ordered)
            return owed
        if self.rulebook.too_many_builds == "c":
            wanted.reverse()
        left, made = owed, Counter[str]()
        for result, unit, count in wanted:
            if unit is not None and count <= left:
                allowed, too_many = self._limit(power, unit)
                if allowed is not None and made[unit.kind] >= allowed:
                    result.outcome = NotAllowed(too_many)
                    continue
                made[unit.kind] += 1
            if count > left:
                code = Code.FEW_BUILDS_DUE if owed else Code.NO_BUILD_DUE
                _refuse(result, code, owed or None)
                continue
            left -= count
            if unit is None:
                result.outcome = Waived(count)
                continue
            result.unit, result.outcome = unit, Built()
            self.raised.setdefault(power, []).append(unit)
        return left

    def _build_unordered(self, power: str, left: int, results: list[ResultDraft]) -> None:
        """Do what becomes of builds that were neither ordered nor waived."""
        variant, position = self.variant, self.position
        used = {unit.province for unit in self.raised.get(power, ())}
        for unit in rule_hooks(variant).default_builds(variant, position, power):
            if left and unit.province not in used:
                left -= 1
                results.append(ResultDraft(power, unit, Build(unit), Built(), given=False))
                self.raised.setdefault(power, []).append(unit)
        if left and sites(variant, position, power):
            built = len(self.raised.get(power, ()))
            unused = min(left, builds(variant, position, power) - built)
            if unused > 0:
                results.append(ResultDraft(power, None, Waive(unused), Waived(unused), given=False))

    # -- conversions --------------------------------------------------------------------------

    def _changes(self, power: str, results: Sequence[ResultDraft]) -> dict[int, _ConvertedUnit]:
        """Return the orders to convert a unit, by their numbers, and those to disband one that come
        too late.

        The first order for a unit counts, as with too many builds.
        """
        converting = rule_hooks(self.variant).can_convert
        if converting is never_converts:
            return {}
        own = {
            unit.province: unit
            for unit in self.position.units.get(power, ())
            if converting(self.variant, self.position, power, unit)
        }
        removing = due(self.variant, self.position, power) < 0
        settled: set[str] = set()
        changes: dict[int, _ConvertedUnit] = {}
        for number, draft in enumerate(results):
            order = draft.order
            if not isinstance(order, Build | Disband) or order.unit.province not in own:
                continue
            change = _ConvertedUnit(draft, own[order.unit.province])
            if change.old.province in settled:
                if isinstance(order, Build) or removing:
                    changes[number] = change
                    draft.outcome = Superseded(Precedence.EARLIER)
            elif isinstance(order, Build):
                changes[number] = change
                new = self._converted(change.old, order.unit)
                if isinstance(new, Problem):
                    draft.outcome = NotAllowed(new)
                else:
                    change.new = new
                    settled.add(change.old.province)
            elif removing:
                settled.add(change.old.province)
        return changes

    def _converted(self, old: Unit, written: Unit) -> Unit | Problem:
        """Return what a unit becomes by a build order for its place, or why it becomes nothing
        else."""
        if written.kind == old.kind:
            return Illegal(code=Code.ALREADY_THAT_KIND, place=old.province, kind=old.kind)
        new = _new(self.variant, written, self.rulebook)
        if isinstance(new, Unit) and new.kind == old.kind:
            return Illegal(code=Code.CONVERT_TO_WHAT, place=old.province, kind=old.kind)
        return new

    def _convert(self, power: str, changes: Iterable[_ConvertedUnit]) -> None:
        """Convert the units that are still there."""
        gone = self.disbanded.get(power, ())
        for change in changes:
            draft, old, new = change.draft, change.old, change.new
            if new is None:
                continue
            if old in gone:
                _refuse(draft, Code.REMOVED_FIRST)
                continue
            draft.unit, draft.outcome = new, Converted(old)
            self.converted.setdefault(power, {})[old] = new

    # -- removals -----------------------------------------------------------------------------

    def _remove(self, power: str, owed: int, results: list[ResultDraft]) -> None:
        rulebook = self.rulebook
        own = {unit.province: unit for unit in self.position.units.get(power, ())}
        wanted: list[ResultDraft] = []
        for result in results:
            order = result.order
            if isinstance(order, Build | Waive):
                _refuse(result, Code.REMOVALS_DUE, owed)
            elif not isinstance(order, Disband):
                result.outcome = Void(_no_adjustment(order))
            elif (unit := own.get(order.unit.province)) is None:
                result.outcome = Void(Illegal(code=Code.NOT_STANDING, place=order.unit.province))
            else:
                result.unit = unit
                problem = mismatch(rulebook, order.unit, unit, self.variant.board)
                if problem:
                    result.outcome = Void(problem)
                elif any(unit == other.unit for other in wanted):
                    result.outcome = Superseded(Precedence.DISBANDED)
                else:
                    wanted.append(result)
        excess = len(wanted) > owed
        if excess and rulebook.too_many_removals == "c":
            wanted.reverse()
        gone: list[Unit] = []
        for result in wanted:
            assert result.unit is not None
            if (excess and rulebook.too_many_removals == "a") or len(gone) == owed:
                _refuse(result, Code.FEW_REMOVALS_DUE, owed)
            else:
                result.outcome = Disbanded()
                gone.append(result.unit)
        left = [unit for unit in own.values() if unit not in gone]
        going = first_to_go(self.variant, self.position, power, left, rulebook)
        why = Removal.FARTHEST_FROM_HOME if rulebook.removal == "a" else Removal.FARTHEST
        for unit in going[: owed - len(gone)]:
            results.append(ResultDraft(power, unit, Disband(unit), Disbanded(why), given=False))
            gone.append(unit)
        self.disbanded[power] = gone


def _only_kind(
    variant: Variant, place: Province, coast: str, rulebook: Rulebook
) -> UnitKind | None:
    """Return the kind that is meant where none is written; None where several can be."""
    ashore = [kind for kind in _kinds(variant) if not kind.afloat]
    afloat = [kind for kind in _kinds(variant) if kind.afloat]
    if rulebook.build_letter != "a" and place.terrain == "land" and len(ashore) == 1:
        return ashore[0]
    if rulebook.build_letter == "c" and coast in place.coasts and len(afloat) == 1:
        return afloat[0]
    return None


def _new(variant: Variant, unit: Unit, rulebook: Rulebook) -> Unit | Problem:
    """Return unit that stands in a place anew, coast and kind filled in, or why there is none."""
    province, _, coast = unit.location.partition("/")
    place = variant.board.provinces[province]
    inland = place.terrain == "land"
    ashore = [kind for kind in _kinds(variant) if not kind.afloat]
    kind = variant.board.kinds.get(unit.kind)
    if not unit.kind:
        kind = _only_kind(variant, place, coast, rulebook)
        if kind is None:
            kinds = tuple(kind.letter for kind in _kinds(variant))
            return Illegal(code=Code.BUILD_KIND, kinds=kinds, place=province)
    if kind is None:
        return Illegal(code=Code.UNKNOWN_KIND, word=unit.kind)
    if kind.afloat and inland:
        if rulebook.fleet_inland == "a":
            return Illegal(code=Code.BUILD_INLAND, kind=kind.letter, place=province)
        kind = ashore[0]
    if coast and coast not in place.coasts and rulebook.idle_coast == "a":
        return Illegal(code=Code.NO_SUCH_COAST, place=province)
    if not kind.afloat:
        if coast and rulebook.idle_coast == "a":
            return Illegal(code=Code.BUILD_ON_COAST, kind=kind.letter)
        return Unit(kind.letter, province)
    if coast in place.coasts:
        return Unit(kind.letter, unit.location)
    if not place.coasts or rulebook.build_coast == "b":
        return Unit(kind.letter, place.locations[0])
    return Illegal(code=Code.BUILD_COAST, place=province, write=place.locations)


def _refuse(
    draft: ResultDraft, code: Code, count: int | None = None, ordered: int | None = None
) -> None:
    draft.outcome = NotAllowed(Illegal(code=code, count=count, ordered=ordered))


def _no_adjustment(order: Order) -> Problem:
    """Return what is wrong with an order that adjusts nothing."""
    if isinstance(order, Unreadable):
        return order.problem
    return Illegal(code=Code.NOT_FOR_ADJUSTMENTS)


def first_to_go(
    variant: Variant,
    position: Position,
    power: str,
    units: Iterable[Unit],
    rulebook: Rulebook,
) -> list[Unit]:
    """`units` in the order in which they are removed when nobody chose (DATC 4.D.8)."""
    board = variant.board
    owned = position.centers.get(power, ())
    home = [each for each in board.centers if board.provinces[each].home == power]
    shut = destroyed(position)
    any_way = distances(borders(board), (each for each in owned if each not in shut), shut)
    left = [each for each in home if each not in shut]
    home_by_land = distances(borders(board), left, shut)
    harbors = (location for each in left for location in board.provinces[each].locations)
    home_by_sea = distances(board.fleet, harbors, shut)
    never = len(board.provinces) + len(board.fleet)

    def key(unit: Unit) -> tuple[bool, int, bool, str]:
        if rulebook.removal != "a":
            away = any_way.get(unit.province, never)
        elif board.kind(unit.kind).afloat:
            away = home_by_sea.get(unit.location, never)
        else:
            away = home_by_land.get(unit.province, never)
        spared = rulebook.removal == "c" and board.provinces[unit.province].supply_center
        return spared, -away, not board.kind(unit.kind).afloat, board.provinces[unit.province].name

    return sorted(units, key=key)
