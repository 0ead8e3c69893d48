"""Who plays at which board, and which power: as few repeated meetings as can be, no power twice.

What is made depends on nothing but the arguments: `seed` is all the chance there is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb
from random import Random

from munkres import Munkres

Boards = list[list[int]]
"""The players of each board, by their ids."""

EXHAUSTIVE = 20_000
"""Ways to split people into two boards that are all looked at."""

_STARTS = 3
"""Random arrangements from which a search begins."""

_STEADY = 1500
"""Exchanges in a row that do not help, before a search gives up."""


def meetings(rounds: Sequence[Boards]) -> Counter[tuple[int, int]]:
    """Return how often each two have met, the smaller id first."""
    return Counter(
        pair for boards in rounds for board in boards for pair in combinations(sorted(board), 2)
    )


def repeats(boards: Boards, met: Mapping[tuple[int, int], int]) -> int:
    """Return what boards cost: for each two at one board the square of how often they will have
    met, less that of how often they had: two who meet a third time weigh more than two pairs that
    meet a second time."""
    return sum(2 * met.get(pair, 0) for board in boards for pair in combinations(sorted(board), 2))


def seat(
    players: Sequence[int], size: int, met: Mapping[tuple[int, int], int], seed: str
) -> Boards:
    """Return boards of `size` with the least repeated meetings: the least there is for two boards,
    a good one for more. The number of players is a multiple of `size`."""
    players = sorted(players)
    if len(players) == size:
        return [players]
    if len(players) == 2 * size and comb(2 * size - 1, size - 1) <= EXHAUSTIVE:
        return _best_split(players, size, met, seed)
    if fresh := [boards for boards in _planes(players, size) if not repeats(boards, met)]:
        return fresh[0]
    chance = Random(seed)  # noqa: S311
    table = {one: dict.fromkeys(players, 0) for one in players}
    for (one, two), count in met.items():
        if one in table and two in table:
            table[one][two] = table[two][one] = count
    found: list[tuple[int, Boards]] = []
    for _ in range(_STARTS):
        chance.shuffle(players)
        boards = [players[at : at + size] for at in range(0, len(players), size)]
        _improve(boards, table, chance)
        found.append((repeats(boards, met), [sorted(board) for board in boards]))
        if not found[-1][0]:
            break
    return min(found)[1]


def _best_split(
    players: Sequence[int], size: int, met: Mapping[tuple[int, int], int], seed: str
) -> Boards:
    first, *rest = players
    splits = [
        [[first, *few], [each for each in rest if each not in few]]
        for few in combinations(rest, size - 1)
    ]
    costs = [repeats(boards, met) for boards in splits]
    least = min(costs)
    best = [boards for boards, cost in zip(splits, costs, strict=True) if cost == least]
    return Random(seed).choice(best)  # noqa: S311


def _planes(players: Sequence[int], size: int) -> list[Boards]:
    """Return the lines of an affine plane by their slopes: where there are as many boards as people
    at each, and that is a prime, none of these share two people."""
    if len(players) != size * size or any(size % each == 0 for each in range(2, size)):
        return []
    rows = [list(players[at : at + size]) for at in range(0, len(players), size)]
    slopes = [
        [[rows[row][(line + row * slope) % size] for row in range(size)] for line in range(size)]
        for slope in range(size)
    ]
    return [rows, *slopes]


def _improve(boards: Boards, met: Mapping[int, Mapping[int, int]], chance: Random) -> None:
    """Exchange people between boards as long as that helps."""
    steady, numbers, places = 0, range(len(boards)), range(len(boards[0]))
    while steady < _STEADY:
        first, second = chance.sample(numbers, 2)
        one, two = boards[first], boards[second]
        here, there = chance.choice(places), chance.choice(places)
        left, right = met[one[here]], met[two[there]]
        # Who changes places does not meet whom they change with.
        gain = sum(left[who] for who in one) + sum(right[who] for who in two)
        loss = sum(right[who] for who in one) + sum(left[who] for who in two)
        loss -= 2 * left[two[there]]
        if gain >= loss:
            one[here], two[there] = two[there], one[here]
        steady = 0 if gain > loss else steady + 1


def deal(
    board: Sequence[int], powers: Sequence[str], had: Mapping[int, Sequence[str]], seed: str
) -> dict[int, str]:
    """Return a power for each player of a board, so that nobody has one again if that can be
    helped: the sum of the squares of how often is the least there is. `had` are the powers each
    has played before."""
    chance = Random(seed)  # noqa: S311
    order, mixed = list(powers), sorted(board)
    chance.shuffle(order)
    chance.shuffle(mixed)
    costs = [[2 * list(had.get(who, ())).count(power) for power in order] for who in mixed]
    return {mixed[row]: order[column] for row, column in Munkres().compute(costs)}
