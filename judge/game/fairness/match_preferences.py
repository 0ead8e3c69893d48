"""Read power preferences and match players to powers. The seed is passed in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from munkres import Munkres

from judge.game.fairness.seeded_random import SeededRandom
from judge.i18n import say


class BadPreferences(Exception):
    """A preference list that cannot be read; the message says why in one sentence."""


@dataclass(frozen=True)
class Preferences:
    """What a player would like to play.

    `ranks` are groups of equally wanted powers, most wanted first; powers in no group come last.
    `any_power` asks for any power at all, drawn before anyone else's preferences count. A player
    with neither gets whichever power is left.
    """

    ranks: tuple[tuple[str, ...], ...] = ()
    any_power: bool = False

    def cost(self, power: str) -> int:
        """Return how many groups of powers the player would rather have."""
        if not self.ranks:
            return 0
        for rank, group in enumerate(self.ranks):
            if power in group:
                return rank
        return len(self.ranks)

    def of_groups(self, leaders: Mapping[str, str]) -> Preferences:
        """Return the preferences among groups of powers, each named by its leader in `leaders`; a
        group ranks where its best-ranked power does."""
        said: set[str] = set()
        ranks = []
        for rank in self.ranks:
            groups = dict.fromkeys(leaders[power] for power in rank if power in leaders)
            if fresh := tuple(group for group in groups if group not in said):
                ranks.append(fresh)
                said.update(fresh)
        return Preferences(tuple(ranks), self.any_power)


def read_preferences(text: str, letters: Mapping[str, str], powers: Sequence[str]) -> Preferences:
    """Read `E[FGR]TAI`, `*`, or names with commas (`France, Italy`).

    `letters` maps a letter to its power, as in the variant. Raises BadPreferences.
    """
    text = text.strip().strip(".")
    if text == "*":
        return Preferences(any_power=True)
    names = {power.lower(): power for power in powers}
    spelled = [part for part in re.split(r"[,\s]+", text.strip("[] ")) if part]
    if spelled and all(part.strip("[]").lower() in names for part in spelled):
        return _ranked([(names[part.strip("[]").lower()],) for part in spelled])
    groups: list[tuple[str, ...]] = []
    open_group: list[str] | None = None
    for sign in re.sub(r"[\s,]+", "", text):
        if sign in "[(":
            if open_group is not None:
                raise BadPreferences(say("brackets cannot stand inside brackets"))
            open_group = []
        elif sign in "])":
            if open_group is None:
                raise BadPreferences(say("a bracket is closed that was not opened"))
            groups.append(tuple(open_group))
            open_group = None
        elif sign == "*":
            if open_group is not None:
                raise BadPreferences(
                    say("* stands for all other powers; it cannot stand in brackets")
                )
            said = {power for group in groups for power in group}
            groups.append(tuple(power for power in powers if power not in said))
        else:
            power = letters.get(sign.upper())
            if power is None:
                known = ", ".join(f"{letter} {name}" for letter, name in letters.items())
                unknown = say("no power has the letter {word}", word=sign)
                known = say("the letters are {lines}", lines=known)
                raise BadPreferences(f"{unknown}; {known}")
            if open_group is None:
                groups.append((power,))
            else:
                open_group.append(power)
    if open_group is not None:
        raise BadPreferences(say("a bracket is opened that is not closed"))
    return _ranked(groups)


def _ranked(groups: Sequence[tuple[str, ...]]) -> Preferences:
    said = [power for group in groups for power in group]
    twice = sorted({power for power in said if said.count(power) > 1})
    if twice:
        raise BadPreferences(say("{word} stands in it twice", word=" + ".join(twice)))
    return Preferences(ranks=tuple(group for group in groups if group))


def assign(powers: Sequence[str], preferences: Sequence[Preferences], seed: str) -> list[str]:
    """Return the power of each player, in the order of `preferences`.

    Players who want any power draw first; for the others the sum of `Preferences.cost` is as small
    as possible, and `seed` decides between equal solutions. Anyone who knows `seed` can repeat it
    (docs/fairness.md has the steps). There must be no more players than powers.
    """
    chance = SeededRandom(seed)
    pool = sorted(powers)
    chance.shuffle(pool)
    assigned = {player: pool.pop() for player, each in enumerate(preferences) if each.any_power}
    rest = [player for player in range(len(preferences)) if player not in assigned]
    chance.shuffle(rest)
    if rest:
        # One rank outweighs all the noise there can be.
        noise = 1000
        weight = noise * len(rest) + 1
        costs = [
            [preferences[player].cost(power) * weight + chance.below(noise) for power in pool]
            for player in rest
        ]
        for row, column in Munkres().compute(costs):
            assigned[rest[row]] = pool[column]
    return [assigned[player] for player in range(len(preferences))]
