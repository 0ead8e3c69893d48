"""python -m tools.boards.coasts --geography FOLDER BOARD...: how much of a drawing's coast is real.

Of all coast that a board's recipe comes to, before it is stretched, it prints the share that lies
on a coast of the geography: what was filled, dug, or swollen, or changed hands, lies elsewhere.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from scipy import ndimage

from tools.boards import geography
from tools.boards.__main__ import plan_for
from tools.boards.arrays import Array
from tools.boards.grow import coasts
from tools.boards.plan import Plan
from tools.boards.recipe import Recipe
from tools.boards.repair import repair

NEAR = 3
"""Pixels, of 1200 across the board, that a line may lie beside the real one."""


def real_share(plan: Plan, real: Array) -> float:
    """Return the share of the coast of a plan that lies on one between the `real` land and sea."""
    water = np.array([name in plan.sea for name in plan.names])
    drawn = _edges(water[plan.area])
    near = ndimage.binary_dilation(_edges(real), iterations=NEAR)
    return float((drawn & near).sum() / drawn.sum())


def _edges(ground: Array) -> Array:
    """The pixels to the left of, and above, which the ground differs."""
    found = np.zeros(ground.shape, bool)
    found[:, 1:] |= ground[:, 1:] != ground[:, :-1]
    found[1:] |= ground[1:] != ground[:-1]
    return found


def geography_of(mix: Recipe, folder: Path) -> Array:
    """Return land and sea as the geography has them, without what the recipe changes."""
    land, _ = geography.read(folder, mix.scale)
    return coasts(mix, land, geography.lakes(folder) if mix.lakes else [])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("boards", nargs="+")
    parser.add_argument("--geography", type=Path, required=True)
    given = parser.parse_args()
    for board in given.boards:
        mix, plan = plan_for(board, given.geography)
        repair(plan)
        print(f"{board}: {real_share(plan, geography_of(mix, given.geography)):.0%}", flush=True)


if __name__ == "__main__":
    main()
