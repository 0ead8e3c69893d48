"""Fits `judge/records/outlook.toml`, what a position promises each power, on games of computers.

    python -m tools.outlook play games.gz 900              play games, and keep their positions
    python -m tools.outlook fit games.gz --held 250        fit on the others, and measure on these
    python -m tools.outlook measure other.gz               measure what is shipped

What is fitted and measured is the log loss: minus the logarithm of what was expected for each
power, times the share that it got at the end, on average over the positions of a game and over
games.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.arena import Player, bot, dumbbot
from judge.bots.levels import CARETAKER
from judge.interchange.stored_values import position_from_json, position_to_json
from judge.records import outlook
from judge.rules.engine import adjudicate, owed
from judge.rules.phase import Kind
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant
from judge.variants import load

Floats: TypeAlias = NDArray[np.float64]

# Games

YEARS = (7, 14)
"""The fewest and the most years that a game lasts which nobody wins."""
DESERTS = 0.08
"""How many players leave their power to the caretaker, at some time."""
SEATS: Final[Sequence[tuple[Player, int]]] = (
    (bot("easy"), 4),
    (bot("normal"), 4),
    (bot("normal", 0.02), 1),
    (dumbbot, 2),
)
"""Who plays, and how often."""


def play(variant: Variant, seed: int) -> dict[str, Any]:
    """Play a game: its positions before and after movements, and what share each power got."""
    random = Random(f"outlook {variant.name} {seed}")
    players, often = zip(*SEATS, strict=True)
    drawn = random.choices(players, often, k=len(variant.powers))
    seats = dict(zip(variant.powers, drawn, strict=True))
    length = random.randint(*YEARS)
    gone = {
        power: random.randint(1, length) for power in variant.powers if random.random() < DESERTS
    }
    position, kept = variant.opening, []
    winners: tuple[str, ...] = ()
    while not winners:
        years = abs(position.phase.year - variant.start_phase.year) // abs(variant.calendar.years)
        if years >= length:
            break
        if position.phase.kind is not Kind.ADJUSTMENTS:
            kept.append(position_to_json(position))
        orders = {
            power: (bot(CARETAKER) if years >= gone.get(power, years + 1) else seats[power])(
                variant, position, power, seed
            )
            for power in owed(variant, position)
        }
        found = adjudicate(variant, position, orders)
        position, winners = found.position, found.winners
    squares = {power: len(held) ** 2 for power, held in position.centers.items()}
    shares = {power: squares.get(power, 0) / sum(squares.values()) for power in variant.powers}
    if winners:
        shares = {power: (power in winners) / len(winners) for power in variant.powers}
    return {"variant": variant.name, "seed": seed, "positions": kept, "shares": shares}


def games(path: str) -> Iterator[dict[str, Any]]:
    """Yield the games of a file."""
    with gzip.open(path, "rt") as file:
        yield from map(json.loads, file)


# What is measured in them


@dataclass
class Sample:
    """Positions: of each power the measures and its share of the centers, the share it got, and
    whether it was there; and of each position its game, and its weight."""

    measures: Floats
    centers: Floats
    got: Floats
    there: NDArray[np.bool_]
    game: NDArray[np.int64]
    weight: Floats

    def loss(self, expected: Floats) -> Floats:
        """Return the log loss of each game."""
        logs = np.log(np.maximum(expected, 1e-12))
        each = -(self.got * np.where(self.there, logs, 0)).sum(1)
        found: Floats = np.bincount(self.game, each) / np.bincount(self.game)
        return found

    def expected(self, weights: Floats) -> Floats:
        """Return what is expected by weights of the measures."""
        return self.shared(np.exp(self.measures @ weights - (self.measures @ weights).max()))

    def shared(self, values: Floats) -> Floats:
        """Return values as shares of those who are there."""
        values = np.where(self.there, values, 0)
        found: Floats = values / values.sum(1, keepdims=True)
        return found


def sample(found: Sequence[dict[str, Any]]) -> Sample:
    """Return the positions of games."""
    rows: list[
        tuple[list[tuple[float, ...]], list[float], list[float], list[bool], int, float]
    ] = []
    none = (0.0,) * len(outlook.MEASURES)
    for number, game in enumerate(found):
        variant = load(game["variant"])
        rulebook = Rulebook.edition(variant.rulebook)
        held = before = {power: len(each) for power, each in variant.centers.items()}
        for raw in game["positions"]:
            position, _ = outlook.counted(variant, position_from_json(raw), rulebook)
            now = {power: len(each) for power, each in position.centers.items()}
            if outlook.counts(variant, position.phase):
                before, held = held, now
            told = outlook.measures(variant, position, before, rulebook)
            whole = sum(now.values()) or 1
            rows.append(
                (
                    [told.get(power, none) for power in variant.powers],
                    [now.get(power, 0) / whole for power in variant.powers],
                    [game["shares"][power] for power in variant.powers],
                    [power in told for power in variant.powers],
                    number,
                    1 / len(game["positions"]) / len(found),
                )
            )
    measures, centers, got, there, number_of, weight = (
        np.array(each) for each in zip(*rows, strict=True)
    )
    return Sample(measures, centers, got, there, number_of, weight)


def fitted(known: Sample, ridge: float = 1e-4) -> Floats:
    """Return the weights that make the loss least, by Newton's method."""
    spread = known.measures[known.there].std(0)
    scaled = Sample(**{**vars(known), "measures": known.measures / spread})
    x, weights = scaled.measures, np.zeros(len(spread))
    got = np.where(known.there, known.got, 0)
    for _ in range(30):
        p = scaled.expected(weights) * got.sum(1, keepdims=True)
        slope = np.einsum("i,ij,ijk->k", known.weight, p - got, x) + ridge * weights
        mean = np.einsum("ij,ijk->ik", p, x)
        bend = np.einsum("i,ij,ijk,ijl->kl", known.weight, p, x, x, optimize=True)
        bend -= np.einsum("i,ik,il->kl", known.weight, mean, mean, optimize=True)
        step = np.linalg.solve(bend + ridge * np.eye(len(spread)), slope)
        weights = weights - step
        if abs(step).max() < 1e-7:
            break
    found: Floats = weights / spread
    return found


