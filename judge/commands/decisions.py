"""YES or NO of a player who can share the game with another one (see `sharing`)."""

from __future__ import annotations

from judge.events import EventKind
from judge.game.endings import shared_win
from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.intake.context import MessageContext
from judge.intake.reading import Decision


def _act(context: MessageContext, state: State, claim: str, yes: bool) -> Answer:
    assert context.sender.person is not None
    try:
        taken = shared_win.answer(state, claim, context.sender.person.id, yes)
    except LookupError:
        raise Refused("no_say") from None
    if not taken:
        raise Refused("sharing_over", game=state.game.name)
    return Answer(
        "shared_vote", {"yes": yes} | (shared_win.facts(state, context.sender.person.id) or {})
    )


SHARING = Decision(EventKind.SHARING, _act, masters=False)
"""Answers to the letter that asks the two."""
