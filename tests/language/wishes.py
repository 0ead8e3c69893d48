"""How well wishes in plain words are understood: `python -m tests.language.wishes`.

Each set of mails is read by what was learned without any sentence of it. Press is never learned.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from judge import variants
from judge.commands import TABLE
from judge.game.orders.order_context import OrderContext
from judge.intake.command import hearing
from judge.intake.lines import read_lines
from judge.intake.talk import requests_in
from judge.intake.wishes import Request, examples, marks
from judge.language.wish_model import Wishes, plain
from judge.schedule.dates import read_date, read_span
from judge.schedule.deadlines import TimeError, read_hours

HERE = Path(__file__).parent
SETS = (
    *("requests", "requests_held", "requests_more", "requests_plain", "requests_again"),
    *("requests_third", "requests_fourth", "requests_fifth", "requests_sixth"),
)
STANDARD = variants.load("standard")
DESK = OrderContext(STANDARD)
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)

DONE = {
    "map": "MAP",
    "players": "WHO GAME",
    "deadline": "STATUS",
    "late": "WHO IS LATE",
    "orders": "STATUS",
    "help": "HELP",
}
"""Commands that answer a question at once, by its subject."""


class Row(NamedTuple):
    """A mail of a table beside this file, and what it asks for: "-" for nothing."""

    language: str
    asked: str
    mail: str


def rows(name: str) -> Iterator[Row]:
    """Yield the mails of a table."""
    for line in (HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            language, *asked, mail = line.split(" | ", 2)
            yield Row(language, asked[0] if asked else "-", mail.replace("\\n", "\n"))


def learned_without(name: str) -> Wishes:
    """Return what is learned from the examples that are not in a table."""
    held = {plain(row.mail) for row in rows(name)}
    return Wishes([each for each in examples() if plain(each[1]) not in held], marks(STANDARD))


class Figures(NamedTuple):
    """Of a table: how many wishes and letters it has, for how many the right offer is the first or
    among the first two, for how many it has the right dates or recipients, too; and how many lines
    of talk it has, and how many of them draw any offer."""

    wishes: int
    first: int
    two: int
    exact: int
    talk: int
    taken: int

    def __add__(self, other: object) -> Figures:
        assert isinstance(other, Figures)
        return Figures(*(one + two for one, two in zip(self, other, strict=True)))


def measure(name: str, known: Wishes | None = None, show: bool = False) -> Figures:
    """Return the figures of a table, read by what was learned without it."""
    known = known or learned_without(name)
    found = Figures(0, 0, 0, 0, 0, 0)
    for row in rows(name):
        offers = list(_offers(row, known))
        kinds = list(map(_kind, offers))
        wanted = set(map(_kind, row.asked.split(" & ")))
        if row.asked == "-":
            found += Figures(0, 0, 0, 0, 1, bool(offers))
        else:
            right = wanted <= set(kinds)
            exact = set(row.asked.split(" & ")) <= set(offers) or _settled(row.asked, offers)
            found += Figures(1, bool(kinds) and kinds[0] in wanted, right, exact, 0, 0)
        if show and (kinds if row.asked == "-" else not wanted <= set(kinds)):
            print(f"{name}: {row.asked} | {' & '.join(offers)} | {row.mail!r}")
    return found


def _offers(row: Row, known: Wishes) -> Iterator[str]:
    """What a mail is offered, or is told, or what is carried out at once."""
    with hearing("en" if row.language == "--" else row.language):
        lines = list(read_lines(row.mail, TABLE, lambda: DESK))
    done = [line for line in lines if line.kind in ("order", "command", "press")]
    if done:
        name = done[0].command.name if done[0].command else ""
        fits = row.asked.startswith(name) or name == DONE.get(row.asked)
        yield from [row.asked] if name and fits and row.asked != "-" else []
        return
    asked: list[Request] = requests_in(row.mail.split("\n"), STANDARD, NOW, "UTC", known=known)
    yield from (each.about or each.offer for each in asked)


def _kind(offer: str) -> str:
    """The command of an offer, without what stands behind it but a choice."""
    for command in ("EXTEND", "PAUSE", "SET ABSENCE", "PRESS TO"):
        if offer.startswith(command):
            return command
    return offer


def _settled(asked: str, offers: Sequence[str]) -> bool:
    """Whether one of the offers is what was asked for, with its dates as they are said in full."""
    return any(_meant(asked) == _meant(offer) for offer in offers)


def _meant(offer: str) -> object:
    """The command of an offer, and the dates or the hours behind it."""
    dated = ("EXTEND UNTIL ", "PAUSE UNTIL ", "EXTEND ", "SET ABSENCE ")
    command = next(filter(offer.startswith, dated), offer)
    said = offer.removeprefix(command)
    with suppress(TimeError):
        if command.endswith(" UNTIL "):
            return command, read_date(said, NOW, "UTC")
        if command == "EXTEND ":
            return command, read_hours(said)
        if command == "SET ABSENCE ":
            return command, [each.date() for each in read_span(said, NOW, "UTC")]
    return offer


def main() -> None:
    """Print the figures of each table."""
    show = "--show" in sys.argv
    print("| set | wishes | first | first two | with its dates | talk | taken |\n|" + "---|" * 7)
    whole = Figures(0, 0, 0, 0, 0, 0)
    for name in (*SETS, "press"):
        found = measure(name, show=show)
        whole += found
        _print(name, found)
    _print("all", whole)


def _print(name: str, found: Figures) -> None:
    def share(part: int, of: int) -> str:
        return f"{100 * part / of:.0f} %" if of else ""

    right = (found.first, found.two, found.exact)
    first, two, exact = (share(each, found.wishes) for each in right)
    taken = f"{found.taken} ({share(found.taken, found.talk)})" if found.talk else ""
    cells = (name, found.wishes or "", first, two, exact, found.talk or "", taken)
    print(f"| {' | '.join(map(str, cells))} |")


if __name__ == "__main__":
    main()
