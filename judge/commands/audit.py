"""AUDIT: what the masters of a game have done."""

from __future__ import annotations

from judge.game.masters.audit import acts
from judge.game.state.answers import Answer, no_part
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import GameState


def run(context: MessageContext, call: Call) -> Answer:
    name = call.arguments.strip(" .?!")
    state = context.cursor.game_named(name) if name else context.cursor.here()
    game = state.game
    me = context.sender.person.id if context.sender.person else None
    if not context.sender.keeper and not any(seat.person_id == me for seat in state.seats):
        raise no_part(state)
    found = acts(state)
    return Answer(
        "audit",
        {
            "game": game.name,
            "acts": found[-_MOST:],
            "more": max(0, len(found) - _MOST),
            "over": game.state == GameState.ENDED,
            "moderated": game.moderated,
        },
    )


_MOST = 200
"""Acts that are shown, the last ones."""

COMMAND = Command(
    words=("audit", "get log", "get audit"),
    who="people",
    summary="what the masters of a game have done",
    help=(
        "Every act of a master is in this log: settings, phases run by hand or taken back, "
        "previews, what was done in a player's place. Everybody with a part in the game may read "
        "it; the orders that a master gave are shown when the game is over."
    ),
    usage="[game]",
    example="AUDIT paris",
    run=run,
    asks=True,
    group="information",
)
