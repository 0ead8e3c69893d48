"""Many lives of games: `make prove`, or `python -m tests.life --help`."""

from __future__ import annotations

import argparse
import gc
import logging
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from tests.game.play import answer_first_letters
from tests.life.walk import LENGTH, Failure, folder, shortened, walk


def some(first: int, count: int, length: int) -> list[str]:
    """Walk from these seeds; what failed, each in as few moves as it takes."""
    logging.disable(logging.CRITICAL)
    answer_first_letters()
    # A walk leaves little behind; looking for it after every few objects takes a tenth of the time.
    gc.set_threshold(100_000)
    found: list[str] = []
    with folder() as where:
        for seed in range(first, first + count):
            failure: Failure | None = walk(seed, where, length)
            if failure is not None:
                found.append(str(shortened(failure, where)))
    return found


def main() -> None:
    """Walk from every seed, show how it goes, and fail when something broke."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.life",
        description="Play games by chance and check after every move what must hold.",
    )
    parser.add_argument("--sequences", type=int, default=10_000, help="how many (10000)")
    parser.add_argument("--seed", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--length", type=int, default=LENGTH, help=f"most moves of one ({LENGTH})")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    options = parser.parse_args()
    start = time.monotonic()
    done = 0
    failures: list[str] = []
    with ProcessPoolExecutor(options.jobs) as pool:
        chunks = _chunks(options.seed, options.sequences)
        firsts, counts = zip(*chunks, strict=True)
        lengths = [options.length] * len(firsts)
        for found, count in zip(pool.map(some, firsts, counts, lengths), counts, strict=True):
            done += count
            failures += found
            print("".join(f"{each}\n\n" for each in found), end="", flush=True)
            if done % 100 < count:
                rate = done / (time.monotonic() - start)
                print(f"{done} sequences, {len(failures)} failed, {rate:.1f} a second", flush=True)
    print(f"{done} sequences of up to {options.length} moves, {len(failures)} failed")
    sys.exit(bool(failures))


def _chunks(first: int, count: int, size: int = 5) -> Iterator[tuple[int, int]]:
    for place in range(0, count, size):
        yield first + place, min(size, count - place)


if __name__ == "__main__":
    main()
