"""What a YES or NO to a message does, by the kind of message that asks."""

from __future__ import annotations

from judge.commands import proposals
from judge.commands.admission import approve, end_part
from judge.events import EventKind
from judge.game.endings import shared_win
from judge.game.people.entry import turned_away, waiting_seats
from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.intake.context import MessageContext
from judge.intake.reading import Decision


def _share(context: MessageContext, state: State, claim: str, yes: bool) -> Answer:
    """Take the answer of a player who can share the win."""
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


def _admit(context: MessageContext, state: State, claim: str, yes: bool) -> Answer:
    """Take a game master's word on a newcomer."""
    seat = next((seat for seat in waiting_seats(state) if str(seat.id) == claim), None)
    if seat is None and yes:
        # The game master said no, and has second thoughts.
        asked = next((each for each in state.seats if str(each.id) == claim), None)
        if asked is not None and asked.person_id is not None:
            seat = turned_away(state, asked.person_id)
    if seat is None:
        raise Refused("decided", game=state.game.name)
    who = state.person(seat).name
    if yes:
        approve(context, state, seat)
    else:
        end_part(context, state, [seat])
    return Answer("admission", {"who": who, "yes": yes, "game": state.game.name})


DECISIONS = (
    Decision(EventKind.APPROVAL, _admit),
    Decision(EventKind.SHARING, _share, masters=False),
    Decision(EventKind.PROPOSAL, proposals.act, masters=False),
)
