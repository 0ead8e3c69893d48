"""Measure the judge and print one table: `make bench`, or `python -m benchmarks --help`.

The two engines take turns on chunks of positions, so that a busy machine hits both alike, each
working a chunk twice in a row; the garbage collector is held back, and of several rounds the best
counts, chunk by chunk.

- Adjudication: positions and orders are ready as values; the engine answers with the next position
  and the results, of which every outcome and reason is read. The peer has its games set up with
  the orders given; `process()` is timed. Its resolver alone (`_resolve_moves` with what prepares
  the orders for it; no retreats, no next phase) is shown as well, as the strictest comparison
  there can be.
  Our positions and orders keep what was once computed about them, as those orders do that come
  from the reader, which hands out the same value for the same text; rows show what it costs
  without that, and with positions that are new.
- Mails: the corpus of `tests/mail`, from bytes to what `judge read` makes of them.
- Pictures: the opening of each drawn board and four phases of the standard one with results.
- Letters: the heaviest of games by chance on several boards, pictures included.
- Line to line: one JSON object in, one out, each line once; for the peer in its own names and
  notation, in one game.
- Scale: mails, letters and deadlines on both databases (`benchmarks/scale/`).
- Bots: how strong computer players are, and what they cost (`benchmarks/arena.py`).
- Strangers: how long honest newcomers wait in a flood of made-up names (`benchmarks/strangers.py`).
- What if: what an answer to WHAT IF and its picture cost (`benchmarks/whatif.py`).
- Trip: how many modules an order mail runs through, and how often it changes file.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from benchmarks import arena, kernel, strangers, trip, whatif
from benchmarks.adversarial import all_waters, positions
from benchmarks.boards import scattered, tripled
from benchmarks.crowds import crowds
from benchmarks.letters import letters
from benchmarks.pictures import pictures
from benchmarks.rows import Row, say, show
from benchmarks.scale import PARTS, scale
from benchmarks.scale.places import KINDS
from benchmarks.scale.sizes import FULL, Sizes
from benchmarks.selfplay import Turn, movements, planned
from judge import interchange
from judge.rules.engine import adjudicate
from judge.rules.variant import Variant
from judge.variants import load

CHUNK = 50
"""Positions that one engine works before it is the other's turn."""


def seconds(work: Callable[[], object]) -> float:
    """Seconds of the processor that `work` takes, without the garbage collector.

    Both engines only compute, so what else the machine does in the meantime is left out.
    """
    gc.disable()
    try:
        start = time.process_time()
        work()
        return time.process_time() - start
    finally:
        gc.enable()


# -- against the peer ---------------------------------------------------------------------------


def against_peer(variant: Variant, turns: Sequence[Turn], rounds: int) -> Iterator[Row]:
    """Both engines on the same turns, chunk by chunk."""
    from diplomacy import Game

    from benchmarks import peer

    def next_position(turn: Turn) -> object:
        return adjudicate(variant, turn.position, turn.orders).position

    def outcomes(turn: Turn) -> None:
        for results in adjudicate(variant, turn.position, turn.orders).results.values():
            for result in results:
                result.succeeded, result.reason  # noqa: B018

    theirs = [peer.line(turn, variant.board) for turn in turns]
    best: dict[tuple[str, int], float] = {}

    def measure(
        name: str,
        start: int,
        work: Callable[[Any], object],
        items: Sequence[Any],
        make: Callable[[Any], Any] | None = None,
    ) -> None:
        """Work a chunk of items, or of what is made of them, twice in a row: the first time finds
        back into the processor's caches."""
        chunk = items[start : start + CHUNK]
        for _ in range(2):
            ready = [make(item) for item in chunk] if make else chunk
            spent = seconds(partial(_each, work, ready))
            best[name, start] = min(best.get((name, start), float("inf")), spent)

    for done in range(rounds):
        say(f"against the package diplomacy, round {done + 1} of {rounds}")
        for start in range(0, len(turns), CHUNK):
            measure("process", start, Game.process, theirs, peer.game)
            measure("resolve", start, peer.resolve, theirs, peer.game)
            measure("adjudicate", start, outcomes, turns)
            measure("position", start, next_position, turns)
            measure("first time", start, outcomes, turns, as_if_new)
            measure("new position", start, outcomes, turns, in_new_position)
    pairs = zip(turns, theirs, strict=True)
    same = sum(_agrees(variant, turn, peer.game(line)) for turn, line in pairs)
    spent: dict[str, float] = {}
    for (name, _), part in best.items():
        spent[name] = spent.get(name, 0.0) + part
    rate = {name: len(turns) / total for name, total in spent.items()}
    ratio = rate["adjudicate"] / rate["process"]
    yield Row("phases a second, adjudicate(), outcomes read", f"{rate['adjudicate']:,.0f}")
    yield Row("the same, position and orders never seen before", f"{rate['first time']:,.0f}")
    yield Row("the same, position alone never seen before", f"{rate['new position']:,.0f}")
    yield Row("phases a second, adjudicate(), only to play on", f"{rate['position']:,.0f}")
    yield Row("phases a second, diplomacy process()", f"{rate['process']:,.0f}")
    yield Row("phases a second, diplomacy resolver alone", f"{rate['resolve']:,.0f}")
    yield Row("ratio, adjudication", f"{ratio:.1f}", ">= 12", ratio >= 12)
    ratio = rate["first time"] / rate["process"]
    yield Row("ratio, never seen before", f"{ratio:.1f}", ">= 10", ratio >= 10)
    ratio = rate["new position"] / rate["process"]
    yield Row("ratio, position never seen before", f"{ratio:.1f}")
    strict = rate["adjudicate"] / rate["resolve"]
    yield Row("ratio, against its resolver alone", f"{strict:.1f}")
    yield Row("positions on which both agree", f"{same} of {len(turns)}")


