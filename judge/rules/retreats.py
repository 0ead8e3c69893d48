"""Retreats: where a dislodged unit may go, and what becomes of the orders to go there.

Rulebook 2023, "Retreat and Disbanding Phase"; DATC 6.H.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from judge.rules.board import province_of
from judge.rules.board_index import board_index, closed_provinces
from judge.rules.orders import Disband, Move, Order, Retreat, Unreadable
from judge.rules.outcome import (
    Disbanded,
    NotAllowed,
    NowhereToGo,
    Piece,
    Precedence,
    Removal,
    RetreatClash,
    Retreated,
    Superseded,
    Void,
)
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.problems import Code, Illegal, Problem
from judge.rules.result import Result, ResultDraft
from judge.rules.rulebook import Rulebook
from judge.rules.submission import mismatch
from judge.rules.variant import Variant


def ways_out(
    variant: Variant, unit: Unit, attacker: str | None, closed: Collection[str]
) -> tuple[str, ...]:
    """Return the locations `unit` can retreat to: one step away, not in the `closed` provinces
    (occupied or contested) nor in the one its attacker came from."""
    steps = board_index(variant.board).steps(unit)
    return tuple(
        sorted(
            location
            for locations in steps.values()
            for location in locations
            if (province := province_of(location)) not in closed and province != attacker
        )
    )


def open_retreats(variant: Variant, position: Position, dislodged: Dislodged) -> tuple[str, ...]:
    """Return locations a dislodged unit may retreat to in this position, in alphabetical order."""
    closed = {unit.province for standing in position.units.values() for unit in standing}
    closed.update(position.contested)
    for closure in closed_provinces(variant, position):
        closed.add(closure.province)
        if closure.province == dislodged.unit.province:
            return ()
    return ways_out(variant, dislodged.unit, dislodged.attacker, closed)


@dataclass(slots=True)
class _Case:
    """One dislodged unit with the orders it was given."""

    power: str
    dislodged: Dislodged
    ways: tuple[str, ...]
    to: str | None = None
    followed: ResultDraft | None = None
    candidates: list[tuple[ResultDraft, str | None]] = field(default_factory=list)


def retreat(
    variant: Variant,
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    rulebook: Rulebook,
) -> RetreatPhase:
    """Carry out the retreats: one step by the unit's own means, two to one province clash."""
    phase = RetreatPhase(variant, position, rulebook)
    phase.carry_out(orders)
    return phase


