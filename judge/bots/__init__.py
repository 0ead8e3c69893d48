"""Computer players: orders for one power in any phase of any board, always legal ones.

They see a position and nothing else, need the rules and the standard library only, and play the
same way whenever position, level, and seed are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from judge.bots.between import Between
from judge.bots.bombing import with_bombs
from judge.bots.instinct import Instinct
from judge.bots.levels import CARETAKER, DEPTHS
from judge.bots.openings import opening
from judge.bots.options import Scene, centers_of
from judge.bots.search import Forward, Search
from judge.rules.orders import Order
from judge.rules.phase import Kind
from judge.rules.position import Position
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant, in_position

PACE: Final = 600_000
"""Steps that are made for each second that a player has (see `steps`)."""

LIMIT: Final = 3.0
"""Seconds of a clock after which a search ends, if it is not told its time to think."""


def steps(variant: Variant, position: Position) -> int:
    """Return what it takes to try out orders once: units are moved, and centers shared out."""
    shares = len({*position.units, *position.centers}) * len(centers_of(variant))
    return max(sum(map(len, position.units.values())) + shares // 8, 1)


def orders_of(
    variant: Variant,
    position: Position,
    power: str,
    level: str = "normal",
    *,
    seed: int | str = 0,
    seconds: float | None = None,
    clock: Callable[[], float] | None = None,
    rulebook: Rulebook | None = None,
) -> list[Order]:
    """Return orders for everything that `power` has to decide.

    `level` is one of LEVELS, or CARETAKER. `seconds` is the time to think, the level's own by
    default; it decides how much is tried out, and with a `clock` (seconds of processor time) the
    search also ends when it has passed.
    """
    random = Random(f"{seed} {level} {power} {position.phase}")
    variant = in_position(variant, position)
    scene = Scene(variant, position, rulebook or Rulebook.edition(variant.rulebook))
    if not scene.legal(power):
        return []
    if level != CARETAKER and (known := opening(scene, power, random)) is not None:
        return known
    if level not in DEPTHS:
        return Instinct(scene, defends=level == CARETAKER).orders(power, random)
    depth = DEPTHS[level]
    time = depth.seconds if seconds is None else seconds
    trials = max(int(time * PACE) // steps(variant, position), 1)
    if position.phase.kind is not Kind.MOVEMENT:
        return Between(scene, power, random, trials // 20, depth.between).orders()
    tell = clock or (lambda: 0.0)
    end = tell() + (LIMIT if seconds is None else seconds)
    search = Search(scene, power, random, Forward(scene, trials, lambda: tell() < end))
    return with_bombs(scene, power, search.orders(depth))