def line_to_line(variant: Variant, turns: Sequence[Turn]) -> Iterator[Row]:
    """Both engines from a line of JSON to a line of JSON, each line new to them and read once; the
    package with one game for all."""
    from diplomacy import Game

    from benchmarks import peer

    say("line to line")
    ours = [interchange_line(variant, turn) for turn in turns]
    quiet = [line[:-1] + ', "notes": false}' for line in ours]
    theirs = [peer.line(turn, variant.board) for turn in turns]
    half = len(turns) // 2
    # Neither half has been seen by the other way of asking.
    spent = {
        "without notes": seconds(partial(_each, interchange.adjudicate_line, quiet[:half])),
        "with notes": seconds(partial(_each, interchange.adjudicate_line, ours[half:])),
    }
    package = seconds(partial(_each, partial(peer.answer, made=Game()), theirs[:half]))
    yield Row("phases a second, diplomacy line to line, one game", f"{half / package:,.0f}")
    for how, each in spent.items():
        ratio, told = package / each, f"line to line {how}"
        yield Row(f"phases a second, {told}, each line once", f"{half / each:,.0f}")
        if how == "without notes":
            yield Row(f"ratio, {told}", f"{ratio:.1f}", ">= 8", ratio >= 8)
        else:
            yield Row(f"ratio, {told}", f"{ratio:.1f}")


def loaded(line: str) -> Turn:
    """The turn that a line of the interchange format describes."""
    question = interchange.read_question(json.loads(line))
    return Turn(question.position, {power: list(own) for power, own in question.orders.items()})


def as_if_new(turn: Turn) -> Turn:
    """The turn in values about which nothing is known yet."""
    orders = {power: [replace(order) for order in own] for power, own in turn.orders.items()}
    return Turn(replace(turn.position), orders)


def in_new_position(turn: Turn) -> Turn:
    """The turn in a position about which nothing is known yet, with orders that are known: what
    comes of the reader, which hands out the same value for the same text."""
    return Turn(replace(turn.position), turn.orders)


def _each(work: Callable[[Any], object], items: Sequence[Any]) -> None:
    for item in items:
        work(item)


def _agrees(variant: Variant, turn: Turn, game: object) -> bool:
    from benchmarks import peer

    game.process()  # type: ignore[attr-defined]
    theirs = peer.placed(game)
    ours = adjudicate(variant, turn.position, turn.orders).position.units
    return all(sorted(map(str, own)) == theirs.get(power, []) for power, own in ours.items())


def interchange_line(variant: Variant, turn: Turn) -> str:
    """A turn as one line of the interchange format."""
    data = interchange.position_object(variant, turn.position)
    data["orders"] = {power: list(map(str, own)) for power, own in turn.orders.items()}
    return json.dumps(data)


