"""python -m tests.tournaments: the proof that a tournament of 49 moves by itself, and survives.

It is played twice, four rounds by mail, a tenth of the people falling silent: once quietly, once by
a judge that is killed at 200 points. Both must end with the same standings.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.game.play import Play
from tests.tournaments.season import Season

PEOPLE, ROUNDS, KILLS = 49, 4, 200


def played(folder: Path, kills: frozenset[int] = frozenset()) -> Season:
    """Play a season in a folder."""
    folder.mkdir()
    season = Season(Play(folder), PEOPLE, ROUNDS, kills=kills)
    season.run()
    season.play.storage.close()
    return season


def main() -> int:
    """Prove it, and say what was found."""
    with tempfile.TemporaryDirectory() as folder:
        quiet = played(Path(folder, "quiet"))
        every = max(quiet.writes // KILLS, 1)
        killed = played(Path(folder, "killed"), frozenset(range(every, KILLS * every + 1, every)))
    print(
        f"{PEOPLE} people, {ROUNDS} rounds, {len(quiet.letters)} letters, {quiet.writes} writes; "
        f"killed at {killed.killed} of them"
    )
    print(quiet.standings())
    same = quiet.standings() == killed.standings() and killed.killed == KILLS
    print("the same standings" if same else f"DIFFERENT:\n{killed.standings()}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
