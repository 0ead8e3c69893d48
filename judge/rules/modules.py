"""The rule_hooks at which a variant's rule modules change the rules, and the modules by name.

The core asks a seam, never which variant it plays. A variant names its modules; each fills the
rule_hooks it cares about, later ones over earlier ones, the rest keep the standard rule. A new module
is a function for each seam it fills and a line in `MODULES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from judge.rules import arsenals, bombs, waste
from judge.rules.bombs import Strikes
from judge.rules.derived import Derived
from judge.rules.kinds import UnitKind
from judge.rules.movement import Resolver
from judge.rules.outcome import Ending
from judge.rules.phase import Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.problems import Code, Illegal, Problem
from judge.rules.submission import Submission
from judge.rules.variant import Variant
from judge.rules.winning import Raises, Verdict, alone_wins, most_win, nobody_can_win

# -- the rule_hooks, with the standard rules -----------------------------------------------------------


def raises_at_home(variant: Variant, position: Position, power: str, province: str) -> bool:
    """The standard rule: units are raised in the centers of the home country."""
    place = variant.board.provinces[province]
    return place.supply_center and place.home == power


def converts_nothing(variant: Variant, position: Position, power: str, unit: Unit) -> bool:
    """The standard rule: an army stays an army, and a fleet a fleet."""
    return False


def raises_up_to_limit(
    variant: Variant, position: Position, power: str, kind: UnitKind
) -> tuple[int | None, Problem]:
    """The standard rule: as many as there are builds, unless the variant limits the kind."""
    too_many = Illegal(code=Code.KIND_LIMIT, count=kind.limit, kind=kind.letter)
    if kind.limit is None:
        return None, too_many
    standing = sum(unit.kind == kind.letter for unit in position.units.get(power, ()))
    return max(kind.limit - standing, 0), too_many


def retreats_where_it_can(variant: Variant, gone: Dislodged) -> bool:
    """The standard rule: a dislodged unit that has somewhere to go may go there, if it is of a kind
    that does."""
    return variant.board.kind(gone.unit.kind).retreats


def nothing_fades(
    phase: Phase, following: Phase, extra: Mapping[str, object]
) -> tuple[dict[str, object], tuple[str, ...]]:
    """The standard rule: a center that is not destroyed stays one."""
    return dict(extra), ()


def never_ends(variant: Variant, position: Position, raises: Raises) -> None:
    """The standard rule: as long as nobody has won the game goes on."""


def stands_nowhere(variant: Variant, power: str) -> bool:
    """The standard rule: every power may order its units, and raise new ones."""
    return False


@dataclass(frozen=True)
class RuleHooks:
    """One function for each question that rule modules may answer otherwise."""

    raises: Callable[[Variant, Position, str, str], bool] = raises_at_home
    """Whether a power can raise units in a province that it owns and that is empty."""

    allows: Callable[[Variant, Position, str, UnitKind], tuple[int | None, Problem]] = (
        raises_up_to_limit
    )
    """How many units of a kind a power can raise now, None for any number, and what is wrong
    with one that would be too many."""

    converts: Callable[[Variant, Position, str, Unit], bool] = converts_nothing
    """Whether a power can make an army a fleet, or a fleet an army, where its unit stands, by a
    build order for that place in an adjustment phase. It takes no build, and may be done whether
    builds or removals are due. That no fleet comes inland is seen to elsewhere."""

    retreats: Callable[[Variant, Dislodged], bool] = retreats_where_it_can
    """Whether a dislodged unit may retreat; else it is destroyed at once."""

    stands: Callable[[Variant, str], bool] = stands_nowhere
    """Whether a power only holds: none of its units follows an order, a dislodged one is destroyed,
    and no new ones are raised."""

    strikes: Callable[[Submission, Resolver], Strikes] | None = None
    """What bombs come to that were launched in a movement phase; a variant with units that launch
    bombs needs it. Asked when all moves are decided, and before retreats are."""

    after_moves: Callable[[Submission], Mapping[str, object]] | None = None
    """What the position remembers of the orders followed in a movement phase."""

    after_builds: (
        Callable[[Variant, Position, Mapping[str, Sequence[Unit]]], Mapping[str, object]] | None
    ) = None
    """What the position remembers when units were raised (by power). Both replace what it
    remembered under the same keys."""

    fades: Callable[
        [Phase, Phase, Mapping[str, object]], tuple[dict[str, object], tuple[str, ...]]
    ] = nothing_fades
    """What a position remembers after a phase when the movement and the retreats of its season are
    over, with the centers that disappear; the second phase is the one that follows. Asked on boards
    on which something is destroyed."""

    wins: Callable[[Variant, Position, Mapping[str, Sequence[object]]], Verdict] = most_win
    """Who has won with what the powers have (centers, or units where those decide) at a count."""

    ends: Callable[[Variant, Position, Raises], Ending | None] = never_ends
    """Whether the game is over because nobody can win it. Asked when something was destroyed."""


# -- conscription ---------------------------------------------------------------------------------


def raises_anywhere(variant: Variant, position: Position, power: str, province: str) -> bool:
    """Era of Empire, "Building - Conscription": in any center that it owns and that is empty."""
    return variant.board.provinces[province].supply_center


def raises_holding_home(variant: Variant, position: Position, power: str, province: str) -> bool:
    """ONE CENTERS: in any center that it owns, as long as it owns one of its home country."""
    provinces = variant.board.provinces
    home = any(provinces[each].home == power for each in position.centers.get(power, ()))
    return home and provinces[province].supply_center


# -- conversion -----------------------------------------------------------------------------------


def converts_in_centers(variant: Variant, position: Position, power: str, unit: Unit) -> bool:
    """Era of Empire, "Building - Conversion": a unit that stands in a center of its power."""
    return unit.province in position.centers.get(power, ())


# -- arsenals --------------------------------------------------------------------------------------


def raises_arsenals(
    variant: Variant, position: Position, power: str, kind: UnitKind
) -> tuple[int | None, Problem]:
    """Global Diplomacy, XII+: of units that launch bombs as many as there are rights to them."""
    if kind.launches:
        return arsenals.allowed(variant, position, power, kind)
    return raises_up_to_limit(variant, position, power, kind)


# -- no retreats ----------------------------------------------------------------------------------


def never_retreats(variant: Variant, gone: Dislodged) -> bool:
    """AUTO DISBAND: what is dislodged is destroyed."""
    return False


# -- standing powers ------------------------------------------------------------------------------


def stands_if_named(variant: Variant, power: str) -> bool:
    """Games for fewer players: the units of a power without a player "hold in position and defend
    themselves, but don't support each other"; forced to retreat they are disbanded."""
    return power in variant.standing


