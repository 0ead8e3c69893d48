"""Kill a judge at every commit, socket write and file operation of a played game.

`python -m tests.faults [POINTS [WAY...]]` kills at all of them, or at so many, spread evenly: with
letters by a relay and into Maildirs, on SQLite and on PostgreSQL, and with a process of its own for
the work, which is killed alone, too; or only in the ways named. Prints
how many there were and ends with status 1 where one came out otherwise than undisturbed.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path

from tests.faults.kills import APART, WAYS, every
from tests.storage.postgres import cluster


def main() -> int:
    """Do what the command line says; the exit status."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else None
    ways = sys.argv[2:] or (*WAYS, *APART)
    wrong = total = 0
    for way in ways:
        with (
            tempfile.TemporaryDirectory(prefix="judge-faults-") as folder,
            cluster() if "postgresql" in way else nullcontext() as server,
        ):
            share = None if most is None else most // len(ways)
            for killed in every(Path(folder), way, share, server=server):
                total += 1
                if killed.differences:
                    wrong += 1
                    print(f"{killed}: {'; '.join(killed.differences)}", flush=True)
                elif total % 100 == 0:
                    print(f"{total} points, {wrong} came out otherwise ({killed})", flush=True)
    print(f"{total} kill points, {wrong} came out otherwise than undisturbed")
    return 1 if wrong or not total else 0


if __name__ == "__main__":
    sys.exit(main())
