"""A game is played undisturbed; then each of its steps again, the judge killed on the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tests.faults.story import Step, story
from tests.faults.world import Outcome, World, world
from tests.storage.postgres import Cluster

WAYS = ("relay", "maildir", "postgresql")
"""How letters go out and where all is kept: see World."""


@dataclass(frozen=True)
class Killed:
    """One death: in which step, before which operation, and what came out otherwise for it."""

    way: str
    step: Step
    point: int
    kind: str
    died: bool
    differences: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.way}, {self.step.name}, point {self.point} ({self.kind})"


def every(
    folder: Path,
    way: str,
    most: int | None = None,
    steps: Sequence[Step] | None = None,
    server: Cluster | None = None,
) -> Iterator[Killed]:
    """Kill the judge at every point of a game, or at `most` points, spread evenly over it.

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
            (number, point)
            for number, outcome in enumerate(undisturbed)
            for point in range(1, len(outcome.points) + 1)
        ]
        stride = 1 if most is None else max(1, len(points) // most)
        for number, point in points[:: stride if stride % 2 else stride + 1]:
            made.keeping.back_to(f"before-{number}")
            made.now = began[number]
            yield _killed(made, told[number], number, point, undisturbed[number])


def _killed(made: World, step: Step, number: int, point: int, expected: Outcome) -> Killed:
    found = made.live(step, number, kill_at=point)
    kind = expected.points[point - 1]
    return Killed(made.way, step, point, kind, found.killed, tuple(_differences(found, expected)))


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