# -- all modules ----------------------------------------------------------------------------------

MODULES: Final[Mapping[str, Mapping[str, Callable[..., object]]]] = {
    "alone_wins": {"wins": alone_wins},
    "arsenals": {
        "allows": raises_arsenals,
        "after_moves": arsenals.earned,
        "after_builds": arsenals.spent,
    },
    "arsenals_unordered": {"after_moves": arsenals.earned_unordered},
    "bombs": {"strikes": bombs.strikes},
    "bombs_own_attacks": {"strikes": bombs.own_attacks_count},
    "conscription": {"raises": raises_anywhere},
    "conversion": {"converts": converts_in_centers},
    "cut_off_centers": {"fades": waste.fade},
    "cut_off_centers_late": {"fades": waste.fade_late},
    "home_centers": {"raises": raises_at_home},
    "no_retreats": {"retreats": never_retreats},
    "one_home": {"raises": raises_holding_home},
    "standing": {"stands": stands_if_named},
    "unwinnable": {"ends": nobody_can_win},
}
"""Rule modules by name: the rule_hooks each fills."""


@lru_cache(maxsize=256)
def with_modules(variant: Variant, names: tuple[str, ...]) -> Variant:
    """The variant with further rule modules; itself where there are none."""
    if not names:
        return variant
    return replace(variant, modules=(*variant.modules, *names))


@Derived
def rule_hooks(variant: Variant) -> RuleHooks:
    """The rule_hooks of a variant as its modules fill them.

    Raises KeyError when the variant names a module that does not exist.
    """
    known = RuleHooks()
    for name in variant.modules:
        known = replace(known, **MODULES[name])  # type: ignore[arg-type]
    return known
