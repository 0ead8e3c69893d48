"""Who plays what: drawn from a seed that is sealed when the game opens and shown at its start."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from judge.game.fairness.match_preferences import Preferences, assign, read_preferences
from judge.game.fairness.seeded_random import SeededRandom, seal
from judge.game.state import State
from judge.rules.lineup import lineup_of
from judge.rules.variant import Variant
from judge.storage import GameState

NONE = "-"
"""How the message lists a player without preferences."""


def commit(state: State, seed: str) -> None:
    """Commit to the seed of the assignment; only its seal is told from here on. `save` keeps it."""
    state.game.options = replace(state.game.options, seed=seed)


def seed_of(state: State) -> str | None:
    """Return the seed that the game has committed to, if any."""
    return state.game.options.seed


def sealed(state: State) -> str | None:
    """Return the seal of the assignment to come, if there is one."""
    seed = seed_of(state)
    return None if seed is None or state.game.state != GameState.FORMING else seal(seed)


@dataclass(frozen=True)
class Assignment:
    """An assignment as the start message shows it: all that is needed to repeat it.

    `preferences` are the players' in the order they joined (or of their numbers), `powers` what
    each of them got, and `lineup` is the variant's lineup that is played, if any.
    """

    variant: str
    seed: str
    preferences: tuple[str, ...]
    powers: tuple[tuple[str, ...], ...]
    lineup: str | None = None

    @property
    def seal(self) -> str:
        """Return the seal that messages before the start must have shown."""
        return seal(self.seed)


def assign_powers(
    variant: Variant, preferences: Sequence[str], seed: str, count: int | None = None
) -> Assignment:
    """Assign `count` powers (by default one each), as evenly as possible.

    `preferences` are texts as SET PREFERENCE takes them, "" for none. In a lineup each player gets
    one of its groups of powers.
    """
    read = _read(variant, preferences)
    texts = tuple(text or NONE for text in preferences)
    if (groups := groups_of(variant)) is not None:
        leaders = {power: group[0] for group in groups for power in group}
        by_leader = {group[0]: group for group in groups}
        chosen = assign(list(by_leader), [each.of_groups(leaders) for each in read], seed)
        got_groups = tuple(by_leader[leader] for leader in chosen)
        return Assignment(variant.name, seed, texts, got_groups, variant.lineup)
    owners = shares(len(read), len(read) if count is None else count, seed)
    dealt = assign(variant.powers, [read[player] for player in owners], seed)
    got = dict(zip(dealt, owners, strict=True))
    powers = tuple(
        tuple(power for power in variant.powers if got.get(power) == player)
        for player in range(len(read))
    )
    return Assignment(variant.name, seed, texts, powers, variant.lineup)


def groups_of(variant: Variant) -> tuple[tuple[str, ...], ...] | None:
    """Return the groups of powers that a variant's lineup assigns; None where it has no lineup."""
    lineup = lineup_of(variant)
    if lineup is None:
        return None
    if lineup.lots:
        return None
    if lineup.merged:
        return tuple((power,) for power in variant.powers if power not in variant.standing)
    return lineup.groups


def shares(players: int, count: int, seed: str) -> list[int]:
    """Return which player each of `count` powers goes to: equally many to each, and what is left
    over to players chosen by `seed`."""
    owners = list(range(players)) * (count // players)
    left = count % players
    if left:
        chosen = list(range(players))
        SeededRandom(f"{seed}:more").shuffle(chosen)
        owners += sorted(chosen[:left])
    return owners


def _read(variant: Variant, preferences: Sequence[str]) -> list[Preferences]:
    texts = ["" if text == NONE else text for text in preferences]
    return [read_preferences(text, variant.letters, variant.powers) for text in texts]


_LINEUP = "Players"
"""The line that names the lineup of games that have one."""
_LINE = {
    name: re.compile(rf"^[>\s]*{name}: *(\S+)\s*$", re.IGNORECASE | re.MULTILINE)
    for name in ("Variant", "Seed", "Seal", _LINEUP)
}
_PLAYER = re.compile(r"^[>\s]*(\d+)\. +(\S.*?) += +(\S.*?)\s*$", re.MULTILINE)


def read(text: str) -> tuple[Assignment, str]:
    """Read the assignment in a start message, quoted or not, and the seal printed beside it.

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
    assignment = Assignment(
        found["Variant"],
        found["Seed"],
        tuple(match[2] for match in players),
        tuple(tuple(re.split(r"\s*,\s*", match[3])) for match in players),
        found.get(_LINEUP),
    )
    return assignment, found["Seal"].lower()
