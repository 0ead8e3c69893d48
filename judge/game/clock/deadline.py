"""Another deadline for the phase that is open: what was promised, and who has to hear of it.

No phase may end before the time last promised to somebody who owes orders. So an earlier deadline
or grace end is taken only when everybody who owes orders has a complete set on file.
"""

from __future__ import annotations

from datetime import datetime

from judge.events import EventKind
from judge.game.clock.timing import change_deadline
from judge.game.state import State
from judge.game.state.answers import Refused, not_running
from judge.storage import GameState


def running(state: State) -> datetime:
    """The deadline that is running. Raises Refused where there is none."""
    game = state.game
    if game.state != GameState.ACTIVE or game.deadline is None:
        raise not_running(state)
    return game.deadline


def keep_promise(state: State, old: datetime, new: datetime, master: bool) -> None:
    """Raise Refused where `new` breaks the promise of `old` to somebody who owes orders; a `master`
    is told what he can do."""
    if new < old and not state.complete():
        raise Refused(
            "promised",
            write=f"PROCESS {state.game.phase}" if master else None,
            old=old,
            master=master,
        )


def set_deadline(
    state: State, new: datetime, why: str, who: str = "", but: int | None = None
) -> datetime:
    """Let the open phase end at `new`, and tell everybody but the person `but`; the old deadline.

    `why` is set, vote, undelivered or back; `who` is the name of who did it, where somebody did.
    """
    old = running(state)
    change_deadline(state, new)
    tell(state, old, why, who, but)
    return old


def tell(
    state: State, old: datetime | None, why: str, who: str = "", but: int | None = None
) -> None:
    """Write to everybody but `but` that the deadline is another one now."""
    state.tell(EventKind.DEADLINE, {"old": old, "why": why, "who": who}, but=(but,))
