"""Who plays which power: wishes read, and the powers dealt by them. Chance is passed in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from munkres import Munkres

from judge.game.fairness.seeded_random import Lot
from judge.i18n import say


class BadWishes(Exception):
    """A list of wishes that cannot be read; the message says why in one sentence."""


@dataclass(frozen=True)
class Wishes:
    """What a player would like to play.

    `ranks` are groups of powers, the most wanted first, equals together; powers in none of them
    come last. `by_lot` asks for any power at all, dealt before everybody else's wishes count.
    No ranks and no lot: he takes what the others leave.
    """

    ranks: tuple[tuple[str, ...], ...] = ()
    by_lot: bool = False

    def cost(self, power: str) -> int:
        """How many groups of powers he would rather have had."""
        if not self.ranks:
            return 0
        for rank, group in enumerate(self.ranks):
            if power in group:
                return rank
        return len(self.ranks)

    def of_groups(self, leaders: Mapping[str, str]) -> Wishes:
        """The same wishes for groups of powers, called by their leaders: a group stands where the
        first of its powers stood."""
        said: set[str] = set()
        ranks = []
        for rank in self.ranks:
            groups = dict.fromkeys(leaders[power] for power in rank if power in leaders)
            if fresh := tuple(group for group in groups if group not in said):
                ranks.append(fresh)
                said.update(fresh)
        return Wishes(tuple(ranks), self.by_lot)


def read_wishes(text: str, letters: Mapping[str, str], powers: Sequence[str]) -> Wishes:
    """Read `E[FGR]TAI`, `*`, or names with commas (`France, Italy`); `letters` as in the variant.

    Raises BadWishes.
    """
    text = text.strip().strip(".")
    if text == "*":
        return Wishes(by_lot=True)
    names = {power.lower(): power for power in powers}
    spelled = [part for part in re.split(r"[,\s]+", text.strip("[] ")) if part]
    if spelled and all(part.strip("[]").lower() in names for part in spelled):
        return _ranked([(names[part.strip("[]").lower()],) for part in spelled])
    groups: list[tuple[str, ...]] = []
    open_group: list[str] | None = None
    for sign in re.sub(r"[\s,]+", "", text):
        if sign in "[(":
            if open_group is not None:
                raise BadWishes(say("brackets cannot stand inside brackets"))
            open_group = []
        elif sign in "])":
            if open_group is None:
                raise BadWishes(say("a bracket is closed that was not opened"))
            groups.append(tuple(open_group))
            open_group = None
        elif sign == "*":
            if open_group is not None:
                raise BadWishes(say("* stands for all other powers; it cannot stand in brackets"))
            said = {power for group in groups for power in group}
            groups.append(tuple(power for power in powers if power not in said))
        else:
            power = letters.get(sign.upper())
            if power is None:
                known = ", ".join(f"{letter} {name}" for letter, name in letters.items())
                raise BadWishes(f"no power has the letter {sign}; the letters are {known}")
            if open_group is None:
                groups.append((power,))
            else:
                open_group.append(power)
    if open_group is not None:
        raise BadWishes(say("a bracket is opened that is not closed"))
    return _ranked(groups)


def _ranked(groups: Sequence[tuple[str, ...]]) -> Wishes:
    said = [power for group in groups for power in group]
    twice = sorted({power for power in said if said.count(power) > 1})
    if twice:
        raise BadWishes(f"{' and '.join(twice)} stands in it twice")
    return Wishes(ranks=tuple(group for group in groups if group))


def deal(powers: Sequence[str], wishes: Sequence[Wishes], seed: str) -> list[str]:
    """The power of each player, in the order of `wishes`.

    Players by lot draw first; for the others the sum of `Wishes.cost` is as small as it can be.
    What is left open by that is drawn. The same arguments give the same answer, so that anybody
    who knows `seed` can repeat the draw (docs/fairness.md has it step by step). There must be no
    more players than powers.
    """
    chance = Lot(seed)
    pool = sorted(powers)
    chance.shuffle(pool)
    dealt: dict[int, str] = {}
    for player, wish in enumerate(wishes):
        if wish.by_lot:
            dealt[player] = pool.pop()
    rest = [player for player in range(len(wishes)) if player not in dealt]
    chance.shuffle(rest)
    if rest:
        # A wish outweighs all the noise there can be; the noise decides between equal solutions.
        noise = 1000
        weight = noise * len(rest) + 1
        costs = [
            [wishes[player].cost(power) * weight + chance.below(noise) for power in pool]
            for player in rest
        ]
        for row, column in Munkres().compute(costs):
            dealt[rest[row]] = pool[column]
    return [dealt[player] for player in range(len(wishes))]