# -- the engine alone ---------------------------------------------------------------------------


def scaling(variant: Variant, rounds: int) -> Iterator[Row]:
    """Cost by number of units: each size on 60 positions with orders by the same players, and the
    dearest of positions of that size made to be hard."""
    base = 0.0
    for units, board in ((10, variant), (20, variant), (34, variant), (80, tripled(variant))):
        say(f"scaling, {units} units")
        random = Random(units)
        costs = []
        for _ in range(60):
            position = scattered(board, units, random)
            costs.append(_cost(board, Turn(position, planned(board, position, random)), rounds + 1))
        each = sum(costs) / len(costs) / units * 1e6
        base = base or each
        yield Row(
            f"microseconds a phase, {units} units",
            f"{each * units:,.0f} ({each:.1f} a unit)",
            "<= 1.5 times a unit's cost with 10",
            each <= 1.5 * base,
        )
        yield from _dearest(
            board, crowds(board, units, seed=4, count=40), statistics.median(costs), "of that size"
        )
        if board is not variant:
            everywhere = (
                (f"every water of a board of 57, {start} to {end}", turn)
                for start, end in (("stp1", "syr3"), ("stp1", "nap1"), ("bre2", "ank2"))
                for attacked in (False, True)
                for turn in [all_waters(board, start, end, attacked)]
            )
            yield from _dearest(board, everywhere, statistics.median(costs), "full of fleets")


def worst(variant: Variant, turns: Sequence[Turn], rounds: int) -> Iterator[Row]:
    """The dearest of thousands of made-up positions, against the median mid-game one."""
    say("the worst position")
    median = statistics.median(_cost(variant, turn, rounds) for turn in turns)
    yield Row("median position, microseconds", f"{median * 1e6:,.0f}")
    yield from _dearest(variant, positions(variant, seed=4, count=3000), median, "of all")


def _dearest(
    variant: Variant, named: Iterable[tuple[str, Turn]], median: float, which: str
) -> Iterator[Row]:
    """The dearest of some named positions, against a median."""
    name, turn = max(named, key=lambda pair: _cost(variant, pair[1], 3))
    ratio = _cost(variant, turn, 20) / median
    yield Row(f"worst position {which}, times the median", f"{ratio:.1f}", "<= 20", ratio <= 20)
    yield Row("that is", name)


def _cost(variant: Variant, turn: Turn, rounds: int) -> float:
    """Seconds for one position never seen before, the best of several."""
    return min(_first_time(variant, as_if_new(turn)) for _ in range(rounds))


def _first_time(variant: Variant, turn: Turn) -> float:
    return seconds(partial(adjudicate, variant, turn.position, turn.orders))


# -- the command --------------------------------------------------------------------------------


def command(variant: Variant, turns: Sequence[Turn]) -> Iterator[Row]:
    """Start-up time and memory of `judge adjudicate`, as a process of its own."""
    say("the command judge adjudicate")
    lines = [interchange_line(variant, turn) + "\n" for turn in turns]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "one.json").write_text(lines[0])
        (folder / "short.jsonl").write_text("".join(lines))
        (folder / "long.jsonl").write_text("".join(lines * 10))
        adjudicating = [sys.executable, "-m", "judge", "adjudicate"]
        bare = min(_run([sys.executable, "-c", "pass"])[0] for _ in range(5))
        whole = min(_run([*adjudicating, str(folder / "one.json")])[0] for _ in range(5))
        _, small = _run([*adjudicating, str(folder / "short.jsonl"), "--jsonl"])
        spent, large = _run([*adjudicating, str(folder / "long.jsonl"), "--jsonl"])
    beyond = whole - bare
    yield Row(
        "start-up of judge adjudicate beyond Python's", f"{beyond:.2f} s", "< 0.3 s", beyond < 0.3
    )
    count = 10 * len(turns)
    yield Row("lines a second, judge adjudicate --jsonl", f"{count / (spent - whole):,.0f}")
    yield Row(f"peak memory, {len(turns)} lines", f"{small / 1024:.0f} MB")
    yield Row(
        f"peak memory, {count} lines",
        f"{large / 1024:.0f} MB",
        "<= 1.1 times that",
        large <= 1.1 * small,
    )


