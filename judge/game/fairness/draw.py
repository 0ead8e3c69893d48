"""Who plays what is drawn from a seed that is sealed when the game opens and shown at its start."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from judge.game.fairness.deal import Wishes, deal, read_wishes
from judge.game.fairness.lot import Lot, seal
from judge.game.state import State
from judge.rules.variant import Variant

NONE = "-"
"""How a player without wishes stands in the letter."""


def commit(state: State, seed: str) -> None:
    """Settle the seed of the draw to come; `save` keeps it. From now on only its seal is told."""
    state.keep("seed", seed)


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

    `wishes` are those of the players in the order in which they joined, or of their numbers, and
    `powers` what each of them got.
    """

    variant: str
    seed: str
    wishes: tuple[str, ...]
    powers: tuple[tuple[str, ...], ...]

    @property
    def seal(self) -> str:
        """What the letters before the start must have shown."""
        return seal(self.seed)


def run(variant: Variant, wishes: Sequence[str], seed: str, count: int | None = None) -> Draw:
    """Deal `count` powers (one each where nothing is said) to players with these wishes (as SET
    PREFERENCE takes them, "" for none), to each as many as to the others or one more."""
    read = _read(variant, wishes)
    owners = shares(len(read), len(read) if count is None else count, seed)
    dealt = deal(variant.powers, [read[player] for player in owners], seed)
    got = dict(zip(dealt, owners, strict=True))
    powers = tuple(
        tuple(power for power in variant.powers if got.get(power) == player)
        for player in range(len(read))
    )
    return Draw(variant.name, seed, tuple(wish or NONE for wish in wishes), powers)


def shares(players: int, count: int, seed: str) -> list[int]:
    """Which player each of `count` powers goes to: everybody in turn, and of what is left over one
    to each of those whom chance chooses."""
    owners = list(range(players)) * (count // players)
    left = count % players
    if left:
        chosen = list(range(players))
        Lot(f"{seed}:more").shuffle(chosen)
        owners += sorted(chosen[:left])
    return owners


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
    players = list(_PLAYER.finditer(text, text.find(found["Seed"])))
    if [int(match[1]) for match in players] != list(range(1, len(players) + 1)) or not players:
        raise ValueError("the players are not all there: lines like `1. FEG = France`")
    draw = Draw(
        found["Variant"],
        found["Seed"],
        tuple(match[2] for match in players),
        tuple(tuple(re.split(r"\s*,\s*", match[3])) for match in players),
    )
    return draw, found["Seal"].lower()
