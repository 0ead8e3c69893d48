"""Messages that ask people to decide something: they reply YES or NO on the first line.

Whatever follows is read as usual, and so is a reply that begins with neither.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from judge.events import EventKind
from judge.game.state import State
from judge.game.state.answers import Answer, LineResult, Refused
from judge.game.state.profile import TrustLevel
from judge.intake.authentication import prove
from judge.intake.context import MessageContext
from judge.intake.questions import said_yes


@dataclass(frozen=True)
class Decision:
    """A kind of message that can be answered so, and what the reply does.

    `act` gets the ticket's claim, which says what is to be decided, and whether the reply is yes;
    it raises Refused where there is nothing left to decide. With `masters` only game masters
    decide.
    """

    kind: EventKind
    act: Callable[[MessageContext, State, str, bool], Answer]
    masters: bool = True


def decide(context: MessageContext, decisions: Iterable[Decision]) -> None:
    """Carry out the first line of a mail that answers such a letter; the rest is left in it."""
    found = context.sender.answered
    known: Mapping[str, Decision] = {each.kind.word: each for each in decisions}
    if found is None or not found.valid or found.ticket.kind not in known:
        return
    first, _, rest = context.incoming.text.lstrip().partition("\n")
    yes = said_yes(first)
    state = context.cursor.state
    decision = known[found.ticket.kind]
    if yes is None or state is None or (decision.masters and not context.cursor.is_master()):
        return
    if context.profile.trust > TrustLevel.TOKEN:
        prove(context, state, context.profile.trust)
    word = "YES" if yes else "NO"
    try:
        answer = decision.act(context, state, found.ticket.claim or "", yes)
    except Refused as refused:
        context.report.results.append(
            LineResult(first, "refused", Answer(refused.code, refused.facts), word)
        )
    else:
        context.report.results.append(LineResult(first, "command", answer, word))
    context.incoming = replace(context.incoming, text=rest.strip("\n"))