def reading(rounds: int) -> Iterator[Row]:
    """How fast mails are read: the corpus of the tests, each mail with its board."""
    from benchmarks import mails

    say("reading mails")
    corpus = mails.mails()
    apart = min(seconds(partial(mails.take_apart, corpus)) for _ in range(rounds))
    whole = min(seconds(partial(mails.read, corpus)) for _ in range(rounds))
    yield Row(f"mails a second, bytes to text ({len(corpus)} mails)", f"{len(corpus) / apart:,.0f}")
    yield Row("mails a second, bytes to orders", f"{len(corpus) / whole:,.0f}")


WATCHER = """
import os, subprocess, sys, time
start = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(status, time.perf_counter() - start, usage.ru_maxrss)
"""
"""Runs a command from a small process, for a new process starts with its parent's peak memory."""


def _run(arguments: list[str]) -> tuple[float, int]:
    """Seconds on the wall and peak memory in kilobytes of a command that must succeed."""
    watcher = [sys.executable, "-c", WATCHER, *arguments]
    said = subprocess.run(watcher, check=True, capture_output=True, text=True)
    status, spent, peak = said.stdout.split()
    if status != "0":
        raise SystemExit(f"{' '.join(arguments)} failed: {said.stderr}")
    return float(spent), int(peak)


def main() -> None:
    """Measure, print the table, and fail when a target is missed."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--positions", type=int, default=400, help="mid-game positions (400)")
    parser.add_argument("--seed", type=int, default=1901, help="of the games they come from (1901)")
    parser.add_argument("--rounds", type=int, default=5, help="the best of so many counts (5)")
    parser.add_argument("--alone", action="store_true", help="leave the package diplomacy out")
    parser.add_argument("--full", action="store_true", help="scale: the whole figures, in hours")
    parser.add_argument("--games", type=int, default=7, help="bots: games for each row (7)")
    parser.add_argument(
        "--only",
        nargs="+",
        metavar="PART",
        choices=["engine", "kernel", "trip", "whatif", "strangers", "bots", *PARTS],
        help="some of: engine, kernel, trip, whatif, strangers, bots, and of the scale "
        f"{', '.join(PARTS)}",
    )
    parser.add_argument(
        "--database", choices=[kind.lower() for kind in KINDS], help="scale: on this one alone"
    )
    options = parser.parse_args()
    kept = [show(row) for row in rows(options)]
    raise SystemExit(not all(kept))


def rows(options: argparse.Namespace) -> Iterator[Row]:
    """Everything that was asked for."""
    parts = options.only or ["engine", "kernel", "trip", "whatif", "strangers", "bots", *PARTS]
    if "trip" in parts:
        # First: what is cached by then would shorten it.
        yield from trip.rows()
    if "engine" in parts:
        variant = load("standard")
        say(f"playing games for {options.positions} positions")
        turns = movements(variant, options.seed, 1903, 1910, options.positions)
        if not options.alone:
            # First: the lines must be new to both.
            others = movements(variant, options.seed + 1, 1901, 1915, 1000)
            yield from line_to_line(variant, others)
        yield from measured(variant, turns, options.rounds, options.alone)
    if "kernel" in parts:
        yield from kernel.rows()
    if "whatif" in parts:
        yield from whatif.rows()
    if "strangers" in parts:
        yield from strangers.rows()
    if "bots" in parts:
        yield from arena.rows(options.games)
    ours = [part for part in parts if part in PARTS]
    kinds = [kind for kind in KINDS if options.database in (None, kind.lower())]
    if ours:
        yield from scale(FULL if options.full else Sizes(), ours, kinds)


def measured(variant: Variant, turns: Sequence[Turn], rounds: int, alone: bool) -> Iterator[Row]:
    """All measurements, one after the other."""
    if alone:
        spent = sum(_cost(variant, turn, rounds) for turn in turns)
        yield Row("phases a second, adjudicate()", f"{len(turns) / spent:,.0f}")
    else:
        yield from against_peer(variant, turns, rounds)
    yield from scaling(variant, rounds)
    yield from worst(variant, turns, rounds)
    yield from command(variant, turns)
    yield from reading(rounds)
    shown = [(turn.position, turn.orders) for turn in turns[:4]]
    yield from (Row(*each) for each in pictures(shown, rounds))
    yield from letters()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield Row("peak memory of this benchmark", f"{peak / 1024:.0f} MB")


if __name__ == "__main__":
    main()
