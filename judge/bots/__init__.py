"""Computer players: orders for one power in any phase of any board, always legal ones.

They see a position and nothing else, need the rules and the standard library only, and play the
same way whenever position, level, and seed are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, NamedTuple

from judge.bots.bombs import with_bombs
from judge.bots.instinct import Instinct
from judge.bots.options import Scene
from judge.bots.search import Forward, Search
from judge.bots.worth import Weights
from judge.rules.lineup import of_phase
from judge.rules.orders import Order
from judge.rules.phase import Kind
from judge.rules.position import Position
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant

LEVELS: Final = ("easy", "normal", "hard")

CARETAKER: Final = "caretaker"
"""The level that only defends: it takes nothing from anybody."""


class Depth(NamedTuple):
    """How a level searches: `seconds` of processor time for a movement phase, more or less; how
    many `samples` of the others' orders and how many `climbs`; how often the others climb, too
    (`rounds`), and how far it trusts that they do what they found (`trust`, 0 to 1)."""

    seconds: float
    samples: int
    climbs: int
    rounds: int = 0
    trust: float = 0.0


DEPTHS: Final = {"normal": Depth(0.002, 1, 1), "hard": Depth(1.0, 16, 2, rounds=1, trust=0.3)}

PACE: Final = 18_000
"""Trials that are made for each second that a player has."""


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
    variant = of_phase(variant, position.phase)
    scene = Scene(variant, position, rulebook or Rulebook.edition(variant.rulebook))
    if power not in scene.position.units and power not in scene.position.centers:
        return []
    instinct = Instinct(scene, defends=level == CARETAKER)
    if level not in DEPTHS or position.phase.kind is not Kind.MOVEMENT or not scene.legal(power):
        return instinct.orders(power, random)
    depth = DEPTHS[level]
    time = depth.seconds if seconds is None else seconds
    end = None if clock is None else clock() + time
    forward = Forward(
        scene,
        Weights(),
        max(int(time * PACE), 1),
        lambda: clock is None or end is None or clock() < end,
    )
    search = Search(scene, power, random, forward)
    orders = search.orders(depth.rounds, depth.trust, depth.samples, depth.climbs)
    return with_bombs(scene, power, orders)