@dataclass(slots=True)
class RetreatPhase:
    """A retreat phase as it comes out: the results, and the units that found a place."""

    variant: Variant
    position: Position
    rulebook: Rulebook
    results: dict[str, list[Result]] = field(default_factory=dict)
    arrived: dict[str, list[Unit]] = field(default_factory=dict)
    _cases: dict[tuple[str, str], _Case] = field(default_factory=dict)
    """The dislodged units by power and province."""

    def carry_out(self, orders: Mapping[str, Sequence[Order]]) -> None:
        """Let the dislodged units go where they are ordered to, or disband."""
        for power, gone in self.position.dislodged.items():
            for dislodged in gone:
                ways = open_retreats(self.variant, self.position, dislodged)
                self._cases[power, dislodged.unit.province] = _Case(power, dislodged, ways)
        drafts = {
            power: [self._read(ResultDraft(power, None, order)) for order in listed]
            for power, listed in orders.items()
        }
        goals: dict[str, list[_Case]] = {}
        for case in self._cases.values():
            _choose(case, self.rulebook)
            if case.to is not None:
                goals.setdefault(province_of(case.to), []).append(case)
        for goal, rivals in goals.items():
            self._arrive(goal, rivals)
        for case in self._cases.values():
            if not case.candidates:
                unit, power = case.dislodged.unit, case.power
                outcome = Disbanded(Removal.UNORDERED if case.ways else Removal.NOWHERE)
                added = ResultDraft(power, unit, Disband(unit), outcome, given=False)
                drafts.setdefault(power, []).append(added)
        self.results = {power: [draft.result for draft in all_] for power, all_ in drafts.items()}

    def _arrive(self, goal: str, rivals: Sequence[_Case]) -> None:
        """Let the one unit that goes to a province arrive there, or none of several."""
        # Anyone who comes across a weak border gives way to others.
        weak = self.variant.board.weak
        strong = [case for case in rivals if (case.dislodged.unit.province, goal) not in weak]
        for case in rivals:
            assert case.followed is not None
            assert case.to is not None
            if [case] == (strong or rivals):
                unit = Unit(case.dislodged.unit.kind, case.to)
                self.arrived.setdefault(case.power, []).append(unit)
                case.followed.outcome = Retreated(case.to)
                continue
            others = (
                Piece(other.power, other.dislodged.unit, moving=True)
                for other in rivals
                if other is not case
            )
            case.followed.outcome = RetreatClash(goal, tuple(others))

    def _read(self, result: ResultDraft) -> ResultDraft:
        """Find the dislodged unit an order is for, and whether it could be followed."""
        order = result.order
        written: Unit | None = getattr(order, "unit", None)
        case = None if written is None else self._cases.get((result.power, written.province))
        if case is not None and written is not None:
            result.unit = case.dislodged.unit
            case.candidates.append((result, self._followed(case, written, result)))
        elif isinstance(order, Unreadable):
            result.outcome = Void(order.problem)
        elif written is None:
            result.outcome = Void(Illegal(code=Code.NOT_FOR_RETREATS))
        else:
            foreign = any(written.province == province for _, province in self._cases)
            code = Code.FOREIGN_RETREAT if foreign else Code.NOT_DISLODGED
            result.outcome = Void(Illegal(code=code, place=written.province))
        return result

    def _followed(self, case: _Case, written: Unit, result: ResultDraft) -> str | None:
        """Return where an order for a dislodged unit sends it, "" to disband; None where it cannot
        be followed."""
        order = result.order
        if isinstance(order, Unreadable):
            result.outcome = Void(order.problem)
            return None
        unit, board = case.dislodged.unit, self.variant.board
        if problem := mismatch(self.rulebook, written, unit, board):
            result.outcome = Void(problem)
        elif isinstance(order, Disband):
            result.outcome = Disbanded()
            return ""
        elif isinstance(order, Retreat | Move):
            return self._way(case, order.to, result)
        else:
            result.outcome = Void(Illegal(code=Code.NO_RETREAT_ORDER), disbanded=True)
        return None

    def _way(self, case: _Case, to: str, result: ResultDraft) -> str | None:
        """Return the open location a retreat is for; None, with the reason in `result`, when there
        is none."""
        board = self.variant.board
        province, _, coast = to.partition("/")
        coasts = board.provinces[province].coasts if province in board.provinces else ()
        fitting = [way for way in case.ways if province_of(way) == province]
        if board.kind(case.dislodged.unit.kind).afloat and coast in coasts:
            exact = [way for way in fitting if way == to]
            if not exact and self.rulebook.coast_impossible == "a":
                exact = fitting
            fitting = exact
        if len(fitting) == 1 or (fitting and self.rulebook.coast_missing == "b"):
            return fitting[0]
        if fitting:
            named = Illegal(code=Code.RETREAT_COAST, write=tuple(fitting))
            result.outcome = NotAllowed(named, disbanded=True)
        elif case.ways:
            closed = _closed(self.variant, case.dislodged, province, self.position)
            result.outcome = NotAllowed(closed, disbanded=True)
        else:
            result.outcome = NowhereToGo()
        return None


def _closed(variant: Variant, dislodged: Dislodged, province: str, position: Position) -> Problem:
    """Return why a dislodged unit cannot retreat to a province."""
    board = variant.board
    if province not in board.provinces:
        return Illegal(code=Code.NO_PROVINCE, word=province)
    steps = board_index(board).steps(dislodged.unit)
    if board_index(board).place[province] not in steps:
        return Illegal(code=Code.NOT_ADJACENT, place=province, goal=dislodged.unit.location)
    if province == dislodged.attacker:
        return Illegal(code=Code.ATTACKER_CAME_FROM, place=province)
    if province in position.contested:
        return Illegal(code=Code.STANDOFF, place=province)
    if any(unit.province == province for units in position.units.values() for unit in units):
        return Illegal(code=Code.OCCUPIED, place=province)
    for closure in closed_provinces(variant, position):
        if closure.province == province:
            return closure.why
    return Illegal(code=Code.THAT_COAST_OUT_OF_REACH, place=province)


def _choose(case: _Case, rulebook: Rulebook) -> None:
    """Of several orders for one unit, the one that is followed (DATC 4.D.3)."""
    legal: list[tuple[ResultDraft, str]] = []
    for result, to in case.candidates:
        if to is None:
            continue
        if any(to == other for _, other in legal):
            result.outcome = Superseded(Precedence.REPEATED)
        else:
            legal.append((result, to))
    if not legal:
        return
    keep = legal[-1] if rulebook.twice_ordered == "b" else legal[0]
    several = len(legal) > 1 and rulebook.twice_ordered == "c"
    for result, to in legal:
        if several or (result, to) != keep:
            result.outcome = (
                Superseded(Precedence.SEVERAL_RETREATS)
                if several
                else Superseded(Precedence.FOLLOWED, keep[0].order)
            )
    if not several:
        case.followed = keep[0]
        case.to = keep[1] or None
