"""Orders that wait for a later phase, and the conditions they stand under, as lines to keep.

`IF France A ruh ELSE IF A mun THEN A par - bur` is one line: an order in the second branch of an
IF. Branches within branches follow each other with THEN. Each order carries all its conditions, so
that one can be replaced without touching another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from judge.language.condition import Condition, read_condition
from judge.rules.position import Position
from judge.rules.variant import Variant

Branch: TypeAlias = tuple[Condition | None, ...]
"""A branch of an IF: the conditions from the first one on to its own, None for ELSE. It is taken
where the last of them is so and none before it."""

Path: TypeAlias = tuple[Branch, ...]
"""The branches something stands in, the outermost first; () under no condition."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line for a later phase: an order in canonical form, or SET WAIT."""

    text: str
    path: Path = ()

    def __str__(self) -> str:
        """The row as it is kept, which `read_row` reads back."""
        return _THEN.join((*map(_branch_text, self.path), self.text))


@dataclass(frozen=True, slots=True)
class Shown:
    """A line of the block that rows make together: IF, ELSE or ENDIF, or a row's own text.

    `depth` is how far it is to be indented; `row` is the number of the row, None for the others.
    """

    text: str
    depth: int
    path: Path
    row: int | None = None

    def __str__(self) -> str:
        return "  " * self.depth + self.text


def read_row(text: str, variant: Variant) -> Row:
    """The row that `str` of it was kept as. Raises ValueError for a condition that is none."""
    *branches, last = text.split(_THEN)
    return Row(last, tuple(_read_branch(branch, variant) for branch in branches))


def block(rows: Sequence[Row]) -> Iterator[Shown]:
    """The lines that a player would write for these rows."""
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
    """Whether a position is such that what stands in these branches counts."""
    return all(_is_taken(branch, position) for branch in path)


def _is_taken(branch: Branch, position: Position) -> bool:
    *before, own = branch
    return not any(each is not None and each.holds(position) for each in before) and (
        own is None or own.holds(position)
    )


def path_text(path: Path) -> str:
    """The conditions in words that a player wrote: `IF A mun, ELSE IF F kie`."""
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
