"""Let fifty people play for months against a judge that is killed again and again, and whose
letters go to a mail server in trouble.

`python -m tests.soak [MINUTES [SEED]]`, 60 and 1 by default; a minute is ten days to them.
Ends with status 1 where an invariant was broken.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.soak.town import Town

SPEED = 14_400.0
KILL_EVERY = 20.0


def main() -> int:
    """Do what the command line says; the exit status."""
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with tempfile.TemporaryDirectory(prefix="judge-soak-") as folder:
        town = Town(Path(folder), people=50, speed=SPEED, seed=seed)
        try:
            town.live(minutes * 60, KILL_EVERY)
            broken = list(town.broken())
            print(town.told())
        except BaseException:
            print(town.server.log.read_text()[-5000:], file=sys.stderr)
            raise
        finally:
            town.close()
    for each in broken[:50]:
        print(each)
    print(f"{len(broken)} invariants broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
