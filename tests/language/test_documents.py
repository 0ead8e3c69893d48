"""Every order that the five rule documents print, read as they mean it.

`documents.txt` has them as they stand, misprints of the copies included. What the documents show
as no order, or print too damaged, is answered with what is wrong.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from judge import variants
from judge.game.orders.interpret import InterpretedOrder, ask
from judge.game.orders.order_context import OrderContext
from judge.language.read import read_order
from judge.rules.orders import Unreadable, order_text
from judge.rules.phase import Calendar, Kind, Phase
from judge.rules.position import Position, Unit

BOARDS = {
    "2023": "standard",
    "tutorial": "standard",
    "1976": "standard",
    "era": "era_of_empire",
    "global": "global",
}


class Sentence(NamedTuple):
    """A line of a document: where it stands, for which kind of phase, who has which units, if that
    matters, and what it means."""

    document: str
    section: str
    kind: Kind
    text: str
    units: str
    means: str


def sentences() -> list[Sentence]:
    """The rows of the table."""
    found = []
    document = section = ""
    kind = Kind.MOVEMENT
    file = Path(__file__).with_name("documents.txt")
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            document, section, letter = line[3:].split(" | ")
            kind = Kind(letter)
        elif line and not line.startswith("#"):
            text, means = line.rsplit(" | ", 1)
            text, _, units = text.partition(" @ ")
            found.append(Sentence(document, section, kind, text, units, means))
    return found


def phase_of(calendar: Calendar, start: Phase, kind: Kind) -> Phase:
    """The first phase of a kind."""
    while start.kind is not kind:
        start = calendar.next(start)
    return start


def turn_of(each: Sentence) -> OrderContext:
    """The turn that reads the sentence: with the units it needs to know, or with none."""
    variant = variants.load(BOARDS[each.document])
    phase = phase_of(variant.calendar, variant.start_phase, each.kind)
    if not each.units:
        return OrderContext(variant, later=phase)
    power, _, listed = each.units.partition(": ")
    units = tuple(Unit(*unit.split()) for unit in listed.split(", "))
    position = Position(phase, {power: units}, {power: ()})
    return OrderContext(variant, position, powers=(power,))


def told(each: InterpretedOrder) -> str:
    """What was read, in the form of the table."""
    if each.kind == "text":
        return f"~ {each.text}"
    if each.kind == "unknown":
        assert each.problem is not None
        return f"! {each.problem.facts['problem']}"
    return str(each.read) if each.power is None else f"{each.power}: {each.read}"


@pytest.mark.parametrize("each", sentences(), ids=lambda each: f"{each.document}-{each.text}"[:60])
def test_every_printed_order_is_read_as_it_is_meant(each: Sentence) -> None:
    turn = turn_of(each)
    pieces = ask(each.text, turn, None, turn.later)
    assert ("; ".join(map(told, pieces)) or "~") == each.means
    if turn.position is not None:
        return
    # `judge adjudicate` takes one order at a time.
    assert turn.later is not None
    for piece in pieces:
        order = read_order(piece.text, turn.variant, turn.later)
        assert isinstance(order, Unreadable) or order_text(order, each.kind) in each.means


def test_the_table_has_all_documents() -> None:
    found = [each.document for each in sentences()]
    assert {name: found.count(name) > 10 for name in BOARDS} == dict.fromkeys(BOARDS, True)
