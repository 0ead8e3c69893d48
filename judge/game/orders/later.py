"""Orders for a later phase: their conditions, as lines to keep, and whether they are idle.

`IF France A ruh ELSE IF A mun THEN A par - bur` is one line: an order in the second branch of an
IF. Branches within branches follow each other with THEN. Each order carries all its conditions, so
that one can be replaced without touching another. An order is idle that could not be carried out at
all, wherever the units are then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from judge.game.state.boards import standing
from judge.language.phase_names import Condition, read_condition
from judge.rules import engine
from judge.rules.board import province_of
from judge.rules.engine import Checked
from judge.rules.orders import Build, Convoy, Hold, Launch, Move, Order, Relay, Retreat, Support
from judge.rules.phase import Kind, Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant

Branch: TypeAlias = tuple[Condition | None, ...]
"""A branch of an IF: the conditions from the first one on to its own, None for ELSE. It is taken
where the last of them is so and none before it."""

Path: TypeAlias = tuple[Branch, ...]
"""The branches something stands in, the outermost first; () under no condition."""


class LaterLine(Struct, frozen=True):
    """A line for a later phase: an order in canonical form, or SET WAIT."""

    text: str
    path: Path = ()

    def __str__(self) -> str:
        """Return the row as it is kept, which `read_row` reads back."""
        return _THEN.join((*map(_branch_text, self.path), self.text))


class Shown(Struct, frozen=True):
    """A line of the block that rows make together: IF, ELSE or ENDIF, or a row's own text.

    `depth` is how far it is to be indented; `row` is the number of the row, None for the others.
    """

    text: str
    depth: int
    path: Path
    row: int | None = None

    def __str__(self) -> str:
        return "  " * self.depth + self.text


def read_row(text: str, variant: Variant) -> LaterLine:
    """Return row that `str` of it was kept as. Raises ValueError for a condition that is none."""
    *branches, last = text.split(_THEN)
    return LaterLine(last, tuple(_read_branch(branch, variant) for branch in branches))


def block(rows: Sequence[LaterLine]) -> Iterator[Shown]:
    """Yield the lines that a player would write for these rows."""
    open_: Path = ()
    for number, row in enumerate(rows):
        common = 0
        while common < min(len(open_), len(row.path)) and open_[common] == row.path[common]:
            common += 1
        goes_on = (
            common < min(len(open_), len(row.path))
            and row.path[common][: len(open_[common])] == open_[common]
        )
        yield from _closing(open_, common + goes_on)
        for depth in range(common, len(row.path)):
            branch = row.path[depth]
            known = len(open_[depth]) if goes_on and depth == common else 0
            for end in range(known + 1, len(branch) + 1):
                path = (*row.path[:depth], branch[:end])
                yield Shown(_head(branch[:end]), depth, path)
        yield Shown(row.text, len(row.path), row.path, number)
        open_ = row.path
    yield from _closing(open_, 0)


def is_so(path: Path, position: Position) -> bool:
    """Return whether a position is such that what stands in these branches counts."""
    return all(_is_taken(branch, position) for branch in path)


def _is_taken(branch: Branch, position: Position) -> bool:
    *before, own = branch
    return not any(each is not None and each.holds(position) for each in before) and (
        own is None or own.holds(position)
    )


def path_text(path: Path) -> str:
    """Return the conditions in words that a player wrote: `IF A mun, ELSE IF F kie`."""
    return ", ".join(_head(branch[: end + 1]) for branch in path for end in range(len(branch)))


_THEN = " THEN "
_ELSE_IF = " ELSE IF "
_ELSE = " ELSE"


def _closing(path: Path, keep: int) -> Iterator[Shown]:
    for depth in range(len(path) - 1, keep - 1, -1):
        yield Shown("ENDIF", depth, path[: depth + 1])


def _head(branch: Branch) -> str:
    if branch[-1] is None:
        return "ELSE"
    return f"{'IF' if len(branch) == 1 else 'ELSE IF'} {branch[-1]}"


def _branch_text(branch: Branch) -> str:
    return " ".join(_head(branch[: end + 1]) for end in range(len(branch)))


def _read_branch(text: str, variant: Variant) -> Branch:
    closed = text.endswith(_ELSE)
    conditions = text.removesuffix(_ELSE).removeprefix("IF ").split(_ELSE_IF)
    return (*(read_condition(each, variant) for each in conditions), *((None,) if closed else ()))


def foresee(
    variant: Variant, rulebook: Rulebook | None, power: str, order: Order, phase: Phase
) -> Checked | None:
    """Return what is wrong with an order on the board that suits it best; None where nothing is.

    There every unit that it names stands where it says, and fleets wherever they could carry an
    army; for a bomb, a unit that can carry it stands everywhere. What it says nothing about (whose
    the units are, what else stands where) is not asked.
    """
    if not isinstance(order, Hold | Move | Support | Convoy | Launch | Relay | Retreat | Build):
        return None
    first: Checked | None = None
    for position in _boards(variant, power, order, phase):
        checked = engine.check(variant, position, power, order, rulebook)
        if checked.problem is None:
            return None
        first = first or checked
    return first


def _boards(variant: Variant, power: str, order: Order, phase: Phase) -> Iterator[Position]:
    """Yield the positions in which the order is tried: one for each unit that may be meant."""
    if isinstance(order, Build):
        yield Position(phase, {}, {power: variant.board.centers})
        return
    assert isinstance(order, Hold | Move | Support | Convoy | Launch | Relay | Retreat)
    other = next(each for each in variant.powers if each != power)
    for unit in _meant(variant, order.unit):
        if phase.kind is Kind.RETREATS:
            retreats = variant.board.steps(unit.kind, unit.location)
            yield Position(phase, {}, {}, {power: (Dislodged(unit, None, tuple(retreats)),)})
            continue
        if isinstance(order, Launch | Relay):
            origin = order.origins[0] if isinstance(order, Relay) else ""
            carriers = _carriers(variant, origin, but=unit.province)
            yield Position(phase, {power: (unit,), other: tuple(carriers)})
            continue
        for aided in _aided(variant, order):
            there = {each.province for each in (unit, *aided)}
            seas = (each for each in variant.board.provinces.values() if each.carries)
            carrier = next(kind.letter for kind in variant.board.kinds.values() if kind.carries)
            fleets = [Unit(carrier, sea.id) for sea in seas if sea.id not in there]
            yield Position(phase, {power: (unit,), other: (*aided, *fleets)})


def _carriers(variant: Variant, origin: str, but: str) -> Iterator[Unit]:
    """Yield a unit that takes a bomb farthest in each province, in `origin` one that starts it."""
    board = variant.board
    for province in board.provinces:
        found = [
            (kind.launches == (province == origin), kind.bombs, unit)
            for kind in board.kinds.values()
            if (unit := standing(board, kind, province)) is not None
        ]
        if found and province != but:
            yield max(found)[-1]


def _aided(variant: Variant, order: Order) -> Iterator[tuple[Unit, ...]]:
    """Return the unit that is supported or convoyed, in each way it can be meant."""
    if not isinstance(order, Support | Convoy):
        return iter(((),))
    aided = order.target if isinstance(order, Support) else order.army
    return ((unit,) for unit in _meant(variant, aided))


def _meant(variant: Variant, unit: Unit) -> Iterator[Unit]:
    """Yield the units that a unit as written can be: of each kind, and on each coast."""
    province = variant.board.provinces[province_of(unit.location)]
    for kind in (unit.kind,) if unit.kind else variant.board.kinds:
        locations = (province.id, *province.locations)
        if unit.location in province.locations:
            locations = (unit.location,)
        standing = [each for each in locations if variant.board.stands(kind, each)]
        yield from (Unit(kind, each) for each in dict.fromkeys(standing))
