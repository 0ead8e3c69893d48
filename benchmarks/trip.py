"""How far the program runs for one order mail: modules entered, and changes of file.

What is counted: seven players have the first letter of a game, and Austria's answers it with three
orders, which `Judge.process_message` processes where no order was read before. Every call of a
function, comprehension or generator that stands in a file of `judge/` enters that file; it is a
change of file when the call before it entered another one. Returns and other packages do not count.

`python -m benchmarks.trip` lists where the changes come from.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

import judge
from benchmarks.rows import Row
from tests.game.play import Play, answer_first_letters

ORDERS = "A Vie - Gal\nA Bud - Ser\nF Tri - Alb\n"
TAKEN = ("A vie - gal", "A bud - ser", "F tri - alb")
PLAYER = "ann"
MOST_MODULES = 60
MOST_CHANGES = 1200

_ROOT = f"{Path(judge.__file__).parent}/"


@dataclass
class Trip:
    """Calls by the file that holds what was called, and changes by the files they lead from and
    to."""

    calls: Counter[str] = field(default_factory=Counter)
    changes: Counter[tuple[str, str]] = field(default_factory=Counter)
    functions: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Of the changes, the function that was called, with its file."""


def recorded(work: Callable[[], object]) -> Trip:
    """What calls of functions of `judge/` happen while `work` runs."""
    trip = Trip()
    last = ""

    def note(frame: FrameType, event: str, _: object) -> None:
        nonlocal last
        file = frame.f_code.co_filename
        if event != "call" or not file.startswith(_ROOT):
            return
        file = file.removeprefix(_ROOT)
        trip.calls[file] += 1
        if last and file != last:
            trip.changes[last, file] += 1
            trip.functions[file, frame.f_code.co_qualname] += 1
        last = file

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return trip


def order_mail() -> Trip:
    """The trip of the one order mail."""
    with tempfile.TemporaryDirectory() as folder:
        answer_first_letters()
        play = Play(Path(folder))
        try:
            letter = play.start()[PLAYER]
            mail = play.mail(PLAYER, ORDERS, answers=letter)
            trip = recorded(lambda: play.judge.process_message(mail))
            answer = play.letters()[-1].text
            if not all(order in answer for order in TAKEN):
                raise RuntimeError(f"the orders were not taken:\n{answer}")
            return trip
        finally:
            play.storage.close()


def rows() -> Iterator[Row]:
    """The two figures, with what they may be."""
    trip = order_mail()
    modules, changes = len(trip.calls), trip.changes.total()
    yield Row(
        "modules that an order mail enters",
        f"{modules:,}",
        f"<= {MOST_MODULES}",
        modules <= MOST_MODULES,
    )
    yield Row(
        "changes of file on its way",
        f"{changes:,}",
        f"<= {MOST_CHANGES:,}",
        changes <= MOST_CHANGES,
    )


def main() -> None:
    """Print the figures and where they come from."""
    trip = order_mail()
    print(f"{len(trip.calls)} modules, {trip.changes.total()} changes, {trip.calls.total()} calls")
    into: Counter[str] = Counter()
    for (_, file), count in trip.changes.items():
        into[file] += count
    print("\ncalls   changes to  module")
    for file, count in trip.calls.most_common():
        print(f"{count:5} {into[file]:12}  {file}")
    print("\nchanges from one to another")
    for (start, end), count in trip.changes.most_common(60):
        print(f"{count:5}  {start} -> {end}")
    print("\nfunctions that changes lead to")
    for (file, name), count in trip.functions.most_common(80):
        print(f"{count:5}  {file}: {name}")


if __name__ == "__main__":
    main()