# What else could be expected

Guess = Callable[[Sample, float, float], Floats]

GUESSES: Final[dict[str, tuple[Guess, tuple[float, ...], tuple[float, ...]]]] = {
    "centers now": (lambda s, t, e: s.shared(s.centers + e), (1.0,), (1e-4,)),
    "squares of centers": (lambda s, t, e: s.shared(s.centers**2 + e), (1.0,), (1e-4,)),
    "centers now, tempered": (
        lambda s, t, e: s.shared((s.centers + e) ** t),
        tuple(np.arange(0.4, 6.0, 0.1)),
        (1e-4, 0.001, 0.003, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32),
    ),
    "squares of centers, tempered": (
        lambda s, t, e: s.shared((s.centers**2 + e) ** t),
        tuple(np.arange(0.2, 4.0, 0.1)),
        (1e-5, 1e-4, 0.001, 0.003, 0.01, 0.02, 0.04, 0.08),
    ),
}
"""By name, with the temperatures and the rests for powers without centers that are tried."""


def compare(known: Sample | None, held: Sample, weights: Floats) -> None:
    """Print the loss on games that were held out, of the fit and of what else could be expected,
    whose temperatures are fitted on games that are `known`."""
    mine = held.loss(held.expected(weights))
    print(f"{len(mine)} games, {len(held.game)} positions; nats a position")
    print(f"{'the fit':32} {mine.mean():.4f}")
    for name, (guess, temperatures, rests) in GUESSES.items():
        ways = [(t, e) for t in temperatures for e in rests]
        source = known or held
        t, e = min(ways, key=lambda way: source.loss(guess(source, *way)).mean())
        more = held.loss(guess(held, t, e)) - mine
        error = more.std(ddof=1) / len(more) ** 0.5
        print(f"{name:32} {(mine + more).mean():.4f}, more by {more.mean():.4f} ± {error:.4f}")


def main() -> None:
    """Do what the command says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    what = parser.add_subparsers(dest="what", required=True)
    playing, fitting, measuring = map(what.add_parser, ("play", "fit", "measure"))
    for each in (playing, fitting, measuring):
        each.add_argument("file")
    playing.add_argument("games", type=int)
    playing.add_argument("--board", default="standard")
    fitting.add_argument("--held", type=int, required=True)
    given = parser.parse_args()
    if given.what == "play":
        variant = load(given.board)
        with gzip.open(given.file, "wt") as file:
            for seed in range(given.games):
                print(json.dumps(play(variant, seed)), file=file, flush=True)
        return
    there = games(given.file)
    if given.what == "measure":
        compare(None, sample(list(there)), np.array(outlook.weights()))
        return
    held, known = sample(list(islice(there, given.held))), sample(list(there))
    weights = fitted(known).round(3)
    compare(known, held, weights)
    target = Path(outlook.__file__).with_suffix(".toml")
    head = "# What each measure weighs (judge/records/outlook.py); written by tools/outlook.py.\n"
    lines = [f"{name} = {each}" for name, each in zip(outlook.MEASURES, weights, strict=True)]
    target.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
