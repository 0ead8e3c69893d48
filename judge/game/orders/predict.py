"""A phase played through with the orders on file, of which nothing is kept."""

from __future__ import annotations

from collections.abc import Sequence

from judge.events import EventKind, Reader
from judge.game.orders.interpret import carried_out
from judge.game.state import State
from judge.game.state.report import report, standings, with_words
from judge.rules import engine
from judge.storage import Person


def preview(state: State, readers: Sequence[Person]) -> None:
    """Write to these readers, who may know all orders, what the open phase would lead to now."""
    before = state.opened
    adjudication = engine.adjudicate(
        state.variant, before, carried_out(state.orders), state.rulebook
    )
    facts = {
        "report": with_words(report(state.variant, before, adjudication), state.variant),
        "after": standings(state.variant, adjudication.position),
        "missing": [power for power in state.owed if not state.sheet(power).complete],
        "winners": list(adjudication.winners),
        "ending": adjudication.ending and adjudication.ending.value,
    }
    for person in readers:
        state.tell(EventKind.PREVIEW, facts, to=Reader(person.id))
