"""The whole proof: `make prove`, or `python -m tests.prove --help`."""

from __future__ import annotations

import argparse
import sys
import time

from tests.prove.proof import Stream, Tally, combinations, run, streams
from tests.prove.trials import agrees


def main() -> None:
    """Run every stream, show how it goes, and fail when engine and reference disagree."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.prove",
        description="Compare the engine with a resolver that tries every outcome.",
    )
    parser.add_argument(
        "--positions",
        type=int,
        default=20_000,
        help="positions made by chance on the standard board with legal orders (20000); "
        "the other kinds get a quarter of that each",
    )
    parser.add_argument("--seed", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--only", default="", help="only the streams whose name has this in it")
    parser.add_argument("--list", action="store_true", help="name the streams and stop")
    options = parser.parse_args()
    chosen = [stream for stream in streams() if options.only in stream.name]
    if options.list:
        print("\n".join([*(stream.name for stream in chosen), "what if"]))
        return
    whole = Tally()
    start = time.monotonic()
    for stream in chosen:
        tally = prove(stream, options.seed, options.positions)
        print(f"{stream.name}: {tally}", flush=True)
        for text in tally.disagreements[:20]:
            print(text)
        whole.positions += tally.positions
        whole.paradoxes += tally.paradoxes
        whole.nested += tally.nested
        whole.circles += tally.circles
        whole.disagreements += tally.disagreements
    if options.only in "what if":
        agrees(1000, options.seed)
        print("what if: 1,000 positions as judge adjudicate has them")
    print(f"all: {whole}, {time.monotonic() - start:,.0f} s")
    raise SystemExit(bool(whole.disagreements))


def prove(stream: Stream, seed: int, positions: int) -> Tally:
    """Run one stream with a line of progress on the error channel."""
    tally = Tally()
    if stream.small is not None:
        count, total = None, combinations(stream.small)
    else:
        full = stream.name == "standard, legal orders"
        count = total = positions if full else positions // 4
    shown = time.monotonic()
    for _ in run(stream, seed, count, tally):
        if time.monotonic() - shown > 1:
            shown = time.monotonic()
            print(f"\r{stream.name}: {tally.positions:,} of {total:,} ", end="", file=sys.stderr)
    print("\r" + " " * 70, end="\r", file=sys.stderr, flush=True)
    return tally


if __name__ == "__main__":
    main()
