"""Letters to the others about what a mail changed, one a game however much it was."""

from __future__ import annotations

from judge.game.visibility.identity import changer
from judge.game.visit import Visit


def announce(visit: Visit) -> None:
    """Tell everybody else in the game which settings were changed, by whom, from what to what."""
    for game_id, changes in visit.changes.items():
        state = visit.states[game_id]
        me = visit.person.id if visit.person else None
        facts = {"changes": changes, "who": changer(state, visit.person)}
        visit.post.to_game("settings", state, facts, but=(me,), mail_id=visit.mail.id)
