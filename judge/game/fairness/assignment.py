"""Who plays what is drawn from a seed that is sealed when the game opens and shown at its start."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from judge.game.fairness.match_preferences import Wishes, deal, read_wishes
from judge.game.fairness.seeded_random import Lot, seal
from judge.game.state import State
from judge.rules.lineup import lineup_of
from judge.rules.variant import Variant
from judge.storage import GameState

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
    return None if seed is None or state.game.state != GameState.FORMING else seal(seed)


@dataclass(frozen=True)
class Draw:
    """A draw as the letter of the start shows it: everything it takes to repeat it.

    `wishes` are those of the players in the order in which they joined, or of their numbers, and
    `powers` what each of them got. `lineup` is the variant's that is played, None for none.
    """

    variant: str
    seed: str
    wishes: tuple[str, ...]
    powers: tuple[tuple[str, ...], ...]
    lineup: str | None = None

    @property
    def seal(self) -> str:
        """What the letters before the start must have shown."""
        return seal(self.seed)


def run(variant: Variant, wishes: Sequence[str], seed: str, count: int | None = None) -> Draw:
    """Deal `count` powers (one each where nothing is said) to players with these wishes (as SET
    PREFERENCE takes them, "" for none), to each as many as to the others or one more.

    In a lineup its groups of powers are dealt, one to each.
    """
    read = _read(variant, wishes)
    texts = tuple(wish or NONE for wish in wishes)
    if (groups := groups_of(variant)) is not None:
        leaders = {power: group[0] for group in groups for power in group}
        by_leader = {group[0]: group for group in groups}
        chosen = deal(list(by_leader), [wish.of_groups(leaders) for wish in read], seed)
        got_groups = tuple(by_leader[leader] for leader in chosen)
        return Draw(variant.name, seed, texts, got_groups, variant.lineup)
    owners = shares(len(read), len(read) if count is None else count, seed)
    dealt = deal(variant.powers, [read[player] for player in owners], seed)
    got = dict(zip(dealt, owners, strict=True))
    powers = tuple(
        tuple(power for power in variant.powers if got.get(power) == player)
        for player in range(len(read))
    )
    return Draw(variant.name, seed, texts, powers, variant.lineup)


def groups_of(variant: Variant) -> tuple[tuple[str, ...], ...] | None:
    """The groups of powers that are dealt in the lineup of a variant; None where it has none."""
    lineup = lineup_of(variant)
    if lineup is None:
        return None
    if lineup.lots:
        return None
    if lineup.merged:
        return tuple((power,) for power in variant.powers if power not in variant.standing)
    return lineup.groups


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


_LINEUP = "Players"
"""The line that names the lineup, in games that have one."""
_LINE = {
    name: re.compile(rf"^[>\s]*{name}: *(\S+)\s*$", re.IGNORECASE | re.MULTILINE)
    for name in ("Variant", "Seed", "Seal", _LINEUP)
}
_PLAYER = re.compile(r"^[>\s]*(\d+)\. +(\S.*?) += +(\S.*?)\s*$", re.MULTILINE)


def read(text: str) -> tuple[Draw, str]:
    """The draw in the letter of a start, quoted or not, and the seal printed beside it.

    Raises ValueError, naming what is missing.
    """
    found = {}
    for name, pattern in _LINE.items():
        match = pattern.search(text)
        if match is None and name == _LINEUP:
            continue
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
        found.get(_LINEUP),
    )
    return draw, found["Seal"].lower()
