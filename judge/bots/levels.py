"""How well computer players play."""

from __future__ import annotations

from typing import Final, NamedTuple

LEVELS: Final = ("easy", "normal", "hard")

CARETAKER: Final = "caretaker"
"""The level that only defends: it takes nothing from anybody."""


class Depth(NamedTuple):
    """How a level searches: `seconds` of processor time for a movement phase, more or less; how
    many `samples` of the others' orders and how many `climbs`; how often the others climb, too
    (`rounds`), and how probable it is that they order what they found when they thought, or in
    haste (`trust`); else they follow instinct. `between`: samples of the other phases."""

    seconds: float
    samples: int
    climbs: int
    rounds: int = 0
    trust: tuple[float, float] = (0.0, 0.0)
    between: int = 2


DEPTHS: Final = {
    "normal": Depth(0.0035, 1, 1),
    "hard": Depth(2.0, 16, 2, rounds=20, trust=(0.2, 0.3)),
}
