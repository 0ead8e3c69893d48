"""What a position promises each power: the share of the game that it is likely to get.

A share is a power's centers squared over the sum of all powers' squares at the end, 1 for a win. It
is guessed as a softmax over the powers of a weighted sum of what each of them has. The weights, in
`outlook.toml`, were fitted by `python -m tools.outlook` on games of computer players (docs/bots.md
has figures). What is measured are shares, so it can be asked on any board.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import exp, log
from pathlib import Path
from typing import Final

from judge.bots.options import Scene
from judge.bots.worth import Worth, reach_of
from judge.rules.engine import adjudicate
from judge.rules.phase import Kind, Phase
from judge.rules.position import Position
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant, in_position

MEASURES: Final = ("worth", "log_worth", "growth", "pressed")
"""What is measured of each power: the share that its units and centers are worth by
`judge.bots.worth`, and the logarithm of that; how many centers it won when they were last counted;
and how many units of others are near to the centers it began with beyond its own, each as a share
of all centers. Who takes a center has new neighbors, but is not worse off by that: so those of
centers that were won do not count."""

SOME: Final = 0.005
"""What keeps the logarithm of a share from the share of nothing."""

NEAR: Final = 2
"""Steps from a center within which a unit is near."""


def promised(
    variant: Variant, position: Position, before: Mapping[str, int], rulebook: Rulebook
) -> dict[str, float]:
    """Return the share that each power is likely to get, by a position in which units are about to
    move, or have moved.

    `before` is how many centers each power had before they were last counted. Where they are about
    to be counted they count as the units stand, as if nobody retreated.
    """
    now, winners = counted(variant, position, rulebook)
    if winners:
        return {power: 1 / len(winners) for power in winners}
    if counts(variant, position.phase):
        before = {power: len(held) for power, held in position.centers.items()}
    return likely(measures(variant, now, before, rulebook), weights())


def counts(variant: Variant, phase: Phase) -> bool:
    """Return whether units have moved, and centers are about to be counted."""
    return phase.kind is Kind.RETREATS and phase.season in variant.calendar.ownership


def counted(
    variant: Variant, position: Position, rulebook: Rulebook
) -> tuple[Position, tuple[str, ...]]:
    """Return a position in which units have moved with the centers that powers own once they are
    counted, as if nobody retreated, and who wins with them; any other one as it is."""
    if position.phase.kind is not Kind.RETREATS:
        return position, ()
    found = adjudicate(variant, position, {}, rulebook)
    return replace(position, centers=found.position.centers), found.winners


def measures(
    variant: Variant, position: Position, before: Mapping[str, int], rulebook: Rulebook
) -> dict[str, tuple[float, ...]]:
    """Return the MEASURES of each power that has a unit or a center; the rest as in `promised`, but
    that centers are taken as the position has them."""
    scene = Scene(in_position(variant, position), position, rulebook)
    worth, position = Worth(scene), scene.position
    standing = [position.units.get(power, ()) for power in worth.powers]
    shares, near = worth.shares(standing), _near(scene, worth)
    held, whole = worth.held, len(worth.centers) or 1
    crowds = [sum(column) for column in zip(*near, strict=True)]
    found: dict[str, tuple[float, ...]] = {}
    for n, power in enumerate(worth.powers):
        if not held[n] and not standing[n] and not position.dislodged.get(power):
            continue
        home = [
            worth.centers[each] for each in variant.centers.get(power, ()) if each in worth.centers
        ]
        pressed = sum(crowds[center] - 2 * near[n][center] for center in home)
        grown = held[n] - before.get(power, 0)
        found[power] = (shares[n], log(shares[n] + SOME), grown / whole, pressed / whole)
    return found


def _near(scene: Scene, worth: Worth) -> list[list[int]]:
    """Return how many units each power has near to each center."""
    reach, found = reach_of(scene.variant), []
    for power in worth.powers:
        row = [0] * len(worth.centers)
        for unit in scene.position.units.get(power, ()):
            for center, steps in reach[unit]:
                row[center] += steps <= NEAR
        found.append(row)
    return found


def likely(measured: Mapping[str, Sequence[float]], weighing: Sequence[float]) -> dict[str, float]:
    """Return shares by what was measured of each power, and what that weighs."""
    scores = {power: sum(map(float.__mul__, weighing, each)) for power, each in measured.items()}
    most = max(scores.values(), default=0.0)
    powers = {power: exp(score - most) for power, score in scores.items()}
    whole = sum(powers.values())
    return {power: each / whole for power, each in powers.items()}


@cache
def weights() -> tuple[float, ...]:
    """Return the weights of the MEASURES that are shipped."""
    with Path(__file__).with_suffix(".toml").open("rb") as file:
        told = tomllib.load(file)
    return tuple(float(told[name]) for name in MEASURES)
