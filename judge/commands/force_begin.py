"""FORCE BEGIN and UNSTART: start without the players who are missing, and begin anew."""

from __future__ import annotations

from dataclasses import replace

from judge.events import EventKind
from judge.game.fairness import assignment
from judge.game.people.seating import unseat_players
from judge.game.state.answers import Answer, Refused, not_running
from judge.intake.authorization import in_time
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import GameState, Role


def force_begin(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    game = state.game
    if game.state != GameState.FORMING:
        raise Refused("has_started", game=game.name)
    if not state.active(Role.PLAYER):
        raise Refused("nobody_to_begin", game=game.name)
    missing = state.places - len(state.active(Role.PLAYER))
    state.set(forced=True, manual_start=False)
    context.log("forced start", {"missing": missing})
    return Answer("forced", {"game": game.name, "missing": missing})


def unstart(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    game = state.game
    if state.position is None:
        raise not_running(state)
    in_time(context, state)
    if game.state == GameState.ENDED or context.storage.history.last(game.id) is not None:
        raise Refused("begun", game=game.name, state=game.state, phase=game.phase)
    context.log("unstarted", {"phase": game.phase})
    state.close()
    game.options = replace(game.options, pause=None, proposals={}, coin=None)
    # Everybody knows the seed of the first draw.
    assignment.commit(state, context.seed())
    settings = state.settings
    ends_at = None if settings.time_limit is not None else settings.ends_at
    state.set(manual_start=True, forced=False, ends_at=ends_at)
    unseat_players(state)
    context.tell(EventKind.UNSTARTED, {"seal": assignment.sealed(state)})
    return Answer("unstarted", {"game": game.name})


FORCE_BEGIN = Command(
    words=("force begin", "force start"),
    who="masters",
    summary="start the game without the players who are missing",
    help=(
        "The powers are dealt to those who are there. The others have no player: they are "
        "abandoned, and anybody may take them over. DUMMY says that nobody shall play one."
    ),
    example="FORCE BEGIN",
    bare=True,
    run=force_begin,
    group="masters",
)

UNSTART = Command(
    words=("unstart",),
    who="masters",
    summary="take the start back: powers are not dealt yet, orders are dropped",
    help=(
        "In the first phase only. Everybody stays in the game, people may join or leave, and it "
        "starts on START: powers are dealt anew then."
    ),
    example="UNSTART",
    bare=True,
    run=unstart,
    group="masters",
)
