"""A phase played through with the orders on file, of which nothing is kept."""

from __future__ import annotations

from judge.game.post import Post
from judge.game.proxies import carried_out
from judge.game.report import report, standings
from judge.game.state import State
from judge.rules import engine


def preview(state: State, post: Post) -> None:
    """Write to the masters, and to nobody else, what the open phase would lead to now."""
    before = state.opened
    adjudication = engine.adjudicate(
        state.variant, before, carried_out(state.orders), state.rulebook
    )
    facts = {
        "report": report(state.variant, before, adjudication),
        "after": standings(state.variant, adjudication.position),
        "missing": [power for power in state.owed if not state.sheet(power).complete],
        "winners": list(adjudication.winners),
    }
    for seat in state.active("master"):
        post.to_person("preview", state.person(seat), facts, state)
