"""A game is played undisturbed; then each of its steps again, the judge killed on the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tests.faults.points import Kill
from tests.faults.story import Step, story
from tests.faults.world import Outcome, world
from tests.storage.postgres import Cluster

WAYS = ("relay", "maildir", "postgresql")
"""How letters go out and where all is kept: see World."""

APART = ("apart", "apart-postgresql")
"""The same with a process of its own for the work, as in real life."""


@dataclass(frozen=True)
class Killed:
    """One death: in which step, before which operation, and what came out otherwise for it."""

    way: str
    step: Step
    kill: Kill
    kind: str
    died: bool
    differences: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.way}, {self.step.name}, {self.kill} ({self.kind})"


def every(
    folder: Path,
    way: str,
    most: int | None = None,
    steps: Sequence[Step] | None = None,
    server: Cluster | None = None,
) -> Iterator[Killed]:
    """Kill the judge at every point of a game, or at some `most` points of it (see `_spread`).

    As each step starts from what the one before it left undisturbed, and comes out as it did
    undisturbed, the game comes out the same, wherever it is killed.
    """
    told = list(story() if steps is None else steps)
    with world(folder / "world", way, server) as made:
        began: list[datetime] = []
        undisturbed: list[Outcome] = []
        for number, step in enumerate(told):
            made.keeping.keep(f"before-{number}")
            began.append(made.now)
            undisturbed.append(made.live(step, number))
        points = [
            (number, kill, _kind(kill, outcome))
            for number, outcome in enumerate(undisturbed)
            for kill in _kills(outcome)
            # A judge that lives on beside the dead goes on with the ids that PostgreSQL never
            # gives twice, so what comes out is the same only but for those.
            if not (kill.alone and server)
        ]
        for number, kill, kind in points if most is None else _spread(points, most):
            made.keeping.back_to(f"before-{number}")
            made.now = began[number]
            found, expected = made.live(told[number], number, kill), undisturbed[number]
            differences = tuple(_differences(found, expected))
            yield Killed(way, told[number], kill, kind, found.killed, differences)


Point = tuple[int, Kill, str]
"""In which step, where, and before what kind of operation."""


def _spread(points: Sequence[Point], most: int) -> Iterator[Point]:
    """As many points of each kind as of the others, spread evenly over the game.

    Nearly all operations on a database are statements; a commit is seldom, and matters more.
    """
    kinds: dict[str, list[Point]] = {}
    for point in points:
        kinds.setdefault(point[2], []).append(point)
    rarest_first = sorted(kinds.values(), key=len)
    for left, each in zip(range(len(kinds), 0, -1), rarest_first, strict=True):
        share = max(1, -(-most // left))
        stride = max(1, len(each) // share)
        # With an even one all would be kills of the same sort.
        taken = each[:: stride if stride % 2 else stride - 1]
        most -= len(taken)
        yield from taken


def _kills(outcome: Outcome) -> Iterator[Kill]:
    yield from (Kill(at) for at in range(1, len(outcome.points) + 1))
    for at, kind in enumerate(outcome.work, 1):
        yield Kill(at, work=True)
        # The keeper would be told of a game that ended the process that processed it.
        if not kind.startswith("game"):
            yield Kill(at, work=True, alone=True)


def _kind(kill: Kill, outcome: Outcome) -> str:
    """What the judge does next where it is killed."""
    return (outcome.work if kill.work else outcome.points)[kill.at - 1]


def _differences(found: Outcome, expected: Outcome) -> Iterator[str]:
    for table, rows in expected.state.items():
        if found.state[table] != rows:
            there, wanted = len(found.state[table]), len(rows)
            changed = [
                (now, then)
                for now, then in zip(found.state[table], rows, strict=False)
                if now != then
            ]
            yield f"{table} has {there} rows for {wanted}, of which differ: {changed[:1]!r:.400}"
    # A letter may be delivered again, but then it is the same one, to the last byte.
    if set(found.letters) != set(expected.letters):
        lost = set(expected.letters) - set(found.letters)
        new = set(found.letters) - set(expected.letters)
        yield f"letters lost: {sorted(lost)}, letters nobody was to get: {sorted(new)}"
