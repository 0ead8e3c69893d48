"""Whether letters say what is so: `make prove`, or `python -m tests.truth --help`."""

from __future__ import annotations

import argparse
import sys

from tests import memory
from tests.truth.claims import CLAIMS
from tests.truth.hearing import all_ears
from tests.truth.walks import everything


def main() -> None:
    """Walk, print what is false, and fail where anything is."""
    parser = argparse.ArgumentParser(prog="python -m tests.truth", description=main.__doc__)
    parser.add_argument("--games", type=int, default=10, help="how many of each kind (10)")
    parser.add_argument("--phases", type=int, default=12, help="how long (12 phases)")
    parser.add_argument("--kind", help="only games of this kind, and no first mails")
    options = parser.parse_args()
    memory.use()
    met, count = set[str](), 0
    with all_ears():
        for walk in everything(options.games, options.phases, options.kind):
            met |= walk.met
            count += len(walk.false)
            for each in walk.false:
                print(each, flush=True)
    for said in CLAIMS.keys() - met:
        print(f"never said: {said}")
    print(f"{len(met)} of {len(CLAIMS)} sentences were said, {count} times falsely")
    sys.exit(bool(count))


if __name__ == "__main__":
    main()
