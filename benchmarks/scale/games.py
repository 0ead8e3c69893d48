"""What a mail and a deadline cost, with few running games and with many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from statistics import median

from benchmarks.rows import Row, say
from benchmarks.scale.meter import Meter, load
from benchmarks.scale.places import Kind, databases
from benchmarks.scale.sizes import Sizes
from benchmarks.scale.town import PLAYERS, Town, town
from judge.daemon.loop import Loop
from judge.daemon.worker import Worker
from judge.storage import OutboundState

AT_ONCE = 100
"""Games run in the big town between those of a small one."""


class Turns(Loop):
    """A loop that is never started: it lets one step do so many things and no more."""

    def __init__(self) -> None:
        super().__init__("worker", lambda _: 0.0)
        self.left = 0

    @property
    def stopping(self) -> bool:
        return self.left <= 0

    def progress(self) -> None:
        self.left -= 1


def mails(kind: Kind, sizes: Sizes) -> Iterator[Row]:
    """What one mail costs the processor, taken and processed, with so many games running, and what
    phase of one of them does."""
    counts = sizes.towns if kind == "SQLite" else (sizes.towns[0], sizes.many)
    with databases(kind) as new, ExitStack() as stack:
        towns = []
        for games in counts:
            say(f"{kind}: making {games} games")
            towns.append(stack.enter_context(town(new(), games)))
        meters = [Meter(made.storage) for made in towns]
        costs: list[list[float]] = [[] for _ in towns]
        # As many mails in each of as few games, so that no game grows more than another.
        writers = list(towns[0].writers(sizes.mails))
        say(f"{kind}: {len(writers)} mails with each, in turns")
        for game, power, number in writers:
            for made, meter, cost in zip(towns, meters, costs, strict=True):
                own = game * (made.games // towns[0].games)
                cost.append(meter.of(partial(_one, made, own, power, number)))
        yield from _compared(f"{kind}: milliseconds a mail with", counts, costs)
        say(f"{kind}: {sizes.phases} phases of each, in turns")
        dues = [_Due(made, now=False) for made in towns]
        costs = [[] for _ in towns]
        for number in range(sizes.phases):
            for made, each, cost in zip(towns, dues, costs, strict=True):
                own = number * (made.games // towns[0].games) % made.games
                made.fall_due([own], made.clock.now())
                cost.append(each.run(1))
        for each in dues:
            each.check()
        yield from _compared(f"{kind}: milliseconds a phase with", counts, costs)


def _compared(what: str, counts: Sequence[int], costs: Sequence[Sequence[float]]) -> Iterator[Row]:
    each = [median(cost[len(cost) // 10 :]) for cost in costs]
    for games, middle in zip(counts, each, strict=True):
        ratio = middle / each[0]
        target = "" if games == counts[0] else "<= 1.1 times the first"
        value = f"{middle * 1e3:.1f} ({ratio:.2f})"
        kept = ratio <= 1.1 if target else None
        yield Row(f"{what} {games:,} games", value, target, kept)


def _one(made: Town, game: int, power: str, number: int) -> None:
    made.judge.process_message(made.write(game, power, number))


def due(kind: Kind, sizes: Sizes) -> Iterator[Row]:
    """What a game costs the processor when few are due in the same minute, and when many are.

    Its people want no HTML: what does not depend on how many games there are weighs less then.
    """
    few, many = sizes.due
    with databases(kind) as new, ExitStack() as stack:
        say(f"{kind}: making {many} games")
        large = _Due(stack.enter_context(town(new(), many, plain=True)))
        small_cost, small_games = 0.0, 0
        step = max(AT_ONCE, many // sizes.turns)
        while large.games < many:
            large.run(min(step, many - large.games))
            with town(new(), few, plain=True) as made:
                small = _Due(made)
                small.run(few)
                small.check()
            small_cost += small.seconds
            small_games += few
            so_far = large.seconds / large.games * small_games / small_cost
            say(f"{kind}: {large.games} of {many} games run; {so_far:.2f}; load {load()}")
        large.check()
        with town(new(), few) as made:
            shown = _Due(made)
            shown.run(few)
            shown.check()
    each, single = large.seconds / many, small_cost / small_games
    ratio = each / single
    html = f"{shown.seconds / few * 1e3:.0f}"
    yield Row(f"{kind}: milliseconds a game, {few:,} due, HTML beside the text", html)
    yield Row(f"{kind}: the same, text alone", f"{single * 1e3:.0f}")
    yield Row(
        f"{kind}: milliseconds a game, {many:,} due, text alone",
        f"{each * 1e3:.0f} ({ratio:.2f})",
        f"<= 1.5 times that with {few:,}",
        ratio <= 1.5,
    )


class _Due:
    """A town in which all games are due, or some will be `now`."""

    def __init__(self, made: Town, *, now: bool = True) -> None:
        self._town = made
        made.judge.keep_heartbeat()
        self._letters = made.storage.outbound.count(OutboundState.QUEUED)
        if now:
            made.clock.set(made.due)
        self._worker = Worker(made.storage, made.judge, made.clock, lambda moment: None)
        self._meter = Meter(made.storage)
        self._loop = Turns()
        self.games = 0
        self.seconds = 0.0

    def run(self, count: int) -> float:
        """Run so many games that are due; the seconds that it took."""
        self._loop.left = count
        seconds = self._meter.of(lambda: self._worker.step(self._loop))
        self.seconds += seconds
        self.games += count
        return seconds

    def check(self) -> None:
        """Raise unless so many games have run their phase once, and their letters are queued."""
        storage = self._town.storage
        counted = "SELECT count(*) FROM game WHERE phase = 'F1901M'"
        ran = storage._engine.database.execute_sql(counted).fetchone()[0]
        letters = storage.outbound.count(OutboundState.QUEUED) - self._letters
        # To each player and the master.
        if ran != self.games or letters != ran * (len(PLAYERS) + 1):
            raise RuntimeError(f"{ran} of {self.games} games ran, and wrote {letters} letters")
