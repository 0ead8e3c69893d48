"""Compare an installed wheel, whose core is compiled, with the core in pure Python: `make wheels`.

Both adjudicate the same positions, with orders chosen by chance from a seed among the legal ones,
and print a digest of all outcomes and next positions, and the processor time.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
SETS = 100
"""Sets of orders for each position."""


def main() -> int:
    """Compare; the exit status."""
    parser = argparse.ArgumentParser(description="Compare a wheel with this checkout.")
    parser.add_argument("wheel", type=Path, help="the wheel, or the folder it was unpacked into")
    parser.add_argument("--positions", type=int, default=100_000)
    options = parser.parse_args()
    if options.wheel.is_dir():
        sys.path[:0] = [str(options.wheel)]
        sys.path.append(str(ROOT))
        print(*_digest(options.positions))
        return 0
    if compiled_here := sorted(ROOT.glob("judge/rules/*.so")):
        # The checkout would be compared with itself.
        parser.error(f"the core of this checkout is compiled: remove {compiled_here[0]} and others")
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(options.wheel).extractall(folder)
        pure, compiled = (_of(Path(each), options.positions) for each in (ROOT, folder))
    for name, (digest, spent) in (("pure", pure), ("compiled", compiled)):
        print(f"{name:9} {digest[:16]} {1e6 * float(spent) / options.positions:6.1f} µs a position")
    if pure[0] != compiled[0]:
        print("They differ.")
        return 1
    return 0


def _of(folder: Path, positions: int) -> list[str]:
    command = [sys.executable, "-P", __file__, str(folder), "--positions", str(positions)]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.split()


def _digest(positions: int) -> tuple[str, float]:
    """The digest and the seconds of the processor that adjudicating took."""
    from benchmarks.selfplay import movements
    from judge.rules.engine import adjudicate
    from judge.rules.legal_orders import legal_orders
    from judge.variants import load

    board, chance, digest, spent = load("standard"), Random(1), hashlib.sha256(), 0.0
    for turn in movements(board, 1, 1902, 1912, -(-positions // SETS)):
        there = turn.position
        legal = {power: legal_orders(board, there, power) for power in board.powers}
        for _ in range(SETS):
            orders = {
                power: [chance.choice(each) for each in units.values()]
                for power, units in legal.items()
            }
            begun = time.process_time()
            found = adjudicate(board, there, orders)
            outcomes = [
                (str(each.order), each.outcome, each.reason)
                for power in board.powers
                for each in found.results.get(power, ())
            ]
            spent += time.process_time() - begun
            digest.update(repr((outcomes, found.position, found.dislodged)).encode())
    return digest.hexdigest(), spent


if __name__ == "__main__":
    sys.exit(main())
