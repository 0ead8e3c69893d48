"""Two judges on one database, and three, beside one."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import islice

from benchmarks.rows import Row, say
from benchmarks.scale.meter import Meter, load
from benchmarks.scale.places import Child, Kind, databases
from benchmarks.scale.sizes import Sizes
from benchmarks.scale.town import Town, town
from judge.storage import InboundState

JUDGES = {1: "one process", 2: "two processes", 3: "three processes"}
"""How many share the work, and what they are called."""


def shared(kind: Kind, sizes: Sizes) -> Iterator[Row]:
    """How much more two and three processes work than one. SQLite has only one."""
    if kind == "SQLite":
        return
    count = sizes.shared
    took: dict[int, list[float]] = {judges: [] for judges in JUDGES}
    processed: list[int] = []
    processor = dict.fromkeys(JUDGES, 0.0)
    with databases(kind) as new, ExitStack() as stack:
        url = new()
        # Nobody's mail has to wait for another of his, or of his game.
        made = stack.enter_context(town(url, max(count, 1)))
        now = made.clock.now().isoformat()
        children = [stack.enter_context(Child("work", url, now)) for _ in JUDGES]
        meter = Meter(made.storage)
        writers = made.writers(10**9)
        # What is read and made once is not what is measured.
        _work(made, children, meter, writers, max(count // 10, 2))
        for turn in range(sizes.turns):
            for judges in JUDGES if turn % 2 == 0 else reversed(JUDGES):
                say(f"{kind}: {count} mails for {judges}, turn {turn + 1}; load {load()}")
                seconds, spent, parts = _work(made, children[:judges], meter, writers, count)
                took[judges].append(seconds)
                processor[judges] += spent
                if judges == 2:
                    processed += parts
    # The quietest turn of each tells most: what else the machine does only slows down.
    best = {judges: min(took[judges]) for judges in JUDGES}
    mails = count * sizes.turns
    for judges, name in JUDGES.items():
        each = processor[judges] / mails * 1e3
        value = f"{count / best[judges]:,.1f} ({each:.0f} ms each)"
        yield Row(f"{kind}: mails processed a second, {name}", value)
    share = min(processed) / count
    yield Row(f"{kind}: the lesser part of two processes' work", f"{share:.2f}")
    for judges, name in list(JUDGES.items())[1:]:
        # Where others want the cores, several get more of them than one; what each mail costs says
        # what cores of their own would allow.
        allowed = judges * processor[1] / processor[judges]
        yield Row(f"{kind}: what {name} on free cores would allow", f"{allowed:.2f}")
    ratio = best[1] / best[2]
    yield Row(f"{kind}: two processes, times one", f"{ratio:.2f}", ">= 1.7", ratio >= 1.7)
    yield Row(f"{kind}: three processes, times one", f"{best[1] / best[3]:.2f}")


def _work(
    made: Town,
    children: Sequence[Child],
    meter: Meter,
    writers: Iterator[tuple[int, str, int]],
    count: int,
) -> tuple[float, float, list[int]]:
    """Let them work so many mails: seconds until all are processed, seconds of the processor, the
    server's included, and how many mails each process had."""
    for game, power, number in islice(writers, count):
        made.write(game, power, number)
    before, begun = meter.spent(), time.perf_counter()
    for child in children:
        child.go()
    done = [child.done() for child in children]
    seconds = time.perf_counter() - begun
    spent = meter.spent() - before + sum(each["seconds"] for each in done)
    parts = [each["processed"] for each in done]
    if sum(parts) != count or made.storage.inbound.count(InboundState.NEW):
        raise RuntimeError(f"of {count} mails {sum(parts)} were processed")
    return seconds, spent, parts
