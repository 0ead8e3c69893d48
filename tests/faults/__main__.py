"""Kill a judge at every commit, socket write and file operation of a played game.

`python -m tests.faults [POINTS [WAY...]]` kills at all of them, or at so many, spread evenly: with
letters by a relay and into Maildirs, on SQLite and on PostgreSQL, and with a process of its own for
the work, which is killed alone, too; or only in the ways named. Prints
how many there were and ends with status 1 where one came out otherwise than undisturbed.

`python -m tests.faults crashes [SEED [KILLS [CRASHES]]]` plays the sample game on PostgreSQL with a
real daemon, while that is killed 70 times and the server dies 23 times, at times by chance.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path
from random import Random

from tests.faults import crashes
from tests.faults.kills import APART, WAYS, every
from tests.storage.postgres import cluster


def main() -> int:
    """Do what the command line says; the exit status."""
    if sys.argv[1:2] == ["crashes"]:
        return _crashes(*map(int, sys.argv[2:]))
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


def _crashes(seed: int = 1, kills: int = 70, failures: int = 23) -> int:
    mails = crashes.mails(phases=7)
    with tempfile.TemporaryDirectory(prefix="judge-faults-") as folder, cluster() as server:
        undisturbed = crashes.Life(Path(folder, "calm"), server, "calm", mails).play()
        life = crashes.Life(Path(folder, "wild"), server, "wild", mails)
        try:
            found = life.play(crashes.blows(Random(seed), kills, failures, len(mails)))
        except BaseException:
            print(life.server.log.read_text()[-5000:], file=sys.stderr)
            raise
    wrong = crashes.differences(found, undisturbed)
    for each in wrong[:50]:
        print(each)
    print(
        f"seed {seed}: {len(mails)} mails, {len(found.phases)} phases, {found.letters.total()}"
        f" letters ({found.again} came again under their Message-ID), {kills} kills of the judge,"
        f" {failures} crashes of the server: {len(wrong)} things came out otherwise"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
