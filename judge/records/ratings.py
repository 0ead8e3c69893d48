"""Ratings of players from the index of an archive, the same to the last digit wherever they are
computed: games count in the order in which they ended, and after each the ratings are rounded to
six places.

A game counts if it has a result, all its people are known, and no computer played in it. Anyone who
took a power over, or was removed by the game master, is not rated for it; one who gave a power up
has lost. People who stay out are left out of their games.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import Any, Final

INDEX: Final = "index.jsonl"
"""The file of an archive that has a row for each game."""

PLACES: Final = 6
PROVISIONAL: Final = 5
"""Until so many games, a rating is provisional."""

_GIVEN_UP: Final = ("resigned", "abandoned", "replaced")
WITHOUT: Final = ("deserted", "terminated", "purged", "uninhabitable")
"""Endings that are no result: they have no score, and nobody is rated for them."""


@dataclass(frozen=True)
class RatedGame:
    """What counts of a game: by player, what they scored, and their part of the result (1 for a win
    alone); `squares` are their parts by the squares of centers, if the game is scored by these."""

    name: str
    ended: str
    categories: tuple[str, ...]
    weight: float
    scores: Mapping[str, float]
    shares: Mapping[str, float]
    squares: Mapping[str, float] | None = None


@dataclass
class Rated:
    """Somebody's rating in one category: its `value`, and what it was after each game."""

    player: str
    name: str
    value: float
    mu: float = 25.0
    sigma: float = round(25 / 3, PLACES)
    course: list[tuple[str, float]] = field(default_factory=list)

    @property
    def provisional(self) -> bool:
        """Whether it rests on too few games."""
        return len(self.course) < PROVISIONAL


@dataclass(frozen=True)
class ByPower:
    """What somebody had of a power in so many games, and what is expected in as many."""

    board: str
    power: str
    games: int
    share: float
    expected: float


def share_of(winners: Sequence[str], power: str) -> float:
    """Return the part of a power in a result: 1 for a win alone."""
    return 1 / len(winners) if power in winners else 0.0


def by_power(
    parts: Iterable[tuple[str, str, float | None]], results: Mapping[str, Sequence[Sequence[str]]]
) -> list[ByPower]:
    """Return what somebody had by board and power, from these and their share in each game that
    has a result, beside the average of all `results` on the board: the winners of its games."""
    mine: dict[tuple[str, str], list[float]] = {}
    for board, power, share in parts:
        if share is not None:
            mine.setdefault((board, power), []).append(share)
    found = []
    for (board, power), had in sorted(mine.items()):
        every = [share_of(winners, power) for winners in results[board]] or had
        average = sum(every) / len(every)
        found.append(ByPower(board, power, len(had), sum(had), average * len(had)))
    return found


def rated_game(row: Mapping[str, Any]) -> RatedGame | None:
    """Return what counts of a game, by its row in an index; None if it does not count."""
    outcome = row["outcome"]
    if outcome is None or outcome["ending"] in WITHOUT:
        return None
    everybody = [each for rows in row["people"].values() for each in rows]
    if not everybody or any(each["computer"] or each.get("player") is None for each in everybody):
        return None
    held = {
        power: rows[0]
        for power, rows in row["people"].items()
        if rows and rows[0]["held"] != "ejected" and rows[0].get("rated", True)
    }
    players = {power: f"{each['player']}@{row['judge']}" for power, each in held.items()}
    if len(players) < 2 or len({*players.values()}) < len(players):
        return None
    lost = {power for power, each in held.items() if each["held"] in _GIVEN_UP}
    winners = outcome["winners"]
    shares = {power: share_of(winners, power) for power in row["people"]}
    scores, counts = row["scores"] or shares, row["final_centers"]
    worst = min(0.0, *scores.values())

    def of_players(values: Mapping[str, float], least: float = 0.0) -> dict[str, float]:
        return {players[power]: least if power in lost else values[power] for power in players}

    total = sum(count * count for count in counts.values())
    squares = {power: count * count / total for power, count in counts.items()} if total else None
    return RatedGame(
        row["game"],
        row["ended"] or "",
        ("overall", row["class"], row["variant"], f"{row['class']}, {row['variant']}"),
        (1 if row["class"] == "press" else 4) * (1 if row["variant"] == "standard" else 2),
        of_players(scores, worst),
        of_players(shares),
        of_players(squares) if squares and row["scoring"] == "sum_of_squares" else None,
    )


