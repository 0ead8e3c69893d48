"""Every board at length: `make prove`, or `python -m tests.boards --help`.

Games by chance in the engine with what must hold after each phase, where nobody wins one more with
a computer among the players; some phases among computer players, whose orders are never void; and a
game of every board and number of players through a real daemon, from CREATE to its ending.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from judge.bots.levels import LEVELS
from tests.boards.daemon import Room
from tests.boards.tables import TABLES, Table
from tests.boards.test_chance import play
from tests.boards.test_chance import won as solo
from tests.bots.test_orders import faults, played


def main() -> None:
    """Play, say how it went, and fail when something broke."""
    parser = argparse.ArgumentParser(prog="python -m tests.boards", description=__doc__)
    parser.add_argument("--games", type=int, default=5, help="by chance at each table (5)")
    parser.add_argument("--phases", type=int, default=500, help="the longest of these (500)")
    parser.add_argument("--mail", type=int, default=6, help="phases of those by mail (6); 0: none")
    parser.add_argument("--bots", type=int, default=10, help="phases of computer players (10)")
    parser.add_argument("tables", nargs="*", help="such as pure or standard-2; all without any")
    options = parser.parse_args()
    chosen = [table for table in TABLES if not options.tables or str(table) in options.tables]
    failures: list[str] = []
    won: Counter[Table] = Counter()
    for table in chosen:
        for seed in range(options.games):
            _, winners, problems = play(table, f"{table} {seed}", options.phases)
            won[table] += bool(winners)
            failures += [f"{table}, seed {seed}: {problem}" for problem in problems]
    games = len(chosen) * options.games
    print(f"{games} games by chance on {len(chosen)} tables, {won.total()} won", flush=True)
    never = [table for table in chosen if options.games and not won[table]]
    for table in never:
        try:
            helped = ", ".join(solo(table, options.phases))
            print(f"{table}: not won by chance, but with a computer by {helped}", flush=True)
        except AssertionError as found:
            failures.append(str(found))
    for table in chosen:
        for level in LEVELS[1:]:
            failures += faults(table.variant, played(table.variant, options.bots, level))
    if options.bots:
        print(f"{options.bots} phases of computer players on {len(chosen)} tables", flush=True)
    if options.mail:
        with tempfile.TemporaryDirectory() as folder:
            room = Room(Path(folder))
            try:
                for table in chosen:
                    problem = room.play(table, options.mail)
                    failures += [problem] if problem else []
                    print(problem or f"{table}: played to its end by mail", flush=True)
            finally:
                room.close()
    print("\n".join(failures) or "all of it held")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
