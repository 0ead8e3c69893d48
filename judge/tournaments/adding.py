"""What the games of a tournament add up to: the fifteen ways that are in use.

A person's games are a list of rounds, each with the points of the games in it. What a second game
in one round counts as is a choice of the tournament: the better counts, or both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

Rounds = Sequence[Sequence[Fraction]]
"""The points of somebody's games, by rounds."""

LEADERS: Final = 21
"""How many are a pool of their own in the last round of `wdc 2025`."""


@dataclass(frozen=True, slots=True)
class Total:
    """What somebody has: those of a smaller `pool` stand before all others."""

    points: Fraction
    pool: int = 0


def best(points: Sequence[Fraction], count: int) -> list[Fraction]:
    """Return the best few of some points, the best first."""
    return sorted(points, reverse=True)[:count]


def _sum(points: Sequence[Fraction]) -> Fraction:
    return sum(points, Fraction())


Way = Callable[[Sequence[Fraction], Sequence[Fraction]], Fraction]
"""From the points of somebody's rounds and of their games to what these add up to."""


def _rounds(count: int, half: int = 0) -> Way:
    """Return the best rounds, and half of as many more."""
    return lambda rounds, _: (_sum(best(rounds, count)) + _sum(best(rounds, count + half))) / 2


def _games(count: int) -> Way:
    return lambda _, games: _sum(best(games, count))


def _half_mean(rounds: Sequence[Fraction], games: Sequence[Fraction]) -> Fraction:
    two, rest = _sum(best(rounds, 2)), len(rounds) - 2
    return two + (_sum(rounds) - two) / (2 * rest) if rest > 0 else two


def _third_or_fourth(rounds: Sequence[Fraction], games: Sequence[Fraction]) -> Fraction:
    first, second, third, fourth = best([*rounds, *[Fraction()] * 4], 4)
    return first + second + max(third / 2, (third + fourth) / 3)


WAYS: Final[Mapping[str, Way]] = {
    "all rounds": lambda rounds, _: _sum(rounds),
    **{f"best {count} rounds": _rounds(count) for count in (2, 3, 4, 5)},
    "best game": _games(1),
    **{f"best {count} games": _games(count) for count in (3, 4, 5)},
    "best 2 and half the mean": _half_mean,
    "best 2 and half the next": _rounds(2, half=1),
    "best 3 and half the next": _rounds(3, half=1),
    "best 2 and third or fourth": _third_or_fourth,
    "sum over games and ten": lambda _, games: _sum(games) / (len(games) + 10),
    "wdc 2025": lambda rounds, _: _sum(rounds),
}
"""The ways, by their names. `wdc 2025` needs to know of everybody: `add_up` does it."""


def add_up(way: str, games: Mapping[int, Rounds], *, both: bool = False) -> dict[int, Total]:
    """Return what everybody's games come to by one of `WAYS`. With `both`, two games in one round
    are added; else the better one counts."""
    rule = WAYS[way]
    by_round = {
        who: [_sum(each) if both else max(each, default=Fraction()) for each in rounds]
        for who, rounds in games.items()
    }
    if way == "wdc 2025":
        return _wdc(by_round)
    flat = {who: [each for played in rounds for each in played] for who, rounds in games.items()}
    return {who: Total(rule(rounds, flat[who])) for who, rounds in by_round.items()}


def _wdc(rounds: Mapping[int, Sequence[Fraction]]) -> dict[int, Total]:
    """Return best two of rounds 1 to 3 and round 4, which counts half again for those who led after
    round 3; these are a pool of their own. One who is level with the last of them is one, too."""
    early = {who: _sum(best(each[:3], 2)) for who, each in rounds.items()}
    if all(len(each) < 4 for each in rounds.values()):
        return {who: Total(points) for who, points in early.items()}
    least = min(best(list(early.values()), LEADERS))
    found = {}
    for who, points in early.items():
        last, leads = _sum(rounds[who][3:4]), points >= least
        found[who] = Total(points + last * (Fraction(3, 2) if leads else 1), 0 if leads else 1)
    return found