def _ghost(game: RatedGame, rated: Mapping[str, Rated]) -> dict[str, float]:
    """GhostRating, as webDiplomacy's code has it: the whole of the ratings in a game is staked, a
    17.5th of it by each, less where the game says less of its players."""
    values = {player: each.value for player, each in rated.items()}
    total, actual = sum(values.values()), game.shares
    expected = {player: value / total for player, value in values.items()}
    if game.squares is not None:
        actual, whole = game.squares, sum(value * value for value in values.values())
        expected = {player: value * value / whole for player, value in values.items()}
    stake = total / (17.5 * game.weight)
    return {
        player: value + stake * (actual[player] - expected[player])
        for player, value in values.items()
    }


_K: Final = 32


def _elo(game: RatedGame, rated: Mapping[str, Rated]) -> dict[str, float]:
    """Elo by pairs: everybody plays everybody, all from the ratings before the game."""
    values = {player: each.value for player, each in rated.items()}
    found, step = dict(values), _K / (len(values) - 1)
    for one, other in combinations(values, 2):
        ahead = game.scores[one] - game.scores[other]
        actual = 0.5 if not ahead else float(ahead > 0)
        change = step * (actual - 1 / (1 + 10 ** ((values[other] - values[one]) / 400)))
        found[one] += change
        found[other] -= change
    return found


def _skill(game: RatedGame, rated: Mapping[str, Rated]) -> dict[str, float]:
    """Return OpenSkill's Plackett-Luce, in the order of scores; the value is mu - 3 sigma."""
    try:
        model: Any = import_module("openskill.models").PlackettLuce()
    except ModuleNotFoundError:
        raise LookupError("openskill") from None
    players = list(rated)
    teams = [[model.rating(mu=rated[each].mu, sigma=rated[each].sigma)] for each in players]
    # By ranks: of equal scores, the library makes different ratings.
    scores = [game.scores[each] for each in players]
    ranks = [1 + sum(other > score for other in scores) for score in scores]
    after = model.rate(teams, ranks=ranks)
    for player, (found,) in zip(players, after, strict=True):
        rated[player].mu = round(found.mu, PLACES)
        rated[player].sigma = round(found.sigma, PLACES)
    return {player: rated[player].mu - 3 * rated[player].sigma for player in players}


SYSTEMS: Final = {"ghost": (100.0, _ghost), "elo": (1500.0, _elo), "openskill": (0.0, _skill)}
"""Of each system the rating of newcomers, and how a game changes ratings."""


def ratings(
    rows: Iterable[Mapping[str, Any]], system: str, category: str = "overall"
) -> list[Rated]:
    """Return the ratings of everybody in a category, the best first, from the rows of an index.

    Raises LookupError for a system whose library is not installed.
    """
    start, change = SYSTEMS[system]
    rated: dict[str, Rated] = {}
    names: dict[str, str] = {}
    counted = [(row, game) for row in rows if (game := rated_game(row)) is not None]
    counted.sort(key=lambda each: (each[1].ended, each[1].name, each[0]["judge"]))
    for row, game in counted:
        if category not in game.categories:
            continue
        names |= {
            f"{each['player']}@{row['judge']}": each["name"]
            for held in row["people"].values()
            for each in held
        }
        here = {
            player: rated.setdefault(player, Rated(player, "", start)) for player in game.scores
        }
        for player, value in change(game, here).items():
            here[player].value = round(value, PLACES)
            here[player].course.append((game.ended, here[player].value))
    for player, each in rated.items():
        each.name = names[player]
    return sorted(rated.values(), key=lambda each: (-each.value, each.name, each.player))


def courses(archive: Path, judge: str) -> dict[int, list[float]]:
    """Return the GhostRating after each game of the people of the judge with this address, by their
    numbers there. Raises OSError."""
    rows = map(json.loads, (archive / INDEX).read_bytes().splitlines())
    split = [(each.player.partition("@"), each.course) for each in ratings(rows, "ghost")]
    return {int(who): [value for _, value in mine] for (who, _, at), mine in split if at == judge}


_BARS: Final = "▁▂▃▄▅▆▇█"


def drawn(values: Sequence[float]) -> str:
    """Return values as bars, a character each, from the lowest to the highest."""
    low, high = min(values), max(values)
    step = (high - low) / (len(_BARS) - 1) or 1
    return "".join(_BARS[round((each - low) / step)] for each in values)


def placed(rated: Sequence[Rated]) -> list[tuple[int, Rated]]:
    """Return the rated with their places; equal ratings share one."""
    return [(1 + sum(other.value > each.value for other in rated), each) for each in rated]
