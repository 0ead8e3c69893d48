"""Who plays what is drawn from a seed that is sealed when the game opens and shown at its start."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from judge.game.deal import Wishes, deal, read_wishes
from judge.game.lot import seal
from judge.game.state import State
from judge.rules.variant import Variant

NONE = "-"
"""How a player without wishes stands in the letter."""


def commit(state: State, seed: str) -> None:
    """Settle the seed of the draw to come; `save` keeps it. From now on only its seal is told."""
    state.game.options = state.game.options | {"seed": seed}


def seed_of(state: State) -> str | None:
    """The seed settled for the draw, None where none is."""
    seed = state.game.options.get("seed")
    return None if seed is None else str(seed)


def sealed(state: State) -> str | None:
    """The seal of a draw that is to come, None where there is none."""
    seed = seed_of(state)
    return None if seed is None or state.game.state != "forming" else seal(seed)


@dataclass(frozen=True)
class Draw:
    """A draw as the letter of the start shows it: everything it takes to repeat it.

    `wishes` and `powers` are those of the players in the order in which they joined.
    """

    variant: str
    seed: str
    wishes: tuple[str, ...]
    powers: tuple[str, ...]

    @property
    def seal(self) -> str:
        """What the letters before the start must have shown."""
        return seal(self.seed)


def run(variant: Variant, wishes: Sequence[str], seed: str) -> Draw:
    """Deal the powers to players with these wishes (as SET PREFERENCE takes them, "" for none)."""
    dealt = deal(variant.powers, _read(variant, wishes), seed)
    return Draw(variant.name, seed, tuple(wish or NONE for wish in wishes), tuple(dealt))


def _read(variant: Variant, wishes: Sequence[str]) -> list[Wishes]:
    texts = ["" if wish == NONE else wish for wish in wishes]
    return [read_wishes(text, variant.letters, variant.powers) for text in texts]


_LINE = {
    name: re.compile(rf"^[>\s]*{name}: *(\S+)\s*$", re.IGNORECASE | re.MULTILINE)
    for name in ("Variant", "Seed", "Seal")
}
_PLAYER = re.compile(r"^[>\s]*(\d+)\. +(\S.*?) += +(\S.*?)\s*$", re.MULTILINE)


def read(text: str) -> tuple[Draw, str]:
    """The draw in the letter of a start, quoted or not, and the seal printed beside it.

    Raises ValueError, naming what is missing.
    """
    found = {}
    for name, pattern in _LINE.items():
        match = pattern.search(text)
        if match is None:
            raise ValueError(f"there is no line {name}: ... in it")
        found[name] = match[1]
    players = [
        match for match in _PLAYER.finditer(text) if match.start() > text.find(found["Seed"])
    ]
    if [int(match[1]) for match in players] != list(range(1, len(players) + 1)) or not players:
        raise ValueError("the players are not all there: lines like `1. FEG = France`")
    draw = Draw(
        found["Variant"],
        found["Seed"],
        tuple(match[2] for match in players),
        tuple(match[3] for match in players),
    )
    return draw, found["Seal"].lower()
