"""Who stands where, and who plays whom for it: Swiss rounds, leagues, ladders, top boards."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from judge.tournaments.adding import Total
from judge.tournaments.seeding import Boards, meetings, seat

FORMS = ("seeded", "swiss", "league", "ladder")
"""Whom people meet: others than before; those who stand near them; everybody once; those of their
rung, the best two and the last two of which change places with the next ones."""

_APART = 1000
"""How often the two places of one person are taken to have met: never at one board."""

_MOVES = 2
"""How many go up, and down, at each board of a ladder."""


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """A line of the standings: those with equal points have the same rank."""

    rank: int
    who: int
    points: Fraction


def ranked(totals: Mapping[int, Total]) -> list[StandingsRow]:
    """Return the standings, the best first; equals in the order of their ids."""

    def place(total: Total) -> tuple[int, Fraction]:
        return total.pool, -total.points

    places = sorted(map(place, totals.values()))
    order = sorted(totals.items(), key=lambda each: (place(each[1]), each[0]))
    return [StandingsRow(1 + places.index(place(each)), who, each.points) for who, each in order]


def of_teams(totals: Mapping[int, Total], teams: Mapping[int, str]) -> list[tuple[str, Fraction]]:
    """Return what each team has, the best first: the sum of its members' points."""
    found: dict[str, Fraction] = {}
    for who, team in teams.items():
        if team and who in totals:
            found[team] = found.get(team, Fraction()) + totals[who].points
    return sorted(found.items(), key=lambda each: (-each[1], each[0]))


def sit_out(players: Sequence[int], size: int, sat: Mapping[int, int]) -> list[int]:
    """Return who does not play this round, since boards have `size` places: those who have sat out
    least, the last to enter first. `players` are in the order in which they entered."""
    left = len(players) % size
    latest = sorted(range(len(players)), key=lambda at: (sat.get(players[at], 0), -at))
    return sorted(players[at] for at in latest[:left])


def pair(
    form: str,
    order: Sequence[int],
    size: int,
    rounds: Sequence[Boards],
    results: Mapping[int, Fraction],
    seed: str,
    *,
    top: bool = False,
    apart: Collection[tuple[int, int]] = (),
) -> Boards:
    """Return the boards of the next round, of `size` people each, the first board first.

    `order` are those who play, the leader first; behind all others stand those who play twice, once
    more, by their ids with a minus. `rounds` are the boards of the rounds before, `results` what
    each has from the last one. With `top`, the leaders have a board of their own. Pairs that are
    to be `apart`, the smaller id first, are at no board together where that can be.
    """
    if top and len(order) > size:
        rest = pair(form, order[size:], size, rounds, results, seed)
        return _part([list(order[:size]), *rest], apart)
    met = meetings(rounds)
    for twin in (who for who in order if who < 0):
        met |= {(twin, who): met[min(who, -twin), max(who, -twin)] for who in order if who != twin}
        met[twin, -twin] = _APART
    if form == "ladder" and rounds:
        order = _climbed(order, rounds[-1], results)
    if form in ("swiss", "ladder") and rounds:
        boards = [list(order[at : at + size]) for at in range(0, len(order), size)]
        return _part(boards, apart)
    # A league is about who has not met yet, not about how often others have.
    costs = dict.fromkeys(met, 1) if form == "league" else dict(met)
    costs |= dict.fromkeys(apart, _APART)
    return _part(seat(order, size, costs, seed), apart)


def _part(boards: Boards, apart: Collection[tuple[int, int]]) -> Boards:
    """Let people change places with those of the nearest boards until no board has a pair that is
    to be apart, as far as that can be."""

    def odd(board: Sequence[int]) -> bool:
        return any(pair in apart for pair in combinations(sorted(map(abs, board)), 2))

    for number, board in enumerate(boards):
        others = sorted(range(len(boards)), key=lambda each: (abs(each - number), each))[1:]
        places = [
            (mine, other, theirs)
            for other in others
            for mine in reversed(range(len(board)))
            for theirs in range(len(boards[other]))
        ]
        for mine, other, theirs in places if odd(board) else ():
            one, two = list(board), list(boards[other])
            one[mine], two[theirs] = two[theirs], one[mine]
            if not odd(one) and (odd(boards[other]) or not odd(two)):
                board[:], boards[other][:] = one, two
                break
    return boards


def _climbed(order: Sequence[int], last: Boards, results: Mapping[int, Fraction]) -> list[int]:
    """Return the rungs one below the other: the best of each have gone up, its last have gone down.
    Who was at no board stands at the end."""
    rungs = [
        sorted(board, key=lambda who: (-results.get(who, Fraction()), board.index(who)))
        for board in last
    ]
    for upper in range(len(rungs) - 1):
        high, low = rungs[upper], rungs[upper + 1]
        high[-_MOVES:], low[:_MOVES] = low[:_MOVES], high[-_MOVES:]
    climbed = [who for rung in rungs for who in rung if who in set(order)]
    return climbed + [who for who in order if who not in set(climbed)]


def all_met(players: Sequence[int], rounds: Sequence[Boards]) -> bool:
    """Return whether each two of these have played together."""
    met = meetings(rounds)
    return all(met[each] for each in combinations(sorted(players), 2))
