"""Letters to the others about what a mail changed, one a game however much it was."""

from __future__ import annotations

from judge.events import EventKind
from judge.game.visibility.identity import changer
from judge.intake.context import MessageContext


def announce(context: MessageContext) -> None:
    """Tell everybody else in the game which settings were changed, by whom, from what to what."""
    for game_id, changes in context.report.changes.items():
        state = context.cursor.states[game_id]
        me = context.sender.person.id if context.sender.person else None
        facts = {"changes": changes, "who": changer(state, context.sender.person)}
        state.tell(EventKind.SETTINGS, facts, but=(me,), mail_id=context.mail.id)
