"""Compare two wheels, one of them with the extension: `make wheels`.

Both adjudicate the same positions, with orders chosen by chance from a seed among the legal ones,
and print a digest of all results and next positions, and the processor time.
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

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Compare; the exit status."""
    parser = argparse.ArgumentParser(description="Compare two wheels.")
    parser.add_argument(
        "wheels", type=Path, nargs="+", help="wheels, or a folder with one unpacked"
    )
    parser.add_argument("--positions", type=int, default=20_000)
    options = parser.parse_args()
    if options.wheels[0].is_dir():
        sys.path[:0] = [str(options.wheels[0])]
        sys.path.append(str(ROOT))
        print(*_digest(options.positions))
        return 0
    found = []
    for wheel in options.wheels:
        with tempfile.TemporaryDirectory() as folder:
            zipfile.ZipFile(wheel).extractall(folder)
            found.append(_of(Path(folder), options.positions))
        digest, spent, built = found[-1]
        each = 1e6 * float(spent) / options.positions
        print(f"{wheel.name}: {digest[:16]}, {each:.1f} µs a position, extension: {built}")
    if len({digest for digest, *_ in found}) > 1 or len({built for *_, built in found}) < 2:
        print("They differ in what they say, or not in how they are made.")
        return 1
    return 0


def _of(folder: Path, positions: int) -> list[str]:
    command = [sys.executable, "-P", __file__, str(folder), "--positions", str(positions)]
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": ""}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.split()


def _digest(positions: int) -> tuple[str, float, bool]:
    """The digest, the seconds of the processor that adjudicating took, and whether the extension
    was there."""
    from benchmarks.selfplay import movements
    from judge.rules import kernel
    from judge.rules.engine import adjudicate
    from judge.variants import load

    board, digest, spent = load("standard"), hashlib.sha256(), 0.0
    for turn in movements(board, 1, 1902, 1912, positions):
        begun = time.process_time()
        found = adjudicate(board, turn.position, turn.orders)
        results = [(str(each.order), each.reason) for own in found.results.values() for each in own]
        spent += time.process_time() - begun
        digest.update(repr((results, found.position, found.dislodged)).encode())
    return digest.hexdigest(), spent, kernel.BUILT


if __name__ == "__main__":
    sys.exit(main())
