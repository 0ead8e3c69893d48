"""The hooks by which rule modules change the rules.

The core asks a hook, never which variant it plays. A variant names its modules; each fills the
hooks it cares about, later ones over earlier ones, the rest keep the standard rule. A module maps
names of hooks to functions: it is one of `judge.rules.modules`, or the variant brings it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from judge.rules.board import Derived, UnitKind
from judge.rules.modules.bombs import Strikes
from judge.rules.modules.conscription import builds_at_home, builds_nothing, builds_up_to_limit
from judge.rules.modules.registry import MODULES
from judge.rules.movement import Resolver
from judge.rules.phase import Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.problems import Problem
from judge.rules.result import Ending
from judge.rules.submission import Submission
from judge.rules.variant import Variant
from judge.rules.winning import Raises, Verdict, most_win

# -- the standard rules ---------------------------------------------------------------------------


def never_converts(variant: Variant, position: Position, power: str, unit: Unit) -> bool:
    """Let an army stay an army, and a fleet a fleet."""
    return False


def retreats_where_it_can(variant: Variant, gone: Dislodged) -> bool:
    """Let a dislodged unit go where there is room, if it is of a kind that retreats."""
    return variant.board.kind(gone.unit.kind).retreats


def nothing_vanishes(
    phase: Phase, following: Phase, extra: Mapping[str, object]
) -> tuple[dict[str, object], tuple[str, ...]]:
    """Keep every center that is not destroyed."""
    return dict(extra), ()


def never_ends(variant: Variant, position: Position, can_build: Raises) -> None:
    """Let the game go on as long as nobody has won."""


# -- the hooks ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RuleHooks:
    """One function for each question that rule modules may answer otherwise."""

    can_build: Callable[[Variant, Position, str, str], bool] = builds_at_home
    """Whether a power can build units in a province that it owns and that is empty."""

    build_limit: Callable[[Variant, Position, str, UnitKind], tuple[int | None, Problem]] = (
        builds_up_to_limit
    )
    """How many units of a kind a power can build now, None for any number, and what is wrong with
    one that would be too many."""

    default_builds: Callable[[Variant, Position, str], Sequence[Unit]] = builds_nothing
    """The units that a power raises with builds that it neither ordered nor waived."""

    can_convert: Callable[[Variant, Position, str, Unit], bool] = never_converts
    """Whether a power can make an army a fleet, or a fleet an army, where its unit stands, by a
    build order for that place in an adjustment phase. It takes no build, and may be done whether
    builds or removals are due. That no fleet comes inland is seen to elsewhere."""

    can_retreat: Callable[[Variant, Dislodged], bool] = retreats_where_it_can
    """Whether a dislodged unit may retreat; else it is destroyed at once."""

    only_holds: Callable[[Variant, str], bool] | None = None
    """Whether none of a power's units follows an order, a dislodged one is destroyed, and no new
    ones are built; None where every power orders its units."""

    bombs: Callable[[Submission, Resolver], Strikes] | None = None
    """What bombs come to that were launched in a movement phase; a variant with units that launch
    bombs needs it. Asked when all moves are decided, and before retreats are."""

    after_moves: Callable[[Submission], Mapping[str, object]] | None = None
    """What the position remembers of the orders followed in a movement phase."""

    after_builds: (
        Callable[[Variant, Position, Mapping[str, Sequence[Unit]]], Mapping[str, object]] | None
    ) = None
    """What the position remembers when units were built (by power). Both replace what it
    remembered under the same keys."""

    vanishing: Callable[
        [Phase, Phase, Mapping[str, object]], tuple[dict[str, object], tuple[str, ...]]
    ] = nothing_vanishes
    """What a position remembers after a phase when the movement and the retreats of its season are
    over, with the centers that disappear; the second phase is the one that follows. Asked on boards
    on which something is destroyed."""

    winners: Callable[[Variant, Position, Mapping[str, Sequence[object]]], Verdict] = most_win
    """Who has won with what the powers have (centers, or units where those decide) at a count."""

    ending: Callable[[Variant, Position, Raises], Ending | None] = never_ends
    """Whether the game is over because nobody can win it. Asked when something was destroyed."""


@lru_cache(maxsize=256)
def with_modules(variant: Variant, names: tuple[str, ...]) -> Variant:
    """Return the variant with further rule modules; itself where there are none."""
    return replace(variant, modules=(*variant.modules, *names)) if names else variant


@Derived
def rule_hooks(variant: Variant) -> RuleHooks:
    """Return the hooks of a variant as its modules fill them.

    Raises KeyError when the variant names a module that does not exist.
    """
    known = RuleHooks()
    for name in variant.modules:
        module = variant.own_modules.get(name) or MODULES[name]
        known = replace(known, **module)  # type: ignore[arg-type]
    return known
